package main

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/spf13/pflag"

	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/reports/run"
	"bourse/reports/studies/compare"
	"bourse/reports/terminal"
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
	c.Payment = "none"
	f.StringVar(&c.policies, "policy", "", "replay a trace under these policies, as in fcfs,easy or hb/first,hb/kth,drf, and compare them")
	f.StringVar(&c.by, "by", "", "of a sweep: the settings by which rows differ, as in policy,load-factor (default: all that vary but the seed)")
	defineOptions(f, &c.Scenario, allOptions("policy", "payment")...)
	f.IntVar(&c.workers, "workers", runtime.NumCPU(), "replays at a time")
	f.BoolVar(&c.json, "json", false, jsonHelp)
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
	jobs, err := c.Load(source, all...)
	if err != nil {
		return advise(&c.Scenario, err)
	}
	line := newCellLine(a.stderr, c.quiet)
	err = compare.Policies(a.ctx, jobs, contenders, c.workers, line.draw)
	line.end()
	if err != nil {
		return err
	}
	show := printComparison
	if c.json {
		show = jsonComparison
	}
	if err := show(a, contenders); err != nil {
		return err
	}
	for _, x := range contenders {
		for _, n := range x.Notes {
			fmt.Fprintf(a.stderr, "bourse: %s: %s (%d)\n", x.Name, n.What, n.Count)
		}
	}
	return a.skipped(jobs.Memory.Header().Ledger)
}

// printComparison writes a row per policy; the last column compares waits, job by job,
// with the first policy's.
func printComparison(a *app, contenders []*compare.Contender) error {
	money := slices.ContainsFunc(contenders, func(c *compare.Contender) bool { return c.Market.Payment != "none" })
	columns := []string{"policy", "jobs", "mean wait", "mean BSD", "mean bsld10", "SSJ %", "use %", "preempted", "lost %"}
	if money {
		columns = append(columns[:6:6], "use %", "fairness", "revenue", "mean utility")
	}
	t := terminal.NewTable(append(columns, "wait - "+contenders[0].Name)...)
	t.Left(0)
	for i, c := range contenders {
		total := c.Stats.Result().Total
		difference := "-"
		if i > 0 {
			mean, half, ok := c.LongerWait(contenders[0])
			difference = fmt.Sprintf("%+.0f s", mean)
			if ok {
				difference = fmt.Sprintf("%+.0f s ± %.0f", mean, half)
			}
		}
		row := []string{c.Name, terminal.Thousands(total.Jobs), fmt.Sprintf("%.0f s", total.MeanWait), fmt.Sprintf("%.2f", total.MeanBSD), fmt.Sprintf("%.2f", total.MeanBsld10),
			fmt.Sprintf("%.1f", total.SSJ), fmt.Sprintf("%.1f", 100*c.Summary.Utilisation())}
		if money {
			row = append(row, fmt.Sprintf("%.3f", c.Users.Fairness()), terminal.Figure(total.SumPayment), terminal.Figure(total.MeanUtility))
		} else {
			lost := 0.0
			if c.Summary.Work > 0 {
				lost = 100 * c.Summary.Lost / c.Summary.Work
			}
			row = append(row, terminal.Thousands(c.Summary.Preemptions), fmt.Sprintf("%.1f", lost))
		}
		t.Row(append(row, difference)...)
	}
	if err := t.Write(a.stdout); err != nil || !money {
		return err
	}
	_, err := fmt.Fprintln(a.stdout, "fairness is Jain's index of the users' mean bounded slowdowns, 1 if all are alike")
	return err
}

// jsonComparison is printComparison for programs.
func jsonComparison(a *app, contenders []*compare.Contender) error {
	rows := make([]jsonRow, len(contenders))
	for i, c := range contenders {
		machine := run.NewMachine(&c.Summary)
		figures := figuresOf(&c.Stats.Result().Total, &machine)
		figures["preemptions"] = estimate{Value: float64(c.Summary.Preemptions)}
		figures["fairness"] = estimate{Value: c.Users.Fairness()}
		if i > 0 {
			mean, half, ok := c.LongerWait(contenders[0])
			difference := estimate{Value: mean}
			if ok {
				difference.Half = &half
			}
			figures["wait_difference_s"] = difference
		}
		rows[i] = jsonRow{Settings: map[string]string{"policy": c.Market.Policy, "payment": c.Market.Payment}, Figures: figures}
	}
	return run.WriteJSON(a.stdout, rows)
}
