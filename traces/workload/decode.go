//go:build !js

package workload

import (
	"errors"
	"io"

	"bourse/traces"
	"bourse/traces/table"
)

// fill decodes the next rows.
func (s *source) fill() error {
	s.passed.Store(s.row)
	n, err := s.columns.Next()
	if errors.Is(err, io.EOF) && s.row == 0 {
		return &traces.Error{File: s.header.Name, What: "the trace holds no jobs"}
	}
	if err != nil {
		return err
	}
	s.rows, s.next = s.rows[:n], 0
	clear(s.faults)
	for i := range s.rows {
		s.rows[i] = traces.UnknownJob
	}
	for i := range columns {
		if s.places[i] < 0 {
			continue
		}
		if err := s.columns.Read(i, &s.values); err != nil {
			return err
		}
		s.take(&columns[i])
	}
	return nil
}

// take stores the values of a column in the rows.
func (s *source) take(c *column) {
	v := &s.values
	for k := range s.rows {
		if v.Null(k) {
			if c.must && !c.nullable {
				s.faults[k] = c.name + " is null"
			}
			continue
		}
		j := &s.rows[k]
		switch {
		case v.Kind == table.Real:
			if x := v.Real[k]; x >= 0 && x <= 1e300 {
				*c.real(j) = x
			}
		case v.Kind == table.Text:
			*c.label(j) = (*c.words(&s.header.Names)).Label(v.Text[k])
		case c.label != nil:
			*c.label(j) = traces.Label(v.Whole[k])
		default:
			if fault := c.set(j, v.Whole[k]); fault != "" && s.faults[k] == "" {
				s.faults[k] = fault
			}
		}
	}
}
