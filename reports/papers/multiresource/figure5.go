package multiresource

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"bourse/policies/share"
	"bourse/reports/figures"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/rng"
)

// figure5 compares unb with drf on random instances with m resources.
func (s *study) figure5() error {
	const n = 100
	s.Heading("Figure 5: improvement of unb over drf in per cent, n = %d", n)
	var rows [2][]figures.Drawing
	points := table.New(table.Named("m", "alpha", "beta", "welfare", "welfare_low", "welfare_high", "utilisation",
		"utilisation_low", "utilisation_high")...)
	g := gains{low: map[int]stats.Estimate{}, high: map[int]stats.Estimate{}, least: [2]float64{math.Inf(1), math.Inf(1)},
		most: [2]float64{math.Inf(-1), math.Inf(-1)}}
	axis := make([]float64, 9)
	for i := range axis {
		axis[i] = float64(i+1) / 10
	}
	for _, m := range []int{3, 4, 5} {
		var z [2][][]float64
		for b := range axis {
			var lines [2][]float64
			for a := range axis {
				key := uint64(m)<<48 | uint64(a)<<40 | uint64(b)<<32
				found, err := s.trials(s.Instances, "multi-resource figure 5", key, func(stream *rng.Rand) ([]float64, error) {
					return unbOverDRF(manyResources(stream, n, 10*(a+1), m, axis[b]))
				})
				if err != nil {
					return err
				}
				points.Add(m, axis[a], axis[b], found[0].Mean, found[0].Low(), found[0].High(), found[1].Mean, found[1].Low(),
					found[1].High())
				for q := range lines {
					lines[q] = append(lines[q], found[q].Mean)
					g.see(q, m, axis[a], axis[b], found[q])
				}
			}
			for q := range z {
				z[q] = append(z[q], lines[q])
			}
		}
		for q, of := range []string{"welfare", "utilisation"} {
			rows[q] = append(rows[q], &figures.Cells{Title: fmt.Sprintf("%s, m = %d (%%)", of, m), X: outsideLabel,
				Y:       demandLabel,
				Columns: axis, Rows: axis, Z: z[q], Limit: []float64{40, 80}[q], Format: "%+.0f"})
		}
	}
	g.report(s)
	s.Keep("figure5", points)
	return s.Draw("figure5", rows[0], rows[1])
}

// forMany are the two that are compared with any number of resources: UNB is for the first.
var forMany = []mechanism{{"drf", share.DRF}, {"unb", share.Family(share.Coordinate(1), nil)}}

// unbOverDRF returns by how many per cent UNB for resource 1 exceeds DRF in
// welfare and utilisation.
func unbOverDRF(d share.Demands) ([]float64, error) {
	drf, err := forMany[0].share(d)
	if err != nil {
		return nil, err
	}
	unb, err := forMany[1].share(d)
	if err != nil {
		return nil, err
	}
	return []float64{
		100 * (share.Welfare(unb)/share.Welfare(drf) - 1),
		100 * (d.Utilisation(unb)/d.Utilisation(drf) - 1),
	}, nil
}

// gains are the extremes of Figure 5: welfare (0) and utilisation (1).
type gains struct {
	least, most [2]float64
	better, all [2]int
	// low and high bound welfare where alpha and beta are at most .3, by m.
	low, high map[int]stats.Estimate
	// worseAt are the alphas at which unb loses welfare.
	worseAt []float64
}

func (g *gains) see(q, m int, alpha, beta float64, gain stats.Estimate) {
	g.least[q], g.most[q] = min(g.least[q], gain.Mean), max(g.most[q], gain.Mean)
	if g.all[q]++; gain.Mean > 0 {
		g.better[q]++
	}
	if q == 1 {
		return
	}
	if alpha <= .3 && beta <= .3 {
		if e, known := g.low[m]; !known || gain.Mean < e.Mean {
			g.low[m] = gain
		}
		if e, known := g.high[m]; !known || gain.Mean > e.Mean {
			g.high[m] = gain
		}
	}
	if gain.Mean < 0 {
		g.worseAt = append(g.worseAt, alpha)
	}
}

func (g *gains) report(s *study) {
	t := table.New(table.Headed(terminal.Fixed(1), "in", "unb better at", "least %", "most %")...)
	for q, of := range []string{"welfare", "utilisation"} {
		t.Add(of, fmt.Sprintf("%d of %d", g.better[q], g.all[q]), table.Change(stats.Exactly(g.least[q])),
			table.Change(stats.Exactly(g.most[q])))
	}
	s.Show(t)
	at := 1.0
	if len(g.worseAt) > 0 {
		at = floats.Min(g.worseAt)
	}
	s.Hold("Figure 5", "unb beats drf for a wide range of alpha and beta", 2*g.better[0] > g.all[0] &&
		2*g.better[1] > g.all[1],
		"at %d (welfare) and %d (utilisation) of %d points", g.better[0], g.better[1],
		g.all[0]).Read("wide: more than half of the points")
	s.Hold("Figure 5", "drf is better where alpha is close to 1", at > .5, "unb loses welfare only from alpha %.1f on",
		at).Read("close to 1: no loss up to .5")
	for _, m := range []int{3, 4, 5} {
		low, high := g.low[m], g.high[m]
		says, found := fmt.Sprintf("welfare gains 40 to 100 %% for alpha, beta <= .3, m = %d", m),
			fmt.Sprintf("%.1f [%.1f, %.1f] to %.1f [%.1f, %.1f] %%", low.Mean, low.Low(), low.High(), high.Mean,
				high.Low(), high.High())
		if m > 3 {
			s.Found("Figure 5", says, "%s", found).Read("more resources gain more than the sentence says, which names no m")
			continue
		}
		s.Hold("Figure 5", says, low.High() >= 40 && high.Low() <= 100, "%s", found).
			Read("both ends within our 95 %% intervals; the sentence names no m: its numbers are those of the panel m = 3")
	}
	s.Hold("Figure 5", "welfare loses at most 20 %", g.least[0] >= -20, "%.1f %% at worst", g.least[0])
	s.Hold("Figure 5", "utilisation gains more than 200 % at best", g.most[1] > 200, "%.0f %% at best", g.most[1])
	s.Hold("Figure 5", "utilisation loses at most 70 %", g.least[1] >= -70, "%.1f %% at worst", g.least[1])
}
