package model

import "slices"

// measuredMachines is the table of machines, which is whole.
type measuredMachines struct {
	shapes           map[[2]string]float64
	last             map[string]string
	gone             map[string]float64
	outages, updates map[string]float64
	away             []float64
}

func (m *measuredMachines) row(c []string) {
	if m.shapes == nil {
		*m = measuredMachines{shapes: map[[2]string]float64{}, last: map[string]string{}, gone: map[string]float64{},
			outages: map[string]float64{}, updates: map[string]float64{}}
	}
	at := realOf(c[0]) / 1e6
	switch {
	case c[2] == "1":
		m.gone[c[1]] = at
		m.outages[c[1]]++
	case c[2] == "2":
		m.updates[c[1]]++
	case c[0] == "0":
		m.shapes[[2]string{c[4], c[5]}]++
		m.outages[c[1]], m.updates[c[1]] = 0, 0
	default:
		if left, ok := m.gone[c[1]]; ok {
			m.away = append(m.away, at-left)
			delete(m.gone, c[1])
		}
	}
}

// table sums the machines up.
func (m *measuredMachines) table(out *tables) {
	var keys [][2]string
	all := 0.0
	for k, n := range m.shapes {
		keys = append(keys, k)
		all += n
	}
	slices.SortFunc(keys, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	slices.SortStableFunc(keys, func(a, b [2]string) int { return int(m.shapes[b] - m.shapes[a]) })
	for _, k := range keys {
		out.Shapes = append(out.Shapes, shape{realOf(k[0]), realOf(k[1]), digits(m.shapes[k] / all)})
	}
	var outages, updates []float64
	removed := 0.0
	for k, n := range m.outages {
		outages = append(outages, n)
		removed += n
		updates = append(updates, m.updates[k])
	}
	out.Outages, out.Restated = quantiles(outages, valueGrid[:]), quantiles(updates, valueGrid[:])
	out.Away, out.Returning = quantiles(m.away, valueGrid[:]), digits(float64(len(m.away))/removed)
}
