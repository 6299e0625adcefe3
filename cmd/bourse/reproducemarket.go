package main

import "bourse/reports/papers/priceanticipating"

func reproducePriceAnticipating(a *app, args []string) error {
	var o priceanticipating.Options
	var overwrite bool
	f := a.flags("reproduce price-anticipating", "bourse reproduce price-anticipating --out price-anticipating")
	f.IntVar(&o.Repetitions, "repetitions", 20, "random instances a point of the figures; intervals are over them")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of all random draws")
	f.StringVar(&o.Out, "out", "", "write tables (CSV) and figures (SVG, PNG) to directory `DIR`")
	f.BoolVar(&overwrite, "overwrite", false, "replace the files of an earlier reproduction in DIR")
	f.IntVar(&o.Workers, "workers", 0, "instances at a time (0: one a processor); results do not depend on it")
	if err := parse(f, args, 0, 0, "reproduce price-anticipating takes flags only"); err != nil {
		return err
	}
	switch {
	case o.Repetitions < 2:
		return usagef("--repetitions %d: 2 or more are needed for a confidence interval", o.Repetitions)
	case o.Workers < 0:
		return usagef("--workers %d: 0 or more were expected", o.Workers)
	case overwrite && o.Out == "":
		return usagef("--overwrite replaces files in a directory; add --out DIR")
	}
	if err := vacant(o.Out, overwrite); err != nil {
		return err
	}
	return priceanticipating.Run(a.ctx, a.stdout, o)
}
