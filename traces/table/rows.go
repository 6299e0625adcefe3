package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"bourse/traces"
)

// Rows reads some columns of a table row by row, in memory that does not grow
// with the table.
type Rows struct {
	// Name is the file's, for messages.
	Name  string
	names []string // of the columns asked for
	line  int64    // of the row in the file; in Parquet the row from 1
	from  feed
	file  io.Closer // nil for standard input
}

// feed is a format's reader of rows.
type feed interface {
	// next goes to the next row and returns its line, or io.EOF.
	next() (int64, error)
	// word returns the value of the i-th column asked for, valid until next.
	word(i int) []byte
	// number returns the value as a number where the format has numbers.
	number(i int) (float64, bool)
}

// OpenRows opens the table at path as Read does, for the columns of these names.
func OpenRows(path string, stdin io.Reader, columns ...string) (*Rows, error) {
	if path == "-" {
		return openCSVRows("standard input", stdin, columns)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	var r *Rows
	if IsParquet(path) {
		r, err = openParquetRows(path, f, columns)
	} else {
		r, err = openCSVRows(path, f, columns)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r.file = f
	return r, nil
}

// Next goes to the next row; io.EOF means there is none.
func (r *Rows) Next() (err error) {
	defer recovered(r.Name, &err)
	r.line, err = r.from.next()
	return err
}

// Word returns the value of the i-th column asked for; it is valid until the next
// Next. Nothing is an error.
func (r *Rows) Word(i int) ([]byte, error) {
	w := r.from.word(i)
	if len(w) == 0 {
		return nil, r.Fault(r.names[i]+" is empty", "")
	}
	return w, nil
}

// Float returns the value of the i-th column asked for as a number. Anything
// else, or nothing, is a positioned error, and so is NaN.
func (r *Rows) Float(i int) (float64, error) {
	x, is := r.from.number(i)
	if !is {
		var err error
		// The conversion does not escape.
		if x, err = strconv.ParseFloat(string(r.from.word(i)), 64); err != nil {
			x = math.NaN()
		}
	}
	if math.IsNaN(x) {
		what := r.names[i] + " is empty"
		if w := r.from.word(i); len(w) > 0 {
			what = fmt.Sprintf("%s is %q", r.names[i], w)
		}
		return 0, r.Fault(what, "a number was expected")
	}
	return x, nil
}

// Known returns the value of the i-th column asked for as a number, and whether
// there is one: nothing, null and NaN are not. Words are a positioned error.
func (r *Rows) Known(i int) (x float64, known bool, err error) {
	if x, is := r.from.number(i); is {
		return x, !math.IsNaN(x), nil
	}
	if len(r.from.word(i)) == 0 {
		return 0, false, nil
	}
	x, err = r.Float(i)
	return x, err == nil, err
}

// Fault returns an error at the row: what is wrong, and what was expected, which
// may be empty.
func (r *Rows) Fault(what, want string) error {
	return &traces.Error{File: r.Name, Line: r.line, What: what, Want: want}
}

// Close closes the file.
func (r *Rows) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// places finds the columns asked for among those there are.
func places(name string, there, wanted []string) ([]int, error) {
	t := &Table{Name: name, columns: make([]column, len(there))}
	for i := range there {
		t.columns[i].name = there[i]
	}
	if err := t.checkNames(); err != nil {
		return nil, err
	}
	at := make([]int, len(wanted))
	for k, w := range wanted {
		c, err := t.need(w)
		if err != nil {
			return nil, err
		}
		for i := range t.columns {
			if c == &t.columns[i] {
				at[k] = i
			}
		}
	}
	return at, nil
}

// trimmed drops the blanks round a value.
func trimmed(b []byte) []byte { return bytes.TrimSpace(b) }
