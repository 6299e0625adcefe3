package together

import (
	"fmt"
	"slices"

	"bourse/reports/figures"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// measures are what one replay is judged by.
type measures struct {
	cost, efficiency, wait, slowdown, jain float64
	revenue                                []float64 // part of the cost, by payment billed
	fairness
	emptied int64 // budgets used up
}

// column is one figure of the table. Relative ones are multiples of the least among the
// mechanisms of the same kind, replica by replica.
type column struct {
	table.Column
	of       func(measures) float64
	relative bool
}

var columns = []column{
	{table.Col("cost", "cost of waiting", terminal.Ratio), func(m measures) float64 { return m.cost }, true},
	{table.Col("efficiency", "efficiency", terminal.Ratio), func(m measures) float64 { return m.efficiency }, false},
	{table.Col("wait_s", "mean wait", terminal.Seconds), func(m measures) float64 { return m.wait }, false},
	{table.Col("bounded_slowdown", "slowdown", terminal.Ratio), func(m measures) float64 { return m.slowdown }, false},
	{table.Col("jain", "Jain", terminal.Ratio), func(m measures) float64 { return m.jain }, false},
	{table.Col("envy", "envy %", terminal.Share), func(m measures) float64 { return m.envy }, false},
	{table.Col("short", "short %", terminal.Share), func(m measures) float64 { return m.short }, false},
	{table.Col("idle", "idle %", terminal.Share), func(m measures) float64 { return m.idle }, false},
}

// estimate is a figure of a mechanism over the replicas.
func (w *logCase) estimate(r *row, c column) stats.Estimate {
	var samples []float64
	for k, m := range r.figures {
		x := c.of(m)
		if c.relative {
			least := x
			for _, other := range w.rows {
				if other.divides() == r.divides() {
					least = min(least, c.of(other.figures[k]))
				}
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
	if payment >= len(r.itself.revenue) {
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

// byPolicy begins a table of a log with a row for each policy, or policy and payment.
func byPolicy(keys []string, columns ...table.Column) *table.Table {
	t := table.New()
	for i, key := range keys {
		t.Columns = append(t.Columns, table.Column{Name: []string{"policy", "payment"}[i], Heading: key, Unit: terminal.Words,
			Key: true})
	}
	t.Columns = append(t.Columns, columns...)
	return t
}

// tables prints a table for each log, and keeps the figures of all of them.
func (s *study) tables() error {
	kept := table.New(table.Named("log", "policy", "payment", "figure", "mean", "low", "high", "over")...)
	for _, w := range s.worlds {
		s.Heading("%s: %s, %s", w.name, terminal.Count(w.replicas[0].Memory.Len(), "job", "jobs"), w.replicas[0].Hardware)
		if w.draws {
			s.Printf("\nThis log has no eight whole weeks: its replicas are the log with other values of jobs.\n")
		}
		for _, divided := range []bool{false, true} {
			s.Printf("\n%s\n", kinds[divided])
			t := byPolicy([]string{"policy"})
			for _, c := range columns {
				t.Columns = append(t.Columns, c.Column)
			}
			t.Columns = append(t.Columns, table.Col("log_wait_s", "wait in the log", terminal.Seconds),
				table.Col("replicas_over_log", "replicas / log", terminal.Ratio))
			for _, r := range w.rows {
				if r.divides() != divided {
					continue
				}
				cells := []any{r.policy}
				for _, c := range columns {
					cells = append(cells, w.estimate(r, c))
				}
				t.Add(append(cells, r.itself.wait, r.overLog())...)
			}
			s.Show(t)
			long(kept, w.name, t, func(int, string) int { return s.Replicas })
		}
		s.payments(w, kept)
		s.learning(w, kept)
		for _, r := range w.rows {
			s.Aside("%s: %s an instant at which something happens", r.policy, r.each)
		}
	}
	s.Printf(`
cost of waiting: total weighted flow time, sum of value x processors x time from submission to end;
as a multiple of the least among the policies of its table. efficiency: a lower bound on that of any schedule, by
that of this one. lend, drf and its kin and price-anticipating run a job on any fraction of its
processors, the others on all of them or none. slowdown: bounded slowdown. Jain: index of the users'
mean slowdowns, 1 if all are alike. envy: part of the time with jobs during which a user would rather
have had another's part of the machine. short: what users did not hold of an equal share, as far as
they wanted it. idle: capacity that stood free while it was wanted. Figures are means over %d replicas
of the log, of blocks of four of its weeks, ± half of a 95 %% interval over them; the wait in the log itself
stands next to them, and replicas / log is how many times that theirs is: above 2 or below 1/2, and from
fewer than five replicas, nothing is concluded.
revenue / cost: payments as a share of the cost of waiting, the owners truthful; of %s over the
sampled jobs. gain by a lie: of %d jobs sampled from the first %s of a log those whose owner gains by
bidding another multiple of the value, alone (%g to %g); of utility: all gains as a share of all
utilities; overbid: how many of those who gain bid more; ± is over these jobs. %s charges the
time that a bid saves, from the reservation price on, each second at the bid that wins it, which makes
truth best wherever flow times fall with the bid. That none of the sampled jobs gains does not say
that no job does.
menu: jobs end at the times that they asked for, as they have bought no more.
quota: the %d users with the most work and all others together have equal quotas. with budgets: at the first
price each user has every week an equal part, among those who submit jobs in a week, of what the machine earns
at a price of %d; lies are not tried, as what is paid now changes what the user can pay later. they learn: users with
20 jobs or more bid from week to week what has paid (Hedge, of %d asked a week; bourse learn has more);
cost of waiting and revenue of the last quarter of the weeks, beside everybody being honest.
`, s.Replicas, critical, s.Asked, terminal.Thousands(tried), lies[0], lies[len(lies)-1], critical, most, lowValue, asked)
	return s.Keep("together", kept)
}

// long adds the estimates of a log's table to those kept, a row for each, with the number of
// samples behind it.
func long(kept *table.Table, log string, t *table.Table, over func(row int, figure string) int) {
	for i, r := range t.Rows {
		payment := ""
		if t.Columns[1].Key {
			payment = r.Cells[1].Text(terminal.Words)
		}
		for k, c := range t.Columns {
			if c.Name != "" && !c.Key {
				e := r.Cells[k].Value()
				kept.Add(log, r.Cells[0], payment, c.Name, e.Mean, e.Low(), e.High(), over(i, c.Name))
			}
		}
	}
}

// payments prints what lies gain under each payment, and what it brings in.
func (s *study) payments(w *logCase, kept *table.Table) {
	t := byPolicy([]string{"policy", "payment"}, table.Col("revenue", "revenue / cost %", terminal.Share),
		table.Col("gain_by_lying", "gain by a lie %", terminal.Share),
		table.Col("gain_of_utility", "of utility %", terminal.Share), table.Col("", "overbid", terminal.Number))
	var jobs []int
	for _, r := range w.rows {
		for k := range r.asked {
			a := &r.asked[k]
			t.Add(r.policy, a.Payment, r.revenue(k), a.Liars, a.Gain, fmt.Sprintf("%d of %d", a.Over, a.Gainers))
			jobs = append(jobs, a.Jobs)
		}
	}
	s.Printf("\n")
	s.Show(t)
	long(kept, w.name, t, func(row int, figure string) int {
		if figure == "revenue" {
			return s.Replicas
		}
		return jobs[row]
	})
}

// learning prints what owners learn to bid, and what comes of it.
func (s *study) learning(w *logCase, kept *table.Table) {
	if len(w.learnt) == 0 {
		return
	}
	t := byPolicy([]string{"they learn", "payment"}, table.Col("learnt_factor", "mean bid / value", terminal.Ratio),
		table.Col("", "underbid %", terminal.Share),
		table.Col("learnt_honest", "honest %", terminal.Share), table.Col("", "overbid %", terminal.Share),
		table.Col("learnt_cost", "cost of waiting %", terminal.Share),
		table.Col("learnt_revenue", "revenue / cost %", terminal.Share), table.Col("", "if honest %", terminal.Share))
	for i := range w.learnt {
		r := &w.learnt[i]
		t.Add(r.Policy, r.Payment, r.Factor, r.Below, r.Honest, r.Above, table.Change(r.Cost), r.Revenue, r.HonestRevenue)
	}
	s.Printf("\n")
	s.Show(t)
	long(kept, w.name, t, func(row int, _ string) int { return w.learnt[row].Agents })
}

// liars is the share of the sampled jobs that gain by a lie.
func (r *row) liars(payment string) stats.Estimate {
	for k := range r.asked {
		if r.asked[k].Payment == payment {
			return r.asked[k].Liars
		}
	}
	return stats.Exactly(0)
}

// figures draws three pairs of figures, a panel a log and a mark a policy, or a payment
// under two of them.
func (s *study) figures() error {
	if err := s.scatter("welfare", "short of an equal share", "cost of waiting, least = 1", true,
		policyMarks("short", "cost")); err != nil {
		return err
	}
	if err := s.scatter("fairness", "Jain's index of users' slowdowns", "bounded slowdown", true,
		policyMarks("jain", "bounded_slowdown")); err != nil {
		return err
	}
	return s.scatter("truth", "revenue / cost of waiting", "share of jobs that gain by a lie", false,
		func(w *logCase) (list []dot) {
			for _, policy := range []string{market, "wspt"} {
				r := w.row(policy)
				for k := range r.asked {
					list = append(list, dot{policy + ", " + r.asked[k].Payment, r.revenue(k).Mean, r.asked[k].Liars.Mean})
				}
			}
			return list
		})
}

// dot is a point of a figure.
type dot struct {
	name string
	x, y float64
}

func policyMarks(x, y string) func(*logCase) []dot {
	at := func(name string) column {
		return columns[slices.IndexFunc(columns, func(c column) bool { return c.Name == name })]
	}
	return func(w *logCase) (list []dot) {
		for _, r := range w.rows {
			list = append(list, dot{r.policy, w.estimate(r, at(x)).Mean, w.estimate(r, at(y)).Mean})
		}
		return list
	}
}

// scatter draws one pair of figures of all logs.
func (s *study) scatter(name, xLabel, yLabel string, log bool, marks func(*logCase) []dot) error {
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
