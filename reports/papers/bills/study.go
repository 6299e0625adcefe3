// Package bills is a study of ours: one month of a log, billed by payments that differ in what they are made of, side
// by side: who pays, whether the bills cover the machine's cost, what is known when, and who would gain by lying.
package bills

import (
	"context"
	"errors"
	"fmt"
	"math"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/ask/sweep"
	"bourse/reports/ask/truth"
	"bourse/reports/papers"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/suggest"
)

// Options say how the study is run.
type Options struct {
	Logs           []string
	Month, Asked   int
	Nodes          int
	Carbon, Tariff string
	Seed           uint64
	Workers        int
}

// Program is the study as a value.
func Program() papers.Program {
	o := Options{Month: 3, Asked: 60, Seed: 1}
	return papers.Program{
		Name:  "bills",
		Paper: "our own: one month billed by nine payments",
		Line: "who pays, what the bills cover, when they are known and who would lie, by first, k-th, toll, critical, " +
			"menu (also one whose starts move up), Shapley, tariff and carbon",
		Example: "bourse reproduce bills --logs KTH-SP2-1996-2.1-cln.swf.gz --carbon 'carbon.csv(unit=h,as=g/proc-h)' " +
			"--out bills",
		Options: []papers.Option{
			{Name: "logs", To: &o.Logs, Input: true, Line: "logs of parallel machines"},
			{Name: "month", To: &o.Month, Least: 1, Why: papers.OneOrMore, Line: "which four weeks of the log, the first " +
				"being 0; prices of the menu are fitted to those before"},
			{Name: "nodes", To: &o.Nodes, Part: true, Line: "processors, or GPUs, of the machine of logs that name none"},
			{Name: "jobs", To: &o.Asked, Least: 1, Why: "at least one job must be sampled",
				Line: "number of jobs of each log whose owners try lies"},
			{Name: "carbon", To: &o.Carbon, Part: true, Line: "an input series of carbon, a `TABLE` or 'TABLE(how it is " +
				"read)', which repeats; what it charges is paid as it is"},
			{Name: "tariff", To: &o.Tariff, Part: true, Line: "an input series of a tariff, a `TABLE` or 'TABLE(how it is " +
				"read)', which repeats; what it charges is paid as it is"},
		},
		Workers: &o.Workers, Seed: &o.Seed, Each: "logs",
		Check: func(func(string) bool) error {
			if len(o.Logs) == 0 {
				return &scenario.OptionError{Option: "logs", Err: errors.New("is missing: want one log or more")}
			}
			return nil
		},
		Run: func(ctx context.Context, report *papers.Study, _ func(done, of int, err error)) error {
			return Run(ctx, report, o)
		},
	}
}

const (
	market = "hb(fit=skip)"
	month  = 4 * events.Week
	// top is the part of the users whose share of the bills is shown.
	top = .1
)

// scales are the prices of a full machine tried for the menu, an idle one being 1.
var scales = []string{"1", "3", "10", "30", "180"}

// study is a run of it.
type study struct {
	*papers.Study
	Options
	ctx  context.Context
	kept *table.Table
}

// Run makes the study.
func Run(ctx context.Context, report *papers.Study, o Options) error {
	s := &study{Study: report, Options: o, ctx: ctx}
	return s.Run(ctx, s.months)
}

// load reads the jobs of four weeks, those that are longer than they asked for ended then, so that all payments are of
// the same ones.
func (s *study) load(log string, which int) (*scenario.Loaded, error) {
	c := scenario.Default()
	c.Trace, c.Seed, c.Policy, c.KillAtEstimate = log, s.Seed, market, true
	c.From, c.Until = events.Instant{Since: events.Time(which) * month},
		events.Instant{Since: events.Time(which+1) * month}
	for _, x := range []struct{ name, table string }{{"carbon", s.Carbon}, {"tariff", s.Tariff}} {
		if x.table != "" {
			c.SeriesIn += x.name + "=" + x.table + "; "
		}
	}
	src, err := c.Open(scenario.Env{})
	if err != nil {
		return nil, err
	}
	if src.Header().Procs == 0 {
		c.Nodes = s.Nodes
	}
	l, err := c.Load(src, "menu")
	return l, errors.Join(err, traces.Close(src))
}

