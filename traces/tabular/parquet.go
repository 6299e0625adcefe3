//go:build !js

package tabular

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/table"
)

// OpenParquet reads a table of jobs: "log.parquet?submit=Submitted&...". The columns
// that have a role are read as the text a CSV would hold.
func OpenParquet(spec string, o traces.Options) (traces.Source, error) {
	path, query := SplitMapping(spec)
	m, err := parseMapping(query)
	if err != nil {
		return nil, fmt.Errorf("parquet:%s: %w", path, err)
	}
	return openParquet(path, "parquet", m, o)
}

// ColumnsOf are the names of a Parquet file's columns, nil if it cannot be read.
func ColumnsOf(path string) []string {
	disk, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer disk.Close()
	file, err := table.OpenParquet(path, disk)
	if err != nil {
		return nil
	}
	return file.Names()
}

func openParquet(path, format string, m mapping, o traces.Options) (traces.Source, error) {
	if path == "-" {
		return nil, errors.New("a Parquet file cannot be read from stdin, its index is at its end; give a path")
	}
	disk, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer disk.Close()
	file, err := table.OpenParquet(path, disk)
	if err != nil {
		return nil, err
	}
	g := input.NewGatherer(path, format, o, false)
	g.Arrays = true
	t := NewRows(&g.Header)
	m.apply(t)
	places, err := parquetColumns(file, t, m)
	if err != nil {
		return nil, err
	}
	if err := readParquet(file.Columns(places...), places, g, t); err != nil {
		return nil, err
	}
	t.doubt(g.Header.Ledger)
	return g.Source()
}

// parquetColumns gives the file's columns roles and returns their places, -1 for those
// without a role.
func parquetColumns(file *table.Parquet, t *Rows, m mapping) ([]int, error) {
	names := file.Names()
	if err := FindColumns(t.header, names, m.columns, t); err != nil {
		return nil, err
	}
	places := make([]int, len(names))
	for i := range places {
		places[i] = -1
	}
	for r, at := range t.Cols {
		if at < 0 {
			continue
		}
		if err := file.Check(at, table.Truth); err != nil {
			return nil, err
		}
		if err := file.CheckTime(at, slices.Contains(instants[:], Role(r)), slices.Contains(spans[:], Role(r))); err != nil {
			return nil, err
		}
		places[at] = at
		switch tick := file.Fields[at].Tick; tick {
		case 0:
		case 1:
			t.unit[r] = input.Nanoseconds
		default:
			t.unit[r] = events.Time(tick / 1000)
		}
	}
	return places, nil
}

// readParquet passes all rows on.
func readParquet(columns *table.Columns, places []int, g *input.Gatherer, t *Rows) error {
	var j traces.Job
	var line int64
	var text []byte
	values := make([]table.Values, len(places))
	row := make([]string, len(places))
	for {
		n, err := columns.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		for i := 0; i < len(places) && err == nil; i++ {
			if places[i] >= 0 {
				err = columns.Read(i, &values[i])
			}
		}
		if err != nil {
			return err
		}
		for k := range n {
			for i, at := range places {
				if at >= 0 {
					text = values[i].Append(text[:0], k)
					row[i] = string(text)
				}
			}
			line++
			v, fault := t.job(&j, row, line)
			if err := g.Take(&j, v, fault); err != nil {
				return err
			}
		}
	}
}
