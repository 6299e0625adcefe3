package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"bourse/traces"
)

// Read reads the table at path: CSV, Parquet if the name ends in .parquet, or
// CSV from stdin if it is "-".
func Read(path string, stdin io.Reader) (*Table, error) {
	r, err := OpenSome(path, stdin, nil, nil)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.table()
}

// mostValues bounds a Parquet or compressed file that is read whole: a few bytes of it may
// represent any number of values.
const mostValues = 8 << 20

// table reads all rows.
func (r *Rows) table() (*Table, error) {
	t := &Table{Name: r.Name, columns: make([]column, len(r.names))}
	for i := range t.columns {
		t.columns[i].name = r.names[i]
	}
	for {
		if err := r.Next(); errors.Is(err, io.EOF) {
			return t, t.check()
		} else if err != nil {
			return nil, err
		}
		t.lines = append(t.lines, r.line)
		if r.packed && len(t.lines)*len(t.columns) > mostValues {
			return nil, &traces.Error{File: r.Name, What: fmt.Sprintf("a table of more than %d values", mostValues),
				Want: "want it as CSV, whose size on disk is that in memory"}
		}
		for i := range t.columns {
			c := &t.columns[i]
			if x, is := r.from.number(i); is {
				c.numbers = append(c.numbers, x)
			} else {
				c.words = append(c.words, string(r.from.word(i)))
			}
		}
	}
}

// Names returns the names of a table's columns.
func Names(path string) ([]string, error) {
	r, err := OpenSome(path, nil, nil, nil)
	if err != nil {
		return nil, err
	}
	return r.names, r.Close()
}

// IsParquet reports by a file's name.
func IsParquet(path string) bool { return strings.EqualFold(filepath.Ext(path), ".parquet") }

// notCSV positions a fault of the format.
func notCSV(name string, err error) error {
	if known := (*traces.Error)(nil); errors.As(err, &known) {
		return err
	}
	e := &traces.Error{File: name, What: "not CSV", Err: err}
	if fault := (*csv.ParseError)(nil); errors.As(err, &fault) {
		e.Line, e.Err = int64(fault.Line), fault.Err
		if errors.Is(fault.Err, csv.ErrFieldCount) {
			e.What, e.Err, e.Want = "the row has another number of fields than the first line", nil, ""
		}
	}
	return e
}
