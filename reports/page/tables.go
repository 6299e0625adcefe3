package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bourse/events"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// sheet is a table of the page; readers can sort it. Its title is that of the fold it is in.
type sheet struct {
	table.Table
	Caption string
	Wrap    bool // long words are broken
}

// head begins a table's columns: with the run where there are several.
func (p *input) head(names ...string) []table.Column {
	if len(p.runs) > 1 {
		names = append([]string{"run"}, names...)
	}
	return table.Headed(terminal.Words, names...)
}

// first begins a row of the i-th run.
func (p *input) first(i int, name string) []any {
	if len(p.runs) > 1 {
		return []any{p.runs[i].Label, name}
	}
	return []any{name}
}

// figure is a column of an aggregate.
type figure struct {
	heading string
	unit    terminal.Unit
	of      func(*stats.Aggregate) any
}

// times are the figures that a log has, too; money those of a market.
var (
	times = []figure{
		{"jobs", terminal.Number, func(a *stats.Aggregate) any { return a.Jobs }},
		{"mean wait", terminal.Seconds, func(a *stats.Aggregate) any { return a.MeanWait }},
		{"p95 wait", terminal.Seconds, func(a *stats.Aggregate) any { return a.P95Wait }},
		{"bounded slowdown", terminal.Ratio, func(a *stats.Aggregate) any { return a.MeanBoundedSlowdown }},
		{"p95 slowdown", terminal.Ratio, func(a *stats.Aggregate) any { return a.P95BoundedSlowdown }},
	}
	money = []figure{
		{"mean payment", terminal.Ratio, func(a *stats.Aggregate) any { return a.MeanPayment }},
		{"sum of payments", terminal.Ratio, func(a *stats.Aggregate) any { return a.SumPayment }},
		{"mean utility", terminal.Ratio, func(a *stats.Aggregate) any { return a.MeanUtility }},
	}
	efficiency = figure{"efficiency", terminal.Ratio, func(a *stats.Aggregate) any { return a.Efficiency }}
)

// figures are the columns of an aggregate; those of money only where there is a market.
func (p *input) figures() []figure {
	list := times
	if p.market() {
		if list = slices.Concat(times, money); p.efficient() {
			list = append(list, efficiency)
		}
	}
	return list
}

// sheet makes a table of aggregates below the columns.
func (p *input) sheet(title, caption string, columns []table.Column) *sheet {
	for _, f := range p.figures() {
		columns = append(columns, table.Col("", f.heading, f.unit))
	}
	return &sheet{Table: table.Table{Title: title, Columns: columns}, Caption: caption}
}

// cells are those of an aggregate.
func cells(figures []figure, a *stats.Aggregate) (row []any) {
	for _, f := range figures {
		row = append(row, f.of(a))
	}
	return row
}

// efficient reports whether the efficiency of a run is known.
func (p *input) efficient() bool {
	return slices.ContainsFunc(p.runs, func(r *Run) bool { return r.Summary.Jobs.Total.Efficiency != nil })
}

