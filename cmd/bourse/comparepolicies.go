package main

import (
	"cmp"
	"fmt"
	"runtime"

	"github.com/spf13/pflag"

	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/reports/studies/compare"
)

// comparison is `bourse compare TRACE --policy A,B...`: one trace in memory under
// several policies, job paired with job.
type comparison struct {
	scenario.Scenario
	question
	policies string
	workers  int
	quiet    bool
}

func (c *comparison) define(f *pflag.FlagSet) {
	c.Scenario = scenario.Default()
	f.StringVar(&c.policies, "policy", "", "replay a trace under these policies, as in fcfs,easy or hb/first,hb/kth,drf, and compare them")
	c.question.define(f)
	defineOptions(f, &c.Scenario, allOptions("policy", "payment")...)
	f.IntVar(&c.workers, "workers", runtime.NumCPU(), "replays at a time")
	f.BoolVarP(&c.quiet, quietFlag, "q", false, quietHelp)
}

// run replays the trace under each policy and prints the table.
func (c *comparison) run(a *app, f *pflag.FlagSet) (err error) {
	if err := cmp.Or(checkGiven(&c.Scenario, f), c.checkBy()); err != nil {
		return err
	}
	names, err := policies.SplitList(c.policies)
	if err != nil || len(names) == 0 {
		return usagef("--policy %s: want names separated by commas", c.policies)
	}
	contenders, err := compare.Contenders(names, c.Market)
	if err != nil {
		return err
	}
	c.Trace = f.Arg(0)
	source, err := a.open(&c.Scenario, nil)
	if err != nil {
		return err
	}
	defer func() { closing(source, &err) }()
	all := make([]string, len(contenders))
	for i, x := range contenders {
		all[i] = x.Market.Policy
	}
	c.Policy = all[0]
	jobs, err := c.Load(source, all...)
	if err != nil {
		return advise(&c.Scenario, err)
	}
	line := newCellLine(a.line, c.quiet)
	table, err := compare.Policies(a.ctx, jobs, contenders, c.measure, c.by, c.workers, line.draw)
	line.end()
	if err != nil {
		return err
	}
	if err := c.print(a, table); err != nil {
		return err
	}
	for _, x := range contenders {
		for _, n := range x.Notes {
			fmt.Fprintf(a.stderr, "bourse: %s: %s (%d)\n", x.Name, n.What, n.Count)
		}
	}
	return a.skipped(jobs.Memory.Header().Ledger)
}
