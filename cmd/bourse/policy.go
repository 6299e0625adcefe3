package main

import (
	"fmt"

	"bourse/reports/ask/conform"
)

// checkPolicy puts a policy through random workloads.
func checkPolicy(a *app, f *flags) action {
	workloads := f.Int("workloads", 100, "number of random workloads")
	seed := f.Uint64("seed", 1, "seed of them")
	return func() error {
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
}
