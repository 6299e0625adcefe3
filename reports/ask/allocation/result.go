package allocation

import (
	"fmt"
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
	t := &table.Table{Plain: true, Columns: []table.Column{
		table.KeyCol("agent", "agent"),
		table.Col(dominantShare, "dominant share", terminal.Fixed(6))}}
	for _, name := range r.Resources {
		t.Columns = append(t.Columns, table.Col(name, name, terminal.Fixed(6)))
	}
	for i, x := range r.Shares {
		row := []any{r.Agents[i], x}
		for k := range r.Resources {
			row = append(row, x*r.Demands[i][k])
		}
		t.Add(row...)
	}
	return t
}

// Report has the shares as data, welfare and utilisation next to those of the fair optimum, and
// which properties hold. The optimum of a large instance takes a while: it is left out unless
// always is set, and hint says how to set it.
func (r *Result) Report(always bool, hint string) *table.Report {
	t := &table.Table{Name: "welfare", Columns: []table.Column{
		table.KeyCol("result", "result"),
		table.Col("value", r.Name, terminal.Fixed(6)), table.Col("fair_optimum", "fair optimum", terminal.Fixed(6)),
		table.Col("ratio", "optimum / "+r.Name, terminal.Fixed(6))}}
	t.Title = fmt.Sprintf("%s: %d agents, %d resources, alpha %.3g", r.Name, len(r.Agents), len(r.Resources),
		r.Demands.Alpha())
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
	switch {
	case r.Weights != nil:
		t.Notes = []string{"The optimum is not compared: it is defined for equal weights."}
	case missed != nil:
		t.Notes = []string{fmt.Sprintf("The optimum was not found: %v.", missed)}
	case !compared:
		t.Notes = []string{fmt.Sprintf("The optimum for %d agents and %d resources takes a while; %s.", len(r.Agents),
			len(r.Resources), hint)}
	}
	return &table.Report{Data: r.Columns(), Tables: []*table.Table{t}, Answers: r.properties()}
}

// properties says which of them hold, with the evidence.
func (r *Result) properties() (lines []string) {
	agent := func(i int) string { return r.Agents[i] }
	resource := func(k int) string { return r.Resources[k] }
	for _, e := range r.checks() {
		lines = append(lines, e.Explain(agent, resource))
	}
	if r.tooManyPairs() {
		lines = append(lines, fmt.Sprintf("envy-freeness is not checked for more than %d agents with %d resources",
			manyPairs, len(r.Resources)))
	}
	return lines
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

// Lies searches for a false report that pays and says what it found.
func (r *Result) Lies(seed uint64) (string, error) {
	// Enough agents to be telling, few enough to be quick.
	probe := share.Probe{Seed: seed, Agents: 100}
	lie, err := probe.Search(r.Mechanism, r.Demands)
	if err != nil {
		return "", fmt.Errorf("%s: %w", r.File, err)
	}
	if lie.Gain <= share.Tolerance {
		return fmt.Sprintf("strategy-proofness: no report that pays was found among %d for %d agents", lie.Tried,
			lie.AgentsProbed), nil
	}
	report := ""
	for k, v := range lie.Report {
		report += fmt.Sprintf(" %s=%.6g", r.Resources[k], v)
	}
	return fmt.Sprintf("strategy-proofness is violated: %s gets %.6f and, by reporting%s, %.6f", r.Agents[lie.Agent],
		lie.Truth, report, lie.Lie), nil
}
