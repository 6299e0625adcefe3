package google

import (
	"io"

	"bourse/traces"
	"bourse/traces/input"
)

// eventBatch is some thousand rows of one part, or the part's end.
type eventBatch struct {
	events []TaskEvent
	users  [][]byte // met for the first time in this part, in order
	bad    []error  // malformed rows, in order
	left   int64    // rows that are no tasks: alloc sets
	err    error    // io.EOF at the end of the part
}

const (
	batchRows   = 4096
	partsAhead  = 2 // parts that are unpacked and parsed at a time
	batchesHeld = 8 // parsed batches a part may be ahead
)

// read takes all task events through the state machine. Parts are unpacked and
// parsed side by side, and their rows are applied in order, or sorted first where
// they have none.
func (g *source) read() error {
	g.sorted = &input.JobSorter{}
	if g.dialect.prepare != nil {
		if err := g.dialect.prepare(g, g.path); err != nil {
			return err
		}
	}
	tasks := newTasks(g)
	apply, rows := tasks.apply, eventSorter{}
	if g.dialect.unordered {
		apply = func(e *TaskEvent, _ []traces.Label) error { return rows.Add(e) }
		defer rows.Close()
	}
	stop := make(chan struct{})
	defer close(stop)
	queues := make([]chan *eventBatch, len(g.parts))
	start := func(i int) {
		if i < len(g.parts) {
			queues[i] = make(chan *eventBatch, batchesHeld)
			go g.dialect.parse(g, g.parts[i], queues[i], stop)
		}
	}
	for i := range partsAhead {
		start(i)
	}
	for i := range g.parts {
		if err := g.drain(apply, queues[i]); err != nil {
			return err
		}
		g.progress.Add(1)
		queues[i] = nil
		start(i + partsAhead)
	}
	if err := rows.Sort(); err != nil {
		return err
	}
	if err := play(&rows, tasks); err != nil {
		return err
	}
	if err := tasks.finish(); err != nil {
		return err
	}
	return g.sorted.Sort()
}

// drain applies one part.
func (g *source) drain(apply func(*TaskEvent, []traces.Label) error, in <-chan *eventBatch) error {
	var users []traces.Label // of this part's numbers
	for b := range in {
		if g.opts.Stop != nil {
			if err := g.opts.Stop(); err != nil {
				return err
			}
		}
		for _, u := range b.users {
			before := g.header.Names.Users.Len()
			l := g.header.Names.Users.Label(u)
			g.count.Users += int64(g.header.Names.Users.Len() - before)
			users = append(users, l)
		}
		for i := range b.events {
			if err := apply(&b.events[i], users); err != nil {
				return err
			}
		}
		g.count.Left += b.left
		for _, bad := range b.bad {
			if err := g.skip(bad); err != nil {
				return err
			}
		}
		if b.err != nil && b.err != io.EOF {
			return b.err
		}
	}
	return nil
}

// skip leaves a malformed row of any table out and counts it, if the user asked for it.
func (g *source) skip(bad error) error {
	if !g.opts.Skip {
		return bad
	}
	g.header.Ledger.Read++
	g.header.Ledger.Drop(traces.Malformed, nil)
	if g.opts.OnError != nil {
		g.opts.OnError(bad)
	}
	return nil
}

// batcher sends the rows of a part in batches.
type batcher struct {
	now  *eventBatch
	out  chan<- *eventBatch
	stop <-chan struct{}
}

func newBatcher(out chan<- *eventBatch, stop <-chan struct{}) *batcher {
	return &batcher{&eventBatch{events: make([]TaskEvent, 0, batchRows)}, out, stop}
}

// send sends the batch; an error says that no more is wanted.
func (b *batcher) send() error {
	select {
	case b.out <- b.now:
		b.now = &eventBatch{events: make([]TaskEvent, 0, batchRows)}
		return nil
	case <-b.stop:
		return io.ErrClosedPipe
	}
}

func (b *batcher) add(e *TaskEvent) error {
	if b.now.events = append(b.now.events, *e); len(b.now.events) < batchRows {
		return nil
	}
	return b.send()
}

// fault passes on a malformed row, behind the rows before it.
func (b *batcher) fault(err error) error {
	b.now.bad = append(b.now.bad, err)
	return b.send()
}

// close ends the part, with what ended it or nil.
func (b *batcher) close(err error) {
	if b.now.err = err; err == nil {
		b.now.err = io.EOF
	}
	if err != io.ErrClosedPipe {
		b.send()
	}
	close(b.out)
}
