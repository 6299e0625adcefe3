package tabular

import (
	"bourse/traces"
	"bourse/traces/table"
)

// OpenParquet refuses.
func OpenParquet(spec string, o traces.Options) (traces.Source, error) {
	path, _ := SplitMapping(spec)
	return openParquet(path, "", mapping{}, o)
}

func openParquet(path, _ string, _ mapping, _ traces.Options) (traces.Source, error) {
	return nil, table.NoParquet(path)
}

// ColumnsOf knows none.
func ColumnsOf(string) []string { return nil }
