package page

import (
	"fmt"
	"strconv"

	"bourse/events"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// htmlTable is a table of the page; readers can sort it.
type htmlTable struct {
	Caption string
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

// raw writes a number so that it reads back as the same.
func raw(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// figure is a number with its unit said in the heading.
func figure(x float64) cell { return cell{terminal.Figure(x), raw(x)} }

func percent(x float64) cell { return cell{strconv.FormatFloat(x, 'f', 1, 64), raw(x)} }

// duration writes seconds as people do.
func duration(s float64) string {
	t, ok := events.FromSeconds(s)
	if !ok {
		return terminal.Figure(s) + " s"
	}
	return t.Short()
}

func span(s float64) cell { return cell{duration(s), raw(s)} }

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

func aggregateHead() []heading {
	return []heading{number("jobs"), number("mean wait"), number("p95 wait"), number("bounded slowdown"), number("p95 slowdown"), number("mean payment"), number("sum of payments"), number("mean utility")}
}

func aggregate(a *stats.Aggregate) []cell {
	return []cell{count(a.Jobs), span(a.MeanWait), span(a.P95Wait), figure(a.MeanBoundedSlowdown), figure(a.P95BoundedSlowdown), figure(a.MeanPayment), figure(a.SumPayment), figure(a.MeanUtility)}
}

const aggregateCaption = "Bounded slowdown: flow time / max(run time, bound), at least 1; payments and utility in money."

// summaries are the tables of summary.json.
func summaries(p *input) []*htmlTable {
	bands := &htmlTable{Caption: "By value band (money per processor-second an owner values). " + aggregateCaption, Head: append(p.head("value band"), aggregateHead()...)}
	groups := &htmlTable{Caption: "By tercile of run time (A the shortest) and by behaviour.", Head: append(p.head("jobs that are"), aggregateHead()...)}
	for i, r := range p.runs {
		j := r.Summary.Jobs
		for _, b := range j.Bands {
			bands.Rows = append(bands.Rows, append(append(p.first(i), text(bandName(b.Band))), aggregate(&b.Aggregate)...))
		}
		bands.Rows = append(bands.Rows, append(append(p.first(i), text("all")), aggregate(&j.Total)...))
		for _, g := range j.Groups {
			groups.Rows = append(groups.Rows, append(append(p.first(i), text("of run-time group "+g.Group)), aggregate(&g.Aggregate)...))
		}
		for _, c := range j.Classes {
			groups.Rows = append(groups.Rows, append(append(p.first(i), text(c.Class)), aggregate(&c.Aggregate)...))
		}
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

// overview has one row per run.
func overview(p *input) *htmlTable {
	t := &htmlTable{Caption: "One row per run. " + aggregateCaption, Head: append(append(words("run"), aggregateHead()...), number("utilisation %"), number("makespan"), number("payments / weighted flow time"))}
	for _, r := range p.runs {
		row := append([]cell{text(r.Label)}, aggregate(&r.Summary.Jobs.Total)...)
		row = append(row, percent(100*r.Summary.Machine.Utilisation), span(r.Summary.Machine.MakespanS))
		if d := r.Summary.Jobs.DesignerPayoff; d != nil {
			row = append(row, cell{strconv.FormatFloat(*d, 'g', 3, 64), raw(*d)})
		} else {
			row = append(row, text("–"))
		}
		t.Rows = append(t.Rows, row)
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
	set = &htmlTable{Caption: "What was run", Head: head}
	rest = &htmlTable{Caption: "Other flags, as they were", Head: head}
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
	add(set, "seed", func(r *Run) string { return r.Setting("seed") })
	for _, key := range settings(p.runs)[2:] {
		t := rest
		if key == "policy" || key == "payment" || key == "values" || key == "behaviour" || key == "where" || key == "serial" || differ(p.runs, key) {
			t = set
		}
		add(t, "--"+key, func(r *Run) string { return r.Setting(key) })
	}
	return set, rest
}

func machineOf(m *run.Machine) string {
	if m.Pool != nil {
		return fmt.Sprintf("%s machines with %s CPU and %s memory", terminal.Thousands(int64(m.Procs)), raw(m.Pool.CPU), raw(m.Pool.Memory))
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
	var reasons []string
	for _, d := range p.runs[0].Summary.Counts.Dropped {
		reasons = append(reasons, d.What)
	}
	for _, reason := range reasons {
		add("dropped: "+reason, func(c *run.Counts) int64 {
			for _, d := range c.Dropped {
				if d.What == reason {
					return d.Records
				}
			}
			return 0
		}, false)
	}
	return t
}
