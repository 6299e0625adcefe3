package plot

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bourse/reports/ask/compare"
	"bourse/reports/ask/sweep"
	"bourse/reports/figures"
	"bourse/reports/run"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Axes says which axis of a sweep is which of a figure: X, a line for each value of Series
// and a panel for each of Panels; both may be empty.
type Axes struct{ X, Series, Panels string }

// Choose fills in what is not said, from the axes that vary: the first one of numbers is X,
// or the policy; of the others the policy, or the first, is the series. Seeds are replicas
// unless they are named.
func Choose(all []sweep.Axis, a Axes) Axes {
	free := func(x sweep.Axis) bool {
		return len(x.Values) > 1 && x.Name != sweep.Seed && x.Name != a.X && x.Name != a.Series && x.Name != a.Panels
	}
	if a.X == "" {
		a.X = sweep.Policy
		for _, x := range all { // numbers make a line
			if _, numeric := positions(x.Values); numeric && free(x) {
				a.X = x.Name
				break
			}
		}
	}
	for _, x := range all {
		if free(x) && (a.Series == "" || x.Name == sweep.Policy) {
			a.Series = x.Name
		}
	}
	return a
}

// Sweep draws a measure of a sweep. What else varies is averaged over: seeds give
// intervals, other axes none; those are returned.
func Sweep(d *sweep.Dataset, a Axes, y run.Measure) (f *Figure, over []string) {
	var by []string
	for _, name := range []string{a.X, a.Series, a.Panels} {
		if name != "" {
			by = append(by, name)
		}
	}
	t := compare.Group(d, by)
	for _, x := range t.Over {
		if x.Name != sweep.Seed {
			over = append(over, x.Name)
		}
	}
	f = &Figure{data: table.New(table.Named(append(slices.Clone(by), y.Name, "low", "high", "n")...)...)}
	xs := t.Values(a.X)
	at, numeric := positions(xs)
	scale, label := axisOf(y, t.Largest(y))
	panels := map[string]*figures.Panel{}
	for _, r := range t.Rows {
		title := t.Setting(r, a.Panels)
		p := panels[title]
		if p == nil {
			p = &figures.Panel{Title: title, X: axisName(a.X), Y: label}
			if title != "" {
				p.Title = axisName(a.Panels) + " " + title
			}
			if !numeric {
				p.Names = xs
			}
			panels[title] = p
			f.Panels = append(f.Panels, p)
		}
		e := t.Estimate(r, y)
		l := lineOf(p, t.Setting(r, a.Series))
		x := t.Setting(r, a.X)
		l.X, l.Y = append(l.X, at[x]), append(l.Y, e.Mean*scale)
		l.Low, l.High = append(l.Low, e.Low()*scale), append(l.High, e.High()*scale)
		var row []any
		for _, name := range by {
			row = append(row, t.Setting(r, name))
		}
		f.data.Add(append(row, e.Mean, e.Low(), e.High(), len(r.Summaries))...)
	}
	f.finish(a.Series != "")
	f.Caption = caption(t, a, y)
	if f.cut {
		f.Caption += " Intervals that reach below the axis are cut at its foot."
	}
	return f, over
}

// lineOf returns the panel's line of a name.
func lineOf(p *figures.Panel, name string) *figures.Line {
	i := slices.IndexFunc(p.Lines, func(l figures.Line) bool { return l.Name == name })
	if i < 0 {
		i = len(p.Lines)
		p.Lines = append(p.Lines, figures.Line{Name: name})
	}
	return &p.Lines[i]
}

// mostInside is how many names of lines a panel has room for next to the lines, decades how
// far apart values are drawn on a logarithmic axis, as a factor.
const (
	mostInside = 6
	decades    = 300
)

