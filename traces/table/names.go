package table

import (
	"os"
	"strings"
)

// Names returns the names of a table's columns.
func Names(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if IsParquet(path) {
		p, err := OpenParquet(path, f)
		if err != nil {
			return nil, err
		}
		return p.Names(), nil
	}
	names, err := NewCSV(path, f).Read()
	if err != nil {
		return nil, notCSV(path, err)
	}
	for i := range names {
		names[i] = strings.TrimSpace(strings.TrimPrefix(names[i], "\ufeff"))
	}
	return names, nil
}
