package together

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/reports/ask/learn"
	"bourse/reports/ask/sweep"
	"bourse/reports/ask/truth"
	"bourse/reports/experiment"
	"bourse/reports/papers"
	"bourse/reports/papers/untruthful"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/traces"
	"bourse/traces/transform"
)

// Options say how the study is run.
type Options struct {
	Logs     []string
	Google   string
	Machines float64
	Replicas int
	Asked    int
	Learn    bool
	Seed     uint64
	Workers  int
	Progress func(done, of int, err error)
}

// Program is the study as a value.
func Program() papers.Program {
	o := Options{Machines: 600, Replicas: 10, Asked: 200, Learn: true, Seed: 1}
	return papers.Program{
		Name:  "together",
		Paper: "our own: the mechanisms of the four papers in one closed loop on the same logs",
		Line:  "cost of waiting, revenue, slowdown, fairness, envy and what lies gain, side by side",
		Example: "bourse reproduce together --logs KTH-SP2-1996-2.1-cln.swf.gz,CTC-SP2-1996-3.1-cln.swf.gz " +
			"--google clusterdata-2011-2 --out together",
		Options: []papers.Option{
			{Name: "logs", To: &o.Logs, Input: true,
				Line: "logs of parallel machines; LPC-EGEE is prepared as in untruthful-bids"},
			{Name: "google", To: &o.Google, Input: true, Line: "`DIR` with task_events of the Google trace of 2011"},
			{Name: "machines", To: &o.Machines, Line: "CPU and memory of the pool for Google's jobs, in machines"},
			{Name: "replicas", To: &o.Replicas, Least: 1, Why: papers.OneOrMore,
				Line: "replicas of each log, of blocks of four weeks; verdicts are over them, from five on"},
			{Name: "jobs", To: &o.Asked, Least: 1, Why: "at least one job must be sampled",
				Line: "number of jobs of each log whose owners try lies"},
			{Name: "learn", To: &o.Learn, Line: "let owners learn to bid, week by week"},
		},
		Workers: &o.Workers, Seed: &o.Seed, Each: "replays",
		Check: func(func(string) bool) error {
			switch {
			case len(o.Logs) == 0 && o.Google == "":
				return &scenario.OptionError{Option: "logs", Err: errors.New("and google are both missing: want one of them")}
			case !(o.Machines > 0):
				return &scenario.OptionError{Option: "machines", Err: fmt.Errorf("%g: want more than 0", o.Machines)}
			}
			return nil
		},
		Run: func(ctx context.Context, report *papers.Study, progress func(done, of int, err error)) error {
			o.Progress = progress
			return Run(ctx, report, o)
		},
	}
}

// mechanism is a row: a policy, and ways to pay under it that do not change who runs.
type mechanism struct {
	policy   string
	payments []string
}

var (
	free, first = []string{"none"}, []string{"first"}
	// prices are those of policies under which jobs bid. A critical payment is worked out
	// from copies of the replay, for the jobs that are asked only.
	prices = []string{"first", "kth", "toll", critical}
	// onProcessors are the mechanisms of the four papers on processors, and what clusters do today;
	// onSerial what is for jobs of one processor in addition, where nothing is strict about a job that
	// does not fit; onPool those that two resources allow.
	onProcessors = []mechanism{
		{"easy", free}, {"las", free}, {quotas, free}, {market, prices}, {budgets, first}, {"wspt", prices}, {"easy(order=bid)", prices},
		{menu, []string{"asked"}}, {"price-anticipating", []string{"bids"}}, {"lend:static", free}, {"lend:smm", free},
		{"lend:fl", free}, {"drf", free},
		{"ftf", free},
	}
	onSerial = []mechanism{{"hb", prices}, {"nphb", prices}, {"dlgm", []string{"asked"}}}
	onPool   = []mechanism{
		{"fcfs", free}, {"las", free}, {"hb", prices}, {market, prices}, {budgets, first}, {"wspt", prices}, {"drf", free}, {"nash", free},
		{"unb", free}, {"bal*", free},
	}
)

// divides reports whether a mechanism runs a job on any fraction of its processors, which jobs of
// clusters rarely allow: it is not compared with those that do not.
func (m mechanism) divides() bool {
	policy, err := catalog.Policies.Make(m.policyFor(nil))
	if err != nil {
		return false
	}
	_, shares := policies.As[policies.Sharer](policy)
	return shares
}

// market is the policy whose prices are judged; critical is reckoned from the reservation
// price on.
const (
	market   = "hb(fit=skip)"
	critical = "critical:1"
	// forks are copies for a job's critical payment, at most, and asked the owners of a
	// week who learn from copies.
	forks, asked = 16, 4
	// tried are the jobs of a log among which lies are tried: a job that bids little waits
	// for the end of the log.
	tried = 30_000
	// quotas gives the users with the most work, and all others together, equal quotas.
	quotas, most = "quota", 4
	// menu sells times, so that its jobs end when these are over.
	menu = "menu"
)

