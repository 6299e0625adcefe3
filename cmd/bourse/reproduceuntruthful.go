package main

import (
	"runtime"
	"strings"

	"bourse/reports/studies/untruthful"
)

func reproduceUntruthful(a *app, args []string) error {
	o := untruthful.Options{}
	f := a.flags("reproduce untruthful-bids", "bourse reproduce untruthful-bids --trace LPC-EGEE-2004-1.2-cln.swf.gz --seeds 10 --out study-a")
	f.StringVar(&o.Trace, "trace", "", "the `LOG`; LPC-EGEE-2004-1.2-cln is the paper's, others are prepared in the same way")
	das2 := f.String("das2", "", "replay `LOG` as the paper's DAS2 instead; DAS2-fs1-2003-1 is a stand-in")
	sharcnet := f.String("sharcnet", "", "replay the requin partition of `LOG` SHARCNET-2005-2 instead, with generated estimates")
	f.IntVar(&o.Nodes, "nodes", 0, "processors of the machine (0: as in Table I, or as the trace says)")
	f.IntVar(&o.Seeds, "seeds", 10, "number of seeds; intervals are over them")
	f.IntVar(&o.Workers, "workers", runtime.NumCPU(), "replays at a time; results do not depend on it")
	f.StringVar(&o.Out, "out", "", "write tables (CSV) and figures (SVG, PNG) to directory `DIR`")
	overwrite := f.Bool("overwrite", false, "replace the files of an earlier reproduction in DIR")
	quiet := f.BoolP(quietFlag, "q", false, quietHelp)
	if err := parse(f, args, 0, 0, "reproduce untruthful-bids takes flags only"); err != nil {
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
	case o.Workers < 1:
		return usagef("--workers %d: at least one is needed", o.Workers)
	case *overwrite && o.Out == "":
		return usagef("--overwrite replaces files in a directory; add --out DIR")
	}
	if err := vacant(o.Out, *overwrite); err != nil {
		return err
	}
	line := newCellLine(a.line, *quiet)
	defer line.end()
	o.Progress = line.draw
	return untruthful.Run(a.ctx, a.stdout, o)
}
