package reports

import (
	"sync/atomic"

	"bourse/engine"
)

// behindRows is large enough that passing a batch costs nothing beside its records,
// and small enough that all of them stay in the cache.
const behindRows = 256

// Behind passes records on to a sink on a goroutine of its own, so that aggregates
// are summed up and columns filled beside the replay. The records and their order
// are the same; an error of the sink comes back with a later record, or from Close.
type Behind struct {
	to         engine.Sink
	filling    *records
	full, free chan *records
	done       chan struct{}
	failed     atomic.Pointer[error]
	closed     bool
}

// records are copies of outcomes and what their Also point to.
type records struct {
	outcomes []engine.Outcome
	also     []float64
}

// NewBehind starts the goroutine, which Close ends. Until then nobody else may use
// the sink.
func NewBehind(to engine.Sink) *Behind {
	b := &Behind{
		to: to, done: make(chan struct{}),
		full: make(chan *records, batchesInFlight), free: make(chan *records, batchesInFlight),
	}
	for range batchesInFlight {
		b.free <- &records{outcomes: make([]engine.Outcome, 0, behindRows)}
	}
	b.filling = <-b.free
	go b.pass()
	return b
}

// pass is the goroutine. After a failure it goes on taking batches, so that the
// other side never blocks, and drops them.
func (b *Behind) pass() {
	defer close(b.done)
	for r := range b.full {
		for i := range r.outcomes {
			if b.failed.Load() != nil {
				break
			}
			if err := b.to.Record(&r.outcomes[i]); err != nil {
				b.failed.Store(&err)
			}
		}
		r.outcomes, r.also = r.outcomes[:0], r.also[:0]
		b.free <- r
	}
}

// Record implements engine.Sink.
func (b *Behind) Record(o *engine.Outcome) error {
	r := b.filling
	r.outcomes = append(r.outcomes, *o)
	if n := len(r.also); len(o.Also) > 0 {
		r.also = append(r.also, o.Also...)
		r.outcomes[len(r.outcomes)-1].Also = r.also[n:]
	}
	if len(r.outcomes) < behindRows {
		return nil
	}
	b.full <- r
	b.filling = <-b.free
	return b.err()
}

// Close passes on what is left, waits until the sink has it all and returns the
// sink's first error. It may be called again.
func (b *Behind) Close() error {
	if !b.closed {
		b.closed = true
		b.full <- b.filling
		close(b.full)
	}
	<-b.done
	return b.err()
}

func (b *Behind) err() error {
	if err := b.failed.Load(); err != nil {
		return *err
	}
	return nil
}
