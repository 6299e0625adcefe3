//go:build !js

package main

import (
	"cmp"
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

func reproduceUntruthful(a *app, args []string) error {
	var o untruthful.Options
	shared := studyFlags{out: &o.Out, workers: &o.Workers, each: "replays"}
	f := a.flags("reproduce untruthful-bids", "bourse reproduce untruthful-bids --trace LPC-EGEE-2004-1.2-cln.swf.gz --seeds 10 --out study-a")
	f.StringVar(&o.Trace, "trace", "", "the `LOG`; LPC-EGEE-2004-1.2-cln is the paper's, others are prepared in the same way")
	das2 := f.String("das2", "", "replay `LOG` as the paper's DAS2 instead; DAS2-fs1-2003-1 is a stand-in")
	sharcnet := f.String("sharcnet", "", "replay the requin partition of `LOG` SHARCNET-2005-2 instead, with generated estimates")
	f.IntVar(&o.Nodes, "nodes", 0, "processors of the machine (0: as in Table I, or as the trace says)")
	f.IntVar(&o.Seeds, "seeds", 10, "number of seeds; intervals are over them")
	shared.define(f)
	a.quietFlag(f)
	if err := a.parse(f, args, 0, 0, "reproduce untruthful-bids takes flags only"); err != nil {
		return err
	}
	given := 0
	for _, log := range []string{o.Trace, *das2, *sharcnet} {
		if log != "" {
			given++
		}
	}
	o.Cluster = untruthful.Other
	switch {
	case *das2 != "":
		o.Trace, o.Cluster = *das2, untruthful.DAS2
	case *sharcnet != "":
		o.Trace, o.Cluster = *sharcnet, untruthful.REQUIN
	case strings.Contains(o.Trace, "LPC-EGEE"):
		o.Cluster = untruthful.LPC
	}
	switch {
	case given > 1:
		return usagef("--trace, --das2 and --sharcnet each name the workload; give one of them")
	case o.Nodes < 0:
		return usagef("--nodes %d: a machine needs at least 1 processor", o.Nodes)
	case o.Seeds < 1:
		return usagef("--seeds %d: at least one is needed", o.Seeds)
	}
	if err := shared.validate(); err != nil {
		return err
	}
	line := a.cells()
	defer line.end()
	o.Progress = line.replayed
	return untruthful.Run(a.ctx, a.stdout, o)
}

func reproducePriceAnticipating(a *app, args []string) error {
	var o priceanticipating.Options
	shared := studyFlags{seed: &o.Seed, out: &o.Out, workers: &o.Workers, each: "instances"}
	f := a.flags("reproduce price-anticipating", "bourse reproduce price-anticipating --out price-anticipating")
	f.IntVar(&o.Repetitions, "repetitions", 20, "random instances per point of the figures; intervals are over them")
	f.Float64Var(&o.Reserve, "reserve", priceanticipating.Reserve, "what counts as the others' bids on a machine at least in the simulations, in budgets; the paper states none")
	shared.define(f)
	if err := a.parse(f, args, 0, 0, "reproduce price-anticipating takes flags only"); err != nil {
		return err
	}
	if !(o.Reserve > 0 && o.Reserve < 1) {
		return usagef("--reserve %g: want a number above 0 and below 1", o.Reserve)
	}
	if o.Repetitions < 2 {
		return usagef("--repetitions %d: 2 or more are needed for a confidence interval", o.Repetitions)
	}
	if err := shared.validate(); err != nil {
		return err
	}
	return priceanticipating.Run(a.ctx, a.stdout, o)
}

func reproduceDynamicSharing(a *app, args []string) error {
	var o dynamicsharing.Options
	shared := studyFlags{seed: &o.Seed, out: &o.Out, workers: &o.Workers, each: "instances"}
	f := a.flags("reproduce dynamic-sharing", "bourse reproduce dynamic-sharing --google clusterdata-2011-2 --logs a.swf.gz,b.swf.gz --out dynamic-sharing")
	f.StringVar(&o.Google, "google", "", "`DIR` with task_events of the Google trace of 2011")
	f.StringVar(&o.Jobs, "jobs", "", "job_events of the Google trace of 2011: one `FILE`, or DIR with the parts; all 29 days of it if you have them")
	f.StringSliceVar(&o.Logs, "logs", nil, "logs of parallel machines to compare as well, any traces of jobs")
	f.IntVar(&o.Instances, "instances", 100, "random instances")
	f.IntVar(&o.Lies, "lies", 10_000, "small random instances searched for lies that pay (0: none)")
	shared.define(f)
	if err := a.parse(f, args, 0, 0, "reproduce dynamic-sharing takes flags only"); err != nil {
		return err
	}
	switch {
	case o.Instances < 2:
		return usagef("--instances %d: 2 or more are needed for a confidence interval", o.Instances)
	case o.Lies < 0:
		return usagef("--lies %d: want 0 or more", o.Lies)
	}
	if err := shared.validate(); err != nil {
		return err
	}
	return a.leftOut(o.Google, o.Jobs, "--google DIR and --jobs FILE", dynamicsharing.Run(a.ctx, a.stdout, o))
}

func reproduceMultiResource(a *app, args []string) error {
	var o multiresource.Options
	shared := studyFlags{seed: &o.Seed, out: &o.Out, workers: &o.Workers, each: "instances"}
	f := a.flags("reproduce multi-resource", "bourse reproduce multi-resource --google clusterdata-2011-2 --out multi-resource")
	f.IntVar(&o.Instances, "instances", 1000, "random instances per point of the figures")
	f.StringVar(&o.Google, "google", "", "`DIR` with task_events and machine_events of the Google trace of 2011")
	f.StringVar(&o.Pool, "pool", multiresource.Pools[0], "what gives one demand vector: "+strings.Join(multiresource.Pools, ", "))
	f.BoolVar(&o.Raw, "raw", false, "take the trace's demands as they are, not divided by the machines' totals")
	shared.define(f)
	if err := a.parse(f, args, 0, 0, "reproduce multi-resource takes flags only"); err != nil {
		return err
	}
	switch {
	case o.Instances < 2:
		return usagef("--instances %d: 2 or more are needed for a confidence interval", o.Instances)
	case o.Google == "" && (f.Changed("pool") || o.Raw):
		return usagef("--pool and --raw are about the Google trace; add --google DIR")
	}
	if err := cmp.Or(among("pool", o.Pool, multiresource.Pools), shared.validate()); err != nil {
		return err
	}
	return a.leftOut(o.Google, o.Google, "--google DIR", multiresource.Run(a.ctx, a.stdout, o))
}

func reproduceFragmentation(a *app, args []string) error {
	var o fragmentation.Options
	shared := studyFlags{out: &o.Out, workers: &o.Workers, each: "runs"}
	f := a.flags("reproduce fragmentation", "bourse reproduce fragmentation --data openb --out fragmentation")
	f.StringVar(&o.Data, "data", "", "`DIR` with openb_node_list_gpu_node.csv, lists of pods and, to compare with, published_allo.csv and its like")
	f.IntVar(&o.Seeds, "seeds", 10, "runs of each policy and workload, 5 by default in a closed loop; intervals are over them")
	f.BoolVar(&o.ClosedLoop, "closed-loop", false, "our own study instead: pods that leave, wait, have priorities and bid")
	f.IntVar(&o.Every, "every", 4, "in a closed loop: use every `K`-th machine only (1: all of them)")
	shared.define(f)
	a.quietFlag(f)
	if err := a.parse(f, args, 0, 0, "reproduce fragmentation takes flags only"); err != nil {
		return err
	}
	switch {
	case o.Data == "":
		return usagef("reproduce fragmentation needs the machines and pods of Alibaba's GPU trace of 2023: --data DIR")
	case o.Seeds < 1:
		return usagef("--seeds %d: at least one is needed", o.Seeds)
	case o.ClosedLoop && o.Seeds < 2:
		return usagef("--seeds %d: 2 or more are needed for a confidence interval", o.Seeds)
	case f.Changed("every") && !o.ClosedLoop:
		return usagef("--every is about --closed-loop; the published tables are of all machines")
	case o.Every < 1:
		return usagef("--every %d: want 1 or more", o.Every)
	}
	if o.ClosedLoop && !f.Changed("seeds") {
		o.Seeds = 5
	}
	if err := shared.validate(); err != nil {
		return err
	}
	line := a.cells()
	defer line.end()
	o.Progress = line.replayed
	return fragmentation.Run(a.ctx, a.stdout, o)
}

func reproduceTogether(a *app, args []string) error {
	var o together.Options
	shared := studyFlags{seed: &o.Seed, out: &o.Out, workers: &o.Workers, each: "replays"}
	f := a.flags("reproduce together", "bourse reproduce together --logs KTH-SP2-1996-2.1-cln.swf.gz,CTC-SP2-1996-3.1-cln.swf.gz --google clusterdata-2011-2 --out together")
	f.StringSliceVar(&o.Logs, "logs", nil, "logs of parallel machines; LPC-EGEE is prepared as in untruthful-bids")
	f.StringVar(&o.Google, "google", "", "`DIR` with task_events of the Google trace of 2011")
	f.Float64Var(&o.Machines, "machines", 600, "CPU and memory of the pool for Google's jobs, in machines")
	f.IntVar(&o.Replicas, "replicas", 3, "replicas of each log, by drawing its users anew; intervals are over them")
	f.IntVar(&o.Asked, "jobs", 100, "number of jobs of each log whose owners try lies")
	f.BoolVar(&o.Learn, "learn", true, "let owners learn to bid, week by week")
	shared.define(f)
	if err := a.parse(f, args, 0, 0, "reproduce together takes flags only"); err != nil {
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
	line := a.cells()
	defer line.end()
	o.Progress = line.done
	return together.Run(a.ctx, a.stdout, o)
}

func reproduceAtlas(a *app, args []string) error {
	var o atlas.Options
	shared := studyFlags{seed: &o.Seed, out: &o.Out, workers: &o.Workers, each: "replays"}
	f := a.flags("reproduce atlas", "bourse reproduce atlas --logs kth-sp2,ctc-sp2,sdsc-blue --out atlas")
	f.StringSliceVar(&o.Logs, "logs", nil, "replay these logs of parallel machines (default: take the figures that come with the program)")
	f.IntVar(&o.Replicas, "replicas", 5, "replicas of each log, by drawing its users anew; verdicts on a log are over them")
	shared.define(f)
	if err := a.parse(f, args, 0, 0, "reproduce atlas takes flags only; name logs with --logs LOG,LOG"); err != nil {
		return err
	}
	switch {
	case o.Replicas < 2:
		return usagef("--replicas %d: 2 or more are needed to tell a difference from chance", o.Replicas)
	case len(o.Logs) == 0 && (f.Changed("replicas") || f.Changed("seed")):
		return usagef("--replicas and --seed are about replays; add --logs LOG,LOG")
	}
	if err := shared.validate(); err != nil {
		return err
	}
	line := a.cells()
	defer line.end()
	o.Progress = line.done
	return atlas.Run(a.ctx, a.stdout, o)
}

// leftOut says how a report would have what it leaves out without Google's trace.
func (a *app) leftOut(one, other, flags string, err error) error {
	if err == nil && (one == "" || other == "") {
		_, err = fmt.Fprintf(a.stdout, "\nFor what is left out, give %s.\n", flags)
	}
	return err
}
