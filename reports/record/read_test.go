package record

import (
	"bytes"
	"encoding/csv"
	"io"
	"strconv"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"

	"bourse/traces"
)

// cells spells out what a table says of records: what every format must hold.
func cells[R any](table []Field[R], names *traces.Names, records []R) [][]string {
	rows := [][]string{nil}
	for i := range table {
		rows[0] = append(rows[0], table[i].Name)
	}
	for i := range records {
		var row []string
		for j := range table {
			b := newBatch(1)
			appendRow(b, table[j:j+1], names, &records[i])
			e := csvEncoder{}
			if v := &b.cols[0]; table[j].Kind == Text && !v.null(0) {
				row = append(row, string(v.word(0)))
				continue
			}
			e.value(&b.cols[0], table[j].Kind, 0)
			row = append(row, string(e.line))
		}
		rows = append(rows, row)
	}
	return rows
}

func readCSV(t *testing.T, data []byte) [][]string {
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func readArrow(t *testing.T, data []byte) [][]string {
	r, err := ipc.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	rows := [][]string{nil}
	for _, f := range r.Schema().Fields() {
		rows[0] = append(rows[0], f.Name)
	}
	for r.Next() {
		record := r.Record()
		for i := range int(record.NumRows()) {
			var row []string
			for _, c := range record.Columns() {
				row = append(row, arrowCell(c, i))
			}
			rows = append(rows, row)
		}
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return rows
}

func arrowCell(c arrow.Array, i int) string {
	if c.IsNull(i) {
		return ""
	}
	if c, ok := c.(*array.Float64); ok {
		return string(appendFloat(nil, c.Value(i)))
	}
	return c.ValueStr(i)
}

func readParquet(t *testing.T, data []byte) [][]string {
	r, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	rows := make([][]string, 1+r.NumRows())
	for col := range r.MetaData().Schema.NumColumns() {
		rows[0] = append(rows[0], r.MetaData().Schema.Column(col).Name())
		at := 1
		for g := range r.NumRowGroups() {
			column, err := r.RowGroup(g).Column(col)
			if err != nil {
				t.Fatal(err)
			}
			for _, cell := range parquetCells(t, column, int(r.RowGroup(g).NumRows())) {
				rows[at] = append(rows[at], cell)
				at++
			}
		}
		if at != len(rows) {
			t.Fatalf("column %d has %d values for %d rows", col, at-1, len(rows)-1)
		}
	}
	return rows
}

func parquetCells(t *testing.T, column file.ColumnChunkReader, rows int) []string {
	switch c := column.(type) {
	case *file.Int64ColumnChunkReader:
		return chunk(t, c.ReadBatch, rows, c.HasNext, column, func(x int64) string { return strconv.FormatInt(x, 10) })
	case *file.Int32ColumnChunkReader:
		return chunk(t, c.ReadBatch, rows, c.HasNext, column, func(x int32) string { return strconv.Itoa(int(x)) })
	case *file.Float64ColumnChunkReader:
		return chunk(t, c.ReadBatch, rows, c.HasNext, column, func(x float64) string { return string(appendFloat(nil, x)) })
	case *file.BooleanColumnChunkReader:
		return chunk(t, c.ReadBatch, rows, c.HasNext, column, strconv.FormatBool)
	case *file.ByteArrayColumnChunkReader:
		return chunk(t, c.ReadBatch, rows, c.HasNext, column, func(x parquet.ByteArray) string { return string(x) })
	}
	t.Fatalf("unexpected column type %T", column)
	return nil
}

// chunk reads a column chunk, nulls as empty strings.
func chunk[T any](t *testing.T, read func(int64, []T, []int16, []int16) (int64, int, error), rows int, more func() bool,
	column file.ColumnChunkReader, text func(T) string) []string {
	var out []string
	for more() {
		values, levels := make([]T, rows), make([]int16, rows)
		total, n, err := read(int64(rows), values, levels, nil)
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		optional := column.Descriptor().MaxDefinitionLevel() > 0
		next := 0
		for i := range int(total) {
			if optional && levels[i] == 0 {
				out = append(out, "")
				continue
			}
			out = append(out, text(values[next]))
			next++
		}
		if next != n {
			t.Fatalf("%d values for %d levels", n, next)
		}
	}
	return out
}

// readers read data files back with the libraries of their formats, as text.
var readers = map[string]func(*testing.T, []byte) [][]string{"parquet": readParquet, "arrow": readArrow, "csv": readCSV}
