package experiment

import (
	"cmp"
	"context"

	"bourse/reports/stats"
)

// Results are those of an experiment: of each combination of factors, its key, one for each
// replica. Replica k of all keys has the same draws, so that samples are paired.
type Results[K comparable, R any] map[K][]R

// Run calls do for each key and replica, in that order, on a number of workers. A failure
// does not stop the others; the error is the first by order of keys and replicas. done is
// that of Each.
func Run[K comparable, R any](ctx context.Context, workers int, keys []K, replicas int,
	do func(key K, replica int) (R, error),
	done func(done, of int, err error)) (Results[K, R], error) {
	out := make(Results[K, R], len(keys))
	places := make([][]R, len(keys)) // no call writes to the map
	for i, key := range keys {
		places[i] = make([]R, replicas)
		out[key] = places[i]
	}
	errs := Each(ctx, workers, len(keys)*replicas, func(i int) (err error) {
		k, replica := i/replicas, i%replicas
		places[k][replica], err = do(keys[k], replica)
		return err
	}, done)
	return out, cmp.Or(errs...)
}

// Samples returns a figure of a key's results by replica.
func (r Results[K, R]) Samples(key K, figure func(R) float64) []float64 {
	x := make([]float64, len(r[key]))
	for i, result := range r[key] {
		x[i] = figure(result)
	}
	return x
}

// Estimate returns the mean of a figure over a key's replicas, with its interval.
func (r Results[K, R]) Estimate(key K, figure func(R) float64) stats.Estimate {
	return stats.EstimateOf(r.Samples(key, figure))
}
