package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bourse/reports/terminal"
)

// shareBins is how many bins of time the picture of the machine's shares has.
const shareBins = 250

// week is over how much time series of several runs are smoothed.
const week = 7 * 86400

// stateChart is a series of states.
type stateChart struct {
	id, title, y string
	most         float64
	of           func(*tracks) *track
}

// stateCharts are the series of states: queue, use of each resource, and price.
func stateCharts(pooled bool) []stateChart {
	list := []stateChart{
		{"queue", "How many jobs wait?", "jobs waiting", 0, func(t *tracks) *track { return &t.queue }},
		{"use", "How busy is the machine?", "utilisation (%)", 100, func(t *tracks) *track { return &t.use }},
	}
	if pooled {
		list[1].title, list[1].y = "How busy is the CPU?", "CPU in use (%)"
	}
	for i, o := range otherResources {
		list = append(list, stateChart{strings.Replace(o.column, "utilisation_", "use-", 1), o.title, o.y, 100,
			func(t *tracks) *track { return &t.others[i] }})
	}
	return append(list, stateChart{"price", "When is there competition?", "price", 0,
		func(t *tracks) *track { return &t.price }})
}

// overTime are the series: offered load, queue, utilisation and price.
func overTime(p *input) []*chart {
	shown := p.schedules()
	var out []*chart
	if c := offered(p); c != nil {
		out = append(out, c)
	}
	for _, s := range stateCharts(p.pooled()) {
		runs := shown
		if s.id == "price" {
			runs = p.all()
		}
		c := &chart{ID: s.id, Title: s.title, Series: p.series(s.y)}
		c.Series.Most = s.most
		var lacking []string
		for _, r := range runs {
			if t := s.of(&p.data[r.at].tracks); t.known() {
				c.Series.Lines = append(c.Series.Lines, line{r.at, r.label, t.least, t.mean, t.most})
			} else {
				lacking = append(lacking, r.label)
			}
		}
		// A price of nothing is not drawn; an idle machine is.
		if len(c.Series.Lines) == 0 || s.id == "price" && !slices.ContainsFunc(c.Series.Lines, line.isPositive) {
			continue
		}
		c.Caption = p.thin(c.Series, s.most == 100 || c.Series.uneven()) + p.origin()
		if s.id == "price" {
			c.Caption = "Money per processor-second. " + c.Caption
		}
		if lacking != nil {
			c.Caption += " Not known of " + strings.Join(lacking, ", ") + "."
		}
		c.Caption += alike(runs)
		out = append(out, c)
	}
	return out
}

// series begins a series over the time of the page.
func (p *input) series(y string) *series {
	return &series{First: p.clock.axisTime(p.grid.first), Width: p.grid.width() / p.clock.per, Bins: p.grid.bins,
		X: p.clock.title(), Y: y, Dates: p.clock.dates}
}

// uneven reports whether one line is so high that another would lie on the floor.
func (s *series) uneven() bool {
	least, most := math.Inf(1), 0.0
	for _, l := range s.Lines {
		high := 0.0
		for _, x := range l.Mean {
			if x > high { // what is unknown is not a number
				high = x
			}
		}
		least, most = min(least, high), max(most, high)
	}
	return most > 10*least
}

// offered draws the work that is submitted next to what the machine can do.
func offered(p *input) *chart {
	if p.pooled() {
		return nil
	}
	c := &chart{ID: "load", Title: "When is the machine overloaded?", Series: p.series("offered load (%)")}
	procs := p.runs[0].Summary.Machine.Procs
	mean := rolling(reduce(p.data[0].work.means(), 100/float64(procs)).mean, p.bins(week))
	c.Series.Lines = []line{{0, "offered load", mean, mean, mean}}
	c.Caption = fmt.Sprintf("Work of the jobs submitted (processors x run time), as a share of what %s processors can "+
		"do; mean over %s. Above 100 %% the queue must grow.",
		terminal.Thousands(int64(procs)), terminal.Seconds.Text(float64(p.bins(week))*p.grid.width()))
	return c
}

// bins is how many bins a smoothing over so many seconds takes: no more than a fiftieth of
// the time.
func (p *input) bins(seconds float64) int {
	return max(1, int(min(seconds/p.grid.width(), float64(p.grid.bins)/50)))
}

