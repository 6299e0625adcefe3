package traces

import (
	"errors"
	"sync"
	"time"

	"bourse/events"
)

const (
	// A batch is large enough that passing it costs nothing compared with its jobs,
	// and small enough that three of them stay in the cache.
	aheadBatch   = 512
	aheadBatches = 3
	// closeTimeout bounds how long Close waits for a read under way: a file
	// answers at once, a silent pipe perhaps never.
	closeTimeout = time.Second
)

// Ahead reads src ahead on a goroutine of its own, so that decompression and
// parsing overlap with the replay. The jobs, their order and the final Ledger
// are those of src; the Ledger grows by batches. No one else may read src
// afterwards. The goroutine ends with the trace, or at Close.
func Ahead(src Source) Source {
	a := &ahead{
		src:  src,
		full: make(chan *batch, aheadBatches),
		free: make(chan *batch, aheadBatches),
		stop: make(chan struct{}),
		gone: make(chan struct{}),
	}
	a.header = *src.Header()
	a.header.Ledger = &Ledger{}
	first := &ledgerStep{}
	first.setGrowth(&Ledger{}, src.Header().Ledger)
	first.addTo(a.header.Ledger)
	for range aheadBatches {
		a.free <- &batch{jobs: make([]Job, aheadBatch)}
	}
	go a.read(src)
	return a
}

type ahead struct {
	src    Source
	header Header
	full   chan *batch
	free   chan *batch
	now    *batch // being handed out
	next   int
	err    error
	stop   chan struct{} // closed by Close
	gone   chan struct{} // closed when the goroutine has ended
	once   sync.Once
	closed error // what closing src returned
}

type batch struct {
	jobs   []Job
	n      int
	err    error // after the jobs
	ledger ledgerStep
}

// Header returns a copy of the inner header with a Ledger of its own.
func (a *ahead) Header() *Header { return &a.header }

// Unwrap returns the inner source, for As.
func (a *ahead) Unwrap() Source { return a.src }

// Next implements Source.
func (a *ahead) Next(j *Job) error {
	for a.now == nil || a.next == a.now.n {
		if err := a.nextBatch(); err != nil {
			return err
		}
	}
	*j = a.now.jobs[a.next]
	a.next++
	return nil
}

// nextBatch gives the spent batch back and waits for the next one.
func (a *ahead) nextBatch() error {
	if a.err != nil {
		return a.err
	}
	if a.now != nil {
		if a.now.err != nil {
			a.err = a.now.err
			return a.err
		}
		a.free <- a.now
	}
	select {
	case a.now = <-a.full:
		a.next = 0
	case <-a.stop:
		a.err = errors.New(a.header.Name + ": read after Close")
		return a.err
	}
	a.now.ledger.addTo(a.header.Ledger)
	return nil
}

// read fills batches until src ends or Close is called.
func (a *ahead) read(src Source) {
	defer close(a.gone)
	ledger := src.Header().Ledger
	reported := copied(ledger)
	for {
		var b *batch
		select {
		case b = <-a.free:
		case <-a.stop:
			return
		}
		b.n, b.err = 0, nil
		for b.n < len(b.jobs) && b.err == nil {
			if b.err = src.Next(&b.jobs[b.n]); b.err == nil {
				b.n++
			}
		}
		b.ledger.setGrowth(reported, ledger)
		b.ledger.addTo(reported)
		over := b.err != nil
		a.full <- b // never blocks: there are no more batches than places
		if over {
			return
		}
	}
}

// Close stops reading and closes the inner source.
func (a *ahead) Close() error {
	a.once.Do(func() {
		close(a.stop)
		select {
		case <-a.gone:
			a.closed = Close(a.src)
		case <-time.After(closeTimeout):
			go func() { <-a.gone; Close(a.src) }()
		}
	})
	return a.closed
}

// ledgerStep is what a Ledger has grown by.
type ledgerStep struct {
	read    int64
	added   int64
	dropped [NumReasons]int64
	outside [2]events.Time
	odd     []Note
}

// setGrowth sets the step to the growth from one state of a ledger to another.
func (s *ledgerStep) setGrowth(from, to *Ledger) {
	s.read, s.added, s.outside, s.odd = to.Read-from.Read, to.Added-from.Added, to.Outside, s.odd[:0]
	for i := range s.dropped {
		s.dropped[i] = to.Dropped[i] - from.Dropped[i]
	}
	for what, n := range to.Oddities { // the order cannot show: they are summed by name
		if grown := n - from.Oddities[what]; grown != 0 {
			s.odd = append(s.odd, Note{what, grown})
		}
	}
}

func (s *ledgerStep) addTo(l *Ledger) {
	l.Read += s.read
	l.Added += s.added
	if s.dropped[OutsideWindow] > 0 {
		l.Outside = s.outside
	}
	for i, n := range s.dropped {
		l.Dropped[i] += n
	}
	for _, o := range s.odd {
		if l.Oddities == nil {
			l.Oddities = map[string]int64{}
		}
		l.Oddities[o.What] += o.Count
	}
}

func copied(l *Ledger) *Ledger {
	c := &Ledger{}
	step := &ledgerStep{}
	step.setGrowth(c, l)
	step.addTo(c)
	return c
}
