package tabular

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"bourse/traces"
	"bourse/traces/input"
)

// ReadText reads a table of text, one record a line.
func ReadText(path string, g *input.Gatherer, t *Rows, split func(string) ([]string, *traces.Error),
	header func(string) error) (traces.Source, error) {
	m, err := input.OpenMembers(path, g.Opts)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	err = EachLine(m, g, func(line []byte, number int64, j *traces.Job) (input.Verdict, *traces.Error, error) {
		text := string(line)
		if header != nil && number == 1 {
			return input.IsNothing, nil, header(text)
		}
		if strings.TrimSpace(text) == "" || text[0] == '#' {
			return input.IsNothing, nil, nil
		}
		cells, fault := split(text)
		if fault != nil {
			return input.IsJob, fault, nil
		}
		v, fault := t.job(j, cells, number)
		return v, fault, nil
	})
	if err != nil {
		return nil, err
	}
	if t.hets {
		joinComponents(g)
	}
	return g.Source()
}

// EachLine walks over the lines of all texts of a log.
func EachLine(m *input.Members, g *input.Gatherer,
	record func(line []byte, number int64, j *traces.Job) (input.Verdict, *traces.Error, error)) error {
	var text *input.Lines
	var j traces.Job
	for {
		name, in, err := m.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if text == nil {
			text = input.NewLines(in)
		} else {
			*text = input.Lines{In: in, Buf: text.Buf}
		}
		if err := traces.CheckText(name, g.Header.Format, "", text.Peek(4096)); err != nil {
			return err
		}
		for {
			line, err := text.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if errors.Is(err, input.ErrLongLine) {
				return &traces.Error{File: name, Line: text.Number,
					What: fmt.Sprintf("a line of more than %d bytes", input.LongestLine), Want: "is this the right file?"}
			}
			if err != nil {
				return m.Broken(err)
			}
			if text.Number == 1 {
				line = input.TrimMark(line)
			}
			v, fault, err := record(line, text.Number, &j)
			if err != nil {
				return err
			}
			if fault != nil {
				fault.File, fault.Line = name, text.Number
			}
			if err := g.Take(&j, v, fault); err != nil {
				return err
			}
			m.Records = g.Header.Ledger.Read
		}
	}
}
