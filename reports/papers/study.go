// Package papers is what the reproductions of published studies share: a report
// of parts under headings, tables kept as files, and a verdict on every claim.
// Each study is a package below this one.
package papers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"bourse/reports/figures"
	"bourse/reports/table"
	"bourse/traces/files"
	traces "bourse/traces/table"
)

// Study is the report of one reproduction.
type Study struct {
	out      *traces.Sticky
	terminal io.Writer
	dir      string // empty: no files
	failed   error  // the first of a file
	report   bytes.Buffer
	claims   []*Claim
}

// NewStudy reports to out and, if dir is not empty, keeps tables and figures in
// dir, which it makes.
func NewStudy(out io.Writer, dir string) (*Study, error) {
	if dir != "" {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	}
	s := &Study{terminal: out, dir: dir}
	s.out = &traces.Sticky{To: io.MultiWriter(out, &s.report)}
	return s, nil
}

// Run goes through the parts of a report, which ends in the verdicts.
func (s *Study) Run(ctx context.Context, parts ...func() error) error {
	for _, part := range parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := part(); err != nil {
			return err
		}
		if s.failed != nil {
			return s.failed
		}
	}
	return s.Verdicts()
}

// Heading begins a part.
func (s *Study) Heading(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	fmt.Fprintf(s.out, "\n%s\n%s\n\n", text, strings.Repeat("-", len([]rune(text))))
}

// Printf writes into the report.
func (s *Study) Printf(format string, args ...any) { fmt.Fprintf(s.out, format, args...) }

// Aside prints what is not kept, as it is not the same each time.
func (s *Study) Aside(format string, args ...any) { fmt.Fprintf(s.terminal, format, args...) }

// Show writes tables into the report. Like all else in it, what cannot be written is an error
// of Verdicts.
func (s *Study) Show(tables ...*table.Table) {
	_ = table.Print(s.out, &table.Report{Tables: tables})
}

// Keep writes a table as CSV. Like Draw it returns the first error of all files so far,
// which also ends the report after this part: only the last call in a part needs a look.
func (s *Study) Keep(name string, t *table.Table) error {
	return s.save(func() error {
		return files.Write(filepath.Join(s.dir, name+".csv"), t.WriteCSV)
	})
}

// Draw writes a figure as SVG, PDF and PNG.
func (s *Study) Draw(name string, rows ...[]figures.Drawing) error {
	return s.DrawNamed(name, nil, rows...)
}

// DrawNamed is Draw with the names of the lines beside the panels.
func (s *Study) DrawNamed(name string, names []string, rows ...[]figures.Drawing) error {
	return s.save(func() error { return figures.Save(filepath.Join(s.dir, name), rows, names...) })
}

func (s *Study) save(file func() error) error {
	if s.dir != "" && s.failed == nil {
		s.failed = file()
	}
	return s.failed
}
