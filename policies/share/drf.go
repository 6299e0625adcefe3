// Package share holds the mechanisms that share several resources at once, as pure functions on
// numbers: demands in, shares out. They know no jobs, machines or clocks; replays and tables
// use the same code through adapters. Sharing one resource round by round is package lending's.
package share

// DRF is dominant resource fairness (Ghodsi et al., NSDI 2011) for agents with
// unlimited demands: equal dominant shares, as large as fit,
// x = 1 / max_r sum_i d_ir.
func DRF(d Demands) ([]float64, error) { return WeightedDRF(nil)(d) }

// WeightedDRF keeps the dominant shares in the ratio of the weights, one an
// agent. Sharing incentive becomes x_i >= w_i / W, envy compares bundles divided
// by the weights.
func WeightedDRF(weights []float64) Mechanism {
	return func(d Demands) ([]float64, error) {
		f, err := newFilling(d, weights)
		if err != nil {
			return nil, err
		}
		return f.run(equally)
	}
}

// UNB gives every agent dominant share 1/n and then raises the agents that hold
// the least of the majority's dominant resource, together, until a resource is
// used up (Bei, Li and Luo, Algorithm 1; for m resources section 4.2). With t
// the level and 1 the majority's resource, A_i1 = max(d_i1 / n, t). It is F_g
// for g(v) = v_1. If there is no minority, every agent gets 1/n.
//
// Strategy-proofness is proved for a special resource fixed beforehand. With two
// resources no report that changes the majority pays, but with more it can:
// an agent may tip the balance between two groups that compete with it for being
// the largest. Family(Coordinate(r)) fixes the resource.
func UNB(d Demands) ([]float64, error) { return WeightedUNB(nil)(d) }

// WeightedUNB is UNB with an agent of weight w standing for w agents; the
// majority is counted by weight.
func WeightedUNB(weights []float64) Mechanism {
	return func(d Demands) ([]float64, error) {
		f, err := newFilling(d, weights)
		if err != nil {
			return nil, err
		}
		return f.run(byHeight(d.column(d.Majority(weights))))
	}
}

func (d Demands) column(r int) []float64 {
	c := make([]float64, len(d))
	for i := range d {
		c[i] = d[i][r]
	}
	return c
}
