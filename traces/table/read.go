package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

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

// IsParquet tells by a file's name.
func IsParquet(path string) bool { return strings.EqualFold(filepath.Ext(path), ".parquet") }

// ReadCSV reads CSV with a header line; blanks round names and values do not
// count. name stands for the file in messages.
func ReadCSV(name string, in io.Reader) (*Table, error) {
	c := csv.NewReader(in)
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

// notCSV positions a fault of the format.
func notCSV(name string, err error) error {
	e := &traces.Error{File: name, What: "not CSV", Err: err}
	if fault := (*csv.ParseError)(nil); errors.As(err, &fault) {
		e.Line, e.Err = int64(fault.Line), fault.Err
		if errors.Is(fault.Err, csv.ErrFieldCount) {
			e.What, e.Err, e.Want = "the row has another number of fields than the first line", nil, ""
		}
	}
	return e
}

// recovered turns a panic of the Parquet library, which a damaged file can cause,
// into an error.
func recovered(name string, err *error) {
	if p := recover(); p != nil {
		*err = &traces.Error{File: name, What: fmt.Sprintf("damaged Parquet: %v", p)}
	}
}
