package tabular

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/table"
)

// tableParquet reads the columns of any Parquet table that have a role, one row
// group at a time, as the text a CSV would hold.
type tableParquet struct {
	name  string
	file  *file.Reader
	cells [][]string // by column of the file; nil where there is no role
}

// OpenParquet reads a table of jobs: "log.parquet?submit=Submitted&...".
func OpenParquet(spec string, o traces.Options) (src traces.Source, err error) {
	path, query := SplitMapping(spec)
	m, err := parseMapping(query)
	if err != nil {
		return nil, fmt.Errorf("parquet:%s: %w", path, err)
	}
	if path == "-" {
		return nil, errors.New("a Parquet file cannot be read from stdin, its index is at its end; give a path")
	}
	disk, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer disk.Close()
	p := &tableParquet{name: path}
	defer func() { // the library's answer to some damage
		if bad := recover(); bad != nil {
			src, err = nil, &traces.Error{File: path, What: fmt.Sprintf("damaged Parquet data (%v)", bad), Want: "fetch or write the file again"}
		}
	}()
	if p.file, err = table.OpenParquet(path, disk); err != nil {
		return nil, err
	}
	g := input.NewGatherer(path, "parquet", o, false)
	t := NewRows(&g.Header)
	m.apply(t)
	if err := p.columns(g, t, m); err != nil {
		return nil, err
	}
	if err := p.read(g, t); err != nil {
		return nil, err
	}
	return g.Source()
}

// columns matches the file's columns with roles.
func (p *tableParquet) columns(g *input.Gatherer, t *Rows, m mapping) error {
	sc := p.file.MetaData().Schema
	names := make([]string, sc.NumColumns())
	for i := range names {
		names[i] = sc.Column(i).Path()
	}
	if err := FindColumns(&g.Header, names, m.columns, t); err != nil {
		return err
	}
	p.cells = make([][]string, len(names))
	for r, at := range t.Cols {
		if at < 0 {
			continue
		}
		leaf := sc.Column(at)
		if leaf.MaxRepetitionLevel() > 0 || leaf.MaxDefinitionLevel() > 1 {
			return &traces.Error{File: p.name, What: "column " + names[at] + " is nested", Want: "a flat column was expected"}
		}
		p.cells[at] = []string{}
		if unit, ok := unitOf(leaf); ok {
			t.unit[r] = unit
		}
	}
	return nil
}

// unitOf is the unit a column of time stamps says it has.
func unitOf(leaf *schema.Column) (events.Time, bool) {
	if leaf.PhysicalType() == parquet.Types.Int96 {
		return 1, true
	}
	var stamp schema.TimestampLogicalType
	switch of := leaf.LogicalType().(type) {
	case schema.TimestampLogicalType:
		stamp = of
	case *schema.TimestampLogicalType:
		stamp = *of
	default:
		return 0, false
	}
	switch stamp.TimeUnit() {
	case schema.TimeUnitMillis:
		return 1000, true
	case schema.TimeUnitMicros:
		return 1, true
	}
	return input.Nanoseconds, true
}

// read passes all rows on.
func (p *tableParquet) read(g *input.Gatherer, t *Rows) error {
	var j traces.Job
	var line int64
	row := make([]string, len(p.cells))
	for i := range p.file.NumRowGroups() {
		group := p.file.RowGroup(i)
		n := int(group.NumRows())
		for c := range p.cells {
			if p.cells[c] == nil {
				continue
			}
			chunk, err := group.Column(c)
			if err == nil {
				p.cells[c], err = columnText(chunk, p.cells[c][:0], n)
			}
			if err != nil {
				return &traces.Error{File: p.name, What: "column " + t.Names[c], Err: err, Want: "numbers, strings or time stamps in a whole file were expected"}
			}
		}
		for k := range n {
			for c := range p.cells {
				if p.cells[c] != nil {
					row[c] = p.cells[c][k]
				}
			}
			line++
			v, fault := t.job(&j, row, line)
			if err := g.Take(&j, v, fault); err != nil {
				return err
			}
		}
	}
	return nil
}

// columnText appends a chunk's n values as text, nulls as nothing.
func columnText(chunk file.ColumnChunkReader, to []string, n int) ([]string, error) {
	switch r := chunk.(type) {
	case *file.Int64ColumnChunkReader:
		return chunkText(chunk, r.ReadBatch, to, n, func(v int64) string { return strconv.FormatInt(v, 10) })
	case *file.Int32ColumnChunkReader:
		return chunkText(chunk, r.ReadBatch, to, n, func(v int32) string { return strconv.FormatInt(int64(v), 10) })
	case *file.Float64ColumnChunkReader:
		return chunkText(chunk, r.ReadBatch, to, n, func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) })
	case *file.Float32ColumnChunkReader:
		return chunkText(chunk, r.ReadBatch, to, n, func(v float32) string { return strconv.FormatFloat(float64(v), 'f', -1, 32) })
	case *file.Int96ColumnChunkReader:
		return chunkText(chunk, r.ReadBatch, to, n, func(v parquet.Int96) string { return strconv.FormatInt(v.ToTime().UnixMicro(), 10) })
	case *file.ByteArrayColumnChunkReader:
		return chunkText(chunk, r.ReadBatch, to, n, func(v parquet.ByteArray) string { return string(v) })
	}
	return to, fmt.Errorf("it is of type %v", chunk.Type())
}

func chunkText[T any](chunk file.ColumnChunkReader, read table.BatchReader[T], to []string, n int, text func(T) string) ([]string, error) {
	err := table.EachValue(chunk, read, n, func(_ int, v T, known bool) {
		if known {
			to = append(to, text(v))
		} else {
			to = append(to, "")
		}
	})
	return to, err
}
