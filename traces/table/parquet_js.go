package table

import (
	"os"

	"bourse/traces"
)

// NoParquet refuses a Parquet file: its library is several times as large as the rest.
func NoParquet(path string) error {
	return &traces.Error{File: path, What: "this build reads and writes no Parquet", Want: "want CSV, or the program for a system of its own"}
}

func openParquetRows(name string, _ *os.File, _ []string, _ int) (*Rows, error) {
	return nil, NoParquet(name)
}
