package main

import (
	"bourse/reports/studies/dynamicsharing"
)

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
	return dynamicsharing.Run(a.ctx, a.stdout, o)
}
