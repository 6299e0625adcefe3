package stats

import "bourse/policies"

// batches is the number of batches of PairedBatches.
const batches = 20

// PairedBatches returns the mean of b - a over pairs with its 95 % confidence
// interval by the method of batch means: the pairs are cut into
// twenty batches of neighbours, whose means depend on each other much less than
// single values do (Feitelson, "Metrics for parallel job scheduling and their
// convergence", JSSPP 2001). There is no interval for fewer than two pairs a batch.
func PairedBatches(a, b []float64) Estimate {
	mean := 0.0
	n := len(a)
	var means [batches]float64
	for k := range means {
		from, to := k*n/batches, (k+1)*n/batches
		var s policies.Sum
		for i := from; i < to; i++ {
			s.Add(b[i] - a[i])
		}
		mean += s.Value() / float64(max(n, 1))
		means[k] = s.Value() / float64(max(to-from, 1))
	}
	if n < 2*batches {
		return Exactly(mean)
	}
	return Estimate{mean, EstimateOf(means[:]).Half}
}
