// Package experiment runs independent pieces of work on several goroutines, with results
// that do not depend on their number.
package experiment

import (
	"context"
	"runtime"
	"sync"
)

// Each calls do(i) for i = 0 ... n-1 on the given number of workers, in that
// order of starting, and returns each call's error; 0 workers are as many as there
// are processors. A failure does not stop the others; once ctx is cancelled no
// further call starts, and calls that were not made have ctx's error. done, if not
// nil, is called after each call, one at a time, with how many of the n have ended and
// the last one's error.
func Each(ctx context.Context, workers, n int, do func(i int) error, done func(done, of int, err error)) []error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	errs := make([]error, n)
	var mu sync.Mutex
	next, ended := 0, 0
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1, next <= n
	}
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			for i, more := take(); more; i, more = take() {
				if errs[i] = ctx.Err(); errs[i] == nil {
					errs[i] = do(i)
				}
				if done != nil {
					mu.Lock()
					ended++
					done(ended, n, errs[i])
					mu.Unlock()
				}
			}
		})
	}
	group.Wait()
	return errs
}

// Do is Each for calls whose results are of use only all together: after the first
// failure no further call starts, and that failure is the error.
func Do(ctx context.Context, workers, n int, do func(i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	Each(ctx, workers, n, func(i int) error {
		err := do(i)
		if err != nil {
			stop(err)
		}
		return err
	}, nil)
	return context.Cause(ctx)
}
