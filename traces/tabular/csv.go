package tabular

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/table"
)

// OpenCSV reads a table of jobs with a line of column names:
// "log.csv?submit=Submitted&run=Elapsed&procs=CPUs".
func OpenCSV(spec string, o traces.Options) (traces.Source, error) {
	path, query := SplitMapping(spec)
	m, err := parseMapping(query)
	if err != nil {
		return nil, fmt.Errorf("csv:%s: %w", path, err)
	}
	return readCSV(path, "csv", m, o)
}

func readCSV(path, format string, m mapping, o traces.Options) (traces.Source, error) {
	files, err := input.OpenMembers(path, o)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	g := input.NewGatherer(path, format, o, false)
	g.Arrays = true
	t := NewRows(&g.Header)
	m.apply(t)
	for {
		name, text, err := files.Next()
		if errors.Is(err, io.EOF) {
			t.doubt(g.Header.Ledger)
			return g.Source()
		}
		if err == nil {
			err = csvFile(name, text, files, g, t, m)
		}
		if err != nil {
			return nil, err
		}
	}
}

// csvFile reads one file.
func csvFile(name string, text io.Reader, files *input.Members, g *input.Gatherer, t *Rows, m mapping) error {
	in := bufio.NewReaderSize(text, 1<<16)
	head, err := in.Peek(1 << 12)
	if err != nil && !errors.Is(err, io.EOF) {
		return files.Broken(err)
	}
	if err := traces.CheckText(name, "CSV", "", head); err != nil {
		return err
	}
	if len(input.TrimMark(head)) != len(head) {
		in.Discard(3)
	}
	r := table.NewCSV(name, in)
	r.ReuseRecord, r.FieldsPerRecord, r.TrimLeadingSpace = true, -1, true
	if r.Comma = m.delimiter; r.Comma == 0 {
		r.Comma = DelimiterOf(string(head))
	}
	if m.preset != nil && m.preset.names != nil {
		if err := FindColumns(&g.Header, m.preset.names, nil, t); err != nil {
			return err
		}
		return csvRows(name, r, m.preset.names, files, g, t)
	}
	first, err := r.Read()
	if errors.Is(err, io.EOF) {
		return &traces.Error{File: name, What: "the trace holds no jobs: it is empty", Want: "want a line of column names"}
	}
	if err != nil {
		return csvBroken(name, files, err)
	}
	names := make([]string, len(first))
	for i, n := range first {
		names[i] = strings.TrimSpace(n)
	}
	if err := FindColumns(&g.Header, names, m.columns, t); err != nil {
		return err
	}
	return csvRows(name, r, names, files, g, t)
}

// csvRows reads the records of a file.
func csvRows(name string, r *table.CSV, names []string, files *input.Members, g *input.Gatherer, t *Rows) error {
	var j traces.Job
	first := "first line"
	if t.preset != nil && t.preset.names != nil {
		first = "trace's documentation"
	}
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		v, fault := input.IsJob, (*traces.Error)(nil)
		parse := (*csv.ParseError)(nil)
		switch {
		case errors.As(err, &parse):
			fault = &traces.Error{Line: int64(parse.StartLine), What: "misplaced quote",
				Want: "want a quoted field to begin and end with a quote"}
		case err != nil:
			return csvBroken(name, files, err)
		case emptyRow(cells):
			v = input.IsNothing
		case len(cells) != len(names):
			line, _ := r.FieldPos(0)
			fault = &traces.Error{Line: int64(line), What: fmt.Sprintf("%d fields", len(cells)),
				Want: fmt.Sprintf("expected %d, as in the %s", len(names), first)}
		default:
			line, _ := r.FieldPos(0)
			v, fault = t.job(&j, cells, int64(line))
		}
		if fault != nil {
			fault.File = name
		}
		if err := g.Take(&j, v, fault); err != nil {
			return err
		}
		files.Records = g.Header.Ledger.Read
	}
}

func csvBroken(name string, files *input.Members, err error) error {
	if known := (*traces.Error)(nil); errors.As(err, &known) {
		return err
	}
	if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
		return &traces.Error{File: name, Line: int64(parse.StartLine), What: "misplaced quote in the column names"}
	}
	return files.Broken(err)
}

// emptyRow is a row without values: a line of delimiters, as editors and
// exports leave at the end.
func emptyRow(cells []string) bool {
	return !slices.ContainsFunc(cells, func(c string) bool { return strings.TrimSpace(c) != "" })
}

// DelimiterOf finds the delimiter the first line holds most of.
func DelimiterOf(head string) rune {
	line, _, _ := strings.Cut(head, "\n")
	best, most := ',', 0
	for _, d := range ",;\t|" {
		if n := strings.Count(line, string(d)); n > most {
			best, most = d, n
		}
	}
	return best
}
