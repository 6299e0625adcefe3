//go:build !js

package workload

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/table"
)

// source reads a workload Parquet, some thousand rows of all columns at a time.
type source struct {
	header  traces.Header
	opts    traces.Options
	disk    *os.File
	file    *table.Parquet
	places  []int // columns[i] is the file's column places[i], or -1
	columns *table.Columns
	values  table.Values
	rows    []traces.Job // decoded
	faults  []string
	next    int
	row     int64
	passed  atomic.Int64 // rows passed on, for Fraction
	ids     traces.IDSet
	done    error
}

// Open opens a workload Parquet by its path.
func Open(path string, o traces.Options) (traces.Source, error) {
	if path == "-" {
		return nil, errors.New("a workload Parquet cannot be read from stdin, its index is at its end; give a path")
	}
	disk, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &source{opts: o, disk: disk, rows: make([]traces.Job, 0, table.BatchRows),
		faults: make([]string, table.BatchRows)}
	s.header = traces.Header{Name: path, Format: "workload", Ledger: &traces.Ledger{}}
	if err := s.openFile(); err != nil {
		disk.Close()
		return nil, err
	}
	return input.Reorder(s, o), nil
}

func (s *source) openFile() (err error) {
	if s.file, err = table.OpenParquet(s.header.Name, s.disk); err != nil {
		return err
	}
	if err := s.findColumns(); err != nil {
		return err
	}
	s.columns = s.file.Columns(s.places...)
	return s.readMeta()
}

// findColumns matches the file's columns with ours by name and kind.
func (s *source) findColumns() error {
	var missing []string
	for i := range columns {
		c := &columns[i]
		at := s.file.Find(c.name)
		s.places = append(s.places, at)
		if at < 0 {
			if c.must {
				missing = append(missing, c.name)
			}
			continue
		}
		if c.asked != nil {
			*c.asked(&s.header.Asks) = true
		}
		field := &s.file.Fields[at]
		ok := field.Kind == table.Whole && field.Tick == 0
		switch {
		case c.real != nil:
			ok = field.Kind == table.Real
		case c.words != nil && field.Kind == table.Text:
			*c.words(&s.header.Names) = &traces.Words{}
			ok = true
		}
		if !ok || !field.Flat {
			return &traces.Error{File: s.header.Name, What: fmt.Sprintf("column %s is of type %s", c.name, field.Type),
				Want: "want a flat column of whole numbers (cpu, memory, gpu and disk: of doubles; labels: or of strings)"}
		}
	}
	if len(missing) > 0 {
		return &traces.Error{File: s.header.Name,
			What: "a Parquet file, but no workload: it has no column " + strings.Join(missing, ", "),
			Want: "workload files are what conversion of a trace to Parquet writes"}
	}
	return nil
}

func (s *source) readMeta() error {
	value := func(key string) string {
		v, _ := s.file.Meta(key)
		return v
	}
	if v := value(metaVersion); v != "" && v != "1" {
		return &traces.Error{File: s.header.Name, What: fmt.Sprintf("workload format version %q", v),
			Want: "this program reads version 1"}
	}
	s.header.Procs, _ = strconv.Atoi(value(metaProcs))
	s.header.Start, _ = strconv.ParseInt(value(metaStart), 10, 64)
	s.header.Unix = value(metaUnix) == "true"
	if text := value(metaPool); text != "" {
		if err := json.Unmarshal([]byte(text), &s.header.Capacity); err != nil {
			return &traces.Error{File: s.header.Name, What: "metadata " + metaPool, Err: err,
				Want: "want CPU, Memory and Machines in JSON"}
		}
	}
	var list [][2]string
	if text := value(metaHeader); text != "" {
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			return &traces.Error{File: s.header.Name, What: "metadata " + metaHeader, Err: err,
				Want: "want a JSON list of pairs"}
		}
	}
	for _, p := range list {
		s.header.Fields = append(s.header.Fields, traces.Field{Label: p[0], Text: p[1]})
	}
	return nil
}

// Header implements Source.
func (s *source) Header() *traces.Header { return &s.header }

// HasJob implements JobLookup.
func (s *source) HasJob(id int64) bool { return s.ids.Has(id) }

// Fraction implements Progress.
func (s *source) Fraction() float64 {
	return float64(s.passed.Load()) / float64(max(s.file.Rows(), 1))
}

// Close closes the file.
func (s *source) Close() error {
	if s.done == nil {
		s.done = errors.New(s.header.Name + ": read after Close")
	}
	err := s.disk.Close()
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// Next implements Source.
func (s *source) Next(j *traces.Job) error {
	for s.done == nil {
		if s.next == len(s.rows) {
			s.done = s.fill()
			continue
		}
		fault := s.faults[s.next]
		*j = s.rows[s.next]
		s.next++
		s.row++
		s.header.Ledger.Read++
		j.Line = s.row
		if fault == "" && j.Task == 0 && j.Attempt == 0 && !s.ids.Add(j.ID) {
			fault = fmt.Sprintf("duplicate job ID %d", j.ID)
		}
		if fault == "" {
			return nil
		}
		err := &traces.Error{File: s.header.Name, Line: s.row, What: fault, Want: "(the number is that of the row)"}
		if !s.opts.Skip {
			s.done = err
			break
		}
		s.header.Ledger.Drop(traces.Malformed, nil)
		if s.opts.OnError != nil {
			s.opts.OnError(err)
		}
	}
	return s.done
}

// Is tells a workload Parquet from other tables by its columns. It also reports a file
// that cannot be read: the workload's reader says what is wrong with it.
func Is(path string) bool {
	disk, err := os.Open(path)
	if err != nil {
		return true
	}
	defer disk.Close()
	f, err := table.OpenParquet(path, disk)
	if err != nil {
		return true
	}
	ours := 0
	for i := range columns {
		if columns[i].must && f.Find(columns[i].name) >= 0 {
			ours++
		}
	}
	_, says := f.Meta(metaVersion)
	return ours > 1 || says
}