// caption explains the columns of an aggregate.
func (p *input) caption() string {
	text := "Wait: time in the system without running; bounded slowdown: time in the system / max(run time, 10 s), at " +
		"least 1 (mean of jobs); p95: 95 of 100 jobs have no more."
	if b := p.runs[0].Setting("bound"); b != "" && !differ(p.runs, "bound") {
		text = strings.Replace(text, "10 s", terminal.Seconds.Text(secondsOf(b)), 1)
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
func summaries(p *input) []*sheet {
	total := p.sheet("", "All jobs. "+p.caption(), p.head("schedule"))
	bands := p.sheet("By value band", "By value band (money per processor-second an owner values).", p.head("value band"))
	groups := p.sheet("By run time and behaviour", "By tercile of run time (A the shortest) and by behaviour.",
		p.head("jobs that are"))
	for i, r := range p.runs {
		j := r.Summary.Jobs
		add := func(t *sheet, name string, a *stats.Aggregate) {
			t.Add(append(p.first(i, name), cells(p.figures(), a)...)...)
		}
		if t := r.Summary.Recorded; t != nil && i == 0 {
			total.Add(append(p.first(i, "recorded in the log"), cells(times, &stats.Aggregate{Times: *t})...)...)
		}
		name := "all jobs"
		if len(p.runs) == 1 {
			name = r.Setting("policy")
		}
		add(total, name, &j.Total)
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
	charged := p.charged()
	if !p.market() {
		groups.Title, groups.Caption = "By run time", "By tercile of run time (A the shortest)."
		return append([]*sheet{total, groups}, charged...)
	}
	return append([]*sheet{bands, groups}, charged...)
}

// charged are tables of what groups and hours drew and were charged, none where nothing was.
func (p *input) charged() (list []*sheet) {
	for _, by := range []struct {
		title, caption string
		of             func(*run.ChargedBy) []run.ChargedPart
	}{{"Power, carbon and tariff by group", "Sums of a group's jobs.", func(c *run.ChargedBy) []run.ChargedPart { return c.Groups }},
		{"Power, carbon and tariff by hour", "Sums of the jobs by the hour of the day at which they started.",
			func(c *run.ChargedBy) []run.ChargedPart { return c.Hours }}} {
		t := &sheet{Table: table.Table{Title: by.title, Columns: append(p.head("jobs"), table.Headed(terminal.Number, "number",
			"energy kWh", "carbon g", "tariff")...)}, Caption: by.caption}
		for i, r := range p.runs {
			if c := r.Summary.ChargedBy; c != nil {
				for _, x := range by.of(c) {
					t.Add(append(p.first(i, x.Name), x.Jobs, x.Energy, x.Carbon, x.Tariff)...)
				}
			}
		}
		if len(t.Rows) > 0 {
			list = append(list, t)
		}
	}
	return list
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
func overview(p *input) *sheet {
	t := p.sheet("", "One row per run. "+p.caption(), table.Headed(terminal.Words, "run"))
	t.Columns = append(t.Columns, table.Col("", "utilisation", terminal.Share), table.Col("", "makespan", terminal.Seconds))
	if p.market() {
		t.Columns = append(t.Columns, table.Col("", "payments / weighted flow time", terminal.Significant(3)))
	}
	if r := p.runs[0].Summary.Recorded; r != nil {
		t.Add(append([]any{"recorded in the log"}, cells(times, &stats.Aggregate{Times: *r})...)...)
	}
	sorted := slices.Clone(p.runs)
	slices.SortStableFunc(sorted, func(a, b *Run) int {
		return cmp.Compare(a.Summary.Jobs.Total.MeanBoundedSlowdown, b.Summary.Jobs.Total.MeanBoundedSlowdown)
	})
	for _, r := range sorted {
		m := &r.Summary.Machine
		used := table.Number(100 * m.Utilisation).As(terminal.Share.Text(m.Utilisation) + " %")
		row := append(append([]any{r.Label}, cells(p.figures(), &r.Summary.Jobs.Total)...), used, m.MakespanS)
		if p.market() {
			row = append(row, r.Summary.Jobs.DesignerPayoff)
		}
		t.Add(row...)
	}
	return t
}

// configuration has one row per flag and one column per run. Flags that are empty in all
// runs say nothing.
func configuration(p *input) (set, rest *sheet) {
	head := append([]string{"setting"}, p.labels()...)
	if len(p.runs) == 1 {
		head[1] = "value"
	}
	columns := table.Headed(terminal.Words, head...)
	set = &sheet{Caption: "What was run", Table: table.Table{Columns: columns}, Wrap: true}
	rest = &sheet{Caption: "Other flags, as they were", Table: table.Table{Columns: columns}, Wrap: true}
	add := func(t *sheet, name string, of func(*Run) string) {
		row := []any{name}
		for _, r := range p.runs {
			row = append(row, of(r))
		}
		t.Add(row...)
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
		to := rest
		if key == "policy" || key == "payment" || key == "values" || key == "behaviour" || key == "where" ||
			key == "serial" || differ(p.runs, key) {
			to = set
		}
		add(to, "--"+key, func(r *Run) string { return r.Setting(key) })
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
func records(p *input) *sheet {
	t := &sheet{Caption: "Every record of the trace: read and added are replayed or dropped"}
	t.Columns = append(table.Headed(terminal.Words, "records"), table.Headed(terminal.Number, p.labels()...)...)
	if len(p.runs) == 1 {
		t.Columns[1].Heading = "number"
	}
	add := func(name string, of func(*run.Counts) int64, always bool) {
		row, found := []any{name}, always
		for _, r := range p.runs {
			n := of(&r.Summary.Counts)
			row, found = append(row, n), found || n > 0
		}
		if found {
			t.Add(row...)
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
