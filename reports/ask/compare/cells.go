package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bourse/reports/ask/sweep"
	"bourse/reports/run"
	"bourse/reports/stats"
)

// Rows is a sweep as a table: a row for each combination of settings, averaged over
// the rest.
type Rows struct {
	// Axes distinguish rows; Over are the other axes with several values.
	Axes, Over []sweep.Axis
	Rows       []*Row
}

// Row is the cells of one combination of settings.
type Row struct {
	// Settings are the values on the axes of the rows.
	Settings []string
	// Summaries are those of its cells. Log is that of the log itself, where they are of
	// replicas of it and it was replayed, too.
	Summaries []*run.Summary
	Log       *run.Summary
	// rest are the settings each cell is averaged over.
	rest []string
}

// Varying lists the axes by which rows differ by default: all that
// vary but the seed, or the policy.
func Varying(axes []sweep.Axis) (names []string) {
	for _, x := range axes {
		if len(x.Values) > 1 && x.Name != sweep.Seed {
			names = append(names, x.Name)
		}
	}
	if len(names) == 0 {
		return []string{sweep.Policy}
	}
	return names
}

// Group makes a table of a sweep whose rows the named axes tell apart.
func Group(d *sweep.Dataset, by []string) *Rows {
	t := &Rows{}
	for _, x := range d.Plan.Axes {
		switch {
		case slices.Contains(by, x.Name):
			t.Axes = append(t.Axes, x)
		case len(x.Values) > 1:
			t.Over = append(t.Over, x)
		}
	}
	at := map[string]*Row{} // looked up, never walked over
	for i, c := range d.Cells {
		var head, rest []string
		for _, s := range c {
			switch {
			case slices.Contains(by, s.Name):
				head = append(head, s.Value)
			case slices.ContainsFunc(t.Over, func(x sweep.Axis) bool { return x.Name == s.Name }):
				rest = append(rest, s.Value)
			}
		}
		key := strings.Join(head, "\x00")
		r := at[key]
		if r == nil {
			r = &Row{Settings: head}
			at[key] = r
			t.Rows = append(t.Rows, r)
		}
		if d.Plan.IsLog(c) {
			r.Log = d.Summaries[i]
			continue
		}
		r.rest, r.Summaries = append(r.rest, strings.Join(rest, "/")), append(r.Summaries, d.Summaries[i])
	}
	if slices.ContainsFunc(t.Rows, func(r *Row) bool { return len(r.Summaries) == 0 }) { // nothing but the log
		for _, r := range t.Rows {
			r.Summaries, r.Log = append(r.Summaries, r.Log), nil
		}
	}
	return t
}

// Replicas reports whether rows are means over nothing but seeds, so that there is an
// interval.
func (t *Rows) Replicas() bool {
	return len(t.Over) == 0 || len(t.Over) == 1 && t.Over[0].Name == sweep.Seed
}

// Samples returns a figure of each cell of a row.
func (r *Row) Samples(of func(run.Figures) float64) []float64 {
	out := make([]float64, len(r.Summaries))
	for i, s := range r.Summaries {
		out[i] = of(s.Total())
	}
	return out
}

// Setting is a row's value on an axis of the rows, empty if there is none of that name.
func (t *Rows) Setting(r *Row, axis string) string {
	i := slices.IndexFunc(t.Axes, func(x sweep.Axis) bool { return x.Name == axis })
	if i < 0 {
		return ""
	}
	return r.Settings[i]
}

// Values are those of an axis of the rows.
func (t *Rows) Values(axis string) []string {
	for _, x := range t.Axes {
		if x.Name == axis {
			return x.Values
		}
	}
	return nil
}

// Estimate is the mean of a measure over a row's cells, with an interval where these are
// replicas.
func (t *Rows) Estimate(r *Row, m run.Measure) stats.Estimate {
	e := estimate(r.Samples(m.Of))
	if !t.Replicas() {
		return stats.Exactly(e.Mean)
	}
	return e
}

// Largest is the largest mean of a measure, without its sign.
func (t *Rows) Largest(m run.Measure) (most float64) {
	for _, r := range t.Rows {
		most = max(most, math.Abs(t.Estimate(r, m).Mean))
	}
	return most
}

// Varies reports whether a measure differs among the cells of any row.
func (t *Rows) Varies(m run.Measure) bool {
	return slices.ContainsFunc(t.Rows, func(r *Row) bool {
		x := r.Samples(m.Of)
		return slices.Min(x) < slices.Max(x)
	})
}

// choices are the axes on which somebody chooses: others are conditions, under which
// choices are compared.
var choices = []string{sweep.Policy, "preemption", sweep.Payment}

// Table makes a table of the rows. Those with different conditions, as traces and loads,
// are in blocks of their own if they differ in a choice as well.
func (t *Rows) Table(metric run.Measure) *Ranking {
	varies := func(x sweep.Axis) bool { return len(x.Values) > 1 }
	choose := slices.ContainsFunc(t.Axes, func(x sweep.Axis) bool { return varies(x) && slices.Contains(choices, x.Name) })
	out := &Ranking{Metric: metric}
	for _, x := range t.Axes {
		out.Keys = append(out.Keys, x.Name)
	}
	copies := t.Replicas()
	for _, r := range t.Rows {
		e := &Entry{Settings: r.Settings, Replicas: r.rest, Recorded: r.Summaries[0].Recorded}
		var names, block []string
		for i, x := range t.Axes {
			switch {
			case !varies(x) && len(t.Axes) > 1:
			case !choose || slices.Contains(choices, x.Name):
				names = append(names, r.Settings[i])
			case x.Name == sweep.Trace:
				block = append(block, r.Settings[i])
			default:
				block = append(block, x.Name+" "+r.Settings[i])
			}
		}
		e.Name, e.Block = strings.Join(names, "/"), strings.Join(block, ", ")
		for _, s := range r.Summaries {
			e.Cells, e.Market = append(e.Cells, s.Total()), e.Market || s.Market
		}
		if r.Log != nil {
			total := r.Log.Total()
			e.Log, e.Recorded = &total, r.Log.Recorded
		}
		if t.Replicas() && len(e.Cells) > 1 {
			e.Samples = r.Samples(metric.Of)
			copies = copies && slices.Min(e.Samples) == slices.Max(e.Samples)
		}
		out.Entries = append(out.Entries, e)
	}
	out.describe(t, copies)
	return out
}

// describe says what the samples of a sweep are worth.
func (t *Ranking) describe(rows *Rows, copies bool) {
	switch n := len(rows.Rows[0].Summaries); {
	case !rows.Replicas():
		var names []string
		for _, x := range rows.Over {
			if x.Name != sweep.Seed {
				names = append(names, x.Name)
			}
		}
		t.Unsure = "rows are means over " + strings.Join(names, " and ") + ", and those are no replicas"
	case n < 2:
		t.Unsure = "there is one replay for each row"
	case n < stats.LeastReplicas && !copies:
		t.Unsure = fmt.Sprintf("%d replicas are too few to tell; want %d or more", n, stats.LeastReplicas)
	case copies:
		t.Copies = true
		t.Unsure = fmt.Sprintf("the %d seeds change nothing here, so each row is %d copies of one number; replicas of the "+
			"log would tell", n, n)
	default:
		t.Samples = fmt.Sprintf("%d seeds", n)
	}
}
