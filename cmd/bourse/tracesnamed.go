//go:build !js

package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/named"
	"bourse/traces/named/fetch"
)

// namedRow is a trace of the catalogue as programs read it.
type namedRow struct {
	Name     string `json:"name"`
	Line     string `json:"description"`
	Source   string `json:"source"`
	Format   string `json:"format"`
	Jobs     int64  `json:"jobs"`
	Nodes    int    `json:"processors"`
	Take     int    `json:"recommended_nodes"`
	Where    string `json:"recommended_where"`
	Machines string `json:"machines"`
	File     string `json:"file"`
	URL      string `json:"url"`
	Ask      string `json:"ask"`
	Size     int64  `json:"size"`
	SHA256   string `json:"sha256"`
	Contents string `json:"contents_sha256"`
	Terms    string `json:"terms"`
	Cite     string `json:"cite"`
	Quirks   string `json:"quirks"`
	Path     string `json:"path"`
}

func newNamedRow(t *named.Trace) namedRow {
	return namedRow{t.Name, t.Line, t.From().Title, t.Format, t.Jobs, t.Nodes, t.Take, t.Where, t.Machines, t.File,
		t.URL, t.Ask,
		t.Size, t.SHA256, t.Contents, t.From().Terms, t.From().Cite, t.Quirks, t.Path()}
}

// namedTraces are those of the names, or all of them.
func namedTraces(names []string) (found []*named.Trace, err error) {
	if len(names) == 0 {
		names = named.Names()
	}
	for _, name := range names {
		t, err := named.Find(name)
		if err != nil {
			return nil, usagef("%w", err)
		}
		found = append(found, t)
	}
	return found, nil
}

// traceList prints the catalogue, or all that it says of some traces.
func traceList(a *app, f *flags) action {
	var r tableFormat
	r.define(f)
	return func() error {
		found, err := namedTraces(f.Args())
		if err != nil {
			return err
		}
		return printTraces(a, &r, found, f.NArg() > 0)
	}
}

func printTraces(a *app, r *tableFormat, found []*named.Trace, all bool) error {
	rows := make([]namedRow, len(found))
	here := 0
	for i, t := range found {
		rows[i] = newNamedRow(t)
		here += min(len(rows[i].Path), 1)
	}
	answers := []string{fmt.Sprintf("%d of %s here; those that are not go to %s", here,
		terminal.Count(len(rows), "trace is", "traces are"), named.Home())}
	if all && r.format == "text" {
		return describeAll(a.stdout, rows, answers[0])
	}
	return r.print(a, &table.Report{Tables: []*table.Table{listNamed(rows), table.Structs(rows)},
		Data: table.Structs(rows), Answers: answers})
}

// listNamed is the catalogue for readers.
func listNamed(rows []namedRow) *table.Table {
	t := &table.Table{Columns: table.Headed(terminal.Words, "name", "here", "jobs", "processors", "size", "format",
		"what it is")}
	for i := 2; i < 5; i++ {
		t.Columns[i].Unit = terminal.Number
	}
	for _, r := range rows {
		here := ""
		if r.Path != "" {
			here = "yes"
		}
		t.Add(r.Name, here, count(r.Jobs), count(int64(r.Nodes)), megabytes(r.Size), r.Format, r.Line)
	}
	return t
}

// count is blank where a number is not known.
func count(n int64) string {
	if n == 0 {
		return ""
	}
	return terminal.Thousands(n)
}

