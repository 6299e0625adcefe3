package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"bourse/reports/record"
	"bourse/reports/run"
	"bourse/traces/suggest"
)

// outFile is where a command writes its table: what --out and --overwrite say.
type outFile struct {
	path      string
	overwrite bool
}

// define defines both flags; line says what is written.
func (o *outFile) define(f *pflag.FlagSet, line string) {
	f.StringVar(&o.path, "out", "", line)
	f.BoolVar(&o.overwrite, "overwrite", false, "replace FILE if it exists")
}

// What commands write that end with a table, and those that print something else.
const (
	tableLine = "write the table to `FILE`, Parquet if its name ends in .parquet; standard output otherwise"
	alsoLine  = "to `FILE` (.csv or .parquet)"
)

// check refuses a table that cannot be written, before any time is spent on it, and others
// that are written beside it.
func (o *outFile) check(others ...string) error {
	paths := append(others, o.path)
	switch {
	case o.overwrite && strings.Join(paths, "") == "":
		return usagef("--overwrite replaces a file; add --out FILE")
	case o.path != "" && slices.Contains(others, o.path):
		return usagef("--out %s: two tables cannot be one file; want another name", o.path)
	}
	for _, path := range paths {
		if err := run.CheckOut(path, o.overwrite); err != nil {
			return err
		}
	}
	return nil
}

// write writes the table.
func (o *outFile) write(a *app, columns []record.Values) error {
	return run.Write(o.path, a.data, o.overwrite, Version, columns)
}

// fill writes the table bit by bit, as run.To does.
func (o *outFile) fill(a *app, write func(w io.Writer, at, format string) error) error {
	return run.To(o.path, a.data, o.overwrite, write)
}

// beside writes a further table, where a file is named for it.
func (o *outFile) beside(a *app, path string, columns []record.Values) error {
	if path == "" {
		return nil
	}
	return run.Write(path, a.data, o.overwrite, Version, columns)
}

// among wants what a flag says to be one of the names.
func among(flag, value string, names []string) error {
	if slices.Contains(names, value) {
		return nil
	}
	return usagef("--%s %q%s", flag, value, suggest.Among(value, names))
}