// lies are the bids tried, as multiples of the value: over it too.
var lies = []float64{.1, .25, .5, .75, 1, 1.5, 2, 4}

// logCase is a log and the mechanisms on it.
type logCase struct {
	name       string
	scenario   scenario.Scenario
	mechanisms []mechanism
	replicas   []*scenario.Loaded // the first is the log itself, which is no replica
	draws      bool               // the log has too few weeks: replicas differ in the values of its jobs only
	rows       []*row
	learnt     []learn.Row // by payment, under the market; none if there are no weeks
}

// row is a mechanism on a log, its figures in the log itself and by replica.
type row struct {
	mechanism
	itself  measures
	figures []measures
	asked   []truth.Row   // by payment, of the log itself; none if bids play no part
	each    time.Duration // per instant, of the log itself
}

// study is a run of it.
type study struct {
	*papers.Study
	Options
	ctx    context.Context
	worlds []*logCase
}

// Run makes the study.
func Run(ctx context.Context, report *papers.Study, o Options) error {
	s := &study{Study: report, Options: o, ctx: ctx}
	for _, log := range o.Logs {
		w := &logCase{name: sweep.Label(log), scenario: scenario.Default(), mechanisms: onProcessors}
		if w.scenario.Trace = log; strings.Contains(log, "LPC-EGEE") {
			w.scenario = untruthful.LPC.Scenario(log, 0)
		}
		if w.scenario.Serial {
			w.mechanisms = slices.Concat(onProcessors[:4], onSerial, onProcessors[4:])
		}
		s.worlds = append(s.worlds, w)
	}
	if o.Google != "" {
		w := &logCase{name: "Google", scenario: scenario.Default(), mechanisms: onPool}
		w.scenario.Trace = o.Google
		w.scenario.Machines = fmt.Sprintf("pool(cpu=%g,memory=%g)", o.Machines, o.Machines)
		s.worlds = append(s.worlds, w)
	}
	return s.Run(ctx, s.replay, s.ask, s.learn, s.tables, s.figures, s.findings)
}

// load reads a log and draws its replicas; the first is the log itself.
func (s *study) load(w *logCase) error {
	var names []string
	for _, m := range w.mechanisms {
		names = append(names, m.policyFor(nil))
	}
	c := w.scenario
	c.Seed = s.Seed
	var err error
	w.replicas, err = c.ReadReplicas(s.Replicas, transform.Blocks, names...)
	if short := (*transform.ShortLogError)(nil); errors.As(err, &short) {
		w.draws = true
		w.replicas, err = c.ReadReplicas(s.Replicas, "", names...)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", w.name, err)
	}
	for _, m := range w.mechanisms {
		w.rows = append(w.rows, &row{mechanism: m})
	}
	return nil
}

// replay runs every mechanism on every replica of every log.
func (s *study) replay() error {
	type key struct {
		*logCase
		*row
	}
	var keys []key
	for _, w := range s.worlds {
		if err := s.load(w); err != nil {
			return err
		}
		for _, r := range w.rows {
			keys = append(keys, key{w, r})
		}
	}
	results, err := experiment.Run(s.ctx, s.Workers, keys, s.Replicas+1, func(k key, replica int) (f measures, err error) {
		begin := time.Now()
		f, instants, err := k.row.replay(s.ctx, k.replicas[replica])
		if replica == 0 {
			k.each = time.Since(begin) / time.Duration(max(1, instants))
		}
		if err != nil {
			err = fmt.Errorf("%s, %s: %w", k.name, k.policy, err)
		}
		return f, err
	}, s.Progress)
	for _, k := range keys {
		if all := results[k]; len(all) > 0 {
			k.itself, k.figures = all[0], all[1:]
		}
	}
	return err
}

// policyFor is the text of the policy for a log.
func (m mechanism) policyFor(l *scenario.Loaded) string {
	switch m.policy {
	case budgets:
		return market
	case quotas:
	default:
		return m.policy
	}
	list := "*:1"
	if l != nil {
		list = largest(l.Memory) + list
	}
	return "quota(by=user,nominal=" + list + ")"
}

