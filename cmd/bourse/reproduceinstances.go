package main

import (
	"fmt"
	"slices"
	"strings"

	"bourse/reports/studies/dynamicsharing"
	"bourse/reports/studies/multiresource"
	"bourse/reports/studies/priceanticipating"
	"bourse/traces/suggest"
)

func reproducePriceAnticipating(a *app, args []string) error {
	var o priceanticipating.Options
	shared := studyFlags{seed: &o.Seed, out: &o.Out, workers: &o.Workers}
	f := a.flags("reproduce price-anticipating", "bourse reproduce price-anticipating --out price-anticipating")
	f.IntVar(&o.Repetitions, "repetitions", 20, "random instances per point of the figures; intervals are over them")
	shared.define(f)
	if err := parse(f, args, 0, 0, "reproduce price-anticipating takes flags only"); err != nil {
		return err
	}
	switch {
	case o.Repetitions < 2:
		return usagef("--repetitions %d: 2 or more are needed for a confidence interval", o.Repetitions)
	}
	if err := shared.validate(); err != nil {
		return err
	}
	return priceanticipating.Run(a.ctx, a.stdout, o)
}

func reproduceDynamicSharing(a *app, args []string) error {
	var o dynamicsharing.Options
	shared := studyFlags{seed: &o.Seed, out: &o.Out, workers: &o.Workers}
	f := a.flags("reproduce dynamic-sharing", "bourse reproduce dynamic-sharing --google clusterdata-2011-2 --logs a.swf.gz,b.swf.gz --out dynamic-sharing")
	f.StringVar(&o.Google, "google", "", "`DIR` with task_events of the Google trace of 2011")
	f.StringSliceVar(&o.Logs, "logs", nil, "logs of parallel machines to compare as well, any traces of jobs")
	f.IntVar(&o.Instances, "instances", 100, "random instances")
	f.IntVar(&o.Lies, "lies", 10_000, "small random instances searched for lies that pay (0: none)")
	shared.define(f)
	if err := parse(f, args, 0, 0, "reproduce dynamic-sharing takes flags only"); err != nil {
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
	return a.googleHint(o.Google, dynamicsharing.Run(a.ctx, a.stdout, o))
}

func reproduceMultiResource(a *app, args []string) error {
	var o multiresource.Options
	shared := studyFlags{seed: &o.Seed, out: &o.Out, workers: &o.Workers}
	f := a.flags("reproduce multi-resource", "bourse reproduce multi-resource --google clusterdata-2011-2 --out multi-resource")
	f.IntVar(&o.Instances, "instances", 1000, "random instances per point of the figures")
	f.StringVar(&o.Google, "google", "", "`DIR` with task_events and machine_events of the Google trace of 2011")
	f.StringVar(&o.Pool, "pool", multiresource.Pools[0], "what gives one demand vector: "+strings.Join(multiresource.Pools, ", "))
	f.BoolVar(&o.Raw, "raw", false, "take the trace's demands as they are, not divided by the machines' totals")
	shared.define(f)
	if err := parse(f, args, 0, 0, "reproduce multi-resource takes flags only"); err != nil {
		return err
	}
	switch {
	case o.Instances < 2:
		return usagef("--instances %d: 2 or more are needed for a confidence interval", o.Instances)
	case !slices.Contains(multiresource.Pools, o.Pool):
		return usagef("--pool %q%s", o.Pool, suggest.Among(o.Pool, multiresource.Pools))
	case o.Google == "" && (f.Changed("pool") || o.Raw):
		return usagef("--pool and --raw are about the Google trace; add --google DIR")
	}
	if err := shared.validate(); err != nil {
		return err
	}
	return a.googleHint(o.Google, multiresource.Run(a.ctx, a.stdout, o))
}

// googleHint says how a report would have what it leaves out without Google's trace.
func (a *app) googleHint(dir string, err error) error {
	if err == nil && dir == "" {
		_, err = fmt.Fprintln(a.stdout, "\nFor what is left out, give --google DIR.")
	}
	return err
}
