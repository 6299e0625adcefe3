package compare

import (
	"math"
	"slices"
	"strings"

	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/studies/sweep"
)

// Rows is a sweep as a table: a row for each combination of settings, averaged over
// the rest.
type Rows struct {
	// Axes distinguish rows; Over are the other axes with several values.
	Axes, Over []sweep.Axis
	Rows       []*Row
	policy     int // the place of the policy among Axes, -1 if it is not there
}

// Row is the cells of one combination of settings.
type Row struct {
	// Settings are the values on the axes of the rows.
	Settings []string
	// Summaries are those of its cells.
	Summaries []*run.Summary
	rest      []string // the settings each cell is averaged over
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
	t := &Rows{policy: -1}
	for _, x := range d.Plan.Axes {
		switch {
		case slices.Contains(by, x.Name):
			if x.Name == sweep.Policy {
				t.policy = len(t.Axes)
			}
			t.Axes = append(t.Axes, x)
		case len(x.Values) > 1:
			t.Over = append(t.Over, x)
		}
	}
	at := map[string]*Row{} // looked up, never walked over
	for i, c := range d.Cells {
		var head, rest []string
		for _, s := range c {
			if slices.Contains(by, s.Name) {
				head = append(head, s.Value)
			} else {
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
		r.rest, r.Summaries = append(r.rest, strings.Join(rest, "\x00")), append(r.Summaries, d.Summaries[i])
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

// Reference names what differences refer to.
func (t *Rows) Reference() string {
	if t.policy < 0 {
		return "the first row's"
	}
	return t.Rows[0].Settings[t.policy]
}

// reference is the row to which another one is compared: that of the first policy
// with the same other settings, or the first one.
func (t *Rows) reference(g *Row) *Row {
	if t.policy < 0 {
		return t.Rows[0]
	}
	for _, r := range t.Rows {
		same := true
		for i := range r.Settings {
			same = same && (i == t.policy || r.Settings[i] == g.Settings[i])
		}
		if same {
			return r
		}
	}
	return t.Rows[0]
}

// Differences returns the differences of a figure between a row's cells and those of
// the row it is compared to, paired by what both are averaged over; nil for that row
// itself and where the cells do not pair.
func (t *Rows) Differences(g *Row, of func(run.Figures) float64) []float64 {
	r := t.reference(g)
	if r == g || !slices.Equal(r.rest, g.rest) {
		return nil
	}
	mine, other := g.Samples(of), r.Samples(of)
	for i := range mine {
		mine[i] -= other[i]
	}
	return mine
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
func (t *Rows) Estimate(r *Row, m run.Measure) stats.Estimate { return t.estimate(r.Samples(m.Of)) }

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
