package traces

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// openCSV reads a table of jobs with a line of column names:
// "log.csv?submit=Submitted&run=Elapsed&procs=CPUs".
func openCSV(spec string, o Options) (Source, error) {
	path, query := splitMapping(spec)
	m, err := parseMapping(query)
	if err != nil {
		return nil, fmt.Errorf("csv:%s: %w", path, err)
	}
	return readCSV(path, "csv", m, o)
}

func readCSV(path, format string, m mapping, o Options) (Source, error) {
	files, err := openMembers(path, o)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	g := newGatherer(path, format, o, false)
	t := newRows(&g.header)
	m.apply(t)
	for {
		name, text, err := files.next()
		if errors.Is(err, io.EOF) {
			return g.source()
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
func csvFile(name string, text io.Reader, files *members, g *gatherer, t *rows, m mapping) error {
	in := bufio.NewReaderSize(text, 1<<16)
	head, err := in.Peek(1 << 12)
	if err != nil && !errors.Is(err, io.EOF) {
		return files.broken(err)
	}
	if err := notText(name, head); err != nil {
		return err
	}
	if len(trimMark(head)) != len(head) {
		in.Discard(3)
	}
	r := csv.NewReader(in)
	r.ReuseRecord, r.FieldsPerRecord, r.TrimLeadingSpace = true, -1, true
	if r.Comma = m.delimiter; r.Comma == 0 {
		r.Comma = delimiterOf(string(head))
	}
	first, err := r.Read()
	if errors.Is(err, io.EOF) {
		return &Error{File: name, What: "the trace holds no jobs: it is empty", Want: "a line of column names was expected"}
	}
	if err != nil {
		return csvBroken(name, files, err)
	}
	names := make([]string, len(first))
	for i, n := range first {
		names[i] = strings.TrimSpace(n)
	}
	if err := findColumns(&g.header, names, m.columns, t); err != nil {
		return err
	}
	var j Job
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		v, fault := isJob, (*Error)(nil)
		parse := (*csv.ParseError)(nil)
		switch {
		case errors.As(err, &parse):
			fault = &Error{Line: int64(parse.StartLine), What: "a quote out of place", Want: "a field with quotes was expected to begin and end with one"}
		case err != nil:
			return csvBroken(name, files, err)
		case emptyRow(cells):
			v = isNothing
		case len(cells) != len(names):
			line, _ := r.FieldPos(0)
			fault = &Error{Line: int64(line), What: fmt.Sprintf("%d fields", len(cells)), Want: fmt.Sprintf("expected %d, as in the first line", len(names))}
		default:
			line, _ := r.FieldPos(0)
			v, fault = t.job(&j, cells, int64(line))
		}
		if fault != nil {
			fault.File = name
		}
		if err := g.take(&j, v, fault); err != nil {
			return err
		}
		files.records = g.header.Ledger.Read
	}
}

func csvBroken(name string, files *members, err error) error {
	if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
		return &Error{File: name, Line: int64(parse.StartLine), What: "a quote out of place in the column names"}
	}
	return files.broken(err)
}

// emptyRow is a row that tells nothing: a line of delimiters, as editors and
// exports leave at the end.
func emptyRow(cells []string) bool {
	for _, c := range cells {
		if strings.TrimSpace(c) != "" {
			return false
		}
	}
	return true
}

// delimiterOf finds the delimiter the first line holds most of.
func delimiterOf(head string) rune {
	line, _, _ := strings.Cut(head, "\n")
	best, most := ',', 0
	for _, d := range ",;\t|" {
		if n := strings.Count(line, string(d)); n > most {
			best, most = d, n
		}
	}
	return best
}
