package multiresource

import (
	"context"
	"math"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/stat"

	"bourse/traces/rng"
)

// estimate is a mean with its 95 % confidence interval.
type estimate struct{ mean, low, high float64 }

// estimates takes the means of samples, all of one length: sample[k][j] is the
// j-th quantity in the k-th trial.
func estimates(samples [][]float64) []estimate {
	out := make([]estimate, len(samples[0]))
	column := make([]float64, len(samples))
	for j := range out {
		for k := range samples {
			column[k] = samples[k][j]
		}
		mean, sd := stat.MeanStdDev(column, nil)
		half := 0.0
		if len(column) > 1 {
			half = 1.959963984540054 * sd / math.Sqrt(float64(len(column)))
		}
		out[j] = estimate{mean, mean - half, mean + half}
	}
	return out
}

// trials runs one trial for each k below n, on all processors. Trial k draws
// from the stream of that name and the key `first` + k, so that neither the
// number of workers nor their order matters.
func trials(ctx context.Context, n, workers int, seed uint64, name string, first uint64, trial func(*rng.Rand) ([]float64, error)) ([]estimate, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	samples := make([][]float64, n)
	errs := make([]error, workers)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			stream := rng.New(seed, name)
			for k := w; k < n && ctx.Err() == nil; k += workers {
				stream.Key(first + uint64(k))
				if samples[k], errs[w] = trial(stream); errs[w] != nil {
					return
				}
			}
		})
	}
	group.Wait()
	for _, err := range append(errs, ctx.Err()) {
		if err != nil {
			return nil, err
		}
	}
	return estimates(samples), nil
}
