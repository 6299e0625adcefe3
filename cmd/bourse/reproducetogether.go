package main

import (
	"bourse/reports/studies/together"
)

func reproduceTogether(a *app, args []string) error {
	var o together.Options
	shared := studyFlags{seed: &o.Seed, out: &o.Out, workers: &o.Workers}
	f := a.flags("reproduce together", "bourse reproduce together --logs KTH-SP2-1996-2.1-cln.swf.gz,CTC-SP2-1996-3.1-cln.swf.gz --google clusterdata-2011-2 --out together")
	f.StringSliceVar(&o.Logs, "logs", nil, "logs of parallel machines; LPC-EGEE is prepared as in untruthful-bids")
	f.StringVar(&o.Google, "google", "", "`DIR` with task_events of the Google trace of 2011")
	f.Float64Var(&o.Machines, "machines", 600, "CPU and memory of the pool for Google's jobs, in machines")
	f.IntVar(&o.Replicas, "replicas", 5, "replicas of each log, by drawing its users anew; intervals are over them")
	f.IntVar(&o.Asked, "jobs", 100, "number of jobs of each log whose owners try lies")
	shared.define(f)
	quiet := f.BoolP(quietFlag, "q", false, quietHelp)
	if err := parse(f, args, 0, 0, "reproduce together takes flags only"); err != nil {
		return err
	}
	switch {
	case len(o.Logs) == 0 && o.Google == "":
		return usagef("reproduce together needs logs: --logs LOG,LOG or --google DIR")
	case o.Replicas < 1:
		return usagef("--replicas %d: want 1 or more", o.Replicas)
	case o.Asked < 1:
		return usagef("--jobs %d: at least one job must be sampled", o.Asked)
	case !(o.Machines > 0):
		return usagef("--machines %g: want more than 0", o.Machines)
	}
	if err := shared.validate(); err != nil {
		return err
	}
	line := newCellLine(a.line, *quiet)
	defer line.end()
	o.Progress = func(done, of int) { line.draw(done, of, nil) }
	return together.Run(a.ctx, a.stdout, o)
}
