package workload

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"

	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/table"
)

// source reads a workload Parquet, some thousand rows of all columns at a
// time, so that memory does not depend on the size of the row groups.
type source struct {
	header traces.Header
	opts   traces.Options
	disk   *os.File
	file   *file.Reader
	places []int // columns[i] is the file's column places[i], or -1
	group  int   // the next row group
	inputs []file.ColumnChunkReader
	left   int64        // rows of the row group not yet decoded
	rows   []traces.Job // decoded
	faults []string
	next   int
	row    int64
	good   atomic.Int64 // rows passed by, for Fraction
	total  int64
	ids    traces.IDSet
	done   error
	whole  []int64
	small  []int32
	real   []float64
	words  []parquet.ByteArray
	levels []int16
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
	s := &source{
		opts: o, disk: disk, rows: make([]traces.Job, 0, table.BatchRows), faults: make([]string, table.BatchRows),
		whole: make([]int64, table.BatchRows), small: make([]int32, table.BatchRows), real: make([]float64, table.BatchRows),
		words: make([]parquet.ByteArray, table.BatchRows), levels: make([]int16, table.BatchRows),
	}
	s.header = traces.Header{Name: path, Format: "workload", Ledger: &traces.Ledger{}}
	if err := s.openFile(); err != nil {
		disk.Close()
		return nil, err
	}
	return input.Reorder(s, o), nil
}

func (s *source) openFile() (err error) {
	defer s.caught(&err)
	if s.file, err = table.OpenParquet(s.header.Name, s.disk); err != nil {
		return err
	}
	s.total = s.file.NumRows()
	if err := s.findColumns(); err != nil {
		return err
	}
	return s.readMeta()
}

// caught turns a panic of the library, its answer to some damage, into an error.
func (s *source) caught(err *error) {
	if p := recover(); p != nil {
		*err = &traces.Error{File: s.header.Name, What: fmt.Sprintf("damaged Parquet data after %d rows (%v)", s.row, p), Want: "fetch or write the file again"}
	}
}

// FindColumns matches the file's columns with ours by name and type.
func (s *source) findColumns() error {
	sc := s.file.MetaData().Schema
	var missing []string
	for i := range columns {
		c := &columns[i]
		at := sc.ColumnIndexByName(c.name)
		s.places = append(s.places, at)
		if at < 0 {
			if c.must {
				missing = append(missing, c.name)
			}
			continue
		}
		leaf := sc.Column(at)
		t := leaf.PhysicalType()
		ok := t == parquet.Types.Int64 || t == parquet.Types.Int32
		switch {
		case c.real != nil:
			ok = t == parquet.Types.Double
		case c.words != nil && t == parquet.Types.ByteArray:
			*c.words(&s.header.Names) = &traces.Words{}
			ok = true
		}
		if !ok || leaf.MaxRepetitionLevel() > 0 || leaf.MaxDefinitionLevel() > 1 {
			return &traces.Error{File: s.header.Name, What: fmt.Sprintf("column %s is of type %v", c.name, t), Want: "a flat column of whole numbers (cpu and memory: of doubles; labels: or of strings) was expected"}
		}
	}
	if len(missing) > 0 {
		return &traces.Error{File: s.header.Name, What: "a Parquet file, but no workload: it has no column " + strings.Join(missing, ", "),
			Want: "bourse trace convert writes workload files"}
	}
	return nil
}

func (s *source) readMeta() error {
	meta := s.file.MetaData().KeyValueMetadata()
	value := func(key string) string {
		if v := meta.FindValue(key); v != nil {
			return *v
		}
		return ""
	}
	if v := value(metaVersion); v != "" && v != "1" {
		return &traces.Error{File: s.header.Name, What: fmt.Sprintf("workload format version %q", v), Want: "this program reads version 1"}
	}
	s.header.Procs, _ = strconv.Atoi(value(metaProcs))
	s.header.Start, _ = strconv.ParseInt(value(metaStart), 10, 64)
	if text := value(metaPool); text != "" {
		if err := json.Unmarshal([]byte(text), &s.header.Capacity); err != nil {
			return &traces.Error{File: s.header.Name, What: "metadata " + metaPool, Err: err, Want: "CPU, Memory and Machines in JSON were expected"}
		}
	}
	var list [][2]string
	if text := value(metaHeader); text != "" {
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			return &traces.Error{File: s.header.Name, What: "metadata " + metaHeader, Err: err, Want: "a JSON list of pairs was expected"}
		}
	}
	for _, p := range list {
		s.header.Fields = append(s.header.Fields, traces.Field{Label: p[0], Text: p[1]})
	}
	return nil
}

// Header implements Source.
func (s *source) Header() *traces.Header { return &s.header }

// HasJob implements Seer.
func (s *source) HasJob(id int64) bool { return s.ids.Has(id) }

// Fraction implements Progress.
func (s *source) Fraction() float64 {
	return float64(s.good.Load()) / float64(max(s.total, 1))
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
			fault = fmt.Sprintf("job %d is there a second time", j.ID)
		}
		if fault == "" {
			return nil
		}
		err := &traces.Error{File: s.header.Name, Line: s.row, What: fault, Want: "(the number is the row's)"}
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

// Is tells a workload Parquet from other tables by its columns. Of a
// file that cannot be read it says yes: the workload's reader tells what is wrong.
func Is(path string) (yes bool) {
	yes = true
	disk, err := os.Open(path)
	if err != nil {
		return yes
	}
	defer disk.Close()
	defer func() { _ = recover() }() // the library's answer to some damage
	f, err := file.NewParquetReader(disk)
	if err != nil {
		return yes
	}
	ours := 0
	for i := range columns {
		if columns[i].must && f.MetaData().Schema.ColumnIndexByName(columns[i].name) >= 0 {
			ours++
		}
	}
	return ours > 1 || f.MetaData().KeyValueMetadata().FindValue(metaVersion) != nil
}
