package multiresource

import "bourse/policies/share"

// cpuShare is the share of a pool's vectors whose dominant resource is CPU, ties
// counting half, with demands divided by totals.
func cpuShare(pool [][2]float64, totals [2]float64) float64 {
	sum := 0.0
	for _, v := range pool {
		switch a, b := v[0]/totals[0], v[1]/totals[1]; {
		case a > b:
			sum++
		case a == b:
			sum += .5
		}
	}
	return sum / float64(len(pool))
}

// demands normalises a pool.
func demands(pool [][2]float64, totals [2]float64) (share.Demands, error) {
	raw := make([][]float64, len(pool))
	for i, v := range pool {
		raw[i] = []float64{v[0] / totals[0], v[1] / totals[1]}
	}
	return share.Normalise(raw)
}
