package together

import (
	"slices"

	"bourse/reports/figures"
	"bourse/reports/stats"
	"bourse/reports/studies"
	"bourse/reports/terminal"
)

// measures are what one replay is judged by.
type measures struct {
	cost, revenue, wait, slowdown, jain float64
	fairness
}

// column is one figure of the table. Relative ones are shares of the least among the
// mechanisms of a log, replica by replica.
type column struct {
	name, heading string
	of            func(measures) float64
	relative      bool
	show          func(stats.Estimate) string
}

func ratio(e stats.Estimate) string { return interval(e, terminal.Ratio.Text) }
func share(e stats.Estimate) string { return interval(e, terminal.Share.Text) }

func interval(e stats.Estimate, text func(float64) string) string {
	if !e.Known() {
		return text(e.Mean)
	}
	return text(e.Mean) + " ± " + text(e.Half)
}

var columns = []column{
	{"cost", "cost of waiting", func(m measures) float64 { return m.cost }, true, ratio},
	{"revenue", "revenue / cost %", func(m measures) float64 { return m.revenue }, false, share},
	{"wait_s", "mean wait", func(m measures) float64 { return m.wait }, false, func(e stats.Estimate) string { return interval(e, terminal.Seconds.Text) }},
	{"bounded_slowdown", "slowdown", func(m measures) float64 { return m.slowdown }, false, ratio},
	{"jain", "Jain", func(m measures) float64 { return m.jain }, false, ratio},
	{"envy", "envy %", func(m measures) float64 { return m.envy }, false, share},
	{"short", "short %", func(m measures) float64 { return m.short }, false, share},
	{"idle", "idle %", func(m measures) float64 { return m.idle }, false, share},
}

// estimate is a figure of a mechanism over the replicas.
func (w *world) estimate(r *row, c column) stats.Estimate {
	var samples []float64
	for k, m := range r.figures {
		x := c.of(m)
		if c.relative {
			least := x
			for _, other := range w.rows {
				least = min(least, c.of(other.figures[k]))
			}
			x /= max(least, tiny)
		}
		samples = append(samples, x)
	}
	if slices.Min(samples) == slices.Max(samples) { // copies of one number are no interval
		return stats.Exactly(samples[0])
	}
	return stats.EstimateOf(samples)
}

// tables prints and keeps a table a log.
func (s *study) tables() error {
	kept := studies.Columns("log", "mechanism", "policy", "payment", "figure", "mean", "low", "high", "replicas")
	for _, w := range s.worlds {
		s.Heading("%s: %s, %s", w.name, terminal.Count(w.replicas[0].Memory.Len(), "job", "jobs"), w.replicas[0].Hardware)
		head := []string{"mechanism"}
		for _, c := range columns {
			head = append(head, c.heading)
		}
		t := terminal.NewTable(append(head, "gain by a lie %", "median gain %")...)
		for _, r := range w.rows {
			cells := []string{r.name}
			for _, c := range columns {
				e := w.estimate(r, c)
				cells = append(cells, c.show(e))
				kept.Add(w.name, r.name, r.policy, r.payment, c.name, e.Mean, e.Low(), e.High(), len(r.figures))
			}
			t.Row(append(cells, percent(r.liars()), percent(r.gain.Median))...)
			kept.Add(w.name, r.name, r.policy, r.payment, "gain_by_lying", r.liars(), r.liars(), r.liars(), 1)
			kept.Add(w.name, r.name, r.policy, r.payment, "median_gain", r.gain.Median, r.gain.Median, r.gain.Median, 1)
		}
		s.Table(t)
		for _, r := range w.rows {
			s.Aside("%s: %s an instant at which something happens\n", r.name, r.each)
		}
	}
	s.Printf(`
cost of waiting: total weighted flow time, sum of value x processors x time from submission to end;
as a multiple of the least among the mechanisms. lend, drf and its kin and price-anticipating run a job
on any fraction of its processors, easy, hb and nphb on all of them or none. revenue / cost: payments as a share of it. slowdown:
bounded slowdown. Jain: index of the users' mean slowdowns, 1 if all are alike. envy: part of the time
with jobs during which a user would rather have had another's part of the machine. short: what users
did not hold of an equal share, as far as they wanted it. idle: capacity that stood free while it was
wanted. gain by a lie: of %d sampled jobs those whose owner gains by bidding another multiple of the
value, alone (%g to %g), median gain of those whose bid matters. ± is half of a 95 %% interval over
%d replicas: the log, and its users drawn anew in whole weeks; of a log of less than a week only the
values of its jobs.
`, s.Asked, lies[0], lies[len(lies)-1], s.Replicas)
	return s.Keep("together", kept)
}

// liars is the share of all sampled jobs that gain by a lie.
func (r *row) liars() float64 { return r.gain.Exposed * r.gain.Better }

// figures draws three pairs of figures, a panel a log and a mark a mechanism.
func (s *study) figures() error {
	byName := map[string]column{}
	for _, c := range columns {
		byName[c.name] = c
	}
	of := func(name string) func(*world, *row) stats.Estimate {
		return func(w *world, r *row) stats.Estimate { return w.estimate(r, byName[name]) }
	}
	s.scatter("welfare", "short of an equal share", of("short"), "cost of waiting, least = 1", of("cost"), true)
	s.scatter("fairness", "Jain's index of users' slowdowns", of("jain"), "bounded slowdown", of("bounded_slowdown"), true)
	return s.scatter("truth", "revenue / cost of waiting", of("revenue"), "share of jobs that gain by a lie",
		func(_ *world, r *row) stats.Estimate { return stats.Exactly(r.liars()) }, false)
}

// scatter draws one pair of figures of all logs.
func (s *study) scatter(name, xLabel string, x func(*world, *row) stats.Estimate, yLabel string, y func(*world, *row) stats.Estimate, log bool) error {
	const perRow = 3
	var panels []*figures.Panel
	var names []string
	place := map[string]int{}
	for _, w := range s.worlds {
		for _, r := range w.rows {
			if _, met := place[r.name]; !met {
				place[r.name] = len(names)
				names = append(names, r.name)
			}
		}
	}
	for _, w := range s.worlds {
		p := &figures.Panel{Title: w.name, X: xLabel, Y: yLabel, LogY: log, Lines: make([]figures.Line, len(names))}
		for _, r := range w.rows {
			l := &p.Lines[place[r.name]]
			a, b := x(w, r), y(w, r)
			l.Name, l.X, l.Y = r.name, []float64{a.Mean}, []float64{b.Mean}
			p.XMax, p.YMax = max(p.XMax, 1.05*a.Mean), max(p.YMax, 1.05*b.Mean)
		}
		if log { // from the least on
			p.YMin, p.YMax = .9, 1.2*p.YMax
		}
		panels = append(panels, p)
	}
	return s.DrawNamed("together-"+name, names, figures.Grid(panels, perRow)...)
}