// way is a way to bill, and what is known of it.
type way struct {
	name, policy, payment, known string
	covers                       bool // it is money of the market, of which the machine's cost is so much
}

// months bills a month of each log.
func (s *study) months() error {
	s.kept = table.New(table.Named("log", "payment", "revenue_over_cost", "top_pay", "top_use", "price_low",
		"price_high", "envy", "slowdown", "gain", "gain_of_utility", "overbid")...)
	for _, log := range s.Logs {
		if err := s.bill(log); err != nil {
			return fmt.Errorf("%s: %w", log, err)
		}
	}
	s.Printf("\ncost: each processor at the reservation price of 1 a second, all month; shapley divides just that. "+
		"critical charges the time that a bid saves, from the reservation price on. tariff and carbon charge what the "+
		"input series say, in money or grams, which is no part of that cost.\ntop users: the tenth of the users who use "+
		"most, of logs without users of the queues. price: what users pay for a unit of their use against the mean of "+
		"all, at the 10th and 90th percentile.\nenvy: jobs that would rather have the wait and the price of a "+
		"processor-second of another one that was submitted in the same hour and needs as much or more, for as long or "+
		"longer.\ngain by a lie: of %d jobs sampled those whose owners gain by bidding another multiple of the value, "+
		"alone; of utility: all gains as a share of all utilities.\n", s.Asked)
	return s.Keep("bills", s.kept)
}

// bill bills a month of a log in every way.
func (s *study) bill(log string) error {
	before, err := s.load(log, s.Month-1)
	if err != nil {
		return err
	}
	high, err := s.fit(before)
	if err != nil {
		return err
	}
	l, err := s.load(log, s.Month)
	if err != nil {
		return err
	}
	span := l.Memory.Job(l.Memory.Len()-1).Submit - l.Memory.Job(0).Submit
	cost := float64(l.Hardware.Processors() * span.Seconds())
	ways := s.ways(high, cost)
	name := sweep.Label(log)
	s.Heading("%s: %s of four weeks, %s", name, terminal.Count(l.Memory.Len(), "job", "jobs"), l.Hardware)
	t := columns()
	var lying []string
	least, most, rows, use := "", "", map[string]row{}, 0.0
	for _, w := range ways {
		row, err := s.row(l, w, cost)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		t.Add(append(append([]any{w.name}, row.cells...), w.known)...)
		s.kept.Add(append([]any{name, w.name}, row.cells...)...)
		if rows[w.name] = row; !math.IsNaN(row.pay) {
			use = row.use
			if least == "" || row.pay < rows[least].pay {
				least = w.name
			}
			if most == "" || row.pay > rows[most].pay {
				most = w.name
			}
		}
		if row.gainers > 0 {
			lying = append(lying, fmt.Sprintf("%s (%d of %d)", w.name, row.gainers, row.asked))
		}
	}
	s.Show(t)
	s.explain(ways, rows)
	words := "No sampled owner gains by a lie"
	if len(lying) > 0 {
		words = "Sampled owners gain by lies under " + suggest.And(lying)
	}
	s.Printf("\nThe price of a full machine is %s times that of an idle one under menu: the best of %s on the four "+
		"weeks before.\n", high, suggest.And(scales))
	s.Found(name, "who pays", "the tenth of the users who use most, %.0f %%, pay least under %s, %.0f %%, and most "+
		"under %s, %.0f %%; Shapley takes what the machine costs, "+
		"k-th %.2g times and menu %.2g times that", 100*use, least, 100*rows[least].pay, most, 100*rows[most].pay,
		rows["k-th"].revenue, rows["menu"].revenue)
	s.Found(name, "who would lie", "%s. What is known at submission, under menu, slows jobs %.3g times as much", words,
		rows["menu"].slowdown/rows["k-th"].slowdown)
	return nil
}

