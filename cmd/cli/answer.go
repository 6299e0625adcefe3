package cli

import (
	"cmp"
	"io"
	"os"
	"strconv"

	"golang.org/x/term"

	"bourse/reports/run"
	"bourse/reports/table"
	"bourse/traces/files"
)

// tableFormat is how a command prints its answer: what --format and --json say.
type tableFormat struct {
	format string
	json   bool
	widest int // of text where there is no terminal; 0 is no limit
}

func (r *tableFormat) define(f *flags) {
	r.defineAs(f, "text", "text, markdown, latex, csv, parquet, json or html")
}

func (r *tableFormat) defineAs(f *flags, usual, line string) {
	f.StringVar(&r.format, "format", usual, line)
	f.BoolVar(&r.json, "json", false, "short for --format json")
	f.check(func() error { return r.settle(f) })
}

// settle checks both before any time is spent.
func (r *tableFormat) settle(f *flags) error {
	if r.json && f.Changed("format") && r.format != "json" {
		return usagef("--json is short for --format json; leave out --format %s", r.format)
	}
	if r.json {
		r.format = "json"
	}
	return among("format", r.format, table.Formats)
}

// print writes a report to standard output.
func (r *tableFormat) print(a *app, report *table.Report) error {
	out, err := r.output(a)
	if err != nil {
		return err
	}
	return out.Write(report)
}

// output is standard output, and how reports are printed there.
func (r *tableFormat) output(a *app) (table.Output, error) {
	out := table.Output{W: a.stdout, Format: r.format, Version: Version, Styled: a.styled(),
		Width: cmp.Or(a.width(), r.widest), Methods: "bourse help methods"}
	if r.format == "parquet" || out.Styled {
		out.W = a.raw
	}
	return out, r.fits(a)
}

// fits refuses Parquet on a terminal.
func (r *tableFormat) fits(a *app) error {
	if r.format == "parquet" && isTerminal(a.raw) {
		return usagef("--format parquet is for programs; send standard output to a file")
	}
	return nil
}

// resultTable is where a command's result goes, which is a table, and the summary below it. In
// CSV, in Parquet and with --out FILE the table is on its own, for programs.
type resultTable struct {
	outFile
	tableFormat
}

func (r *resultTable) define(f *flags, others ...*string) {
	r.outFile.define(f, "write the table to `FILE`, Parquet if its name ends in .parquet; standard output otherwise",
		others...)
	r.defineAs(f, "csv", "text, markdown, latex, json, html: table and summary; csv, parquet: the table, and the summary "+
		"as text on standard error")
	f.check(func() error {
		if r.path == "-" {
			r.path = ""
		}
		return nil
	})
}

// alone reports whether the table is written without the summary.
func (r *resultTable) alone() bool { return r.path != "" || r.isRows() }

// isRows reports whether the format has nothing but the rows of one table.
func (r *resultTable) isRows() bool { return r.format == "csv" || r.format == "parquet" }

// fill writes the table bit by bit, as run.To does.
func (r *resultTable) fill(a *app, set *files.Set, write func(w io.Writer, at, format string) error) error {
	if r.path != "" {
		return run.To(set, r.path, nil, r.overwrite, write)
	}
	if err := r.fits(a); err != nil {
		return err
	}
	return write(a.data, "standard output", r.format)
}

// print writes a report of which the data are the result; nil means that it is written.
func (r *resultTable) print(a *app, report *table.Report) error {
	return r.printWith(a, report, "", nil)
}

// printWith is print with a further table, where a file is named for it.
func (r *resultTable) printWith(a *app, report *table.Report, path string, also *table.Table) error {
	data := report.Data
	err := files.Together(func(set *files.Set) error {
		if err := r.add(a, set, path, also); err != nil || r.path == "" || data == nil {
			return err
		}
		return r.add(a, set, r.path, data)
	})
	switch {
	case err != nil:
		return err
	case data == nil || r.path != "":
	case r.format == "csv":
		if err := run.Write("", a.data, r.overwrite, Version, data.Values()); err != nil {
			return err
		}
	case r.format == "parquet":
		if err := r.tableFormat.print(a, report); err != nil {
			return err
		}
	default:
		report.Tables = append([]*table.Table{data}, report.Tables...)
	}
	if r.isRows() {
		return (&table.Output{W: a.stderr}).Write(report)
	}
	return r.tableFormat.print(a, report)
}

// width is that of the terminal, or what COLUMNS says; 0 is no limit.
func (a *app) width() int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := a.raw.(*os.File); ok && isTerminal(f) {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil {
			return n
		}
	}
	return 0
}

// styled reports whether standard output shows bold text and NO_COLOR is not set (no-color.org).
func (a *app) styled() bool {
	return isTerminal(a.raw) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
