package page

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bourse/events"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// htmlTable is a table of the page; readers can sort it.
type htmlTable struct {
	Title   string // of the fold it is in
	Caption string
	Wrap    bool // long words are broken
	Head    []heading
	Rows    [][]cell
}

// heading is a column's name and whether it holds numbers.
type heading struct {
	Text   string
	Number bool
}

// cell is what is shown, and for numbers the value with all its digits.
type cell struct{ Text, Value string }

// add adds a row, with cells for what is not known.
func (t *htmlTable) add(row ...cell) {
	for len(row) < len(t.Head) {
		row = append(row, text("–"))
	}
	t.Rows = append(t.Rows, row)
}

func number(name string) heading { return heading{name, true} }

func words(names ...string) []heading {
	var out []heading
	for _, n := range names {
		out = append(out, heading{Text: n})
	}
	return out
}

func text(s string) cell { return cell{Text: s} }

func count(n int64) cell { return cell{terminal.Thousands(n), strconv.FormatInt(n, 10)} }

// figure is a number with its unit said in the heading.
func figure(x float64) cell { return cell{terminal.Figure(x), terminal.General.Text(x)} }

func percent(x float64) cell {
	return cell{strconv.FormatFloat(x, 'f', 1, 64) + " %", terminal.General.Text(x)}
}

// duration writes seconds as people do.
func duration(s float64) string {
	t, ok := events.FromSeconds(s)
	if !ok {
		return terminal.Figure(s) + " s"
	}
	return t.Short()
}

func span(s float64) cell { return cell{duration(s), terminal.General.Text(s)} }

// head begins a table's headings: with the run where there are several.
func (p *input) head(names ...string) []heading {
	if len(p.runs) > 1 {
		names = append([]string{"run"}, names...)
	}
	return words(names...)
}

// first begins a row of the i-th run.
func (p *input) first(i int) []cell {
	if len(p.runs) > 1 {
		return []cell{text(p.runs[i].Label)}
	}
	return nil
}

// aggregateHead are the columns of an aggregate; those of money only where there is a market.
func (p *input) aggregateHead() []heading {
	head := []heading{number("jobs"), number("mean wait"), number("p95 wait"), number("bounded slowdown"),
		number("p95 slowdown")}
	if p.market() {
		head = append(head, number("mean payment"), number("sum of payments"), number("mean utility"))
		if p.efficient() {
			head = append(head, number("efficiency"))
		}
	}
	return head
}

func (p *input) aggregate(a *stats.Aggregate) []cell {
	row := times(&a.Times)
	if p.market() {
		row = append(row, figure(a.MeanPayment), figure(a.SumPayment), figure(a.MeanUtility))
		if p.efficient() {
			row = append(row, efficiency(a.Efficiency))
		}
	}
	return row
}

// efficient reports whether the efficiency of a run is known.
func (p *input) efficient() bool {
	return slices.ContainsFunc(p.runs, func(r *Run) bool { return r.Summary.Jobs.Total.Efficiency != nil })
}

func efficiency(x *float64) cell {
	if x == nil {
		return text("-")
	}
	return figure(*x)
}

func times(t *stats.Times) []cell {
	return []cell{count(t.Jobs), span(t.MeanWait), span(t.P95Wait), figure(t.MeanBoundedSlowdown),
		figure(t.P95BoundedSlowdown)}
}

// caption explains the columns of an aggregate.
func (p *input) caption() string {
	text := "Wait: time in the system without running; bounded slowdown: time in the system / max(run time, 10 s), at " +
		"least 1 (mean of jobs); p95: 95 of 100 jobs have no more."
	if b := p.runs[0].Setting("bound"); b != "" && !differ(p.runs, "bound") {
		text = strings.Replace(text, "10 s", duration(secondsOf(b)), 1)
	}
	if p.market() {
		text += " Payments and utility in money."
	}
	if p.efficient() {
		text += " Efficiency: a lower bound on the total weighted flow time of any schedule, by that of this one; the " +
			"bound knows the future and lets jobs be divided over processors, so .8 is a good policy. Not to be compared " +
			"between logs."
	}
	return text
}

func secondsOf(text string) float64 {
	t, err := events.ParseDuration(text)
	if err != nil {
		return 10
	}
	return t.Seconds()
}

// market reports whether a run was on a market: else money is of no interest.
func (p *input) market() bool {
	return slices.ContainsFunc(p.runs, func(r *Run) bool { return r.Summary.Market })
}

// summaries are the tables of summary.json.
func summaries(p *input) []*htmlTable {
	total := &htmlTable{Caption: "All jobs. " + p.caption(), Head: append(p.head("jobs"), p.aggregateHead()...)}
	bands := &htmlTable{Title: "By value band", Caption: "By value band (money per processor-second an owner values).",
		Head: append(p.head("value band"), p.aggregateHead()...)}
	groups := &htmlTable{Title: "By run time and behaviour",
		Caption: "By tercile of run time (A the shortest) and by behaviour.",
		Head:    append(p.head("jobs that are"), p.aggregateHead()...)}
	for i, r := range p.runs {
		j := r.Summary.Jobs
		add := func(t *htmlTable, name string, a *stats.Aggregate) {
			t.add(append(append(p.first(i), text(name)), p.aggregate(a)...)...)
		}
		if t := r.Summary.Recorded; t != nil && i == 0 {
			total.add(append(append(p.first(i), text("recorded in the log")), times(t)...)...)
		}
		add(total, "all", &j.Total)
		for _, b := range j.Bands {
			add(bands, bandName(b.Band), &b.Aggregate)
		}
		add(bands, "all", &j.Total)
		for _, g := range j.Groups {
			add(groups, "of run-time group "+g.Group, &g.Aggregate)
		}
		for _, c := range j.Classes {
			add(groups, c.Class, &c.Aggregate)
		}
	}
	if !p.market() {
		groups.Title, groups.Caption = "By run time", "By tercile of run time (A the shortest)."
		return []*htmlTable{total, groups}
	}
	return []*htmlTable{bands, groups}
}

