// Package catalogue has what there is by name, policies, prices, formats, columns and so on, as
// tables.
package catalogue

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/policies/gpus"
	"bourse/policies/placement"
	"bourse/policies/script"
	"bourse/reports/run"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/formats"
	"bourse/traces/suggest"
	"bourse/traces/tabular"
)

// Param is a parameter of an entry; without a default it must be given.
type Param struct {
	Name    string `json:"name" head:"parameter" unit:"words" key:""`
	Default string `json:"default" head:"default" unit:"words"`
	Doc     string `json:"doc" head:"what it is" unit:"words"`
}

// Entry is what a name stands for.
type Entry struct {
	Name    string  `json:"name"`
	Line    string  `json:"line"`
	Paper   string  `json:"paper"`
	Usage   string  `json:"usage"`
	Yours   bool    `json:"yours"` // a script or program of the user's
	Example string  `json:"example"`
	Params  []Param `json:"params"`
}

// group is entries under a title.
type group struct {
	title   string
	entries []Entry
}

// kind is one section of the catalogue.
type kind struct {
	name   string
	groups []group
	// entries are those with parameters, which programs read as a document.
	entries []Entry
}

// columns is the kind that is not of entries.
const columns = "columns"

// Names are the kinds there are.
func Names() []string {
	return []string{"formats", "policies", "orders", "payments", "values", "behaviours", "mechanisms", "lenders",
		"preferences", "fits", columns}
}

func kinds() (all []kind, err error) {
	add := func(name string, entries []Entry) {
		all = append(all, kind{name, []group{{entries: entries}}, entries})
	}
	all = append(all, kind{name: "formats", groups: formatGroups()})
	add("policies", entriesOf(catalog.Policies))
	if all[1].groups, err = policyGroups(); err != nil {
		return nil, err
	}
	add("orders", entriesOf(catalog.Orders))
	add("payments", entriesOf(catalog.Payments.List))
	add("values", entriesOf(catalog.Values))
	add("behaviours", entriesOf(catalog.Behaviours))
	add("mechanisms", entriesOf(catalog.Mechanisms))
	add("lenders", entriesOf(catalog.Lenders))
	add("preferences", entriesOf(catalog.Preferences))
	return append(all, kind{name: "fits", groups: fitGroups()}), nil
}

