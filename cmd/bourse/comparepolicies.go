package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/pflag"

	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/reports/run"
	"bourse/reports/studies/compare"
)

// comparison is `bourse compare TRACE --policy A,B...`: one trace in memory under
// several policies, job paired with job.
type comparison struct {
	scenario.Scenario
	policies string
	by       string // axes, for a sweep
	json     bool
	workers  int
	quiet    bool
}

func (c *comparison) define(f *pflag.FlagSet) {
	c.Scenario = scenario.Default()
	f.StringVar(&c.policies, "policy", "", "replay a trace under these policies, as in fcfs,easy or hb/first,hb/kth,drf, and compare them")
	f.StringVar(&c.by, "by", "", "of a sweep: the settings by which rows differ, as in policy,load-factor (default: all that vary but the seed)")
	defineOptions(f, &c.Scenario, allOptions("policy", "payment")...)
	f.IntVar(&c.workers, "workers", runtime.NumCPU(), "replays at a time")
	f.BoolVar(&c.json, "json", false, "print the figures as JSON instead of a table")
	f.BoolVarP(&c.quiet, quietFlag, "q", false, quietHelp)
}

// run replays the trace under each policy and prints the table.
func (c *comparison) run(a *app, f *pflag.FlagSet) (err error) {
	if err := checkGiven(&c.Scenario, f); err != nil {
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
	err = compare.Policies(a.ctx, jobs, contenders, c.workers, line.draw)
	line.end()
	if err != nil {
		return err
	}
	if c.json {
		err = run.WriteJSON(a.stdout, compare.PolicyFigures(contenders))
	} else {
		err = compare.PrintPolicies(a.stdout, contenders)
	}
	if err != nil {
		return err
	}
	for _, x := range contenders {
		for _, n := range x.Notes {
			fmt.Fprintf(a.stderr, "bourse: %s: %s (%d)\n", x.Name, n.What, n.Count)
		}
	}
	return a.skipped(jobs.Memory.Header().Ledger)
}
