package main

import (
	"fmt"
	"io"

	"bourse/engine/policytest"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/reports/terminal"
)

// checkPolicy puts a policy through random workloads.
func checkPolicy(a *app, f *flags) action {
	workloads := f.Int("workloads", 100, "number of random workloads")
	seed := f.Uint64("seed", 1, "seed of them")
	f.atLeast("workloads", workloads, 1, "want 1 or more")
	return func() error {
		fresh := func() (policies.Policy, error) { return catalog.Policies.Make(f.Arg(0)) }
		p, err := fresh()
		if err != nil {
			return err
		}
		found, err := policytest.Check(a.ctx, fresh, policytest.Expect{Preempts: true, KnowsUnits: true}, *workloads,
			*seed)
		if err != nil {
			return err
		}
		failed, err := printFindings(a.stdout, found)
		if err != nil {
			return err
		}
		verdict := "conforms"
		if failed > 0 {
			verdict = fmt.Sprintf("fails %d of %d checks", failed, len(found))
		}
		if _, err := fmt.Fprintf(a.stdout, "it sees %s\n%s %s, on %d random workloads\n", sees(policies.NeedsOf(p)),
			f.Arg(0), verdict, *workloads); err != nil {
			return err
		}
		if failed > 0 {
			return fmt.Errorf("%s does not conform", f.Arg(0))
		}
		return nil
	}
}

// printFindings writes a line for each check, and counts those that failed.
func printFindings(w io.Writer, found []policytest.Finding) (failed int, err error) {
	t := terminal.NewTable("check", "verdict")
	t.Left(1)
	for _, f := range found {
		verdict := "passed"
		if !f.Tried {
			verdict = "not tried: no workload came so far"
		}
		if f.Fault != "" {
			verdict = "FAILED: " + f.Fault
			failed++
		}
		t.Row(f.Check, verdict)
	}
	return failed, t.Write(w)
}

// sees says what a policy is shown.
func sees(n policies.Needs) string {
	text := "what every policy may see"
	if n.Estimates {
		text += ", and needs estimates"
	}
	if n.RunTimes {
		text += ", and the true run times (clairvoyant)"
	}
	return text
}