// largest names the users with the most work, each with a part of 1.
func largest(jobs *traces.Memory) (list string) {
	work := map[traces.Label]float64{}
	var users []traces.Label
	for i := range jobs.Len() {
		j := jobs.Job(i)
		if _, met := work[j.User]; !met && j.User != traces.NoLabel {
			users = append(users, j.User)
		}
		work[j.User] += float64(float64(j.Procs) * j.Run.Seconds())
	}
	slices.SortStableFunc(users, func(a, b traces.Label) int { return cmp.Compare(work[b], work[a]) })
	names := jobs.Header().Names
	for _, u := range users[:min(most, len(users))] {
		text, named := names.Users.Text(u)
		if !named {
			text = strconv.FormatInt(int64(u), 10)
		}
		list += text + ":1/"
	}
	return list
}

// learn lets the owners of each log learn under the market.
func (s *study) learn() error {
	for _, w := range s.worlds {
		if !s.Learn || w.row(market) == nil {
			continue
		}
		l := w.replicas[0]
		x := l.Scenario
		x.Policy = market
		r, err := learn.Run(s.ctx, learn.Config{Scenario: x, Jobs: l.Memory, Payments: []string{"first", "kth", "toll"},
			Rule:  learn.Hedge,
			Weeks: true, Least: 20, Ask: asked, Movers: asked, Workers: s.Workers})
		if few, week := (*learn.FewJobsError)(nil), (*learn.OneWeekError)(nil); errors.As(err, &few) ||
			errors.As(err, &week) {
			continue // nobody is there long enough
		}
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		w.learnt = r.Rows()
	}
	return nil
}

// jobs are those of a replica as the mechanism takes them.
func (m mechanism) jobs(l *scenario.Loaded) (*scenario.Loaded, error) {
	if m.policy == menu {
		return l.Killed()
	}
	return l, nil
}

// billed are the payments that a replay bills.
func (m mechanism) billed() []string {
	return slices.DeleteFunc(slices.Clone(m.payments), func(p string) bool { return p == critical })
}

// replay returns a replica's figures and its number of instants.
func (m mechanism) replay(ctx context.Context, l *scenario.Loaded) (f measures, instants int64, err error) {
	if l, err = m.jobs(l); err != nil {
		return f, 0, err
	}
	chosen, payments := l.Scenario.Market, m.billed()
	chosen.Policy, chosen.Payment = m.policyFor(l), payments[0]
	if m.policy == budgets {
		chosen.Budget = weekly(l)
	}
	p, err := l.Replay(chosen.Settled(), payments[1:]...)
	if err != nil {
		return f, 0, err
	}
	var st fairnessTracker
	collected, bills, users := stats.Collector{Bound: &stats.Bound{}}, make(bills, len(payments)), run.NewUsers(nil)
	p.Config.Segments, p.Config.Arrivals = &st, collected.Bound
	out, err := p.RunAll(ctx, engine.Tee(&st, &collected, users, bills))
	if err != nil {
		return f, 0, err
	}
	t := collected.Result().Total
	f = measures{emptied: out.Summary.BudgetsUsed, cost: t.TWFT, wait: t.MeanWait, slowdown: t.MeanBoundedSlowdown, jain: users.Fairness(),
		fairness: st.result(float64(out.Summary.Machines))}
	if t.Efficiency != nil {
		f.efficiency = *t.Efficiency
	}
	for i := range bills {
		f.revenue = append(f.revenue, bills[i].Value()/max(t.TWFT, tiny))
	}
	return f, out.Summary.Instants, nil
}

// bills adds up what is paid, by payment.
type bills []policies.Sum

// Record implements engine.Sink.
func (b bills) Record(o *engine.Outcome) error {
	b[0].Add(o.Payment)
	for i, bill := range o.Also {
		b[i+1].Add(bill)
	}
	return nil
}

// ask lets sampled owners lie about their jobs' values, in the log itself.
func (s *study) ask() error {
	for _, w := range s.worlds {
		for _, r := range w.rows {
			if r.payments[0] == free[0] || r.policy == budgets {
				continue // the bid changes nothing: no schedule, no bill; or a lie changes what the user can pay later
			}
			payments, err := truth.ParsePayments(r.payments)
			if err != nil {
				return err
			}
			l, err := r.jobs(w.replicas[0])
			if err != nil {
				return err
			}
			some := *l
			some.Memory = some.Memory.First(tried)
			all, err := truth.Run(s.ctx, truth.Config{Jobs: &some, Policies: []string{r.policy}, Payments: payments,
				Factors: lies, Sample: s.Asked, Forks: forks, CensusTime: truth.CensusTime,
				Workers: s.Workers})
			if err != nil {
				return fmt.Errorf("%s, %s: %w", w.name, r.policy, err)
			}
			r.asked = all[0].Rows()
		}
	}
	return nil
}

func (w *logCase) row(policy string) *row {
	for _, r := range w.rows {
		if r.policy == policy {
			return r
		}
	}
	return nil
}
