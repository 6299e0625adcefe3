// Package tables reads and writes the small tables that commands take and give:
// named columns of numbers or words, whole in memory, as CSV with a header line
// or, if the file's name ends in .parquet, as Parquet.
package tables
