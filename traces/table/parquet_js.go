package table

import (
	"os"

	"bourse/traces"
)

// NoParquet refuses a Parquet file: its library is several times as large as the rest.
func NoParquet(path string) error {
	return &traces.Error{File: path, What: "Parquet is not read in a browser",
		Want: "want CSV, or bourse outside the browser"}
}

func openParquetRows(name string, _ *os.File, _ []string, _ int) (*Rows, error) {
	return nil, NoParquet(name)
}
