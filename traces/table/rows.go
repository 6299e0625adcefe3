package table

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"

	"bourse/traces"
	"bourse/traces/input"
)

// Rows reads some columns of a table row by row, in memory that does not grow
// with the table.
type Rows struct {
	// Name is the file's, for messages.
	Name  string
	names []string // of the columns asked for, those that may be missing last
	line  int64    // of the row in the file; in Parquet the row from 1
	from  feed
	file  io.Closer // nil for standard input
	// packed says that a few bytes of the file may represent many rows.
	packed bool
}

// feed is a format's reader of rows.
type feed interface {
	// next goes to the next row and returns its line, or io.EOF.
	next() (int64, error)
	// word returns the value of the i-th column asked for, valid until next.
	word(i int) []byte
	// number returns the value as a number where the format has numbers, and whole
	// as an integer where it is exact.
	number(i int) (float64, bool)
	whole(i int) (int64, bool)
}

// Each calls do at each row to the table's end, and closes it.
func (r *Rows) Each(do func() error) (err error) {
	defer func() { err = errors.Join(err, r.Close()) }()
	for {
		if err := r.Next(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := do(); err != nil {
			return err
		}
	}
}

// OpenRows opens the table at path as Read does, for the columns of these names.
func OpenRows(path string, stdin io.Reader, columns ...string) (*Rows, error) {
	return OpenSome(path, stdin, columns, nil)
}

// OpenSome opens a table for columns that it must have, and behind them columns that
// it may lack: those are empty in every row. Naming none asks for all that there are.
func OpenSome(path string, stdin io.Reader, need, may []string) (*Rows, error) {
	names := append(slices.Clone(need), may...)
	if path == "-" {
		return openCSVRows("standard input", stdin, names, len(need))
	}
	if IsParquet(path) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		r, err := openParquetRows(path, f, names, len(need))
		return r.closing(f, true, err)
	}
	f, err := input.OpenFile(path)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReaderSize(f.Text, 1<<18)
	_, _ = in.Peek(headBytes) // unpacked a little at a time
	r, err := openCSVRows(path, in, names, len(need))
	return r.closing(f, input.KindOf(path) != "", err)
}

// closing makes f what is closed with the rows, or at once if they could not be opened.
func (r *Rows) closing(f io.Closer, packed bool, err error) (*Rows, error) {
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r.file, r.packed = f, packed
	return r, nil
}

// Next goes to the next row; io.EOF means there is none.
func (r *Rows) Next() error {
	var err error
	r.line, err = r.from.next()
	return err
}

// Line returns the row's line in the file, in Parquet the row's number from 1.
func (r *Rows) Line() int64 { return r.line }

// Word returns the value of the i-th column asked for; it is valid until the next
// Next. Nothing is an error.
func (r *Rows) Word(i int) ([]byte, error) {
	w := r.from.word(i)
	if len(w) == 0 {
		return nil, r.Fault(r.names[i]+" is empty", "")
	}
	return w, nil
}

// Text returns the value of the i-th column asked for, "" if there is none.
func (r *Rows) Text(i int) string { return string(r.from.word(i)) }

// Float returns the value of the i-th column asked for as a number. Anything
// else, or nothing, is a positioned error, and so is NaN.
func (r *Rows) Float(i int) (float64, error) {
	x, is := r.Number(i)
	if !is {
		what := r.names[i] + " is empty"
		if w := r.from.word(i); len(w) > 0 {
			what = fmt.Sprintf("%s is %q", r.names[i], w)
		}
		return 0, r.Fault(what, "want a number")
	}
	return x, nil
}

// Number is Float, and false for anything else.
func (r *Rows) Number(i int) (float64, bool) {
	x, is := r.from.number(i)
	if !is {
		x, is = input.Decimal(r.from.word(i))
	}
	if !is {
		// The conversion does not escape.
		var err error
		x, err = strconv.ParseFloat(string(r.from.word(i)), 64)
		is = err == nil
	}
	return x, is && !math.IsNaN(x)
}

// Floats fills x with the values of the first columns asked for as numbers.
func (r *Rows) Floats(x []float64) (err error) {
	for i := 0; i < len(x) && err == nil; i++ {
		x[i], err = r.Float(i)
	}
	return err
}

// Int returns the value of the i-th column asked for as an integer, exactly. Anything
// else, or nothing, is a positioned error.
func (r *Rows) Int(i int) (int64, error) {
	if v, exact := r.from.whole(i); exact {
		return v, nil
	}
	w, want := r.from.word(i), "want a whole number"
	if len(w) == 0 {
		return 0, r.Fault(r.names[i]+" is empty", want)
	}
	if _, is := r.from.number(i); is {
		want += "; floating numbers are exact only up to 2^53"
	}
	return 0, r.Fault(fmt.Sprintf("%s is %q", r.names[i], w), want)
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

// Fault returns an error at the row: what is wrong, and what is wanted, which
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

// places finds the columns asked for among those there are, of which the first `needed`
// must be there; -1 represents another that is not. All are asked for by naming none.
func places(name string, there, wanted []string, needed int) (names []string, at []int, err error) {
	t := &Table{Name: name, columns: make([]column, len(there))}
	for i := range there {
		t.columns[i].name = there[i]
	}
	if err := t.checkNames(); err != nil {
		return nil, nil, err
	}
	if len(wanted) == 0 {
		wanted = there
	}
	at = make([]int, len(wanted))
	for k, w := range wanted {
		if at[k] = t.index(w); at[k] < 0 && k < needed {
			_, err := t.need(w)
			return nil, nil, err
		}
	}
	return wanted, at, nil
}
