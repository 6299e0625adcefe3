package together

import (
	"fmt"
	"slices"

	"bourse/reports/figures"
	"bourse/reports/papers"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// measures are what one replay is judged by.
type measures struct {
	cost, efficiency, wait, slowdown, jain float64
	revenue                                []float64 // part of the cost, by payment billed
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

func ratio(e stats.Estimate) string { return papers.Interval(e, terminal.Ratio.Text) }
func share(e stats.Estimate) string { return papers.Interval(e, terminal.Share.Text) }

var columns = []column{
	{"cost", "cost of waiting", func(m measures) float64 { return m.cost }, true, ratio},
	{"efficiency", "efficiency", func(m measures) float64 { return m.efficiency }, false, ratio},
	{"wait_s", "mean wait", func(m measures) float64 { return m.wait }, false, func(e stats.Estimate) string { return papers.Interval(e, terminal.Seconds.Text) }},
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

// revenue is what a billed payment takes of the cost, over the replicas; of the critical
// one, over the jobs that were asked.
func (r *row) revenue(payment int) stats.Estimate {
	if payment >= len(r.figures[0].revenue) {
		return r.asked[payment].Revenue
	}
	var samples []float64
	for _, m := range r.figures {
		samples = append(samples, m.revenue[payment])
	}
	if slices.Min(samples) == slices.Max(samples) {
		return stats.Exactly(samples[0])
	}
	return stats.EstimateOf(samples)
}

// tables prints and keeps a table a log.
func (s *study) tables() error {
	kept := papers.Columns("log", "policy", "payment", "figure", "mean", "low", "high", "over")
	for _, w := range s.worlds {
		s.Heading("%s: %s, %s", w.name, terminal.Count(w.replicas[0].Memory.Len(), "job", "jobs"), w.replicas[0].Hardware)
		head := []string{"policy"}
		for _, c := range columns {
			head = append(head, c.heading)
		}
		t := terminal.NewTable(head...)
		for _, r := range w.rows {
			cells := []string{r.policy}
			for _, c := range columns {
				e := w.estimate(r, c)
				cells = append(cells, c.show(e))
				kept.Add(w.name, r.policy, "", c.name, e.Mean, e.Low(), e.High(), len(r.figures))
			}
			t.Row(cells...)
		}
		s.Table(t)
		s.payments(w, &kept)
		s.learning(w, &kept)
		for _, r := range w.rows {
			s.Aside("%s: %s an instant at which something happens\n", r.policy, r.each)
		}
	}
	s.Printf(`
cost of waiting: total weighted flow time, sum of value x processors x time from submission to end;
as a multiple of the least among the policies. efficiency: a lower bound on that of any schedule, by
that of this one. lend, drf and its kin and price-anticipating run a job on any fraction of its
processors, the others on all of them or none. slowdown: bounded slowdown. Jain: index of the users'
mean slowdowns, 1 if all are alike. envy: part of the time with jobs during which a user would rather
have had another's part of the machine. short: what users did not hold of an equal share, as far as
they wanted it. idle: capacity that stood free while it was wanted. ± is half of a 95 %% interval over
%d replicas: the log, and its users drawn anew in whole weeks; of a log of less than a week only the
values of its jobs.
revenue / cost: payments as a share of the cost of waiting, the owners truthful; of %s over the
sampled jobs. gain by a lie: of %d jobs sampled from the first %s of a log those whose owner gains by
bidding another multiple of the value, alone (%g to %g); of utility: all gains as a share of all
utilities; overbid: how many of those who gain bid more; ± is over these jobs. %s charges the
time that a bid saves, from the reservation price on, each second at the bid that wins it, which makes
truth best wherever flow times fall with the bid. That none of the sampled jobs gains does not say
that no job does.
quota: the %d users with the most work and all others together have equal quotas. they learn: users with
20 jobs or more bid from week to week what has paid (Hedge, of %d asked a week; bourse learn has more);
cost of waiting and revenue of the last quarter of the weeks, beside everybody being honest.
`, s.Replicas, critical, s.Asked, terminal.Thousands(tried), lies[0], lies[len(lies)-1], critical, most, asked)
	return s.Keep("together", kept)
}

// payments prints what lies gain under each payment, and what it brings in.
func (s *study) payments(w *world, kept *papers.Rows) {
	t := terminal.NewTable("policy", "payment", "revenue / cost %", "gain by a lie %", "of utility %", "overbid")
	t.Left(1)
	for _, r := range w.rows {
		for k := range r.asked {
			a, revenue := &r.asked[k], r.revenue(k)
			t.Row(r.policy, a.Payment, share(revenue), share(a.Liars), share(a.Gain), fmt.Sprintf("%d of %d", a.Over, a.Gainers))
			kept.Add(w.name, r.policy, a.Payment, "revenue", revenue.Mean, revenue.Low(), revenue.High(), len(r.figures))
			kept.Add(w.name, r.policy, a.Payment, "gain_by_lying", a.Liars.Mean, a.Liars.Low(), a.Liars.High(), a.Jobs)
			kept.Add(w.name, r.policy, a.Payment, "gain_of_utility", a.Gain.Mean, a.Gain.Low(), a.Gain.High(), a.Jobs)
		}
	}
	s.Table(t)
}

// learning prints what owners learn to bid, and what comes of it.
func (s *study) learning(w *world, kept *papers.Rows) {
	if len(w.learnt) == 0 {
		return
	}
	t := terminal.NewTable("they learn", "payment", "mean bid / value", "underbid %", "honest %", "overbid %", "cost of waiting %", "revenue / cost %", "if honest %")
	t.Left(1)
	for i := range w.learnt {
		r := &w.learnt[i]
		t.Row(r.Policy, r.Payment, ratio(r.Factor), share(r.Below), share(r.Honest), share(r.Above), terminal.Share.Difference(r.Cost.Mean, r.Cost.Half), share(r.Revenue), share(r.HonestRevenue))
		for _, x := range []struct {
			name string
			of   stats.Estimate
		}{{"learnt_factor", r.Factor}, {"learnt_honest", r.Honest}, {"learnt_cost", r.Cost}, {"learnt_revenue", r.Revenue}} {
			kept.Add(w.name, r.Policy, r.Payment, x.name, x.of.Mean, x.of.Low(), x.of.High(), r.Agents)
		}
	}
	s.Table(t)
}

// liars is the share of the sampled jobs that gain by a lie.
func (r *row) liars(payment string) float64 {
	for k := range r.asked {
		if r.asked[k].Payment == payment {
			return r.asked[k].Liars.Mean
		}
	}
	return 0
}

// figures draws three pairs of figures, a panel a log and a mark a policy, or a payment
// under two of them.
func (s *study) figures() error {
	if err := s.scatter("welfare", "short of an equal share", "cost of waiting, least = 1", true, policyMarks("short", "cost")); err != nil {
		return err
	}
	if err := s.scatter("fairness", "Jain's index of users' slowdowns", "bounded slowdown", true, policyMarks("jain", "bounded_slowdown")); err != nil {
		return err
	}
	return s.scatter("truth", "revenue / cost of waiting", "share of jobs that gain by a lie", false, func(w *world) (list []mark) {
		for _, policy := range []string{market, "wspt"} {
			r := w.row(policy)
			for k := range r.asked {
				list = append(list, mark{policy + ", " + r.asked[k].Payment, r.revenue(k).Mean, r.asked[k].Liars.Mean})
			}
		}
		return list
	})
}

// mark is a point of a figure.
type mark struct {
	name string
	x, y float64
}

func policyMarks(x, y string) func(*world) []mark {
	at := func(name string) column {
		return columns[slices.IndexFunc(columns, func(c column) bool { return c.name == name })]
	}
	return func(w *world) (list []mark) {
		for _, r := range w.rows {
			list = append(list, mark{r.policy, w.estimate(r, at(x)).Mean, w.estimate(r, at(y)).Mean})
		}
		return list
	}
}

// scatter draws one pair of figures of all logs.
func (s *study) scatter(name, xLabel, yLabel string, log bool, marks func(*world) []mark) error {
	const perRow = 3
	var panels []*figures.Panel
	var names []string
	for _, w := range s.worlds {
		for _, m := range marks(w) {
			if !slices.Contains(names, m.name) {
				names = append(names, m.name)
			}
		}
	}
	for _, w := range s.worlds {
		p := &figures.Panel{Title: w.name, X: xLabel, Y: yLabel, LogY: log, Lines: make([]figures.Line, len(names))}
		for _, m := range marks(w) {
			p.Lines[slices.Index(names, m.name)] = figures.Line{Name: m.name, X: []float64{m.x}, Y: []float64{m.y}}
			p.XMax, p.YMax = max(p.XMax, 1.05*m.x), max(p.YMax, 1.05*m.y)
		}
		if log { // from the least on
			p.YMin, p.YMax = .9, 1.2*p.YMax
		}
		panels = append(panels, p)
	}
	return s.DrawNamed("together-"+name, names, figures.Grid(panels, perRow)...)
}
