package model

import (
	"bytes"
	"fmt"
	"slices"
)

// measuredMachines is the table of machines, which is whole.
type measuredMachines struct {
	shapes           map[string]float64
	last             map[string]string
	gone             map[string]float64
	outages, updates map[string]float64
	away             []float64
}

func (m *measuredMachines) row(c []string) {
	if m.shapes == nil {
		*m = measuredMachines{shapes: map[string]float64{}, last: map[string]string{}, gone: map[string]float64{}, outages: map[string]float64{}, updates: map[string]float64{}}
	}
	at := realOf(c[0]) / 1e6
	switch {
	case c[2] == "1":
		m.gone[c[1]] = at
		m.outages[c[1]]++
	case c[2] == "2":
		m.updates[c[1]]++
	case c[0] == "0":
		m.shapes["{"+c[4]+", "+c[5]+", "]++
		m.outages[c[1]], m.updates[c[1]] = 0, 0
	default:
		if left, ok := m.gone[c[1]]; ok {
			m.away = append(m.away, at-left)
			delete(m.gone, c[1])
		}
	}
}

// print writes the machines.
func (m *measuredMachines) print(b *bytes.Buffer) {
	var keys []string
	all := 0.0
	for k, n := range m.shapes {
		keys = append(keys, k)
		all += n
	}
	slices.Sort(keys)
	slices.SortStableFunc(keys, func(a, b string) int { return int(m.shapes[b] - m.shapes[a]) })
	fmt.Fprintf(b, "\n// shapes are the machines by CPU and memory, with their shares.\nvar shapes = []shape{")
	for _, k := range keys {
		fmt.Fprintf(b, "%s%s}, ", k, digits(m.shapes[k]/all))
	}
	var outages, updates []float64
	removed := 0.0
	for k, n := range m.outages {
		outages = append(outages, n)
		removed += n
		updates = append(updates, m.updates[k])
	}
	fmt.Fprintf(b, "}\n\n// outages and restated are how often a machine goes, and is said to be what it is, in\n// the 29 days.\nvar outages, restated = curve%s, curve%s\n\n", row(quantiles(outages, valueGrid[:])), row(quantiles(updates, valueGrid[:])))
	fmt.Fprintf(b, "// away is for how long a machine goes, in seconds; returning the share that comes back.\nvar away, returning = curve%s, %s\n", row(quantiles(m.away, valueGrid[:])), digits(float64(len(m.away))/removed))
}
