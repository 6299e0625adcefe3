package multiresource

import (
	"math"

	"bourse/policies/share"
	"bourse/reports/experiment"
	"bourse/reports/stats"
	"bourse/traces/rng"
)

// synthetic draws an instance of section 3.3: n agents of whom `minority` have
// resource 2 as their dominant one, the other entries uniform on the grid 0.01,
// 0.02, ... 1.00.
func synthetic(r *rng.Rand, n, minority int) share.Demands {
	d := make(share.Demands, n)
	for i := range d {
		v := grid(1 + r.IntN(100))
		if d[i] = []float64{1, v}; i < minority {
			d[i] = []float64{v, 1}
		}
	}
	return d
}

func grid(k int) float64 { return float64(k) / 100 }

// manyResources draws an instance of section 4.3: n agents of whom `outside`
// have a dominant resource other than the first, chosen evenly; entries of
// non-dominant resources are, with probability beta, uniform on the grid above
// beta, and otherwise on the grid up to beta.
func manyResources(r *rng.Rand, n, outside, m int, beta float64) share.Demands {
	d := make(share.Demands, n)
	cut := int(math.Round(100 * beta))
	for i := range d {
		d[i] = make([]float64, m)
		for k := range d[i] {
			if r.Float64() < beta {
				d[i][k] = grid(cut + 1 + r.IntN(100-cut))
			} else {
				d[i][k] = grid(1 + r.IntN(cut))
			}
		}
		if i < outside {
			d[i][1+r.IntN(m-1)] = 1
		} else {
			d[i][0] = 1
		}
	}
	return d
}

// sample draws n agents from a pool with replacement, anew while all of them
// have the same dominant resource, for which the paper's alpha is 0.
func sample(r *rng.Rand, pool share.Demands, n int) share.Demands {
	d := make(share.Demands, n)
	for {
		for i := range d {
			d[i] = pool[r.IntN(len(pool))]
		}
		if d.Alpha() > 0 {
			return d
		}
	}
}

// mechanism is one with its name.
type mechanism struct {
	name  string
	share share.Mechanism
}

// compared are the mechanisms of Figure 3.
var compared = []mechanism{{"drf", share.DRF}, {"unb", share.UNB}, {"bal", share.BAL}, {"bal*", share.BALStar}}

// optimumOver returns optimum / mechanism for welfare and then for utilisation,
// a value for each of the mechanisms.
func optimumOver(d share.Demands, mechanisms []mechanism) ([]float64, error) {
	best, err := share.MaxWelfare(d)
	if err != nil {
		return nil, err
	}
	most, err := share.MaxUtilisation(d)
	if err != nil {
		return nil, err
	}
	out := make([]float64, 2*len(mechanisms))
	for k, m := range mechanisms {
		x, err := m.share(d)
		if err != nil {
			return nil, err
		}
		out[k] = share.Welfare(best) / share.Welfare(x)
		out[len(mechanisms)+k] = d.Utilisation(most) / d.Utilisation(x)
	}
	return out, nil
}

// trials runs one trial for each k below n and returns the mean of each quantity.
// Trial k draws from the stream of that name and the key `first` + k, so that
// neither the number of workers nor their order matters.
func (s *study) trials(n int, name string, first uint64, trial func(*rng.Rand) ([]float64, error)) ([]stats.Estimate,
	error) {
	samples := make([][]float64, n)
	err := experiment.Do(s.ctx, s.Workers, n, func(k int) (err error) {
		samples[k], err = trial(rng.Stream(s.Seed, name, first+uint64(k)))
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]stats.Estimate, len(samples[0]))
	for j := range out {
		out[j] = stats.EstimateOver(n, func(k int) float64 { return samples[k][j] })
	}
	return out, nil
}
