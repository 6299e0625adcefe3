package main

import (
	"os"
	"strconv"

	"golang.org/x/term"

	"bourse/reports/table"
)

// tableFormat is how a command prints its answer: what --format and --json say.
type tableFormat struct {
	format string
	json   bool
}

func (r *tableFormat) define(f *flags) {
	f.StringVar(&r.format, "format", "text", "text, markdown, latex, csv, parquet, json or html")
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
	if r.format == "parquet" && isTerminal(a.raw) {
		return usagef("--format parquet is for programs; send standard output to a file")
	}
	out := table.Output{W: a.stdout, Format: r.format, Version: Version, Width: a.width(), Styled: a.styled(),
		Methods: "bourse help methods"}
	if r.format == "parquet" || out.Styled {
		out.W = a.raw
	}
	return out.Write(report)
}

// print writes a report as text to standard output.
func (a *app) print(report *table.Report) error { return (&tableFormat{}).print(a, report) }

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
