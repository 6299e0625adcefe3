// Package table reads tables of named columns, CSV with a header line or, if the
// file's name ends in .parquet, Parquet: whole in memory (Read), row by row (OpenRows),
// or a column of a Parquet file a batch at a time (EachValue). It knows nothing of jobs.
package table