// bandName is a band's label; a name that is unknown stays.
func bandName(name string) string {
	for b := range numBands {
		if stats.Band(b).String() == name {
			return bandLabels[b]
		}
	}
	return name
}

// overview has one row per run, the lowest bounded slowdown first, below what the log says.
func overview(p *input) *htmlTable {
	t := &htmlTable{Caption: "One row per run. " + p.caption(), Head: append(append(words("run"), p.aggregateHead()...),
		number("utilisation"), number("makespan"))}
	if p.market() {
		t.Head = append(t.Head, number("payments / weighted flow time"))
	}
	if r := p.runs[0].Summary.Recorded; r != nil {
		t.add(append([]cell{text("recorded in the log")}, times(r)...)...)
	}
	sorted := slices.Clone(p.runs)
	slices.SortStableFunc(sorted, func(a, b *Run) int {
		return cmp.Compare(a.Summary.Jobs.Total.MeanBoundedSlowdown, b.Summary.Jobs.Total.MeanBoundedSlowdown)
	})
	for _, r := range sorted {
		row := append([]cell{text(r.Label)}, p.aggregate(&r.Summary.Jobs.Total)...)
		row = append(row, percent(100*r.Summary.Machine.Utilisation), span(r.Summary.Machine.MakespanS))
		if d := r.Summary.Jobs.DesignerPayoff; d != nil && p.market() {
			row = append(row, cell{strconv.FormatFloat(*d, 'g', 3, 64), terminal.General.Text(*d)})
		}
		t.add(row...)
	}
	return t
}

// configuration has one row per flag and one column per run. Flags that are empty in all
// runs say nothing.
func configuration(p *input) (set, rest *htmlTable) {
	head := append(words("setting"), words(p.labels()...)...)
	if len(p.runs) == 1 {
		head = words("setting", "value")
	}
	set = &htmlTable{Caption: "What was run", Head: head, Wrap: true}
	rest = &htmlTable{Caption: "Other flags, as they were", Head: head, Wrap: true}
	add := func(t *htmlTable, name string, of func(*Run) string) {
		row := []cell{text(name)}
		for _, r := range p.runs {
			row = append(row, text(of(r)))
		}
		t.Rows = append(t.Rows, row)
	}
	add(set, "folder", func(r *Run) string { return r.Dir })
	add(set, "trace", func(r *Run) string { return r.Manifest.Trace.Name })
	add(set, "format", func(r *Run) string { return r.Manifest.Trace.Format })
	add(set, "SHA-256 of the trace", func(r *Run) string { return quoted(r.Manifest.Trace.SHA256) })
	add(set, "bourse", func(r *Run) string { return "version " + r.Manifest.Bourse })
	add(set, "machine", func(r *Run) string { return machineOf(&r.Summary.Machine) })
	if p.pooled() {
		add(set, "in use, on average", func(r *Run) string {
			if m := &r.Summary.Machine; m.Pool != nil {
				return m.Pool.Used(m.Utilisation)
			}
			return fmt.Sprintf("%.1f%%", 100*r.Summary.Machine.Utilisation)
		})
	}
	add(set, "seed", func(r *Run) string { return r.Setting("seed") })
	for _, key := range settings(p.runs)[2:] {
		t := rest
		if key == "policy" || key == "payment" || key == "values" || key == "behaviour" || key == "where" ||
			key == "serial" || differ(p.runs, key) {
			t = set
		}
		add(t, "--"+key, func(r *Run) string { return r.Setting(key) })
	}
	return set, rest
}

func machineOf(m *run.Machine) string {
	if m.Pool != nil {
		return fmt.Sprintf("%s machines with %s", terminal.Thousands(int64(m.Procs)), m.Pool.Total().Text(m.Pool.Total()))
	}
	return terminal.Thousands(int64(m.Procs)) + " processors"
}

// records accounts for what was read.
func records(p *input) *htmlTable {
	head := words("records")
	for _, r := range p.runs {
		name := r.Label
		if len(p.runs) == 1 {
			name = "number"
		}
		head = append(head, number(name))
	}
	t := &htmlTable{Caption: "Every record of the trace: read and added are replayed or dropped", Head: head}
	add := func(name string, of func(*run.Counts) int64, always bool) {
		row, any := []cell{text(name)}, always
		for _, r := range p.runs {
			n := of(&r.Summary.Counts)
			row, any = append(row, count(n)), any || n > 0
		}
		if any {
			t.Rows = append(t.Rows, row)
		}
	}
	add("read", func(c *run.Counts) int64 { return c.Read }, true)
	add("added", func(c *run.Counts) int64 { return c.Added }, false)
	add("replayed", func(c *run.Counts) int64 { return c.Replayed }, true)
	for _, d := range p.runs[0].Summary.Counts.Dropped {
		add("dropped: "+d.What, func(c *run.Counts) int64 { return c.DroppedAs(d.What) }, false)
	}
	return t
}
