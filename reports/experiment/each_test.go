package experiment_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"bourse/reports/experiment"
)

var errOdd = errors.New("odd")

// TestEach wants every call made once, its error in its place, and each reported,
// whatever the number of workers.
func TestEach(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 100} {
		const n = 50
		var calls [n]atomic.Int32
		var order []int
		reported := 0
		errs := experiment.Each(context.Background(), workers, n, func(i int) error {
			calls[i].Add(1)
			if workers == 1 {
				order = append(order, i)
			}
			if i%2 == 1 {
				return errOdd
			}
			return nil
		}, func(done, of int, err error) {
			reported++ // one at a time: no lock
			if done != reported || of != n || err != nil && !errors.Is(err, errOdd) {
				t.Errorf("%d workers: %d of %d reported with %v; want %d of %d", workers, done, of, err, reported, n)
			}
		})
		for i := range calls {
			if calls[i].Load() != 1 || errors.Is(errs[i], errOdd) != (i%2 == 1) {
				t.Errorf("%d workers: call %d was made %d times, error %v", workers, i, calls[i].Load(), errs[i])
			}
		}
		if !slices.IsSorted(order) {
			t.Errorf("one worker made the calls in the order %v", order)
		}
		if reported != n {
			t.Errorf("%d workers: %d calls are reported", workers, reported)
		}
	}
	if errs := experiment.Each(context.Background(), 2, 0, nil, nil); len(errs) != 0 {
		t.Errorf("no calls have errors %v", errs)
	}
}

// TestEachCancelled wants no call to start once the context is cancelled, and
// those not made to have its error.
func TestEachCancelled(t *testing.T) {
	for _, workers := range []int{1, 4} {
		ctx, stop := context.WithCancel(context.Background())
		var made atomic.Int32
		errs := experiment.Each(ctx, workers, 100, func(i int) error {
			made.Add(1)
			stop()
			return nil
		}, nil)
		skipped := 0
		for _, err := range errs {
			if errors.Is(err, context.Canceled) {
				skipped++
			}
		}
		if n := int(made.Load()); n > workers || skipped != 100-n {
			t.Errorf("%d workers: %d calls made after the first cancelled, %d have its error", workers, n, skipped)
		}
	}
}

// TestDo wants the first failure as the error and no call started after it.
func TestDo(t *testing.T) {
	var made atomic.Int32
	if err := experiment.Do(context.Background(), 3, 40, func(int) error { made.Add(1); return nil }); err != nil ||
		made.Load() != 40 {
		t.Errorf("%d of 40 calls made, error %v", made.Load(), err)
	}
	made.Store(0)
	err := experiment.Do(context.Background(), 1, 40, func(i int) error {
		made.Add(1)
		if i == 7 {
			return errOdd
		}
		return nil
	})
	if !errors.Is(err, errOdd) || made.Load() != 8 {
		t.Errorf("error %v after %d calls, want one after 8", err, made.Load())
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := experiment.Do(ctx, 2, 5, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before it began: %v", err)
	}
}

// TestRun wants each key's results in order of replicas for any number of workers, paired
// samples, and the first error by order of keys.
func TestRun(t *testing.T) {
	keys := []string{"a", "b", "c"}
	for _, workers := range []int{1, 4} {
		r, err := experiment.Run(context.Background(), workers, keys, 5, func(key string, replica int) (float64, error) {
			return float64(10*replica) + float64(key[0]-'a'), nil
		}, nil)
		if err != nil || !slices.Equal(r["b"], []float64{1, 11, 21, 31, 41}) {
			t.Fatal(r, err)
		}
		same := func(x float64) float64 { return x }
		if e := r.Estimate("c", same); e.Mean != 22 || !e.Known() ||
			!slices.Equal(r.Samples("a", same), []float64{0, 10, 20, 30, 40}) {
			t.Errorf("%v", e)
		}
		_, err = experiment.Run(context.Background(), workers, keys, 3, func(key string, replica int) (int, error) {
			if key == "b" && replica == 1 || key == "c" {
				return 0, errOdd
			}
			return 0, nil
		}, nil)
		if !errors.Is(err, errOdd) {
			t.Errorf("%v", err)
		}
	}
}
