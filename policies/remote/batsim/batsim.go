//go:build !js

package batsim

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/remote"
)

// Batsim is a policy that a scheduler written for Batsim decides. Jobs are named by their
// place in order of submission.
type Batsim struct {
	policies.AsFCFS
	o     Options
	words []string
	l     *link
	err   error

	seq     []int64                // by Ref
	jobs    map[int64]policies.Ref // looked up by number, never walked over
	alloc   map[int64]alloc        // of running jobs; looked up by number, never walked over
	holder  []int64                // by resource: the job it runs, or none
	line    []byte                 // the message begun: events that have not been sent
	told    int                    // events in it
	sent    [][]byte               // all messages so far, if a copy may be asked for
	begun   bool
	orders  []order       // not yet due, by time
	calls   []events.Time // asked for, by time
	busy    events.Time   // until when the scheduler thinks
	waiting map[int64]bool
	now     events.Time
}

// order is a job to be started, with what and when.
type order struct {
	at  events.Time
	job int64
	on  alloc
}

const none = -1

// New reads the options; the scheduler is not started before it is needed.
func New(o Options) (*Batsim, error) {
	b := &Batsim{o: o, jobs: map[int64]policies.Ref{}, alloc: map[int64]alloc{}, waiting: map[int64]bool{}}
	if o.Command != "" {
		var err error
		if b.words, err = remote.Split(o.Command); err != nil {
			return nil, fmt.Errorf("batsim %q: %w", o.Command, err)
		}
	}
	switch {
	case o.Endpoint != Any && (!strings.Contains(o.Endpoint, "://") || strings.Contains(o.Endpoint, "*")):
		return nil, fmt.Errorf("batsim: want where the scheduler listens, as in tcp://localhost:28000, not %q", o.Endpoint)
	case o.Endpoint == Any && !strings.Contains(o.Command, own):
		return nil, fmt.Errorf("batsim: want where the scheduler listens, as in batsim:tcp://localhost:28000, or a command "+
			"that is told where to, as in batsim(command=pybatsim schedFcfs -s %s)", own)
	}
	return b, nil
}

// Needs are those of the options.
func (b *Batsim) Needs() policies.Needs {
	return policies.Needs{RunTimes: b.o.Clairvoyant, Estimates: b.o.Estimates}
}

// Err implements policies.Failer.
func (b *Batsim) Err() error { return b.err }

// Failers implements policies.Fallible.
func (b *Batsim) Failers() []policies.Failer { return []policies.Failer{b} }

// Plan tells the scheduler what happened and does as it says, when it says.
func (b *Batsim) Plan(r *policies.Round) {
	if b.err != nil {
		return
	}
	if err := b.plan(r); err != nil {
		b.err = fmt.Errorf("the scheduler for Batsim at %v: %w", r.Now, err)
	}
}

func (b *Batsim) plan(r *policies.Round) error {
	if err := b.begin(r); err != nil {
		return err
	}
	b.now = r.Now
	b.note(r)
	if err := b.carryOut(r); err != nil {
		return err
	}
	if b.told > 0 && r.Now >= b.busy {
		text, err := b.message(r.Now)
		if err != nil {
			return err
		}
		if err := b.hear(text); err != nil {
			return err
		}
		if err := b.carryOut(r); err != nil {
			return err
		}
	}
	b.wake(r)
	return nil
}

// begin connects to the scheduler, if it is not yet, and brings it to where this policy is.
func (b *Batsim) begin(r *policies.Round) error {
	if b.l != nil {
		return nil
	}
	var err error
	if b.l, err = dial(b.words, b.o.Endpoint, b.o.Timeout); err != nil {
		return err
	}
	for _, text := range b.sent {
		if _, err := b.l.exchange(text); err != nil {
			return err
		}
	}
	if b.begun {
		return nil
	}
	b.begun = true
	b.holder = slices.Repeat([]int64{none}, r.Procs)
	b.event(r.Now, "SIMULATION_BEGINS")
	b.line = append(b.line, simulationBegins(r.Procs)...)
	b.line = append(b.line, '}')
	text, err := b.message(r.Now)
	if err != nil {
		return err
	}
	return b.hear(text)
}