func megabytes(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// describeAll prints all that is known of traces.
func describeAll(w io.Writer, rows []namedRow, answer string) error {
	for _, r := range rows {
		for _, x := range []struct{ name, text string }{
			{r.Name, r.Line}, {"from", r.Source}, {"file", strings.Join(slices.DeleteFunc([]string{r.File,
				megabytes(r.Size)}, func(s string) bool { return s == "" }), ", ")},
			{"url", r.URL}, {"ask", r.Ask}, {"sha256", r.SHA256}, {"contents", r.Contents}, {"format",
				r.Format}, {"jobs", count(r.Jobs)},
			{"machine", withUnit(count(int64(r.Nodes)), "processors")}, {"use",
				withFlag("--nodes", strings.ReplaceAll(count(int64(r.Take)), ",", "")) + withFlag("--where", r.Where) +
					withFlag("--machines", r.Machines)},
			{"mind", r.Quirks}, {"terms", r.Terms}, {"cite", r.Cite}, {"here", cmp.Or(r.Path, "no")},
		} {
			for i, line := range wrapped(x.text, helpWidth-19) {
				if x.text != "" {
					fmt.Fprintf(w, "%-18s %s\n", []string{x.name, ""}[min(i, 1)], line)
				}
			}
		}
		fmt.Fprintln(w)
	}
	_, err := fmt.Fprintln(w, answer)
	return err
}

func withUnit(text, unit string) string {
	if text == "" {
		return ""
	}
	return text + " " + unit
}

func withFlag(flag, value string) string {
	if value == "" {
		return ""
	}
	return flag + "='" + value + "' "
}

// traceGet fetches traces.
func traceGet(a *app, f *flags) action {
	url := f.String("url", "", "fetch the trace from `URL`, a mirror, instead")
	dir := f.String("dir", "", "store it in `DIR` instead of $"+named.Variable+" or the user's cache")
	a.quietFlag(f)
	return func() error {
		found, err := namedTraces(f.Args())
		if err != nil {
			return err
		}
		to := cmp.Or(*dir, named.Home())
		switch {
		case *url != "" && len(found) > 1:
			return usagef("--url is where one trace is; want one name")
		case to == "":
			return usagef("there is no cache folder of the user's; want --dir DIR, or a folder in $%s", named.Variable)
		}
		for _, t := range found {
			if err := get(a, t, to, *url); err != nil {
				return err
			}
		}
		return nil
	}
}

func get(a *app, t *named.Trace, dir, url string) error {
	line := &byteLine{line: a.newLine(), name: t.Name}
	defer line.end()
	g := fetch.New(dir)
	g.URL = url
	if line.w != nil {
		g.Progress = line.show
	}
	got, err := g.Get(a.ctx, t)
	line.end()
	if err != nil {
		return err
	}
	what := string(got.Verdict)
	if got.Verdict == fetch.Unknown {
		what = "the catalogue has no hash of it; its SHA-256 is " + got.SHA256
	}
	fmt.Fprintf(a.stdout, "%s: %s (%s)\n", t.Name, got.Path, map[bool]string{true: "was here; ",
		false: ""}[got.There]+what)
	if !got.There {
		fmt.Fprintf(a.stdout, "  terms: %s\n  cite:  %s\n", t.From().Terms, t.From().Cite)
	}
	return nil
}

// byteLine is the line of a download.
type byteLine struct {
	line
	name  string
	first int64 // bytes that were here before
}

func (l *byteLine) show(done, total int64) {
	if l.drawn.IsZero() {
		l.first = done
	}
	if done != total && time.Since(l.drawn) < 250*time.Millisecond {
		return
	}
	elapsed := time.Since(l.began)
	rate := float64(done-l.first) / max(elapsed.Seconds(), 1e-3)
	rest := ""
	if total > 0 && rate > 0 {
		const width = 24
		filled := int(width * min(done, total) / total)
		left := time.Duration(float64(total-done) / rate * float64(time.Second))
		rest = fmt.Sprintf("  [%s%s] %3d%% of %.1f MB  %s left", strings.Repeat("=", filled),
			strings.Repeat(" ", width-filled), 100*done/total, float64(total)/1e6, left.Round(time.Second))
	}
	l.draw("%s  %.1f MB  %.1f MB/s%s", l.name, float64(done)/1e6, rate/1e6, rest)
}

// verifiedRow is the verdict on one trace.
type verifiedRow struct {
	Name    string `json:"name" head:"name" unit:"words" key:""`
	Verdict string `json:"verdict" head:"verdict" unit:"words"`
	SHA256  string `json:"sha256"`
	Path    string `json:"path" head:"file" unit:"words"`
}

// traceVerify checks the traces that are here.
func traceVerify(a *app, f *flags) action {
	var r tableFormat
	r.define(f)
	return func() error {
		found, err := namedTraces(f.Args())
		if err != nil {
			return err
		}
		return verifyTraces(a, &r, found, f.NArg() > 0)
	}
}

func verifyTraces(a *app, r *tableFormat, found []*named.Trace, all bool) error {
	var rows []verifiedRow
	wrong := 0
	for _, t := range found {
		path := t.Path()
		if path == "" && !all {
			continue
		}
		if path == "" {
			return &named.AbsentError{Trace: t, Home: named.Home()}
		}
		v, sum, err := fetch.Verify(t, path, a.ctx.Err)
		if err != nil {
			return err
		}
		if v == fetch.Other {
			wrong++
		}
		rows = append(rows, verifiedRow{t.Name, string(v), sum, path})
	}
	answers := []string{fmt.Sprintf("%s in %s and the user's cache, %d with other bytes than the catalogue",
		terminal.Count(len(rows), "trace", "traces"), filepath.Clean(named.Home()), wrong)}
	err := r.print(a, &table.Report{Tables: []*table.Table{table.Structs(rows)}, Answers: answers})
	if err == nil && wrong > 0 {
		err = fmt.Errorf("%s what the catalogue says; move it away, and fetch it anew",
			terminal.Count(wrong, "trace is not", "traces are not"))
	}
	return err
}
