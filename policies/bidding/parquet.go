package bidding

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"

	"bourse/events"
	"bourse/traces"
)

// ReadParquet reads a bid table from Parquet: columns of 64-bit integers or
// floating numbers named job_id, value, bid and optionally time_s. Rows count as
// lines in messages, the first being line 1.
func ReadParquet(name string, in parquet.ReaderAtSeeker) (*Table, error) {
	f, err := file.NewParquetReader(in)
	if err != nil {
		return nil, &traces.Error{File: name, What: "not a Parquet file", Err: err}
	}
	defer f.Close()
	schema := f.MetaData().Schema
	header := make([]string, schema.NumColumns())
	for i := range header {
		header[i] = schema.Column(i).Name()
	}
	cols, err := columnsOf(name, header)
	if err != nil {
		return nil, err
	}
	b := newBuilder(name)
	for g := range f.NumRowGroups() {
		if err := readGroup(b, f.RowGroup(g), cols); err != nil {
			return nil, err
		}
	}
	return b.finish()
}

// readGroup adds one row group's rows.
func readGroup(b *builder, g *file.RowGroupReader, cols bidColumns) error {
	n := int(g.NumRows())
	read := func(column int, what string) ([]float64, error) {
		out := make([]float64, n)
		if column < 0 {
			for i := range out {
				out[i] = math.NaN()
			}
			return out, nil
		}
		chunk, err := g.Column(column)
		if err == nil {
			err = readNumbers(chunk, out)
		}
		if err != nil {
			return nil, &traces.Error{File: b.name, What: "column " + what, Err: err}
		}
		return out, nil
	}
	var ids, values, bids, times []float64
	for _, c := range []struct {
		to     *[]float64
		column int
		what   string
	}{{&ids, cols.id, "job_id"}, {&values, cols.value, "value"}, {&bids, cols.bid, "bid"}, {&times, cols.time, "time_s"}} {
		var err error
		if *c.to, err = read(c.column, c.what); err != nil {
			return err
		}
	}
	for i := range ids {
		r := row{line: b.count + 1, id: int64(ids[i]), value: values[i], bid: bids[i], at: fromTheStart}
		if float64(r.id) != ids[i] {
			return &traces.Error{File: b.name, Line: r.line, What: fmt.Sprintf("job_id is %g", ids[i]), Want: "want a whole number below 2^53"}
		}
		if !math.IsNaN(times[i]) {
			at, ok := events.FromSeconds(times[i])
			if !ok {
				return &traces.Error{File: b.name, Line: r.line, What: fmt.Sprintf("time_s is %g", times[i]), Want: "want seconds on the trace's clock"}
			}
			r.at = at
		}
		if err := b.add(r); err != nil {
			return err
		}
	}
	return nil
}

// readNumbers reads one column chunk into out, nulls as NaN.
func readNumbers(chunk file.ColumnChunkReader, out []float64) error {
	most := chunk.Descriptor().MaxDefinitionLevel()
	levels := make([]int16, len(out))
	ints, floats := make([]int64, len(out)), make([]float64, len(out))
	for done := 0; done < len(out); {
		var rows int64
		var got int
		var err error
		switch c := chunk.(type) {
		case *file.Int64ColumnChunkReader:
			rows, got, err = c.ReadBatch(int64(len(out)-done), ints, levels, nil)
			for i := range got {
				floats[i] = float64(ints[i])
			}
		case *file.Float64ColumnChunkReader:
			rows, _, err = c.ReadBatch(int64(len(out)-done), floats, levels, nil)
		default:
			return fmt.Errorf("it is of type %v; want 64-bit integers or floating numbers", chunk.Type())
		}
		if err != nil {
			return err
		}
		if rows == 0 {
			return fmt.Errorf("it ends after %d of %d rows", done, len(out))
		}
		next := 0
		for i := range int(rows) {
			if most > 0 && levels[i] < most {
				out[done+i] = math.NaN()
				continue
			}
			out[done+i] = floats[next]
			next++
		}
		done += int(rows)
	}
	return nil
}
