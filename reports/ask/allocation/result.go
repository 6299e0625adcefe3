package allocation

import (
	"fmt"
	"io"
	"math"

	"bourse/policies/share"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// smallProgram is the number of agents up to which the optimum of three
// resources or more is computed without being asked for: about a second.
const smallProgram = 300

// manyPairs is the number of agents up to which envy is looked for in all pairs:
// a few seconds. With two resources there is a faster way.
const manyPairs = 20_000

// Result is an instance with what a mechanism gives its agents.
type Result struct {
	*Instance
	Name      string // of the mechanism, with its parameters
	Mechanism share.Mechanism
	Shares    []float64
}

// Run allocates.
func Run(in *Instance, name string, mechanism share.Mechanism) (*Result, error) {
	shares, err := mechanism(in.Demands)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.File, err)
	}
	return &Result{in, name, mechanism, shares}, nil
}

// Columns are the shares and what each agent has of each resource.
func (r *Result) Columns() *table.Table {
	t := table.Data(append([]string{"agent", dominantShare}, r.Resources...)...)
	for i, x := range r.Shares {
		row := []any{r.Agents[i], x}
		for k := range r.Resources {
			row = append(row, x*r.Demands[i][k])
		}
		t.Add(row...)
	}
	return t
}

// Print writes welfare and utilisation beside those of the fair optimum, and which
// properties hold. The optimum of a large instance takes a while: it is left out unless
// always is set, and hint says how to set it.
func (r *Result) Print(w io.Writer, always bool, hint string) error {
	fmt.Fprintf(w, "%s: %d agents, %d resources, alpha %.3g\n\n", r.Name, len(r.Agents), len(r.Resources),
		r.Demands.Alpha())
	t := &table.Table{Columns: table.Headed(terminal.Fixed(6), "result", r.Name, "fair optimum", "optimum / "+r.Name)}
	var missed error // the allocation stands without what it is compared with
	compared := r.Weights == nil && (always || len(r.Resources) <= 2 || len(r.Agents) <= smallProgram)
	for _, row := range []struct {
		name    string
		value   func([]float64) float64
		optimum share.Mechanism
	}{{"welfare", share.Welfare, share.MaxWelfare}, {"utilisation", r.Demands.Utilisation, share.MaxUtilisation}} {
		got := row.value(r.Shares)
		best, over := math.NaN(), math.NaN()
		if compared {
			if x, err := row.optimum(r.Demands); err != nil {
				missed = err
			} else {
				best, over = row.value(x), row.value(x)/got
			}
		}
		t.Add(row.name, got, best, over)
	}
	for k, used := range r.Demands.Used(r.Shares) {
		t.Add("used of "+r.Resources[k], used)
	}
	if err := table.Print(w, &table.Report{Tables: []*table.Table{t}}); err != nil {
		return err
	}
	switch {
	case r.Weights != nil:
		fmt.Fprintln(w, "\nThe optimum is not compared: it is defined for equal weights.")
	case missed != nil:
		fmt.Fprintf(w, "\nThe optimum was not found: %v.\n", missed)
	case !compared:
		fmt.Fprintf(w, "\nThe optimum for %d agents and %d resources takes a while; %s.\n", len(r.Agents), len(r.Resources),
			hint)
	}
	return r.printProperties(w)
}

func (r *Result) printProperties(w io.Writer) error {
	fmt.Fprintln(w)
	agent := func(i int) string { return r.Agents[i] }
	resource := func(k int) string { return r.Resources[k] }
	for _, e := range r.checks() {
		if _, err := fmt.Fprintln(w, e.Explain(agent, resource)); err != nil {
			return err
		}
	}
	if r.tooManyPairs() {
		fmt.Fprintf(w, "envy-freeness is not checked for more than %d agents with %d resources\n", manyPairs,
			len(r.Resources))
	}
	return nil
}

func (r *Result) tooManyPairs() bool { return len(r.Resources) > 2 && len(r.Agents) > manyPairs }

// checks are the properties of an allocation. With weights, envy and sharing
// incentive are about bundles and shares divided by the weights: those of the
// demands with shares x_i / w_i, an equal part being 1/W.
func (r *Result) checks() []share.Evidence {
	scaled := r.Shares
	if r.Weights != nil {
		scaled = make([]float64, len(r.Shares))
		sum := share.Welfare(r.Weights)
		for i, x := range r.Shares {
			scaled[i] = x / r.Weights[i] * sum / float64(len(r.Shares))
		}
	}
	found := []share.Evidence{share.Feasible(r.Demands, r.Shares), share.SharingIncentive(r.Demands, scaled),
		share.ParetoOptimal(r.Demands, r.Shares)}
	if !r.tooManyPairs() {
		found = append(found, share.EnvyFree(r.Demands, scaled))
	}
	return found
}

// PrintLies searches for a false report that pays and says what it found.
func (r *Result) PrintLies(w io.Writer, seed uint64) error {
	// Enough agents to be telling, few enough to be quick.
	probe := share.Probe{Seed: seed, Agents: 100}
	lie, err := probe.Search(r.Mechanism, r.Demands)
	if err != nil {
		return fmt.Errorf("%s: %w", r.File, err)
	}
	if lie.Gain <= share.Tolerance {
		_, err = fmt.Fprintf(w, "strategy-proofness: no report that pays was found among %d for %d agents\n", lie.Tried,
			lie.AgentsProbed)
		return err
	}
	report := ""
	for k, v := range lie.Report {
		report += fmt.Sprintf(" %s=%.6g", r.Resources[k], v)
	}
	_, err = fmt.Fprintf(w, "strategy-proofness is violated: %s gets %.6f and, by reporting%s, %.6f\n",
		r.Agents[lie.Agent], lie.Truth, report, lie.Lie)
	return err
}