// Report is one kind, or all if none is named. For programs that read objects it has what has
// parameters.
func Report(wanted string) (*table.Report, error) {
	all, err := kinds()
	if err != nil {
		return nil, err
	}
	r, document := &table.Report{Data: table.Data("kind", "group", "name", "line", "paper", "usage", "example")},
		map[string][]Entry{}
	for _, k := range all {
		if wanted != "" && wanted != k.name {
			continue
		}
		if wanted == "" {
			r.Tables = append(r.Tables, &table.Table{Title: strings.ToUpper(k.name)})
		}
		for _, g := range k.groups {
			r.Tables = append(r.Tables, g.table())
			for _, e := range g.entries {
				r.Data.Add(k.name, g.title, e.Name, e.Line, e.Paper, e.Usage, e.Example)
			}
		}
		if k.entries != nil {
			document[k.name] = k.entries
		}
	}
	if wanted == "" || wanted == columns {
		listed := run.ColumnTables()
		if r.Tables = append(r.Tables, listed.Tables...); wanted == columns {
			r.Data = listed.Data
		}
	}
	if len(r.Tables) == 0 {
		return nil, fmt.Errorf("unknown kind %q%s", wanted, suggest.Among(strings.Replace(wanted, "policy", "policies", 1),
			Names()))
	}
	if len(document) > 0 {
		text, err := json.Marshal(document) // which escapes < and >, as it always has
		if r.Document = json.RawMessage(text); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Documents are the kinds that are objects for programs.
func Documents() (names []string) {
	return slices.DeleteFunc(Names(), func(name string) bool {
		return slices.Contains([]string{"formats", "fits", columns}, name)
	})
}

// table shows the entries to readers.
func (g *group) table() *table.Table {
	t := table.New(table.KeyCol("", "name"), table.Col("", "what it is", terminal.Words),
		table.Col("", "with its parameters", terminal.Words))
	t.Title = g.title
	if !slices.ContainsFunc(g.entries, func(e Entry) bool { return len(e.Params) > 0 }) {
		t.Columns = t.Columns[:2]
	}
	for _, e := range g.entries {
		row := []any{e.Name, e.Line, ""}
		if e.Paper != "" {
			row[1] = e.Line + " [" + e.Paper + "]"
		}
		if len(e.Params) > 0 {
			row[2] = e.Usage
		}
		t.Add(row[:len(t.Columns)]...)
	}
	return t
}

func entriesOf[T any](l catalog.List[T]) []Entry {
	out := make([]Entry, len(l.Entries))
	for i := range out {
		out[i] = entryOf(&l.Entries[i])
	}
	return out
}

func entryOf[T any](e *catalog.Entry[T]) Entry {
	out := Entry{e.Name, e.Line, e.Paper, e.Usage(), e.Yours, e.Example, make([]Param, len(e.Params))}
	for k, p := range e.Params {
		out.Params[k] = Param(p)
	}
	return out
}

// policyGroups are the policies by what they do.
func policyGroups() ([]group, error) {
	groups := []group{{title: "backfilling"}, {title: "lists: in an order, up to the first job that does not fit"},
		{title: "preemptive"}, {title: "markets: the order is by bid, or jobs face a price"}, {title: "sharing among users"},
		{title: "the log's own schedule"}, {title: "your own"}, {title: "queues with quotas"}}
	for i := range catalog.Policies.Entries {
		e := &catalog.Policies.Entries[i]
		at, err := groupOf(e)
		if err != nil {
			return nil, err
		}
		groups[at].entries = append(groups[at].entries, entryOf(e))
	}
	return groups, nil
}

// groupOf is where a policy is in policyGroups.
func groupOf(e *catalog.Entry[policies.Policy]) (int, error) {
	if e.Yours {
		return 6, nil
	}
	p, err := catalog.Policies.Make(e.Text())
	if err != nil {
		return 0, err
	}
	_, shares := policies.As[policies.Sharer](p)
	switch {
	case policies.NeedsOf(p).RecordedWaits:
		return 5, nil
	case shares:
		return 4, nil
	case e.Group == catalog.Quotas:
		return 7, nil
	case e.Group == catalog.Prices, policies.TraitsOf(p).RanksByBid && e.Group == "":
		return 3, nil
	case e.Group == catalog.Preemptive:
		return 2, nil
	case policies.TraitsOf(p).Strict:
		return 1, nil
	}
	return 0, nil
}

func fitGroups() []group {
	groups := []group{{}, {title: "on machines with GPUs, by whole scores from 0 to 100 of what is free of CPU and GPUs"}}
	for _, f := range placement.Fits {
		groups[0].entries = append(groups[0].entries, Entry{Name: f.Name, Line: f.Line})
	}
	for _, r := range gpus.Rules {
		groups[1].entries = append(groups[1].entries, Entry{Name: r.Name, Line: r.Line})
	}
	return groups
}

func formatGroups() []group {
	groups := []group{{}, {title: "parameters of csv and parquet, as in csv:log.csv?submit=Submitted&time=ms"}}
	for _, f := range formats.All {
		groups[0].entries = append(groups[0].entries, Entry{Name: f.Name, Line: f.Line})
	}
	for _, r := range tabular.Roles {
		groups[1].entries = append(groups[1].entries, Entry{Name: r.Name, Line: "column: " + r.Line})
	}
	for _, p := range tabular.MappingParameters {
		groups[1].entries = append(groups[1].entries, Entry{Name: p.Name, Line: p.Line})
	}
	return groups
}

// Script is what a script declares.
func Script(path string) (*table.Report, error) {
	f, err := script.Load(path)
	if err != nil {
		return nil, err
	}
	var params []Param
	for _, p := range f.Params() {
		params = append(params, Param{p.Name, p.Default, p.Doc})
	}
	t := table.Structs(params)
	t.Title = path + " can be used as " + strings.Join(f.Roles(), ", ")
	return &table.Report{Tables: []*table.Table{t}}, nil
}
