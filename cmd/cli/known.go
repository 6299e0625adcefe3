package cli

import (
	"fmt"

	"bourse/engine/policytest"
	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/reports/catalogue"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/suggest"
)

// list prints what there is by name.
func list(a *app, f *flags) action {
	file := f.String("script", "", "the parameters that the script `FILE` declares, and what it can be used as")
	var answer tableFormat
	answer.define(f)
	return func() error {
		report, err := catalogue.Report(f.Arg(0))
		if *file != "" {
			report, err = catalogue.Script(*file)
		}
		if err != nil {
			return &usageError{err}
		}
		if *file == "" && answer.format == "json" && report.Document == nil {
			return usagef("list --json has no %q%s", f.Arg(0), suggest.Among(f.Arg(0), catalogue.Documents()))
		}
		answer.widest = helpWidth
		return answer.print(a, report)
	}
}

// checkPolicy puts a policy through random workloads.
func checkPolicy(a *app, f *flags) action {
	workloads := f.Int("workloads", 100, "number of random workloads")
	seed := f.Uint64("seed", 1, "seed of them")
	f.atLeast("workloads", workloads, 1, "want 1 or more")
	s := scenario.Default()
	f.StringVar(&s.Trace, "log", "", "also replay all of `TRACE` under it, with every conservation law checked")
	var answer tableFormat
	answer.define(f)
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
		workload := fmt.Sprintf("on %d random workloads", *workloads)
		if s.Trace != "" {
			fault, err := a.checkOn(s, f.Arg(0))
			if err != nil {
				return err
			}
			found = append(found, policytest.Finding{Check: "it replays " + s.Trace, Fault: fault, Tried: true})
			workload += " and " + s.Trace
		}
		t, failed := findings(found)
		verdict := "conforms"
		if failed > 0 {
			verdict = fmt.Sprintf("fails %d of %d checks", failed, len(found))
		}
		answers := []string{"it sees " + sees(policies.NeedsOf(p)), fmt.Sprintf("%s %s, %s", f.Arg(0), verdict, workload)}
		if err := answer.print(a, &table.Report{Tables: []*table.Table{t}, Answers: answers}); err != nil {
			return err
		}
		if failed > 0 {
			return fmt.Errorf("%s does not conform", f.Arg(0))
		}
		return nil
	}
}

// checkOn replays a log under a policy with all checks, and returns what goes wrong on the way, "" if nothing does.
func (a *app) checkOn(s scenario.Scenario, policy string) (fault string, err error) {
	s.Policy, s.Check = policy, true
	err = a.reading(&s, nil, func(src traces.Source) error {
		p, err := s.Prepare(src)
		if err != nil {
			return err
		}
		if _, err := p.RunAll(a.ctx, nil); err != nil && a.ctx.Err() == nil {
			fault = err.Error()
		}
		return a.ctx.Err()
	})
	return fault, err
}

// findings is a table of the checks, and counts those that failed.
func findings(found []policytest.Finding) (t *table.Table, failed int) {
	t = table.New(table.KeyCol("check", "check"), table.Col("verdict", "verdict", terminal.Words))
	for _, f := range found {
		verdict := "passed"
		if !f.Tried {
			verdict = "not tried: no workload came so far"
		}
		if f.Fault != "" {
			verdict = "FAILED: " + f.Fault
			failed++
		}
		t.Add(f.Check, verdict)
	}
	return t, failed
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
