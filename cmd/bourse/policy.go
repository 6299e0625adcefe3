package main

import (
	"fmt"

	"bourse/reports/ask/conform"
)

// checkPolicy puts a policy through random workloads.
func checkPolicy(a *app, args []string) error {
	f := a.flags("policy check POLICY", "bourse policy check 'script:fair.star(halflife=3600)'")
	workloads := f.Int("workloads", 100, "number of random workloads")
	seed := f.Uint64("seed", 1, "seed of them")
	if err := a.parse(f, args, 1, 1, "policy check takes one policy"); err != nil {
		return err
	}
	if *workloads < 1 {
		return usagef("--workloads %d: want 1 or more", *workloads)
	}
	r, err := conform.Check(a.ctx, f.Arg(0), *workloads, *seed)
	if err != nil {
		return err
	}
	if err := r.Print(a.stdout); err != nil {
		return err
	}
	if r.Failed() > 0 {
		return fmt.Errorf("%s does not conform", f.Arg(0))
	}
	return nil
}