// columns are those of a month's table.
func columns() *table.Table {
	return table.New(table.KeyCol("payment", "payment"), table.Col("revenue_over_cost", "revenue / cost", terminal.Ratio),
		table.Col("top_pay", "top users pay %", terminal.Share),
		table.Col("top_use", "and use %", terminal.Share), table.Col("price_low", "price, low", terminal.Ratio),
		table.Col("price_high", "high", terminal.Ratio), table.Col("envy", "envy %", terminal.Share),
		table.Col("slowdown", "slowdown", terminal.Ratio), table.Col("gain", "gain by a lie %", terminal.Share),
		table.Col("gain_of_utility", "of utility %", terminal.Share),
		table.Col("overbid", "overbid", terminal.Number), table.Col("known", "known", terminal.Words))
}

// ways are the payments, with a menu of a scale and a cost for Shapley.
func (s *study) ways(high string, cost float64) []way {
	menu, moving := "menu(high="+high+")", "menu(high="+high+",moves=true)"
	all := []way{{"first", market, "first", "when the job ends", true}, {"k-th", market, "kth", "when the job ends",
		true}, {"toll", market, "toll", "when the job ends", true},
		{"critical", market, "critical:1", "when the lowest bid's job has ended", true}, {"menu", menu, "asked",
			"at submission", true}, {"moving menu", moving, "asked", "at submission", true},
		{"Shapley", market, fmt.Sprintf("shapley(cost=%.0f)", cost), "when the month is over", true}}
	if s.Tariff != "" {
		all = append(all, way{"tariff", market, "metered:tariff", "when the job ends", false})
	}
	if s.Carbon != "" {
		all = append(all, way{"carbon", market, "metered:carbon", "when the job ends", false})
	}
	return all
}

// fit is the scale of the menu that costs jobs least on a month, by what their flow times cost.
func (s *study) fit(l *scenario.Loaded) (best string, err error) {
	least := 0.0
	for _, high := range scales {
		x := l.Scenario.Market
		x.Policy = "menu(high=" + high + ")"
		p, err := l.Replay(x.Settled())
		if err != nil {
			return "", err
		}
		var c stats.Collector
		if _, err := p.RunAll(s.ctx, &c); err != nil {
			return "", err
		}
		if cost := c.Result().Total.TWFT; best == "" || cost < least {
			best, least = high, cost
		}
	}
	return best, nil
}

// row is what a payment comes to.
type row struct {
	cells                       []any
	gainers, asked, over        int
	revenue, use, pay, slowdown float64
	envy                        float64
}

func (s *study) row(l *scenario.Loaded, w way, cost float64) (r row, err error) {
	x := l.Scenario.Market
	x.Policy, x.Payment = w.policy, w.payment
	critical := w.payment == "critical:1"
	if critical {
		x.Payment = "none"
	}
	p, err := l.Replay(x.Settled())
	if err != nil {
		return r, err
	}
	var c stats.Collector
	users, places := bills{}, places{}
	if _, err = p.RunAll(s.ctx, engine.Tee(&c, users, places)); err != nil {
		return r, err
	}
	total := c.Result().Total
	payments, err := truth.ParsePayments([]string{w.payment})
	if err != nil {
		return r, err
	}
	all, err := truth.Run(s.ctx, truth.Config{Jobs: l, Policies: []string{w.policy}, Payments: payments,
		Factors: []float64{.1, .25, .5, .75, 1, 1.5, 2, 4},
		Sample:  s.Asked, Forks: 16, CensusTime: truth.CensusTime, Workers: s.Workers})
	if err != nil {
		return r, err
	}
	lies := all[0].Rows()[0]
	r.gainers, r.asked = lies.Gainers, lies.Jobs
	part := users.parts()
	r.envy = places.envy()
	r.revenue, r.use, r.slowdown = total.SumPayment/cost, part.use, total.MeanBoundedSlowdown
	switch {
	case critical: // by job it is known of the sampled ones only
		r.revenue, part.pay, part.low, part.high = lies.Revenue.Mean*total.TWFT/cost, math.NaN(), math.NaN(), math.NaN()
		r.envy = math.NaN()
	case !w.covers:
		r.revenue = math.NaN()
	}
	r.pay, r.over = part.pay, lies.Over
	r.cells = []any{table.Number(r.revenue), table.Number(part.pay), part.use, table.Number(part.low),
		table.Number(part.high), table.Number(r.envy), r.slowdown, lies.Liars, lies.Gain, lies.Over}
	return r, nil
}