// note writes what happened, and gives back what ended jobs held.
func (b *Batsim) note(r *policies.Round) {
	for _, ref := range r.Ended {
		job := b.seq[ref]
		on := b.alloc[job]
		b.ended(r.Now, job, on)
		for _, i := range on {
			for n := i.first; n <= i.last; n++ {
				b.holder[n] = none
			}
		}
		delete(b.jobs, job)
		delete(b.alloc, job)
	}
	for _, ref := range r.Arrived {
		j := r.Job(ref)
		for int(ref) >= len(b.seq) {
			b.seq = append(b.seq, none)
		}
		b.seq[ref], b.jobs[j.Seq], b.waiting[j.Seq] = j.Seq, ref, true
		b.submitted(r.Now, j)
	}
	for len(b.calls) > 0 && b.calls[0] <= r.Now {
		b.event(r.Now, "REQUESTED_CALL")
		b.line = append(b.line, "{}}"...)
		b.calls = b.calls[1:]
	}
}

// carryOut starts the jobs whose time has come.
func (b *Batsim) carryOut(r *policies.Round) error {
	for len(b.orders) > 0 && b.orders[0].at <= r.Now {
		o := b.orders[0]
		b.orders = b.orders[1:]
		for _, i := range o.on {
			for n := i.first; n <= i.last; n++ {
				if by := b.holder[n]; by != none {
					return fmt.Errorf("it executes %s on resource %d, on which %s runs; sharing of resources is not supported",
						name(o.job), n, name(by))
				}
				b.holder[n] = o.job
			}
		}
		ref := b.jobs[o.job]
		if want := int(r.Job(ref).Procs); o.on.size() != want {
			return fmt.Errorf("it executes %s on %d resources; it asks for %d", name(o.job), o.on.size(), want)
		}
		b.alloc[o.job] = o.on
		r.Start(ref)
	}
	return nil
}

// wake asks to be called when there is something to do.
func (b *Batsim) wake(r *policies.Round) {
	if len(b.orders) > 0 {
		r.Wake(b.orders[0].at)
	}
	if len(b.calls) > 0 {
		r.Wake(b.calls[0])
	}
	if b.told > 0 {
		r.Wake(b.busy)
	}
}

// Clone returns a copy with its own scheduler, which receives all that this one received
// before it is first asked. A scheduler that cannot be started again has no copy.
func (b *Batsim) Clone() policies.Policy {
	c := *b
	c.l = nil
	c.seq, c.holder, c.line = slices.Clone(b.seq), slices.Clone(b.holder), slices.Clone(b.line)
	c.sent, c.orders, c.calls = slices.Clone(b.sent), slices.Clone(b.orders), slices.Clone(b.calls)
	c.jobs, c.alloc, c.waiting = map[int64]policies.Ref{}, map[int64]alloc{}, map[int64]bool{}
	for ref, job := range c.seq {
		if at, ok := b.jobs[job]; ok && int(at) == ref {
			c.jobs[job] = at
			if on, ok := b.alloc[job]; ok {
				c.alloc[job] = on
			}
			if b.waiting[job] {
				c.waiting[job] = true
			}
		}
	}
	if b.begun && b.o.Endpoint != Any && c.err == nil {
		c.err = errors.New("a copy of the replay needs a scheduler of its own, which a command with " + own + " starts")
	}
	return &c
}

// Close ends the conversation, and a scheduler of ours.
func (b *Batsim) Close() error {
	if b.l == nil {
		return nil
	}
	if b.err == nil {
		b.event(b.now, "SIMULATION_ENDS")
		b.line = append(b.line, "{}}"...)
		_, _ = b.message(b.now) // it may have gone already
	}
	b.l.close()
	b.l = nil
	return nil
}