// finish gives the panels one scale and one legend, and leaves out intervals that are none.
func (f *Figure) finish(named bool) {
	foot, least, most := math.Inf(1), math.Inf(1), math.Inf(-1)
	for _, p := range f.Panels {
		for i := range p.Lines {
			l := &p.Lines[i]
			for k := range l.Y {
				foot, least, most = min(foot, l.Y[k]), min(least, l.Low[k]), max(most, l.High[k])
			}
			if slices.Equal(l.Low, l.High) {
				l.Low, l.High = nil, nil
			}
		}
	}
	f.log = foot > 0 && most > decades*foot
	for _, p := range f.Panels {
		switch {
		case f.log:
			f.cut = logarithmic(p, .8*foot, 1.3*most) || f.cut
		case least >= 0:
			p.YMin, p.YMax = 0, most*1.04
		}
	}
	if named {
		f.legend()
	}
}

// legend names the lines in a free corner of the first panel, or in a place of its own.
func (f *Figure) legend() {
	first := f.Panels[0]
	if len(first.Lines) > mostInside {
		for _, l := range first.Lines {
			f.names = append(f.names, l.Name)
		}
		return
	}
	if first.Legend = corner(first.Lines); first.Legend[0] == 't' && !f.log {
		for _, p := range f.Panels {
			p.Headroom = .06 * float64(len(first.Lines))
		}
	}
}

// logarithmic gives a panel such an axis and reports whether it cuts intervals at its foot.
func logarithmic(p *figures.Panel, low, high float64) (cut bool) {
	p.LogY, p.YMin, p.YMax = true, low, high
	for _, l := range p.Lines {
		for k := range l.Low {
			cut = cut || l.Low[k] < low
			l.Low[k] = max(low, l.Low[k])
		}
	}
	return cut
}

// positions are the places of values on an axis: their numbers, or their order.
func positions(values []string) (at map[string]float64, numeric bool) {
	at, numeric = map[string]float64{}, len(values) > 1
	for _, v := range values {
		x, err := strconv.ParseFloat(v, 64)
		at[v], numeric = x, numeric && err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
	}
	if !numeric {
		for i, v := range values {
			at[v] = float64(i)
		}
	}
	return at, numeric
}

// axisName is a sweep's axis in words.
func axisName(name string) string { return strings.ReplaceAll(name, "-", " ") }

// caption says what is drawn, and of how much.
func caption(t *compare.Rows, a Axes, y run.Measure) string {
	text := strings.ToUpper(y.Heading[:1]) + y.Heading[1:] + " by " + axisName(a.X)
	if a.Series != "" {
		text += " and " + axisName(a.Series)
	}
	least, most := len(t.Rows[0].Summaries), 0
	for _, r := range t.Rows {
		least, most = min(least, len(r.Summaries)), max(most, len(r.Summaries))
	}
	switch {
	case most == 1:
		return text + "; one replay for each point."
	case !t.Replicas():
		var names []string
		for _, x := range t.Over {
			names = append(names, axisName(x.Name))
		}
		return fmt.Sprintf("%s; means over %s (n = %d).", text, strings.Join(names, " and "), most)
	case !t.Varies(y):
		return text + "; seeds change nothing here."
	}
	return fmt.Sprintf("%s; means of n = %d seeds with 95 %% confidence intervals (Student's t).", text, most)
}

// axisOf names a measure's axis, with a unit in which the largest value is short, and says
// by what values are multiplied.
func axisOf(m run.Measure, most float64) (scale float64, label string) {
	switch m.Unit {
	case terminal.Seconds:
		for _, u := range []struct {
			seconds float64
			name    string
		}{{86400, "d"}, {3600, "h"}, {60, "min"}} {
			if most >= 2*u.seconds {
				return 1 / u.seconds, m.Heading + " (" + u.name + ")"
			}
		}
		return 1, m.Heading + " (s)"
	case terminal.Share:
		return 100, strings.TrimSuffix(m.Heading, " %") + " (%)"
	case terminal.Percent:
		return 1, strings.TrimSuffix(m.Heading, " %") + " (%)"
	}
	return 1, m.Heading
}
