package workload

import (
	"io"

	"bourse/traces"
	"bourse/traces/table"
)

// Open refuses.
func Open(path string, _ traces.Options) (traces.Source, error) { return nil, table.NoParquet(path) }

// Write refuses.
func Write(_ io.Writer, src traces.Source) (int64, error) {
	return 0, table.NoParquet(src.Header().Name)
}

// Is says that every Parquet is a workload, whose reader refuses it.
func Is(string) bool { return true }
