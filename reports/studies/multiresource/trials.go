package multiresource

import (
	"context"

	"bourse/reports/stats"
	"bourse/reports/studies/parallel"
	"bourse/traces/rng"
)

// trials runs one trial for each k below n and returns the mean of each quantity.
// Trial k draws from the stream of that name and the key `first` + k, so that
// neither the number of workers nor their order matters.
func trials(ctx context.Context, n, workers int, seed uint64, name string, first uint64, trial func(*rng.Rand) ([]float64, error)) ([]stats.Estimate, error) {
	samples := make([][]float64, n)
	err := parallel.Do(ctx, workers, n, func(k int) (err error) {
		samples[k], err = trial(rng.Stream(seed, name, first+uint64(k)))
		return err
	})
	if err != nil {
		return nil, err
	}
	return estimates(samples), nil
}

// estimates takes the means of samples, all of one length: sample[k][j] is the
// j-th quantity in the k-th trial.
func estimates(samples [][]float64) []stats.Estimate {
	out := make([]stats.Estimate, len(samples[0]))
	column := make([]float64, len(samples))
	for j := range out {
		for k := range samples {
			column[k] = samples[k][j]
		}
		out[j] = stats.EstimateOf(column)
	}
	return out
}
