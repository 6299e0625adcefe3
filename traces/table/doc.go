// Package table reads tables of named columns, CSV with a header line or, if the
// file's name ends in .parquet, Parquet: whole in memory (Read), row by row (OpenRows),
// or columns of a Parquet file a batch at a time (OpenParquet). It knows nothing of jobs.
package table
