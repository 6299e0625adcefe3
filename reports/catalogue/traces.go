package catalogue

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr"

	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/fields"
	"bourse/traces/named"
)

// trace is one of the public traces as programs read it.
type trace struct {
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

// Suited is a trace as a study chooses one: what is not known is nil.
type Suited struct {
	Name       string   `json:"name" head:"name" unit:"words" key:""`
	Here       bool     `json:"here" head:"here"`
	Jobs       int64    `json:"jobs" head:"jobs"`
	Processors int      `json:"processors" head:"processors"`
	Weeks      *float64 `json:"weeks" head:"weeks"`
	Load       *float64 `json:"load" head:"load" unit:"ratio"`
	Users      *float64 `json:"users" head:"users"`
	Requests   *float64 `json:"requests" head:"requests %" unit:"share"`
	Format     string   `json:"format" head:"format" unit:"words"`
	Line       string   `json:"description" head:"what it is" unit:"words"`
	Caution    string   `json:"caution" head:"caution" unit:"words"`
}

// Measured is what has been measured of a trace.
type Measured struct {
	Weeks, Load, Users, Requests float64
	Caution                      string
}

// TraceFields are what WhereTraces may look at.
const TraceFields = "name, format, here, jobs, processors and, of the logs of the atlas, weeks, load (work submitted, as a " +
	"part of what the machine could do), users, requests (share of jobs with a requested time)"

// WhereTraces lists the traces for which a condition holds, with what has been measured of each by SHA-256. In the
// condition what is not known is -1.
func WhereTraces(found []*named.Trace, condition string, by map[string]Measured) (*table.Report, error) {
	env := map[string]any{"name": "", "format": "", "here": false, "jobs": 0, "processors": 0, "weeks": 0., "load": 0.,
		"users": 0., "requests": 0.}
	where, err := fields.Compile(condition, env, expr.AsBool())
	if err != nil {
		return nil, err
	}
	var rows []Suited
	known := 0
	for _, f := range found {
		x := Suited{Name: f.Name, Here: f.Path() != "", Jobs: f.Jobs, Processors: f.Nodes, Format: f.Format, Line: f.Line,
			Caution: f.Caution}
		m, measured := by[f.SHA256]
		if measured {
			x.Weeks, x.Load, x.Users, x.Requests = &m.Weeks, &m.Load, &m.Users, &m.Requests
			x.Caution = m.Caution
			known++
		} else {
			m = Measured{-1, -1, -1, -1, ""}
		}
		for name, value := range map[string]any{"name": x.Name, "format": x.Format, "here": x.Here, "jobs": int(x.Jobs),
			"processors": x.Processors, "weeks": m.Weeks, "load": m.Load, "users": m.Users, "requests": m.Requests} {
			env[name] = value
		}
		ok, err := where.Run()
		if err != nil {
			return nil, fmt.Errorf("the condition fails on %s: %w", f.Name, err)
		}
		if ok == true {
			rows = append(rows, x)
		}
	}
	data := table.Structs(rows)
	answer := fmt.Sprintf("%s of %d; weeks, load, users and requests are known of %d",
		terminal.Count(len(rows), "trace", "traces"), len(found), known)
	return &table.Report{Data: data, Tables: []*table.Table{data}, Answers: []string{answer}}, nil
}

// Traces lists public traces, or has all that is known of each.
func Traces(found []*named.Trace, all bool) *table.Report {
	rows := make([]trace, len(found))
	here := 0
	for i, t := range found {
		rows[i] = trace{t.Name, t.Line, t.From().Title, t.Format, t.Jobs, t.Nodes, t.Take, t.Where, t.Machines, t.File,
			t.URL, t.Ask, t.Size, t.SHA256, t.Contents, t.From().Terms, t.From().Cite, t.Quirks, t.Path()}
		here += min(len(rows[i].Path), 1)
	}
	r := &table.Report{Data: table.Structs(rows)}
	r.Answers = []string{fmt.Sprintf("%d of %s here; those that are not go to %s", here,
		terminal.Count(len(rows), "trace is", "traces are"), named.Home())}
	if all {
		for i := range rows {
			r.Tables = append(r.Tables, rows[i].describe())
		}
	} else {
		r.Tables = append(r.Tables, listed(rows))
	}
	r.Tables = append(r.Tables, r.Data)
	return r
}

// listed is the traces for readers.
func listed(rows []trace) *table.Table {
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

// describe is all that is known of a trace.
func (r *trace) describe() *table.Table {
	t := table.New(table.KeyCol("", r.Name), table.Col("", r.Line, terminal.Words))
	add := func(name string, parts ...string) {
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
		if len(parts) > 0 {
			t.Add(name, strings.Join(parts, ", "))
		}
	}
	with := func(before, value, after string) string {
		if value == "" || value == "0" {
			return ""
		}
		return before + value + after
	}
	add("from", r.Source)
	add("file", r.File, megabytes(r.Size))
	add("url", r.URL)
	add("ask", r.Ask)
	add("sha256", r.SHA256)
	add("contents", r.Contents)
	add("format", r.Format)
	add("jobs", count(r.Jobs))
	add("machine", with("", count(int64(r.Nodes)), " processors"))
	add("use", strings.TrimSpace(with("--nodes='", strconv.Itoa(r.Take), "' ")+with("--where='", r.Where, "' ")+
		with("--machines='", r.Machines, "' ")))
	add("note", r.Quirks)
	add("terms", r.Terms)
	add("cite", r.Cite)
	add("here", cmp.Or(r.Path, "no"))
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
