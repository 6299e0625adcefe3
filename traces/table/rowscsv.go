package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"bourse/traces"
)

// longestRecord bounds a record of quoted fields, which may span lines: a quote
// that is never closed must not take all memory.
const longestRecord = 1 << 20

// csvFeed splits lines at commas by itself, which is several times as fast as
// encoding/csv, its oracle, and leaves lines with quotes to that.
type csvFeed struct {
	name   string
	in     *bufio.Reader
	line   int64 // lines read
	record []byte
	fields [][]byte
	width  int
	at     []int // fields of the columns asked for, or -1
}

func openCSVRows(name string, in io.Reader, names []string, needed int) (*Rows, error) {
	f := &csvFeed{name: name, in: bufio.NewReaderSize(in, 1<<18)}
	if err := checkText(name, f.in); err != nil {
		return nil, err
	}
	_, err := f.read()
	if errors.Is(err, io.EOF) {
		return nil, &traces.Error{File: name, What: "the table is empty", Want: "the first line should name the columns"}
	}
	if err != nil {
		return nil, err
	}
	f.width = len(f.fields)
	there := make([]string, f.width)
	for i, h := range f.fields {
		there[i] = strings.TrimSpace(strings.TrimPrefix(string(h), "\ufeff"))
	}
	if names, f.at, err = places(name, there, names, needed); err != nil {
		return nil, err
	}
	return &Rows{Name: name, names: names, from: f}, nil
}

// headBytes is how much of a table is looked at to tell what it is.
const headBytes = 4096

// checkText looks at what there is to read, without waiting for more.
func checkText(name string, in *bufio.Reader) error {
	if _, err := in.Peek(1); err != nil {
		return nil // met again by the reader
	}
	head, _ := in.Peek(min(in.Buffered(), headBytes))
	return traces.CheckText(name, "CSV", "", head)
}

func (f *csvFeed) next() (int64, error) {
	line, err := f.read()
	if err == nil && len(f.fields) != f.width {
		err = &traces.Error{File: f.name, Line: line, What: "the row has another number of fields than the first line"}
	}
	return line, err
}

func (f *csvFeed) word(i int) []byte {
	if f.at[i] < 0 {
		return nil
	}
	return bytes.TrimSpace(f.fields[f.at[i]])
}

func (f *csvFeed) number(int) (float64, bool) { return 0, false }

func (f *csvFeed) whole(i int) (int64, bool) {
	v, err := strconv.ParseInt(string(f.word(i)), 10, 64)
	return v, err == nil
}

// read splits the next record that is not an empty line.
func (f *csvFeed) read() (int64, error) {
	for {
		text, err := f.readLine()
		if err != nil {
			return 0, err
		}
		first := f.line
		if bytes.IndexByte(text, '"') >= 0 {
			return first, f.quoted(text)
		}
		if len(text) == 0 {
			continue
		}
		f.fields = f.fields[:0]
		for {
			k := bytes.IndexByte(text, ',')
			if k < 0 {
				break
			}
			f.fields = append(f.fields, text[:k])
			text = text[k+1:]
		}
		f.fields = append(f.fields, text)
		return first, nil
	}
}

// readLine returns the next line without its end.
func (f *csvFeed) readLine() ([]byte, error) {
	text, err := f.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		f.record = append(f.record[:0], text...)
		for errors.Is(err, bufio.ErrBufferFull) && len(f.record) <= longestRecord {
			text, err = f.in.ReadSlice('\n')
			f.record = append(f.record, text...)
		}
		if text = f.record; len(text) > longestRecord {
			return nil, f.tooLong()
		}
	}
	if err != nil && (!errors.Is(err, io.EOF) || len(text) == 0) {
		return nil, err
	}
	f.line++
	for _, end := range []byte{'\n', '\r'} {
		if n := len(text); n > 0 && text[n-1] == end {
			text = text[:n-1]
		}
	}
	return text, nil
}

func (f *csvFeed) tooLong() error {
	return tooLong(f.name, f.line+1)
}

// quoted reads a record with quotes: lines up to one at which they are closed. Lines end in
// \r\n here, which inside a field is read as \n: with \n alone a \r before it would get lost.
func (f *csvFeed) quoted(text []byte) error {
	first := f.line
	record := append(append([]byte(nil), text...), "\r\n"...)
	for bytes.Count(record, []byte{'"'})%2 == 1 {
		more, err := f.readLine()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if record = append(append(record, more...), "\r\n"...); len(record) > longestRecord {
			return f.tooLong()
		}
	}
	c := csv.NewReader(bytes.NewReader(record))
	c.FieldsPerRecord = -1
	words, err := c.Read()
	if err == nil {
		// An even number of quotes in odd places can leave a second record.
		if _, more := c.Read(); !errors.Is(more, io.EOF) {
			err = &csv.ParseError{Line: 1, Err: csv.ErrBareQuote}
		}
	}
	if err != nil {
		err = notCSV(f.name, err)
		if e := (*traces.Error)(nil); errors.As(err, &e) {
			e.Line += first - 1
		}
		return err
	}
	f.fields = f.fields[:0]
	for _, w := range words {
		f.fields = append(f.fields, []byte(w))
	}
	return nil
}
