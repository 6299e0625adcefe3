//go:build !js

package main

import (
	"fmt"
	"strings"

	"bourse/reports/papers/atlas"
	"bourse/reports/papers/dynamicsharing"
	"bourse/reports/papers/fragmentation"
	"bourse/reports/papers/multiresource"
	"bourse/reports/papers/priceanticipating"
	"bourse/reports/papers/together"
	"bourse/reports/papers/untruthful"
)

// Whys of numbers that studies need.
const (
	forInterval = "2 or more are needed for a confidence interval"
	atLeastOne  = "at least one is needed"
	oneOrMore   = "want 1 or more"
)

func reproduceUntruthful(a *app, f *flags) action {
	o := untruthful.Options{Cluster: untruthful.Other}
	f.StringVar(&o.Trace, "trace", "",
		"the `LOG`; LPC-EGEE-2004-1.2-cln is the paper's, others are prepared in the same way")
	das2 := f.String("das2", "", "replay `LOG` as the paper's DAS2 instead; DAS2-fs1-2003-1 is a stand-in")
	sharcnet := f.String("sharcnet", "",
		"replay the requin partition of `LOG` SHARCNET-2005-2 instead, with generated estimates")
	f.IntVar(&o.Nodes, "nodes", 0, "processors of the machine (0: as in Table I, or as the trace says)")
	f.IntVar(&o.Seeds, "seeds", 10, "number of seeds; intervals are over them")
	f.check(func() error {
		given := 0
		for _, log := range []string{o.Trace, *das2, *sharcnet} {
			given += min(len(log), 1)
		}
		if given > 1 {
			return usagef("--trace, --das2 and --sharcnet each name the workload; give one of them")
		}
		return nil
	})
	f.atLeast("nodes", &o.Nodes, 0, "a machine needs at least 1 processor")
	f.atLeast("seeds", &o.Seeds, 1, atLeastOne)
	f.study(&o.Out, &o.Workers, nil, "replays")
	a.quietFlag(f)
	return func() error {
		switch {
		case *das2 != "":
			o.Trace, o.Cluster = *das2, untruthful.DAS2
		case *sharcnet != "":
			o.Trace, o.Cluster = *sharcnet, untruthful.REQUIN
		case strings.Contains(o.Trace, "LPC-EGEE"):
			o.Cluster = untruthful.LPC
		}
		line := a.cells()
		defer line.end()
		o.Progress = line.replayed
		return untruthful.Run(a.ctx, a.stdout, o)
	}
}

func reproducePriceAnticipating(a *app, f *flags) action {
	var o priceanticipating.Options
	f.IntVar(&o.Repetitions, "repetitions", 20, "random instances per point of the figures; intervals are over them")
	f.Float64Var(&o.Reserve, "reserve", priceanticipating.Reserve,
		"what counts as the others' bids on a machine at least in the simulations, in budgets; the paper states none")
	f.check(func() error {
		if !(o.Reserve > 0 && o.Reserve < 1) {
			return usagef("--reserve %g: want a number above 0 and below 1", o.Reserve)
		}
		return nil
	})
	f.atLeast("repetitions", &o.Repetitions, 2, forInterval)
	f.study(&o.Out, &o.Workers, &o.Seed, "instances")
	return func() error { return priceanticipating.Run(a.ctx, a.stdout, o) }
}

func reproduceDynamicSharing(a *app, f *flags) action {
	var o dynamicsharing.Options
	f.StringVar(&o.Google, "google", "", "`DIR` with task_events of the Google trace of 2011")
	f.StringVar(&o.Jobs, "jobs", "",
		"job_events of the Google trace of 2011: one `FILE`, or DIR with the parts; all 29 days of it if you have them")
	f.StringSliceVar(&o.Logs, "logs", nil, "logs of parallel machines to compare as well, any traces of jobs")
	f.IntVar(&o.Instances, "instances", 100, "random instances")
	f.IntVar(&o.Lies, "lies", 10_000, "small random instances searched for lies that pay (0: none)")
	f.atLeast("instances", &o.Instances, 2, forInterval)
	f.atLeast("lies", &o.Lies, 0, "want 0 or more")
	f.study(&o.Out, &o.Workers, &o.Seed, "instances")
	return func() error {
		return a.leftOut(o.Google, o.Jobs, "--google DIR and --jobs FILE", dynamicsharing.Run(a.ctx, a.stdout, o))
	}
}

