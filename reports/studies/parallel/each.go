package parallel

import (
	"context"
	"sync"
)

// Each calls do(i) for i = 0 ... n-1 on the given number of workers, in that
// order of starting, and returns each call's error. A failure does not stop the
// others; once ctx is cancelled no further call starts, and calls that were not
// made have ctx's error. done, if not nil, is told of each call that ended, one
// at a time.
func Each(ctx context.Context, workers, n int, do func(i int) error, done func(i int, err error)) []error {
	errs := make([]error, n)
	var mu sync.Mutex
	var group sync.WaitGroup
	next := 0
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1, next <= n
	}
	for range max(1, min(workers, n)) {
		group.Add(1)
		go func() {
			defer group.Done()
			for i, more := take(); more; i, more = take() {
				if errs[i] = ctx.Err(); errs[i] == nil {
					errs[i] = do(i)
				}
				if done != nil {
					mu.Lock()
					done(i, errs[i])
					mu.Unlock()
				}
			}
		}()
	}
	group.Wait()
	return errs
}
