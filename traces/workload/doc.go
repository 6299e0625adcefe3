// Package workload reads and writes the project's own interchange format: a Parquet
// file with one row per job that holds everything a job of package traces does.
package workload
