package table

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/arrow/go/v15/parquet"

	"bourse/traces"
)

// Read reads the table at path: CSV, Parquet if the name ends in .parquet, or
// CSV from stdin if it is "-".
func Read(path string, stdin io.Reader) (*Table, error) {
	if path == "-" {
		return ReadCSV("standard input", stdin)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if IsParquet(path) {
		return readParquet(path, f)
	}
	return ReadCSV(path, f)
}

// IsParquet reports by a file's name.
func IsParquet(path string) bool { return strings.EqualFold(filepath.Ext(path), ".parquet") }

// ReadCSV reads CSV with a header line; blanks round names and values do not
// count. name stands for the file in messages.
func ReadCSV(name string, in io.Reader) (*Table, error) {
	text := bufio.NewReader(in)
	if err := checkText(name, text); err != nil {
		return nil, err
	}
	c := NewCSV(name, text)
	c.ReuseRecord = true
	header, err := c.Read()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &traces.Error{File: name, What: "the table is empty", Want: "the first line should name the columns"}
		}
		return nil, notCSV(name, err)
	}
	t := &Table{Name: name, columns: make([]column, len(header))}
	for i, h := range header {
		t.columns[i].name = strings.TrimSpace(strings.TrimPrefix(h, "\ufeff"))
		t.columns[i].words = []string{}
	}
	for {
		record, err := c.Read()
		if errors.Is(err, io.EOF) {
			return t, t.check()
		}
		if err != nil {
			return nil, notCSV(name, err)
		}
		line, _ := c.FieldPos(0)
		t.lines = append(t.lines, int64(line))
		for i, word := range record {
			t.columns[i].words = append(t.columns[i].words, strings.Clone(strings.TrimSpace(word)))
		}
	}
}

// checkText looks at what there is to read, without waiting for more.
func checkText(name string, in *bufio.Reader) error {
	if _, err := in.Peek(1); err != nil {
		return nil // met again by the reader
	}
	head, _ := in.Peek(min(in.Buffered(), 4096))
	return traces.CheckText(name, "CSV", "", head)
}

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

// mostValues bounds a Parquet file that is read whole: a few bytes of it may stand for any
// number of values.
const mostValues = 8 << 20

// readParquet reads all columns of a Parquet file, which must be flat: numbers or
// strings.
func readParquet(name string, in parquet.ReaderAtSeeker) (*Table, error) {
	p, err := OpenParquet(name, in)
	if err != nil {
		return nil, err
	}
	t := &Table{Name: name, columns: make([]column, len(p.Fields))}
	all := make([]int, len(p.Fields))
	for i := range all {
		if err := p.Check(i); err != nil {
			return nil, err
		}
		all[i], t.columns[i].name = i, p.Fields[i].Path
	}
	rows, v := p.Columns(all...), Values{}
	for {
		n, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return t, t.check()
		}
		for i := 0; i < len(all) && err == nil; i++ {
			if err = rows.Read(i, &v); err == nil {
				t.columns[i].append(&v, n)
			}
		}
		if err != nil {
			return nil, err
		}
		for range n {
			t.lines = append(t.lines, int64(len(t.lines)+1))
		}
		if len(t.lines)*len(all) > mostValues {
			return nil, &traces.Error{File: name, What: fmt.Sprintf("a table of more than %d values", mostValues), Want: "want it as CSV, whose size on disk is that in memory"}
		}
	}
}

// append adds a batch of n values.
func (c *column) append(v *Values, n int) {
	for k := range n {
		if x, is := v.Number(k); is {
			c.numbers = append(c.numbers, x)
		} else if v.Null(k) {
			c.words = append(c.words, "")
		} else {
			c.words = append(c.words, string(v.Text[k]))
		}
	}
}
