// Package allocation shares several resources among agents once: it reads a table of
// demands, runs a mechanism of package share on it, and prints what the allocation is
// worth and which properties it has.
package allocation

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bourse/engine/scenario"
	"bourse/policies/share"
	"bourse/traces"
	"bourse/traces/suggest"
	"bourse/traces/table"
)

// dominantShare is the column of the result that is no resource.
const dominantShare = "dominant_share"

// Instance is a table of demands: agents, resources, and the weights of the agents.
type Instance struct {
	File              string
	Agents, Resources []string
	Demands           share.Demands
	Weights           []float64 // nil: all 1
}

// Read takes an instance from a table with the column agent, one for each resource and,
// unless weights is empty, one of that name for the agents' weights. totals, as in
// "cpu=96,memory=512", are the amounts there are; without them demands are fractions.
func Read(t *table.Table, weights, totals string) (*Instance, error) {
	names, err := t.Words("agent")
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i, name := range names {
		if seen[name] {
			return nil, t.Fault(i, "agent "+name+" has a row already", "want one row per agent")
		}
		seen[name] = true
	}
	in := &Instance{File: t.Name, Agents: names}
	if weights != "" {
		if in.Weights, err = t.FloatsFor(weights, func(w float64) bool { return w > 0 && !math.IsInf(w, 1) },
			"want a finite number above 0"); err != nil {
			return nil, err
		}
	}
	raw, err := in.amounts(t, weights)
	if err != nil {
		return nil, err
	}
	if err := scale(in.Resources, raw, totals); err != nil {
		return nil, &scenario.OptionError{Option: "totals", Err: err}
	}
	for i, row := range raw {
		if slices.Max(row) == 0 {
			return nil, t.Fault(i, "agent "+names[i]+" demands nothing", "leave it out, it cannot be given a share")
		}
	}
	in.Demands, err = share.Normalise(raw)
	return in, err
}

// amounts reads the columns of the resources: a row for each agent.
func (in *Instance) amounts(t *table.Table, weights string) ([][]float64, error) {
	raw := make([][]float64, t.Rows())
	for _, name := range t.Columns() {
		if strings.EqualFold(name, "agent") || weights != "" && strings.EqualFold(name, weights) {
			continue
		}
		if name == dominantShare {
			return nil, &traces.Error{File: t.Name, Line: 1, What: "a resource is called dominant_share, as the result is"}
		}
		column, err := t.FloatsFor(name, func(v float64) bool { return v >= 0 && !math.IsInf(v, 1) },
			"want a finite number of 0 or more")
		if err != nil {
			return nil, err
		}
		in.Resources = append(in.Resources, name)
		for i, v := range column {
			raw[i] = append(raw[i], v)
		}
	}
	if len(in.Resources) == 0 {
		return nil, &traces.Error{File: t.Name, Line: 1, What: "there is no column but agent",
			Want: "want a column for each resource"}
	}
	return raw, nil
}

// scale divides amounts by the totals, if there are any.
func scale(resources []string, raw [][]float64, text string) error {
	if text == "" {
		return nil
	}
	totals := make([]float64, len(resources))
	for _, part := range strings.Split(text, ",") {
		name, number, _ := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		r := slices.IndexFunc(resources, func(s string) bool { return strings.EqualFold(s, name) })
		total, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		switch {
		case r < 0:
			return fmt.Errorf("names %q, which is no column; the resources are %s%s", name, strings.Join(resources, ", "),
				suggest.DidYouMean(name, resources))
		case totals[r] != 0:
			return fmt.Errorf("gives %s twice", name)
		case err != nil || !(total > 0) || math.IsInf(total, 1):
			return fmt.Errorf("%s: want a number above 0, as in %s=96", part, name)
		}
		totals[r] = total
	}
	for r, total := range totals {
		if total == 0 {
			return fmt.Errorf("has nothing for %s; give the total of every resource", resources[r])
		}
		for i := range raw {
			raw[i][r] /= total
		}
	}
	return nil
}
