package main

import (
	"fmt"

	"bourse/policies/share"
	"bourse/reports/terminal"
)

// smallProgram is the number of agents up to which the optimum of three
// resources or more is computed without being asked for: about a second.
const smallProgram = 300

// manyPairs is the number of agents up to which envy is looked for in all pairs:
// a few seconds. With two resources there is a faster way.
const manyPairs = 20_000

// summary prints welfare and utilisation beside those of the fair optimum.
func (c *allocateFlags) summary(a *app, m *allocation) error {
	fmt.Fprintf(a.stderr, "%s: %d agents, %d resources, alpha %.3g\n\n", c.mechanism, len(m.agents), len(m.resources), m.demands.Alpha())
	table := terminal.NewTable("", c.mechanism, "fair optimum", "optimum / "+c.mechanism)
	compared := m.weights == nil && (c.optimum || len(m.resources) <= 2 || len(m.agents) <= smallProgram)
	for _, row := range []struct {
		name    string
		value   func([]float64) float64
		optimum share.Mechanism
	}{{"welfare", share.Welfare, share.MaxWelfare}, {"utilisation", m.demands.Utilisation, share.MaxUtilisation}} {
		got := row.value(m.shares)
		if !compared {
			table.Row(row.name, fmt.Sprintf("%.6f", got), "-", "-")
			continue
		}
		x, err := row.optimum(m.demands)
		if err != nil {
			return fmt.Errorf("%s: the optimum: %w", m.file, err)
		}
		best := row.value(x)
		table.Row(row.name, fmt.Sprintf("%.6f", got), fmt.Sprintf("%.6f", best), fmt.Sprintf("%.6f", best/got))
	}
	for r, used := range m.demands.Used(m.shares) {
		table.Row("used of "+m.resources[r], fmt.Sprintf("%.6f", used))
	}
	if err := table.Write(a.stderr); err != nil {
		return err
	}
	switch {
	case m.weights != nil:
		fmt.Fprintln(a.stderr, "\nThe optimum is not compared: it is defined for equal weights.")
	case !compared:
		fmt.Fprintf(a.stderr, "\nThe optimum for %d agents and %d resources takes a while; --optimum computes it.\n", len(m.agents), len(m.resources))
	}
	return nil
}

// properties prints what the checks found.
func (c *allocateFlags) properties(a *app, m *allocation) error {
	fmt.Fprintln(a.stderr)
	agent := func(i int) string { return m.agents[i] }
	resource := func(r int) string { return m.resources[r] }
	for _, e := range m.checks() {
		fmt.Fprintln(a.stderr, e.Explain(agent, resource))
	}
	if len(m.resources) > 2 && len(m.agents) > manyPairs {
		fmt.Fprintf(a.stderr, "envy-freeness is not checked for more than %d agents with %d resources\n", manyPairs, len(m.resources))
	}
	if !c.lies {
		return nil
	}
	// Enough agents to be telling, few enough to be quick.
	probe := share.Probe{Seed: c.seed, Agents: 100}
	lie, err := probe.Search(m.mechanism, m.demands)
	if err != nil {
		return fmt.Errorf("%s: %w", m.file, err)
	}
	if lie.Gain <= share.Tolerance {
		fmt.Fprintf(a.stderr, "strategy-proofness: no report that pays was found among %d for %d agents\n", lie.Tried, lie.AgentsProbed)
		return nil
	}
	report := ""
	for r, v := range lie.Report {
		report += fmt.Sprintf(" %s=%.6g", m.resources[r], v)
	}
	fmt.Fprintf(a.stderr, "strategy-proofness is violated: %s gets %.6f and, by reporting%s, %.6f\n", m.agents[lie.Agent], lie.Truth, report, lie.Lie)
	return nil
}

// checks are the properties of an allocation. With weights, envy and sharing
// incentive are about bundles and shares divided by the weights: those of the
// demands with shares x_i / w_i, an equal part being 1/W.
func (m *allocation) checks() []share.Evidence {
	scaled := m.shares
	if m.weights != nil {
		scaled = make([]float64, len(m.shares))
		sum := share.Welfare(m.weights)
		for i, x := range m.shares {
			scaled[i] = x / m.weights[i] * sum / float64(len(m.shares))
		}
	}
	found := []share.Evidence{share.Feasible(m.demands, m.shares), share.SharingIncentive(m.demands, scaled), share.ParetoOptimal(m.demands, m.shares)}
	if len(m.resources) <= 2 || len(m.agents) <= manyPairs {
		found = append(found, share.EnvyFree(m.demands, scaled))
	}
	return found
}
