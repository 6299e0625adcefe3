package multiresource

import (
	"math"

	"bourse/policies/share"
	"bourse/reports/experiment"
	"bourse/traces/rng"
)

// bounds are the proved upper bounds on optimum / mechanism for n agents.
func (c worstCase) bounds(alpha float64, n int) (welfare, utilisation float64) {
	if c.name == "bal*" {
		return starBounds(alpha, n)
	}
	return c.ratio.welfare(alpha), c.ratio.utilisation(alpha)
}

// part is the larger of optimum / mechanism in parts of its bound; 0 where all agents have
// one dominant resource, for which there is no bound.
func (c worstCase) part(d share.Demands) (float64, error) {
	alpha := d.Alpha()
	if alpha == 0 {
		return 0, nil
	}
	found, err := optimumOver(d, []mechanism{c.mechanism})
	if err != nil {
		return 0, err
	}
	most, full := c.bounds(alpha, len(d))
	return max(found[0]/most, found[1]/full), nil
}

// climbSteps are the changes of one demand that a climb tries, a climb for every
// climbEvery instances.
const climbSteps, climbEvery = 400, 100

// exceed looks for an instance above a mechanism's bounds: the largest part of them over n
// random ones, and after climbing from some of those by changes of one demand.
func (s *study) exceed(c worstCase, n int) (random, climbed float64, err error) {
	parts, tops := make([]float64, n), make([]float64, n)
	err = experiment.Do(s.ctx, s.Workers, n, func(k int) (err error) {
		r := rng.Stream(s.Seed, "multi-resource bounds", uint64(k))
		d := anyInstance(r, 2)
		if parts[k], err = c.part(d); err != nil || k%climbEvery > 0 {
			return err
		}
		tops[k] = parts[k]
		for range climbSteps {
			row, to := d[r.IntN(len(d))], math.Pow(10, -3*r.Float64())
			at := r.IntN(2)
			if row[at] == 1 {
				at = 1 - at
			}
			old := row[at]
			row[at] = to
			p, err := c.part(d)
			if err != nil {
				return err
			}
			if p < tops[k] {
				row[at] = old
			} else {
				tops[k] = p
			}
		}
		return nil
	})
	for k := range parts {
		random, climbed = max(random, parts[k]), max(climbed, tops[k])
	}
	return random, climbed, err
}

// limit extrapolates three values at sizes that double to sizes without end, by what is
// of first and second order in 1/size.
func limit(f []float64) float64 {
	once, again := float64(2*f[1])-f[0], float64(2*f[2])-f[1]
	return (float64(4*again) - once) / 3
}
