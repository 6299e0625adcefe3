//go:build !js

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"bourse/reports/catalogue"
	"bourse/reports/papers/atlas"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/fields"
	"bourse/traces/named"
	"bourse/traces/named/fetch"
)

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
	where := f.String("where", "", "list those for which `EXPR` holds, over "+catalogue.TraceFields)
	r.define(f)
	return func() error {
		found, err := namedTraces(f.Args())
		if err != nil {
			return err
		}
		if *where != "" {
			return listWhere(a, &r, found, *where)
		}
		r.widest = helpWidth
		if f.NArg() == 0 {
			r.widest = 0
		}
		return r.print(a, catalogue.Traces(found, f.NArg() > 0))
	}
}

// listWhere prints the traces for which a condition holds.
func listWhere(a *app, r *tableFormat, found []*named.Trace, condition string) error {
	facts, err := atlas.FactsOf()
	if err != nil {
		return err
	}
	measured := map[string]catalogue.Measured{}
	for sha256, m := range facts {
		measured[sha256] = catalogue.Measured{Weeks: m.Weeks, Load: m.Load, Users: float64(m.Users), Requests: m.Requests,
			Caution: m.Caution}
	}
	report, err := catalogue.WhereTraces(found, condition, measured)
	if bad := (*fields.Error)(nil); errors.As(err, &bad) {
		return usagef("--where: %w\n%s", err, bad.Picture)
	}
	if err != nil {
		return err
	}
	return r.print(a, report)
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
