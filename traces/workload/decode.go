package workload

import (
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow/go/v15/parquet/file"

	"bourse/traces"
	"bourse/traces/table"
)

// fill decodes the next rows.
func (s *source) fill() (err error) {
	defer s.caught(&err)
	s.good.Store(s.row)
	for s.left == 0 {
		if s.group == s.file.NumRowGroups() {
			if s.row == 0 {
				return &traces.Error{File: s.header.Name, What: "the trace holds no jobs"}
			}
			return io.EOF
		}
		if err := s.openGroup(); err != nil {
			return err
		}
	}
	n := int(min(s.left, table.BatchRows))
	s.rows, s.next = s.rows[:n], 0
	clear(s.faults)
	for i := range s.rows {
		s.rows[i] = traces.UnknownJob
	}
	for i := range columns {
		if s.inputs[i] == nil {
			continue
		}
		for from := 0; from < n; {
			got, err := s.Decode(i, from, n)
			if err != nil || got == 0 {
				return &traces.Error{File: s.header.Name, What: fmt.Sprintf("damaged Parquet data after %d rows, in column %s", s.row, columns[i].name), Err: err, Want: "fetch or write the file again"}
			}
			from += got
		}
	}
	s.left -= int64(n)
	return nil
}

func (s *source) openGroup() error {
	g := s.file.RowGroup(s.group)
	s.group++
	s.left = g.NumRows()
	s.inputs = slices.Grow(s.inputs[:0], len(columns))[:len(columns)]
	for i, at := range s.places {
		s.inputs[i] = nil
		if at < 0 {
			continue
		}
		in, err := g.Column(at)
		if err != nil {
			return &traces.Error{File: s.header.Name, What: fmt.Sprintf("damaged Parquet data after %d rows", s.row), Err: err, Want: "fetch or write the file again"}
		}
		s.inputs[i] = in
	}
	return nil
}

// Decode reads values of column i into rows from..n, as many as a page has.
func (s *source) Decode(i, from, n int) (got int, err error) {
	c, levels := &columns[i], s.levels[:n-from]
	want := int64(n - from)
	var rows int64
	switch in := s.inputs[i].(type) {
	case *file.Int64ColumnChunkReader:
		rows, _, err = in.ReadBatch(want, s.whole, levels, nil)
	case *file.Int32ColumnChunkReader:
		var values int
		rows, values, err = in.ReadBatch(want, s.small, levels, nil)
		for k, v := range s.small[:values] {
			s.whole[k] = int64(v)
		}
	case *file.Float64ColumnChunkReader:
		rows, _, err = in.ReadBatch(want, s.real, levels, nil)
	case *file.ByteArrayColumnChunkReader:
		var values int
		rows, values, err = in.ReadBatch(want, s.words, levels, nil)
		list := *c.words(&s.header.Names)
		for k, v := range s.words[:values] {
			s.whole[k] = int64(list.Label(v))
		}
	}
	if err != nil {
		return 0, err
	}
	nullable := s.inputs[i].Descriptor().MaxDefinitionLevel() > 0
	v := 0 // values are packed, without the nulls
	for k := range int(rows) {
		if nullable && levels[k] == 0 {
			if c.must && !c.nullable {
				s.faults[from+k] = c.name + " is null"
			}
			continue
		}
		s.put(c, from+k, v)
		v++
	}
	return int(rows), nil
}

// put stores value v of the last batch in a row.
func (s *source) put(c *column, row, v int) {
	j := &s.rows[row]
	switch {
	case c.real != nil:
		if x := s.real[v]; x >= 0 && x <= 1e300 {
			*c.real(j) = x
		}
	case c.label != nil:
		*c.label(j) = traces.Label(s.whole[v])
	default:
		if fault := c.set(j, s.whole[v]); fault != "" && s.faults[row] == "" {
			s.faults[row] = fault
		}
	}
}
