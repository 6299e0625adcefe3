package main

import (
	"cmp"
	"strings"

	"bourse/policies/catalog"
	"bourse/reports/ask/allocation"
	"bourse/traces/table"
)

// allocateFlags are the flags of `bourse allocate`.
type allocateFlags struct {
	mechanism string
	totals    string
	weights   string
	lies      bool
	seed      uint64
	optimum   bool
	out       resultTable
}

func (c *allocateFlags) define(f *flags) {
	f.StringVar(&c.mechanism, "mechanism", "drf", "allocation mechanism: "+strings.Join(catalog.Mechanisms.Names(),
		", "))
	f.StringVar(&c.totals, "totals", "", "total of each resource, as `cpu=96,memory=512`, if demands are amounts")
	f.StringVar(&c.weights, "weights", "", "take agents' weights from this `COLUMN`")
	f.BoolVar(&c.lies, "strategy-proofness", false, "search for a false report that pays")
	f.Uint64Var(&c.seed, "seed", 1, "seed of that search")
	f.BoolVar(&c.optimum, "optimum", false,
		"compare with the fair optimum at any size (slow for more than 300 agents with three resources or more)")
	c.out.define(f)
}

func allocate(a *app, f *flags) action {
	var c allocateFlags
	c.define(f)
	return func() error {
		m, err := catalog.Mechanisms.Make(c.mechanism)
		if err != nil {
			return &usageError{err}
		}
		if c.weights != "" && m.Weighted == nil {
			return usagef("--weights has no meaning under %s; drf, unb and family take weights", c.mechanism)
		}
		t, err := table.Read(f.Arg(0), a.stdin)
		if err != nil {
			return err
		}
		in, err := allocation.Read(t, c.weights, c.totals)
		if err != nil {
			return err
		}
		mechanism := m.Share
		if c.weights != "" {
			mechanism = m.Weighted(in.Weights)
		}
		result, err := allocation.Run(in, c.mechanism, mechanism)
		if err != nil {
			return err
		}
		report := result.Report(c.optimum, "--optimum computes it")
		if !c.lies {
			return c.out.print(a, report)
		}
		lie, err := result.Lies(c.seed)
		if err == nil {
			report.Answers = append(report.Answers, lie)
		}
		return cmp.Or(c.out.print(a, report), err)
	}
}
