package table

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"

	"bourse/traces"
)

// ReadParquet reads all columns, which must be flat: integers, floating numbers
// or byte strings.
func readParquet(name string, in parquet.ReaderAtSeeker) (t *Table, err error) {
	defer recovered(name, &err)
	f, err := file.NewParquetReader(in)
	if err != nil {
		return nil, &traces.Error{File: name, What: "not a Parquet file", Err: err}
	}
	defer f.Close()
	schema := f.MetaData().Schema
	t = &Table{Name: name, columns: make([]column, schema.NumColumns())}
	for i := range t.columns {
		c, of := &t.columns[i], schema.Column(i)
		if c.name = of.Name(); of.MaxRepetitionLevel() > 0 || of.MaxDefinitionLevel() > 1 {
			return nil, &traces.Error{File: name, What: "column " + c.name + " is nested", Want: "a flat table was expected"}
		}
		for g := range f.NumRowGroups() {
			chunk, err := f.RowGroup(g).Column(i)
			if err == nil {
				err = c.read(chunk, int(f.RowGroup(g).NumRows()))
			}
			if err != nil {
				return nil, &traces.Error{File: name, What: "column " + c.name, Err: err}
			}
		}
	}
	t.lines = make([]int64, f.NumRows())
	for i := range t.lines {
		t.lines[i] = int64(i + 1)
	}
	return t, t.check()
}

// read appends one row group's values.
func (c *column) read(chunk file.ColumnChunkReader, rows int) error {
	switch r := chunk.(type) {
	case *file.Float64ColumnChunkReader:
		return readNumbers(c, rows, chunk, r.ReadBatch)
	case *file.Float32ColumnChunkReader:
		return readNumbers(c, rows, chunk, r.ReadBatch)
	case *file.Int64ColumnChunkReader:
		return readNumbers(c, rows, chunk, r.ReadBatch)
	case *file.Int32ColumnChunkReader:
		return readNumbers(c, rows, chunk, r.ReadBatch)
	case *file.ByteArrayColumnChunkReader:
		return readBatches(rows, chunk, r.ReadBatch, func(v parquet.ByteArray, known bool) {
			if !known {
				v = nil
			}
			c.words = append(c.words, string(v))
		})
	}
	return fmt.Errorf("it is of type %v; numbers or strings were expected", chunk.Type())
}

// readNumbers appends numbers of any type, nulls as NaN.
func readNumbers[T int32 | int64 | float32 | float64](c *column, rows int, chunk file.ColumnChunkReader,
	read func(int64, []T, []int16, []int16) (int64, int, error)) error {
	return readBatches(rows, chunk, read, func(v T, known bool) {
		x := float64(v)
		if !known {
			x = math.NaN()
		}
		c.numbers = append(c.numbers, x)
	})
}

// readBatches passes the values of a chunk on, with whether they are known.
func readBatches[T any](rows int, chunk file.ColumnChunkReader,
	read func(int64, []T, []int16, []int16) (int64, int, error), each func(v T, known bool)) error {
	next := batches(chunk, read)
	for done := 0; done < rows; {
		n, err := next(each)
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("it ends after %d of %d rows", done, rows)
		}
		done += n
	}
	return nil
}