// rolling is the mean over n bins about each, fewer at the ends; unknown ones count for
// nothing.
func rolling(x []float64, n int) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		sum, known := 0.0, 0
		for _, y := range x[max(0, i-n/2):min(len(x), i-n/2+max(n, 1))] {
			if !math.IsNaN(y) {
				sum, known = sum+y, known+1
			}
		}
		out[i] = sum / float64(known) // NaN of none
	}
	return out
}

// thin replaces the lines of several runs by their means over a week, without ranges: more
// than two are else a grey block, and those of a busy machine hide each other and are set
// apart. It says what lines are then.
func (p *input) thin(s *series, apart bool) string {
	if n := len(s.Lines); n == 1 || n == 2 && !apart {
		return fmt.Sprintf("Line: mean in each of %d bins of %s; shade: least to greatest in the bin. ", p.grid.bins,
			terminal.Seconds.Text(p.grid.width()))
	}
	s.Apart = apart
	n := p.bins(week)
	for i := range s.Lines {
		l := &s.Lines[i]
		l.Mean = rolling(l.Mean, n)
		l.Least, l.Most = l.Mean, l.Mean
	}
	return fmt.Sprintf("Mean over %s. ", terminal.Seconds.Text(float64(n)*p.grid.width()))
}

// origin says what series were made of.
func (p *input) origin() (text string) {
	sampled, exact := 0, true
	for i, g := range p.data {
		if g.tracks.from != "series" {
			exact = exact && g.exact()
			continue
		}
		if sampled++; p.runs[i].Manifest.Written.Series != "changes" {
			text += fmt.Sprintf("%s was sampled every %s s. ", p.runs[i].Label, p.runs[i].Manifest.Written.Series)
		}
	}
	finest := terminal.Seconds.Text(p.grid.width() / fine)
	switch {
	case sampled == len(p.data):
		return text + "From the series of the replay: every state counts, however short."
	case sampled > 0:
		text += "Runs without series are worked out"
	default:
		text += "Worked out"
	}
	text += " from the records of jobs, peaks shorter than " + finest + " levelled (a replay with a series keeps them)"
	if !exact {
		text += "; " + inProportion
	}
	return text + "."
}

// inProportion says what becomes of jobs of which it is not known when they ran.
const inProportion = "preempted and shared jobs count in proportion from their first start to their end (segments " +
	"record when they ran)"

// shares draws how the machine is shared over time, by value band, where it is known when
// every job ran.
func shares(p *input) *chart {
	if len(p.runs) > 6 || !p.paid() || p.any(func(g *gathered) bool { return !g.exact() }) {
		return nil
	}
	pool := p.pooled()
	y, what := "machine (%)", "Share of the processors held by jobs of each value band"
	if pool {
		y, what = "jobs running", "Jobs running of each value band"
	}
	shown := p.schedules()
	c := &chart{ID: "shares", Title: "Who holds the machine?", Data: &data{Names: []string{"run", "band", "t", "y"}},
		Caption: fmt.Sprintf("%s, means of %s.", what,
			terminal.Seconds.Text(p.grid.width()*float64(p.grid.bins/shareBins))) +
			alike(shown)}
	bands := p.bands()
	bands = bands[:len(bands)-1]
	for _, s := range shown {
		scale := 1.0
		if !pool {
			scale = 100 / float64(p.runs[s.at].Summary.Machine.Procs)
		}
		for _, b := range bands {
			c.Data.bins(p, s.label, bandLabels[b], p.data[s.at].busy[b].means(), scale)
		}
	}
	labels, colours, _ := p.bandScale(bands)
	c.Legend = legend(labels, colours, make([][]int, len(labels)))
	c.Spec = document("shares", object{"time": p.clock.axis("t"), "title": y, "labels": labels, "colours": colours})
	if len(shown) > 1 {
		c.facet("run", labelsOf(shown), 1, 120)
	}
	return c
}

// bins adds means of larger bins.
func (d *data) bins(p *input, run, band string, means []float64, scale float64) {
	fold := len(means) / shareBins
	width := (p.grid.last - p.grid.first) / shareBins
	for i := range shareBins {
		sum := 0.0
		for _, x := range means[i*fold : (i+1)*fold] {
			sum += x
		}
		d.add(run, band, p.clock.value(p.grid.first+float64(float64(i)*width)), short(sum/float64(fold)*scale))
	}
}
