// Package recordtest makes records for tests and reads data files back with the
// libraries of their formats, as text.
package recordtest

import (
	"bytes"
	"encoding/csv"
	"io"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"

	"bourse/engine"
	"bourse/events"
	"bourse/traces"
)

// Float spells a number that was read as the encoder of CSV does; tests of package
// record set it.
var Float = func(dst []byte, x float64) []byte { return strconv.AppendFloat(dst, x, 'g', -1, 64) }

// MakeJobs returns n outcomes that look like a year of a cluster: whole
// seconds, few estimates and sizes, drawn values.
func MakeJobs(n int, seed uint64) []engine.Outcome {
	rng := rand.New(rand.NewPCG(seed, 1))
	out := make([]engine.Outcome, n)
	submit := int64(0)
	for i := range out {
		submit += int64(rng.ExpFloat64() * 30)
		run := int64(rng.ExpFloat64() * 3600)
		wait := int64(max(0, rng.NormFloat64()*4000))
		value := 180 * rng.Float64()
		estimate := events.Time(rng.IntN(48)+1) * 1800 * events.Second
		if rng.IntN(10) == 0 {
			estimate = events.Unknown
		}
		o := &out[i]
		o.Job = traces.Job{ID: int64(i + 1), Submit: events.Time(submit) * events.Second, Run: events.Time(run) * events.Second,
			Estimate: estimate, Procs: 1 << rng.IntN(7), User: traces.Label(rng.IntN(2000)), Group: traces.Label(rng.IntN(20)),
			Queue: traces.Label(rng.IntN(4)) - 1, Partition: traces.NoLabel}
		o.Seq = int64(i)
		o.Start = o.Job.Submit + events.Time(wait)*events.Second
		o.End = o.Start + o.Job.Run
		o.Value, o.Bid = value, value*rng.Float64()
		o.Aggressive = rng.IntN(10) == 0
		o.Payment = o.Bid * float64(o.Job.Procs) * o.Job.Run.Seconds() / 2
		o.PreemptedBy = engine.NoJob
		if rng.IntN(20) == 0 {
			o.Preemptions, o.Lost, o.PreemptedBy = 1, 10*events.Second, rng.Int64N(int64(n))
		}
	}
	return out
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
		return string(Float(nil, c.Value(i)))
	}
	return c.ValueStr(i)
}

func ReadParquet(t *testing.T, data []byte) [][]string {
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
		return chunk(t, c.ReadBatch, rows, c.HasNext, column, func(x float64) string { return string(Float(nil, x)) })
	case *file.BooleanColumnChunkReader:
		return chunk(t, c.ReadBatch, rows, c.HasNext, column, strconv.FormatBool)
	case *file.ByteArrayColumnChunkReader:
		return chunk(t, c.ReadBatch, rows, c.HasNext, column, func(x parquet.ByteArray) string { return string(x) })
	}
	t.Fatalf("unexpected column type %T", column)
	return nil
}

// chunk reads a column chunk, nulls as empty strings.
func chunk[T any](t *testing.T, read func(int64, []T, []int16, []int16) (int64, int, error), rows int, more func() bool, column file.ColumnChunkReader, text func(T) string) []string {
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

var Readers = map[string]func(*testing.T, []byte) [][]string{"parquet": ReadParquet, "arrow": readArrow, "csv": readCSV}
