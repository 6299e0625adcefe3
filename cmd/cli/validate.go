//go:build !js

package cli

import (
	"cmp"
	"fmt"
	"runtime"

	"github.com/spf13/pflag"

	"bourse/engine/scenario"
	"bourse/reports/artifact"
	"bourse/reports/ask/calibrate"
	"bourse/reports/ask/sweep"
	"bourse/reports/ask/validate"
	"bourse/traces/files"
)

// validateFlags are the flags of `bourse validate`.
type validateFlags struct {
	scenario.Scenario
	tableFormat
	out      outFile
	parts    string
	page     string
	typed    string // the command
	policies string
	workers  int
}

func (v *validateFlags) define(f *flags) {
	v.Scenario = scenario.Default()
	f.StringVar(&v.policies, "policy", "easy,conservative,fcfs",
		"policies whose schedules are compared with the log's; recorded is the log itself on this machine")
	v.tableFormat.define(f)
	f.check(func() error { return vacant(v.page) }) // first: a journal there may be of the other files, too
	v.out.define(f, "also write the use of the machine and the mean difference by week "+alsoLine, &v.parts)
	f.StringVar(&v.parts, "parts", "", "also write the differences by queue, width and week "+alsoLine)
	f.StringVar(&v.page, "page", "", "also make a page with figures, report.html, in the new directory `DIR`")
	defineScenario(f, &v.Scenario, "policy", "payment", "values", "behaviour", "bids", "budget", "resample", "shake",
		"load-factor", "feedback", "serial", "check")
	f.IntVar(&v.workers, "workers", runtime.NumCPU(), "replays at a time")
}

// validateLog compares simulated schedules of a log with the recorded one.
func validateLog(a *app, f *flags) action {
	var v validateFlags
	v.define(f)
	a.quietFlag(f)
	return func() error {
		names, err := policyNames(v.policies)
		if err != nil {
			return err
		}
		v.Trace, v.Policy = f.Arg(0), names[0]
		v.typed = "bourse validate " + artifact.Quote(v.Trace) + typed(f, func(*pflag.Flag, string) {})
		return v.run(a, names)
	}
}

// write writes the tables and the page, all or none.
func (v *validateFlags) write(a *app, all []*validate.Schedule, why *calibrate.Waiting) error {
	tables := func(set *files.Set) error {
		return cmp.Or(v.out.add(a, set, v.out.path, validate.Weeks(all)),
			v.out.add(a, set, v.parts, validate.Parts(all)))
	}
	if v.page == "" {
		return files.Together(tables)
	}
	return validate.WritePage(v.page, sweep.Label(v.Trace), v.typed, Version, all, why, tables)
}

func (v *validateFlags) run(a *app, names []string) error {
	jobs, err := a.load(&v.Scenario, names...)
	if err != nil {
		return err
	}
	line := a.cells()
	all, err := validate.Run(a.ctx, validate.Config{Jobs: jobs, Policies: names, Workers: v.workers,
		Progress: line.replayed})
	line.end()
	if err != nil {
		return err
	}
	why, _ := calibrate.Why(jobs) // nil on a machine of which it cannot be said
	if err := v.write(a, all, why); err != nil {
		return err
	}
	if err := v.print(a, validate.Report(all, why)); err != nil {
		return err
	}
	for _, s := range all {
		for _, n := range s.Notes {
			fmt.Fprintf(a.stderr, "bourse: %s: %s (%d)\n", s.Policy, n.What, n.Count)
		}
	}
	return a.skipped(nil, jobs.Memory.Header().Ledger)
}
