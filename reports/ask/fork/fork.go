package fork

import (
	"context"
	"sync"
	"sync/atomic"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/policies"
)

// Config says what is forked, and when.
type Config struct {
	// Jobs are replayed under their scenario; its payment is not used.
	Jobs *scenario.Loaded
	// Payments are the schemes billed side by side; none if nobody pays.
	Payments []string
	// At are the instants, in order. A Point is made before the first job that arrives
	// then or later.
	At      []events.Time
	Workers int
	// Sink, if not nil, gets the records of the replay in which nothing is different.
	Sink engine.Sink
	// Horizon, if not 0, ends what is counted of flow times (Result.Within).
	Horizon events.Time
	// Progress, if not nil, is called with how many of the instants have come.
	Progress func(done, of int)
}

// Counts says how much was stepped through: Instants is the length of the whole replay;
// Stepped counts the instants that all copies together went through, Forks the copies.
type Counts struct{ Instants, Stepped, Forks int64 }

// Plus adds counts up.
func (c Counts) Plus(d Counts) Counts {
	return Counts{c.Instants + d.Instants, c.Stepped + d.Stepped, c.Forks + d.Forks}
}

// Work is what copies have cost, in instants: to make one takes about as long as to step it through fifty.
func (c Counts) Work() int64 { return c.Stepped + 50*c.Forks }

// Branch is a replay that stands before an instant, for one worker to ask.
type Branch struct {
	jobs   *scenario.Loaded
	policy policies.Policy // of the original, to be asked for its scale only
	replay *engine.Replay
	// bidder draws for all copies: an offer depends on the job and the seed only.
	bidder policies.Bidder
	index  int
	ctx    context.Context
	counts *Counts
	// horizon is Config.Horizon.
	horizon events.Time
}

// Each replays the trace and gives ask a Point for each instant. Calls of ask run in parallel with
// each other, and the first of their errors ends the replay.
func Each(ctx context.Context, cfg Config, ask func(i int, p *Branch) error) (Counts, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	o := &original{cfg: cfg, ctx: ctx, points: make(chan *Branch)}
	var group sync.WaitGroup
	for range max(1, cfg.Workers) {
		group.Go(func() {
			for p := range o.points {
				if err := ctx.Err(); err == nil {
					if err = ask(p.index, p); err != nil {
						stop(err)
					}
				}
				p.replay.Close()
			}
		})
	}
	if err := o.run(); err != nil {
		stop(err)
	}
	close(o.points)
	group.Wait()
	return o.counts, context.Cause(ctx)
}

// original is the replay in which nothing is different.
type original struct {
	cfg    Config
	ctx    context.Context
	points chan *Branch
	counts Counts
	policy policies.Policy
	listed policies.Bidder // a table of bids (policies.Listed), which Points share; nil without one
}

// parts makes a replay's parts.
func (o *original) parts() (*scenario.Prepared, error) {
	market, also := o.cfg.Jobs.Scenario.Market, []string(nil)
	if market.Payment = "none"; len(o.cfg.Payments) > 0 {
		market.Payment, also = o.cfg.Payments[0], o.cfg.Payments[1:]
	}
	return o.cfg.Jobs.Replay(market, also...)
}

// nothing is a sink for records that are not wanted.
type nothing struct{}

func (nothing) Record(*engine.Outcome) error { return nil }

func (o *original) run() error {
	p, err := o.parts()
	if err != nil {
		return err
	}
	o.policy = p.Config.Policy
	if _, ok := p.Config.Bidder.(policies.Listed); ok {
		o.listed = p.Config.Bidder
	}
	sink := o.cfg.Sink
	if sink == nil {
		sink = nothing{}
	}
	r, err := engine.New(p.Config, o.cfg.Jobs.Source(), sink)
	if err != nil {
		return err
	}
	defer r.Close()
	o.counts.Instants, err = Visit(o.ctx, r, o.cfg.At, func(i int) error {
		if err := o.point(r, i); err != nil {
			return err
		}
		if o.cfg.Progress != nil {
			o.cfg.Progress(i+1, len(o.cfg.At))
		}
		return nil
	})
	return err
}

// point hands a copy of the replay over.
func (o *original) point(r *engine.Replay, i int) error {
	bidder := o.listed
	if bidder == nil {
		p, err := o.parts()
		if err != nil {
			return err
		}
		bidder = p.Config.Bidder
	}
	copied, err := r.Fork(bidder, nothing{})
	if err != nil {
		return err
	}
	select {
	case o.points <- &Branch{o.cfg.Jobs, o.policy, copied, bidder, i, o.ctx, &o.counts, o.cfg.Horizon}:
		return nil
	case <-o.ctx.Done():
		copied.Close()
		return o.ctx.Err()
	}
}

// Fork makes a copy in which the change holds. The caller steps and closes it; copies of
// one Point are stepped by one goroutine.
func (p *Branch) Fork(c Override, sink engine.Sink) (*engine.Replay, error) {
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	atomic.AddInt64(&p.counts.Forks, 1)
	return p.replay.Fork(c.bidder(p.bidder), sink)
}

// Stepped counts instants that a copy went through.
func (p *Branch) Stepped(n int64) { atomic.AddInt64(&p.counts.Stepped, n) }

// follow steps a copy in which the change holds until saw has seen enough records, or past an instant, and
// counts the steps.
func (p *Branch) follow(c Override, last events.Time, saw func(*engine.Outcome) (enough bool)) (int64, error) {
	w := &until{saw: saw}
	r, err := p.Fork(c, w)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	steps, err := Steps(p.ctx, r, func() (bool, error) { return w.enough || r.Now() > last, nil })
	p.Stepped(steps)
	if err == nil && !w.enough && r.Now() <= last {
		err = errNeverEnded
	}
	return steps, err
}

// until is a sink that stops listening.
type until struct {
	saw    func(*engine.Outcome) bool
	enough bool
}

func (u *until) Record(o *engine.Outcome) error {
	u.enough = u.enough || u.saw(o)
	return nil
}

// Steps steps a replay until it is enough, or to its end, and counts the instants.
func Steps(ctx context.Context, r *engine.Replay, enough func() (bool, error)) (n int64, err error) {
	for ; r.More(); n++ {
		if stop, err := enough(); stop || err != nil {
			return n, err
		}
		if n%8192 == 8191 && ctx.Err() != nil {
			return n, ctx.Err()
		}
		if err := r.Step(); err != nil {
			return n, err
		}
	}
	return n, nil
}

// Visit steps a replay to its end. At each of some instants, which are in order, it calls
// visit before the first job that arrives then or later.
func Visit(ctx context.Context, r *engine.Replay, at []events.Time, visit func(i int) error) (int64, error) {
	due := 0
	return Steps(ctx, r, func() (bool, error) {
		for next, more := r.Next(); more && due < len(at) && next.Submit >= at[due]; due++ {
			if err := visit(due); err != nil {
				return true, err
			}
		}
		return false, nil
	})
}
