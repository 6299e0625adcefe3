package cli

import (
	"errors"
	"fmt"
	"runtime"

	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/reports/ask/compare"
	"bourse/reports/run"
)

// comparison is `bourse compare TRACE --policy A,B...`: one trace in memory under
// several policies, job paired with job.
type comparison struct {
	scenario.Scenario
	question
	policies string
	workers  int
}

func (c *comparison) define(f *flags) {
	c.Scenario = scenario.Default()
	f.StringVar(&c.policies, "policy", "",
		"replay a trace under these policies, as in fcfs,easy or hb/first,hb/kth,drf, and compare them")
	c.question.define(f)
	defineScenario(f, &c.Scenario, "policy", "payment")
	f.IntVar(&c.workers, "workers", runtime.NumCPU(), "replays at a time")
}

// run replays the trace under each policy and prints the table.
func (c *comparison) run(a *app, f *flags) (err error) {
	if err := c.checkBy(); err != nil {
		return err
	}
	names, err := policies.SplitList(c.policies)
	if err != nil || len(names) == 0 {
		return usagef("--policy %s: want names separated by commas", c.policies)
	}
	contenders, err := compare.Candidates(names, c.Market)
	if err != nil {
		return err
	}
	c.Trace = f.Arg(0)
	all := make([]string, len(contenders))
	for i, x := range contenders {
		all[i] = x.Market.Policy
	}
	c.Policy = all[0]
	jobs, err := a.load(&c.Scenario, all...)
	if err != nil {
		return err
	}
	line := a.cells()
	table, err := compare.Policies(a.ctx, jobs, contenders, c.measure, c.by, c.workers, line.replayed)
	if err == nil && c.SiteFile != "" && len(contenders) > 1 {
		table.Without, err = c.withoutSite(a, jobs, names)
	}
	line.end()
	if err != nil {
		return err
	}
	if err := c.print(a, table); err != nil {
		return err
	}
	unused := make(scenario.UnusedBy, len(contenders))
	for i, x := range contenders {
		unused[i].Policy, unused[i].Notes = x.Name, x.Notes
		for _, n := range x.Notes {
			if n.Count > 0 {
				fmt.Fprintf(a.stderr, "bourse: %s: %s (%d)\n", x.Name, n.What, n.Count)
			}
		}
	}
	a.notes(unused.Lines())
	return a.skipped(nil, jobs.Memory.Header().Ledger)
}

// withoutSite is the comparison without the model of the site.
func (c *comparison) withoutSite(a *app, jobs *scenario.Loaded, names []string) (*compare.Ranking, error) {
	bare, err := jobs.Under(nil, jobs.Memory)
	if err != nil {
		return nil, err
	}
	again, err := compare.Candidates(names, c.Market)
	if err != nil {
		return nil, err
	}
	return compare.Policies(a.ctx, bare, again, c.measure, "", c.workers, nil)
}

// question is what a comparison answers: which is best by a measure, compared with a baseline.
type question struct {
	metric, baseline, by string
	answer               tableFormat
	measure              run.Measure
}

const defaultMetric = "bounded_slowdown"

func (q *question) define(f *flags) {
	f.StringVar(&q.metric, "metric", defaultMetric,
		"which is best by `MEASURE`: bounded_slowdown, wait, p95, utilisation, utility, payment, revenue ...")
	f.StringVar(&q.baseline, "baseline", "", "differences are from this `NAME` (default: the best)")
	f.StringVar(&q.by, "by", "", "winners and losers by user, group, queue, size or hour; of a sweep the settings by "+
		"which rows differ, as in policy,load-factor")
	q.answer.define(f)
	f.check(q.settle)
}

// settle checks the measure before any time is spent.
func (q *question) settle() (err error) {
	if q.measure, err = run.FindMeasure(q.metric); err != nil {
		return usagef("--metric: %w", err)
	}
	return nil
}

// checkBy wants jobs to be grouped by what they have.
func (q *question) checkBy() error {
	if q.by != "" {
		if err := compare.CheckBy(q.by); err != nil {
			return usagef("--by %w", err)
		}
	}
	return nil
}

// measured are the flags that measures need.
var measured = map[string]string{"energy_kwh": "--power", "carbon_g": "--series-in carbon=FILE",
	"tariff_cost": "--series-in tariff=FILE"}

// print judges a table and prints it.
func (q *question) print(a *app, t *compare.Ranking) error {
	if q.measure.Name == "fairness" && !t.Known(q.measure) {
		return usagef("--metric fairness: it is known where policies are replayed, as in bourse compare TRACE --policy a,b")
	}
	if q.measure.Name == "efficiency" && !t.Known(q.measure) {
		return usagef("--metric efficiency: it is known in a market, as of --policy hb or with --payment, on a " +
			"machine or pool that stays as it is; not all that is compared has it")
	}
	if needs, ok := measured[q.measure.Name]; ok && !t.Known(q.measure) {
		return usagef("--metric %s: it is known with %s; not all that is compared has it", q.metric, needs)
	}
	if err := t.Judge(q.baseline); err != nil {
		if bad := (*compare.BaselineError)(nil); errors.As(err, &bad) {
			return usagef("--baseline %w", err)
		}
		return err
	}
	if err := t.CanGroup(); err != nil {
		return err
	}
	if err := q.answer.print(a, t.Report()); err != nil {
		return err
	}
	if one := t.OneGroup(); one != "" {
		a.notes([]string{one})
	}
	if t.Open() {
		a.notes([]string{"sweep --replicas 10 compares policies on replicas of the log, of one of fewer than eight weeks with " +
			"--resample=blocks=1; that may tell more"})
	}
	if t.Copies {
		a.notes([]string{"sweep --replicas N makes replicas of the log"})
	}
	return nil
}
