package table

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"

	"bourse/traces"
)

// parquetFeed reads columns side by side, a batch of values at a time.
type parquetFeed struct {
	file    *file.Reader
	columns []*parquetColumn
	group   int   // the next row group
	left    int64 // rows of this one not yet passed
	row     int64
}

// parquetColumn is the reader of one column with a batch of its values.
type parquetColumn struct {
	name    string
	index   int
	fill    func() (int, error) // reads the next batch; its length
	at, n   int
	words   []parquet.ByteArray
	numbers []float64 // NaN for null
	text    []byte
}

func openParquetRows(name string, in parquet.ReaderAtSeeker, columns []string) (r *Rows, err error) {
	defer recovered(name, &err)
	f, err := file.NewParquetReader(in)
	if err != nil {
		return nil, &traces.Error{File: name, What: "not a Parquet file", Err: err}
	}
	schema := f.MetaData().Schema
	there := make([]string, schema.NumColumns())
	for i := range there {
		there[i] = schema.Column(i).Name()
	}
	at, err := places(name, there, columns)
	if err != nil {
		return nil, err
	}
	feed := &parquetFeed{file: f}
	for k, i := range at {
		if of := schema.Column(i); of.MaxRepetitionLevel() > 0 || of.MaxDefinitionLevel() > 1 {
			return nil, &traces.Error{File: name, What: "column " + there[i] + " is nested", Want: "a flat table was expected"}
		}
		feed.columns = append(feed.columns, &parquetColumn{name: columns[k], index: i})
	}
	return &Rows{Name: name, names: columns, from: feed}, nil
}

func (f *parquetFeed) next() (int64, error) {
	for f.left == 0 {
		if f.group == f.file.NumRowGroups() {
			return 0, io.EOF
		}
		g := f.file.RowGroup(f.group)
		f.group, f.left = f.group+1, g.NumRows()
		for _, c := range f.columns {
			chunk, err := g.Column(c.index)
			if err == nil {
				err = c.open(chunk)
			}
			if err != nil {
				return 0, fmt.Errorf("column %s: %w", c.name, err)
			}
		}
	}
	f.left--
	f.row++
	for _, c := range f.columns {
		if c.at++; c.at < c.n {
			continue
		}
		var err error
		if c.n, err = c.fill(); err != nil || c.n == 0 {
			return 0, fmt.Errorf("column %s ends before row %d: %w", c.name, f.row, io.ErrUnexpectedEOF)
		}
		c.at = 0
	}
	return f.row, nil
}

func (f *parquetFeed) word(i int) []byte {
	c := f.columns[i]
	if c.numbers == nil {
		return c.words[c.at]
	}
	if c.text = c.text[:0]; !math.IsNaN(c.numbers[c.at]) {
		c.text = strconv.AppendFloat(c.text, c.numbers[c.at], 'f', -1, 64)
	}
	return c.text
}

func (f *parquetFeed) number(i int) (float64, bool) {
	if c := f.columns[i]; c.numbers != nil {
		return c.numbers[c.at], true
	}
	return 0, false
}

// open begins a row group.
func (c *parquetColumn) open(chunk file.ColumnChunkReader) error {
	c.at, c.n = 0, 0
	switch r := chunk.(type) {
	case *file.Float64ColumnChunkReader:
		fillNumbers(c, chunk, r.ReadBatch)
	case *file.Float32ColumnChunkReader:
		fillNumbers(c, chunk, r.ReadBatch)
	case *file.Int64ColumnChunkReader:
		fillNumbers(c, chunk, r.ReadBatch)
	case *file.Int32ColumnChunkReader:
		fillNumbers(c, chunk, r.ReadBatch)
	case *file.ByteArrayColumnChunkReader:
		next := batches(chunk, r.ReadBatch)
		c.fill = func() (int, error) {
			c.words = c.words[:0]
			return next(func(v parquet.ByteArray, known bool) {
				if !known {
					v = nil
				}
				c.words = append(c.words, v)
			})
		}
	default:
		return fmt.Errorf("it is of type %v; numbers or strings were expected", chunk.Type())
	}
	return nil
}

func fillNumbers[T int32 | int64 | float32 | float64](c *parquetColumn, chunk file.ColumnChunkReader, read func(int64, []T, []int16, []int16) (int64, int, error)) {
	next := batches(chunk, read)
	c.fill = func() (int, error) {
		c.numbers = c.numbers[:0]
		return next(func(v T, known bool) {
			x := float64(v)
			if !known {
				x = math.NaN()
			}
			c.numbers = append(c.numbers, x)
		})
	}
}

// batches returns a function that reads the next batch and passes its values on.
func batches[T any](chunk file.ColumnChunkReader, read func(int64, []T, []int16, []int16) (int64, int, error)) func(each func(v T, known bool)) (int, error) {
	most := chunk.Descriptor().MaxDefinitionLevel()
	const size = 4096
	values, levels := make([]T, size), make([]int16, size)
	return func(each func(v T, known bool)) (int, error) {
		n, _, err := read(size, values, levels, nil)
		if err != nil {
			return 0, err
		}
		next := 0
		for i := range int(n) {
			var v T
			known := most == 0 || levels[i] == most
			if known {
				v = values[next]
				next++
			}
			each(v, known)
		}
		return int(n), nil
	}
}