func reproduceMultiResource(a *app, f *flags) action {
	var o multiresource.Options
	f.IntVar(&o.Instances, "instances", 1000, "random instances per point of the figures")
	f.StringVar(&o.Google, "google", "", "`DIR` with task_events and machine_events of the Google trace of 2011")
	f.StringVar(&o.Pool, "pool", multiresource.Pools[0],
		"what gives one demand vector: "+strings.Join(multiresource.Pools, ", "))
	f.BoolVar(&o.Raw, "raw", false, "take the trace's demands as they are, not divided by the machines' totals")
	f.atLeast("instances", &o.Instances, 2, forInterval)
	f.check(func() error {
		if o.Google == "" && (f.Changed("pool") || o.Raw) {
			return usagef("--pool and --raw are about the Google trace; add --google DIR")
		}
		return among("pool", o.Pool, multiresource.Pools)
	})
	f.study(&o.Out, &o.Workers, &o.Seed, "instances")
	return func() error {
		return a.leftOut(o.Google, o.Google, "--google DIR", multiresource.Run(a.ctx, a.stdout, o))
	}
}

func reproduceFragmentation(a *app, f *flags) action {
	var o fragmentation.Options
	f.StringVar(&o.Data, "data", "",
		"`DIR` with openb_node_list_gpu_node.csv, lists of pods and, to compare with, published_allo.csv and its like")
	f.IntVar(&o.Seeds, "seeds", 10,
		"runs of each policy and workload, 5 by default in a closed loop; intervals are over them")
	f.BoolVar(&o.ClosedLoop, "closed-loop", false,
		"our own study instead: pods that leave, wait, have priorities and bid")
	f.IntVar(&o.Every, "every", 4, "in a closed loop: use every `K`-th machine only (1: all of them)")
	f.check(func() error {
		switch {
		case o.Data == "":
			return usagef("reproduce fragmentation needs the machines and pods of Alibaba's GPU trace of 2023: " +
				"--data DIR")
		case o.ClosedLoop && o.Seeds == 1:
			return usagef("--seeds %d: %s", o.Seeds, forInterval)
		case f.Changed("every") && !o.ClosedLoop:
			return usagef("--every is about --closed-loop; the published tables are of all machines")
		}
		return nil
	})
	f.atLeast("seeds", &o.Seeds, 1, atLeastOne)
	f.atLeast("every", &o.Every, 1, oneOrMore)
	f.study(&o.Out, &o.Workers, nil, "runs")
	a.quietFlag(f)
	return func() error {
		if o.ClosedLoop && !f.Changed("seeds") {
			o.Seeds = 5
		}
		line := a.cells()
		defer line.end()
		o.Progress = line.replayed
		return fragmentation.Run(a.ctx, a.stdout, o)
	}
}

func reproduceTogether(a *app, f *flags) action {
	var o together.Options
	f.StringSliceVar(&o.Logs, "logs", nil, "logs of parallel machines; LPC-EGEE is prepared as in untruthful-bids")
	f.StringVar(&o.Google, "google", "", "`DIR` with task_events of the Google trace of 2011")
	f.Float64Var(&o.Machines, "machines", 600, "CPU and memory of the pool for Google's jobs, in machines")
	f.IntVar(&o.Replicas, "replicas", 3, "replicas of each log, by resampling its users; intervals are over them")
	f.IntVar(&o.Asked, "jobs", 100, "number of jobs of each log whose owners try lies")
	f.BoolVar(&o.Learn, "learn", true, "let owners learn to bid, week by week")
	f.check(func() error {
		switch {
		case len(o.Logs) == 0 && o.Google == "":
			return usagef("reproduce together needs logs: --logs LOG,LOG or --google DIR")
		case !(o.Machines > 0):
			return usagef("--machines %g: want more than 0", o.Machines)
		}
		return nil
	})
	f.atLeast("replicas", &o.Replicas, 1, oneOrMore)
	f.atLeast("jobs", &o.Asked, 1, "at least one job must be sampled")
	f.study(&o.Out, &o.Workers, &o.Seed, "replays")
	return func() error {
		line := a.cells()
		defer line.end()
		o.Progress = line.done
		return together.Run(a.ctx, a.stdout, o)
	}
}

func reproduceAtlas(a *app, f *flags) action {
	var o atlas.Options
	f.StringSliceVar(&o.Logs, "logs", nil,
		"replay these logs of parallel machines (default: take the figures that come with the program)")
	f.IntVar(&o.Replicas, "replicas", 5,
		"replicas of each log, by resampling its users; verdicts on a log are over them")
	f.atLeast("replicas", &o.Replicas, 2, "2 or more are needed to tell a difference from chance")
	f.check(func() error {
		if len(o.Logs) == 0 && (f.Changed("replicas") || f.Changed("seed")) {
			return usagef("--replicas and --seed are about replays; add --logs LOG,LOG")
		}
		return nil
	})
	f.study(&o.Out, &o.Workers, &o.Seed, "replays")
	return func() error {
		line := a.cells()
		defer line.end()
		o.Progress = line.done
		return atlas.Run(a.ctx, a.stdout, o)
	}
}

// leftOut says how a report would have what it leaves out without Google's trace.
func (a *app) leftOut(one, other, flags string, err error) error {
	if err == nil && (one == "" || other == "") {
		_, err = fmt.Fprintf(a.stdout, "\nFor what is left out, give %s.\n", flags)
	}
	return err
}
