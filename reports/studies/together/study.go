package together

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/studies"
	"bourse/reports/studies/parallel"
	"bourse/reports/studies/regret"
	"bourse/reports/studies/sweep"
	"bourse/reports/studies/untruthful"
	"bourse/traces"
)

// Options say how the study is run.
type Options struct {
	// Logs are of parallel machines; an LPC-EGEE log is prepared as in the study of
	// untruthful bids.
	Logs []string
	// Google is the directory of the cluster data of 2011 or empty; its jobs run on the
	// pool of that many machines' worth of CPU and memory.
	Google   string
	Machines float64
	// Replicas of each log are made by drawing its users anew; intervals are over them.
	Replicas int
	// Asked is the number of jobs of each log whose owners try to lie.
	Asked    int
	Seed     uint64
	Out      string
	Workers  int
	Progress func(done, of int)
}

// mechanism is a row: a policy and what it charges.
type mechanism struct{ name, policy, payment string }

// onProcessors are the mechanisms of the four papers on processors, beside what clusters
// do today; onPool those that two resources allow.
var (
	onProcessors = []mechanism{
		{"easy", "easy", "none"},
		{"hb, first price", "hb(fit=skip)", "first"},
		{"hb, k-th price", "hb(fit=skip)", "kth"},
		{"nphb, k-th price", "nphb(fit=skip)", "kth"},
		{"price-anticipating", "price-anticipating", "bids"},
		{"lend: static", "lend:static", "none"},
		{"lend: smm", "lend:smm", "none"},
		{"lend: fl", "lend:fl", "none"},
		{"drf", "drf", "none"},
	}
	onPool = []mechanism{
		{"fcfs", "fcfs", "none"},
		{"hb, first price", "hb", "first"},
		{"hb, k-th price", "hb", "kth"},
		{"drf", "drf", "none"},
		{"unb", "unb", "none"},
		{"bal*", "bal*", "none"},
	}
)

// lies are the bids tried, as multiples of the value: over it too.
var lies = []float64{.1, .25, .5, .75, 1, 1.5, 2, 4}

// world is a log and the mechanisms on it.
type world struct {
	name       string
	scenario   scenario.Scenario
	mechanisms []mechanism
	replicas   []*scenario.Loaded
	rows       []*row
}

// row is a mechanism on a log, its figures by replica.
type row struct {
	mechanism
	figures []measures
	gain    regret.Gain
	each    time.Duration // per instant, of the first replica
}

// study is a run of it.
type study struct {
	*studies.Study
	Options
	ctx    context.Context
	worlds []*world
}

// Run makes the study, printing to out.
func Run(ctx context.Context, out io.Writer, o Options) error {
	report, err := studies.NewStudy(out, o.Out)
	if err != nil {
		return err
	}
	s := &study{Study: report, Options: o, ctx: ctx}
	for _, log := range o.Logs {
		w := &world{name: sweep.Label(log), scenario: scenario.Default(), mechanisms: onProcessors}
		if w.scenario.Trace = log; strings.Contains(log, "LPC-EGEE") {
			w.scenario = untruthful.LPC.Scenario(log, 0)
		}
		s.worlds = append(s.worlds, w)
	}
	if o.Google != "" {
		w := &world{name: "Google", scenario: scenario.Default(), mechanisms: onPool}
		w.scenario.Trace = o.Google
		w.scenario.Machines = fmt.Sprintf("pool(cpu=%g,memory=%g)", o.Machines, o.Machines)
		s.worlds = append(s.worlds, w)
	}
	return s.Run(ctx, s.replay, s.ask, s.tables, s.figures, s.findings)
}

// load reads a log and draws its replicas; the first is the log itself.
func (s *study) load(w *world) error {
	for k := range s.Replicas {
		c := w.scenario
		c.Seed = s.Seed + uint64(k)
		if k > 0 {
			c.Resample = "users"
		}
		l, err := loaded(c, w.mechanisms)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		w.replicas = append(w.replicas, l)
	}
	for _, m := range w.mechanisms {
		w.rows = append(w.rows, &row{mechanism: m, figures: make([]measures, s.Replicas)})
	}
	return nil
}

func loaded(c scenario.Scenario, all []mechanism) (l *scenario.Loaded, err error) {
	var names []string
	for _, m := range all {
		names = append(names, m.policy)
	}
	src, err := c.Open(scenario.Env{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, traces.Close(src)) }()
	return c.Load(src, names...)
}

// replay runs every mechanism on every replica of every log.
func (s *study) replay() error {
	type task struct {
		w *world
		r *row
		k int
	}
	var tasks []task
	for _, w := range s.worlds {
		if err := s.load(w); err != nil {
			return err
		}
		for _, r := range w.rows {
			for k := range s.Replicas {
				tasks = append(tasks, task{w, r, k})
			}
		}
	}
	errs := parallel.Each(s.ctx, s.Workers, len(tasks), func(i int) (err error) {
		t := tasks[i]
		begin := time.Now()
		var instants int64
		if t.r.figures[t.k], instants, err = t.r.replay(s.ctx, t.w.replicas[t.k]); err != nil {
			return fmt.Errorf("%s, %s: %w", t.w.name, t.r.name, err)
		}
		if t.k == 0 {
			t.r.each = time.Since(begin) / time.Duration(max(1, instants))
		}
		return nil
	}, func(done, of int, _ error) {
		if s.Progress != nil {
			s.Progress(done, of)
		}
	})
	return errors.Join(errs...)
}

func (m mechanism) market(l *scenario.Loaded) scenario.Market {
	market := l.Scenario.Market
	market.Policy, market.Payment = m.policy, m.payment
	return market.Settled()
}

// replay returns a replica's figures and its number of instants.
func (m mechanism) replay(ctx context.Context, l *scenario.Loaded) (f measures, instants int64, err error) {
	p, err := l.Replay(m.market(l))
	if err != nil {
		return f, 0, err
	}
	var st standings
	var collected stats.Collector
	users := run.NewUsers(nil)
	p.Config.Segments = &st
	out, err := p.RunAll(ctx, engine.Tee(&st, &collected, users))
	if err != nil {
		return f, 0, err
	}
	t := collected.Result().Total
	return measures{cost: t.TWFT, revenue: t.SumPayment / max(t.TWFT, tiny), wait: t.MeanWait, slowdown: t.MeanBoundedSlowdown,
		jain: users.Fairness(), fairness: st.of(float64(out.Summary.Machines))}, out.Summary.Instants, nil
}

// ask lets sampled owners lie about their jobs' values, in the first replica.
func (s *study) ask() error {
	for _, w := range s.worlds {
		for _, r := range w.rows {
			jobs := *w.replicas[0]
			if jobs.Scenario.Market = r.market(&jobs); !jobs.Scenario.Market.Asked() {
				continue // the bid changes nothing: no schedule, no bill
			}
			answer, err := regret.Run(s.ctx, regret.Config{Jobs: &jobs, Payments: []string{r.payment}, Factors: lies, Sample: s.Asked, Workers: s.Workers})
			if err != nil {
				return fmt.Errorf("%s, %s: %w", w.name, r.name, err)
			}
			r.gain = answer.Gains()[0]
		}
	}
	return nil
}

func (w *world) row(name string) *row {
	for _, r := range w.rows {
		if r.name == name {
			return r
		}
	}
	return nil
}
