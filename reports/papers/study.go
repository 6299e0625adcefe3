// Package papers is what the reproductions of published studies share: a report
// of parts under headings, tables kept as files, and a verdict on every claim.
// Each study is a package below this one.
package papers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"bourse/reports/figures"
	"bourse/reports/run"
	"bourse/reports/table"
	"bourse/traces/files"
)

// Study is the report of one reproduction. As text it is printed part by part; in other formats
// at the end, for readers its sections and what is shown in them, for programs its tables.
type Study struct {
	out    table.Output
	dir    string       // empty: no files
	claim  *files.Claim // of dir, and all that will be in it
	failed error        // the first of a file, or of printing
	report bytes.Buffer
	shown  []*table.Table
	kept   []*table.Table
	claims []*Claim
	drawn  []string // the names of figures
}

// NewStudy reports to out and, if dir is not empty, has tables and figures for dir, which it
// makes and has for itself. They are there with Publish, in the place of those of an earlier
// reproduction, and Abort ends a study without it.
func NewStudy(out table.Output, dir string) (s *Study, err error) {
	s = &Study{out: out, dir: dir, claim: &files.Claim{}}
	if dir == "" {
		return s, nil
	}
	if s.claim, err = files.Take(dir); err != nil {
		return nil, err
	}
	old, err := ReadManifest(filepath.Join(dir, run.ManifestFile))
	if err == nil && old != nil {
		for _, f := range old.Files {
			s.claim.Replace(filepath.Join(dir, f.File))
		}
	}
	return s, nil // what a file that is no manifest says is not known
}

// Files is the set that is published, for files beside the study.
func (s *Study) Files() *files.Set { return &s.claim.Set }

// Publish gives the tables and figures their names, with the page and, if there is one, the
// manifest, which is last: all are there or none.
func (s *Study) Publish(p Page, m *Manifest) error {
	if s.dir == "" {
		return nil
	}
	err := s.writePage(p)
	if err == nil && m != nil {
		err = s.writeManifest(*m)
	}
	if err != nil {
		return errors.Join(err, s.claim.Abort())
	}
	return s.claim.Commit()
}

// Abort removes what is not published. After Publish it does nothing.
func (s *Study) Abort() error { return s.claim.Abort() }

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
	s.print(&table.Report{Answers: []string{"", text, strings.Repeat("-", len([]rune(text))), ""}})
	s.shown = append(s.shown, &table.Table{Title: text})
}

// Printf writes lines into the report. A blank line, and blanks at the beginning of a line, end a
// paragraph.
func (s *Study) Printf(format string, args ...any) {
	lines := strings.Split(strings.TrimSuffix(fmt.Sprintf(format, args...), "\n"), "\n")
	s.print(&table.Report{Answers: lines})
	if notes := paragraphs(lines); len(notes) > 0 {
		s.shown = append(s.shown, &table.Table{Notes: notes})
	}
}

// paragraphs joins the lines of each.
func paragraphs(lines []string) (all []string) {
	open := false
	for _, line := range lines {
		text := strings.TrimSpace(line)
		if open && text != "" && text[0] == line[0] {
			all[len(all)-1] += " " + text
		} else if text != "" {
			all = append(all, text)
		}
		open = text != ""
	}
	return all
}

// Aside prints lines that are not kept, as they are not the same each time. In formats other
// than text they are left out.
func (s *Study) Aside(format string, args ...any) {
	if s.isText() {
		s.fail(s.out.Write(&table.Report{Answers: []string{fmt.Sprintf(format, args...)}}))
	}
}

// Show writes tables into the report. Like all else in it, what cannot be written is an error
// of Verdicts.
func (s *Study) Show(tables ...*table.Table) {
	s.print(&table.Report{Tables: tables})
	s.shown = append(s.shown, tables...)
}

// print writes a piece of the report as it is kept, and as it is printed.
func (s *Study) print(r *table.Report) {
	_ = table.Print(&s.report, r) // a Buffer takes all
	if s.isText() {
		s.fail(s.out.Write(r))
	}
}

func (s *Study) isText() bool { return s.out.Format == "" || s.out.Format == "text" }

func (s *Study) fail(err error) {
	if s.failed == nil {
		s.failed = err
	}
}

// Keep writes a table as CSV, and programs find it in JSON by its name. Like Draw it returns the
// first error of all files so far, which also ends the report after this part: only the last call
// in a part needs a look.
func (s *Study) Keep(name string, t *table.Table) error {
	named := *t
	named.Name = name
	s.kept = append(s.kept, &named)
	return s.save(func() error { return s.write(name+".csv", t.WriteCSV) })
}

// Draw writes a figure as SVG, PDF and PNG.
func (s *Study) Draw(name string, rows ...[]figures.Drawing) error {
	return s.DrawNamed(name, nil, rows...)
}

// DrawNamed is Draw with the names of the lines beside the panels.
func (s *Study) DrawNamed(name string, names []string, rows ...[]figures.Drawing) error {
	s.drawn = append(s.drawn, name)
	return s.save(func() error { return figures.Save(s.Files(), filepath.Join(s.dir, name), rows, names...) })
}

// write writes a file of the study.
func (s *Study) write(name string, write func(io.Writer) error) error {
	return s.claim.Write(filepath.Join(s.dir, name), write)
}

func (s *Study) save(file func() error) error {
	if s.dir != "" && s.failed == nil {
		s.failed = file()
	}
	return s.failed
}
