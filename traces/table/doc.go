// Package table reads columns of Parquet files a batch at a time, with their
// nulls. It knows nothing of jobs.
package table
