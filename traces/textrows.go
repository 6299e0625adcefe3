package traces

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// readTable reads a table of text, one record a line.
func readTable(path string, g *gatherer, t *rows, split func(string) ([]string, *Error), header func(string) error) (Source, error) {
	m, err := openMembers(path, g.opts)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	err = eachLine(m, g, func(line []byte, number int64, j *Job) (verdict, *Error, error) {
		if number == 1 {
			line = trimMark(line)
		}
		text := string(line)
		if header != nil && number == 1 {
			return isNothing, nil, header(text)
		}
		if strings.TrimSpace(text) == "" || text[0] == '#' {
			return isNothing, nil, nil
		}
		cells, fault := split(text)
		if fault != nil {
			return isJob, fault, nil
		}
		v, fault := t.job(j, cells, number)
		return v, fault, nil
	})
	if err != nil {
		return nil, err
	}
	return g.source()
}

// eachLine walks over the lines of all texts of a log.
func eachLine(m *members, g *gatherer, record func(line []byte, number int64, j *Job) (verdict, *Error, error)) error {
	var text *lines
	var j Job
	for {
		name, in, err := m.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if text == nil {
			text = newLines(in)
		} else {
			*text = lines{in: in, buf: text.buf}
		}
		if err := notText(name, text.peek(4096)); err != nil {
			return err
		}
		for {
			line, err := text.next()
			if errors.Is(err, io.EOF) {
				break
			}
			if errors.Is(err, errLongLine) {
				return &Error{File: name, Line: text.number, What: fmt.Sprintf("a line of more than %d bytes", bufferSize), Want: "is this the right file?"}
			}
			if err != nil {
				return m.broken(err)
			}
			v, fault, err := record(line, text.number, &j)
			if err != nil {
				return err
			}
			if fault != nil {
				fault.File, fault.Line = name, text.number
			}
			if err := g.take(&j, v, fault); err != nil {
				return err
			}
			m.records = g.header.Ledger.Read
		}
	}
}
