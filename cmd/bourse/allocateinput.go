package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bourse/policies/share"
	"bourse/traces"
	"bourse/traces/suggest"
	"bourse/traces/table"
)

// allocation is one instance with its names.
type allocation struct {
	file              string
	agents, resources []string
	demands           share.Demands
	weights           []float64 // nil: all 1
	mechanism         share.Mechanism
	shares            []float64
}

// read takes the instance from a table.
func (c *allocateFlags) read(t *table.Table) (*allocation, error) {
	names, err := t.Words("agent")
	if err != nil {
		return nil, err
	}
	first := map[string]int{}
	for i, name := range names {
		if _, twice := first[name]; twice {
			return nil, t.Fault(i, "agent "+name+" has a row already", "want one row per agent")
		}
		first[name] = i
	}
	m := &allocation{file: t.Name, agents: names}
	if c.weights != "" {
		if m.weights, err = t.Floats(c.weights); err != nil {
			return nil, err
		}
		if err := every(t, c.weights, m.weights, func(w float64) bool { return w > 0 && !math.IsInf(w, 1) }, "want a finite number above 0"); err != nil {
			return nil, err
		}
	}
	raw := make([][]float64, t.Rows())
	for _, name := range t.Columns() {
		if strings.EqualFold(name, "agent") || c.weights != "" && strings.EqualFold(name, c.weights) {
			continue
		}
		if name == "dominant_share" {
			return nil, &traces.Error{File: t.Name, Line: 1, What: "a resource is called dominant_share, as the result is"}
		}
		column, err := t.Floats(name)
		if err == nil {
			err = every(t, name, column, func(v float64) bool { return v >= 0 && !math.IsInf(v, 1) }, "want a finite number of 0 or more")
		}
		if err != nil {
			return nil, err
		}
		m.resources = append(m.resources, name)
		for i, v := range column {
			raw[i] = append(raw[i], v)
		}
	}
	if len(m.resources) == 0 {
		return nil, &traces.Error{File: t.Name, Line: 1, What: "there is no column beside agent", Want: "want a column for each resource"}
	}
	if err := c.scale(m.resources, raw); err != nil {
		return nil, err
	}
	for i, row := range raw {
		if slices.Max(row) == 0 {
			return nil, t.Fault(i, "agent "+names[i]+" demands nothing", "leave it out, it cannot be given a share")
		}
	}
	m.demands, err = share.Normalise(raw)
	return m, err
}

// every wants all values of a column to be good.
func every(t *table.Table, name string, column []float64, good func(float64) bool, want string) error {
	for i, v := range column {
		if !good(v) {
			return t.Fault(i, fmt.Sprintf("%s is %g", name, v), want)
		}
	}
	return nil
}

// scale divides amounts by the totals, if there are any.
func (c *allocateFlags) scale(resources []string, raw [][]float64) error {
	if c.totals == "" {
		return nil
	}
	totals := make([]float64, len(resources))
	for _, part := range strings.Split(c.totals, ",") {
		name, text, _ := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		r := slices.IndexFunc(resources, func(s string) bool { return strings.EqualFold(s, name) })
		total, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		switch {
		case r < 0:
			return usagef("--totals names %q, which is no column; the resources are %s%s", name, strings.Join(resources, ", "), suggest.DidYouMean(name, resources))
		case totals[r] != 0:
			return usagef("--totals gives %s twice", name)
		case err != nil || !(total > 0) || math.IsInf(total, 1):
			return usagef("--totals %s: want a number above 0, as in %s=96", part, name)
		}
		totals[r] = total
	}
	for r, total := range totals {
		if total == 0 {
			return usagef("--totals has nothing for %s; give the total of every resource", resources[r])
		}
		for i := range raw {
			raw[i][r] /= total
		}
	}
	return nil
}
