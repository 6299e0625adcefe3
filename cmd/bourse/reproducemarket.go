package main

import (
	"bourse/reports/studies/priceanticipating"
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
