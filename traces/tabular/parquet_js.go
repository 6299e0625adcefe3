package tabular

import (
	"bourse/traces"
	"bourse/traces/table"
)

// OpenParquet refuses.
func OpenParquet(spec string, _ traces.Options) (traces.Source, error) {
	path, _ := SplitMapping(spec)
	return nil, table.NoParquet(path)
}
