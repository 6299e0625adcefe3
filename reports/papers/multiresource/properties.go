package multiresource

import (
	"fmt"
	"slices"

	"bourse/policies/share"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/rng"
)

// property is a mechanism with the number of resources it is tried on, and
// whether the paper says that it is strategy-proof.
type property struct {
	name      string
	share     share.Mechanism
	resources int
	honest    bool
}

var properties = []property{
	{"drf", share.DRF, 2, true},
	{"unb", share.UNB, 2, true},
	{"bal", share.BAL, 2, false},
	{"bal*", share.BALStar, 2, true},
	{"hybrid-sw", share.HybridWelfare, 2, true},
	{"hybrid-util", share.HybridUtilisation, 2, true},
	{"drf", share.DRF, 4, true},
	{"family:1", share.Family(share.Coordinate(1), nil), 4, true},
	{"family:sum", share.Family(share.Sum, nil), 4, true},
	{"family:product", share.Family(share.Product, nil), 4, true},
	{"family:norm(2)", share.Family(share.Norm(2), nil), 4, true},
	{"unb, largest group", share.UNB, 4, false},
}

// checkProperties tries the four properties on random instances of 2 to 12
// agents, ten times as many as a point of the figures has: in each, two agents try
// lies.
func (s *study) checkProperties() error {
	fairly := 10 * s.Instances
	s.Heading("Properties on %d random instances, in each of which two agents try lies", fairly)
	t := table.New(
		table.KeyCol("mechanism", "mechanism"), table.Column{Name: "m", Heading: "m", Key: true},
		table.Col("", "feasible", terminal.Number), table.Col("", "SI", terminal.Number),
		table.Col("", "EF", terminal.Number), table.Col("", "PO", terminal.Number),
		table.Col("instances", "", terminal.Number), table.Col("violations", "", terminal.Number),
		table.Col("searched", "", terminal.Number), table.Col("lies", "lies that pay", terminal.Number),
		table.Col("mean_gain", "mean gain there", terminal.Fixed(4)))
	honest := true
	for _, p := range properties {
		key := uint64(p.resources) << 56 // all mechanisms get the same instances
		fair, err := s.trials(fairly, "multi-resource properties", key, func(r *rng.Rand) ([]float64, error) {
			return violations(p.share, anyInstance(r, p.resources))
		})
		if err != nil {
			return err
		}
		lies, err := s.trials(fairly, "multi-resource lies", key, func(r *rng.Rand) ([]float64, error) {
			d := anyInstance(r, p.resources)
			lie, err := share.Probe{Tries: 24, Agents: 2, Seed: r.Uint64()}.Search(p.share, d)
			if err != nil || lie.Gain <= share.Tolerance {
				return []float64{0, 0}, err
			}
			return []float64{1, lie.Gain}, nil
		})
		if err != nil {
			return err
		}
		cells := []any{p.name, p.resources}
		sum := 0.0
		for _, e := range fair {
			cells = append(cells, verdictOf(e.Mean, fairly))
			sum += e.Mean
		}
		found, gain := lies[0].Mean*float64(fairly), 0.0
		if found > 0 {
			gain = lies[1].Mean / lies[0].Mean
		}
		honest = honest && (found == 0 || !p.honest)
		t.Add(append(cells, fairly, sum*float64(fairly), fairly, found, gain)...)
	}
	s.Show(t)
	pay := func(mechanism, resources string) float64 {
		return t.At(table.KeyOf(mechanism, resources), "lies").Value().Mean
	}
	s.Hold("Properties", "all mechanisms have SI, EF and PO", slices.Max(t.Numbers("violations")) == 0, "%d instances each", fairly)
	s.Hold("Properties", "all but bal are strategy-proof", honest, "no lie found that pays in %d instances each", fairly).
		Read("proved, so the search could only refute it; of the family F for m > 2 it tries four functions g, UNB being " +
			"the first coordinate, a fixed group (section 4.2)")
	s.Hold("Properties", "bal is not", pay("bal", "2") > 0, "lies pay in %.0f of %d instances", pay("bal", "2"),
		fairly)
	s.Found("Section 4.3", "choosing the largest group costs strategy-proofness",
		"lies that change the largest group pay in %.0f of %d instances; of a group fixed beforehand, as family:1, in none",
		pay("unb, largest group", "4"), fairly).
		Read("\"in practice we can choose the largest group as G_1\" is a remark: strategy-proofness is claimed for an " +
			"arbitrary fixed group")
	return s.Keep("properties", t)
}

// verdictOf writes the share of instances that violate a property.
func verdictOf(part float64, n int) string {
	if part == 0 {
		return "holds"
	}
	return fmt.Sprintf("fails in %.0f", part*float64(n))
}

// anyInstance draws 2 to 12 agents with entries on the grid.
func anyInstance(r *rng.Rand, m int) share.Demands {
	d := make(share.Demands, 2+r.IntN(11))
	for i := range d {
		d[i] = make([]float64, m)
		for k := range d[i] {
			d[i][k] = grid(1 + r.IntN(100))
		}
		d[i][r.IntN(m)] = 1
	}
	return d
}

// violations is 1 for each property that does not hold: feasibility, SI, EF, PO.
func violations(m share.Mechanism, d share.Demands) ([]float64, error) {
	x, err := m(d)
	if err != nil {
		return nil, err
	}
	found := share.CheckAllocation(d, x)
	out := make([]float64, len(found))
	for k, e := range found {
		if !e.Holds {
			out[k] = 1
		}
	}
	return out, nil
}
