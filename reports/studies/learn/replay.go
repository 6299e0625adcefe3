package learn

import (
	"context"
	"errors"
	"slices"

	"bourse/engine"
	"bourse/policies"
	"bourse/reports/stats"
	"bourse/reports/studies/parallel"
	"bourse/traces"
	"bourse/traces/rng"
)

// player bids for all owners, job by job in order of the trace.
type player struct {
	*field
	row    int
	played []int8 // the action of each cell
	truth  bool   // all bid their values, whatever is played
}

// Bid implements policies.Bidder.
func (p *player) Bid(*traces.Job) (policies.Offer, error) {
	o, c := p.offers[p.row], p.cell[p.row]
	p.row++
	switch {
	case p.truth:
		o.Bid = o.Value
	case c >= 0:
		o.Bid = float64(Actions[p.played[c]] * o.Value)
	}
	return o, nil
}

// share is a payoff's two sums.
type share struct{ work, cost float64 }

func (s share) payoff() float64 {
	if s.cost == 0 {
		return 1
	}
	return s.work / s.cost
}

// tally is a sink that sums up epochs and cells; what is indexed by payment first is in the
// order in which they are billed.
type tally struct {
	*field
	twft  []float64 // by epoch
	paid  [][]float64
	cells [][]share
	left  []int // jobs of each cell
	bound []stats.Bound
	ended func(cell int)
}

func newTally(f *field, payments int) *tally {
	t := &tally{field: f, twft: make([]float64, f.epochs), left: make([]int, len(f.cells))}
	for range payments {
		t.paid, t.cells = append(t.paid, make([]float64, f.epochs)), append(t.cells, make([]share, len(f.cells)))
	}
	for i := range t.left {
		t.left[i] = f.cells[i].jobs
	}
	return t
}

// Arrive implements engine.ArrivalSink.
func (t *tally) Arrive(o *engine.Outcome, share policies.Amount) {
	t.bound[t.epoch[o.Row]].Arrive(o, share)
}

// Record implements engine.Sink.
func (t *tally) Record(o *engine.Outcome) error {
	e, c, flow := t.epoch[o.Row], t.cell[o.Row], o.WeightedFlow()
	t.twft[e] += flow
	for k := range t.paid {
		paid := o.Payment
		if k > 0 {
			paid = o.Also[k-1]
		}
		if t.paid[k][e] += paid; c >= 0 {
			t.cells[k][c].work += o.Worth()
			t.cells[k][c].cost += flow + paid
		}
	}
	if c >= 0 {
		if t.left[c]--; t.left[c] == 0 && t.ended != nil {
			t.ended(int(c))
		}
	}
	return nil
}

// measure replays the field while nobody learns.
func (c *Config) measure(ctx context.Context, f *field, p *player, bounded bool) (*tally, error) {
	market := f.jobs.Scenario.Market
	market.Payment = c.Payments[0]
	r, err := f.jobs.Replay(market, c.Payments[1:]...)
	if err != nil {
		return nil, err
	}
	t := newTally(f, len(c.Payments))
	if bounded && r.Stays() {
		t.bound, r.Config.Arrivals = make([]stats.Bound, f.epochs), t
	}
	p.field, r.Config.Bidder = f, p
	_, err = r.RunAll(ctx, t)
	return t, err
}

// play replays the field once more while agents learn.
func (s *session) play(ctx context.Context, f *field) error {
	market := f.jobs.Scenario.Market
	market.Payment = s.payment
	r, err := f.jobs.Replay(market)
	if err != nil {
		return err
	}
	s.field, s.tally, s.open = f, newTally(f, 1), make([]*Play, len(f.cells))
	s.bids = &player{field: f, played: slices.Repeat([]int8{-1}, len(f.cells))}
	s.tally.ended = s.credit
	r.Config.Bidder = s.bids
	e, err := engine.New(r.Config, f.jobs.Source(), s.tally)
	if err != nil {
		return err
	}
	defer e.Close()
	for seen, step := 0, 0; e.More() && err == nil; step++ {
		for next, more := e.Next(); more && seen < len(f.cell) && f.jobs.Memory.Job(seen).Submit <= next.Submit; seen++ {
			if c := f.cell[seen]; c >= 0 && s.open[c] == nil {
				if err := s.begin(ctx, e, int(c)); err != nil {
					return err
				}
			}
		}
		if step%8192 == 8191 && ctx.Err() != nil {
			return ctx.Err()
		}
		err = e.Step()
	}
	return err
}

// begin draws what an agent does in an epoch, and asks copies of the replay what it might.
func (s *session) begin(ctx context.Context, e *engine.Replay, c int) error {
	x := s.cells[c]
	l := s.learners[x.agent]
	w := l.weights()
	p := &Play{Agent: x.agent, Epoch: s.first + x.epoch, Jobs: x.jobs, Weights: w, Likely: l.played(w)}
	p.Action = s.drawn(c, p.Likely)
	s.open[c], s.bids.played[c] = p, int8(p.Action)
	s.Plays = append(s.Plays, p)
	s.tick()
	if !x.asked {
		return nil
	}
	known := slices.Clone(s.bids.played)
	for k, action := range known {
		if action < 0 {
			a := s.learners[s.cells[k].agent]
			known[k] = int8(s.drawn(k, a.played(a.weights())))
		}
	}
	p.Payoffs = make([]float64, len(Actions))
	return parallel.Do(ctx, s.workers, len(Actions), func(k int) error {
		bids := &player{field: s.field, row: s.bids.row, played: slices.Clone(known)}
		bids.played[c] = int8(k)
		var err error
		p.Payoffs[k], err = follow(ctx, e, bids, int32(c), x.jobs)
		return err
	})
}

// drawn is the action of a cell, by the user's draw for the epoch.
func (s *session) drawn(c int, q []float64) int {
	x := s.cells[c]
	return pick(q, rng.Stream(s.Scenario.Seed, "learn", s.key(s.agents[x.agent], s.first+x.epoch)).Float64())
}

// credit tells an agent what an epoch has paid.
func (s *session) credit(c int) {
	p, l := s.open[c], s.learners[s.cells[c].agent]
	p.Payoff = s.tally.cells[0][c].payoff()
	switch {
	case s.Rule == EXP3:
		l.learnOne(p.Action, p.Payoff, p.Likely[p.Action])
	case p.Payoffs != nil:
		l.learnAll(p.Payoffs)
	}
	p.After = l.weights()
}

// one is a sink that sums up one cell.
type one struct {
	*field
	which int32
	left  int
	share
}

// Record implements engine.Sink.
func (t *one) Record(o *engine.Outcome) error {
	if t.cell[o.Row] == t.which {
		t.left--
		t.work += o.Worth()
		t.cost += o.WeightedFlow() + o.Payment
	}
	return nil
}

// follow steps a copy of the replay until the jobs of a cell have ended.
func follow(ctx context.Context, e *engine.Replay, bids *player, c int32, jobs int) (float64, error) {
	t := &one{field: bids.field, which: c, left: jobs}
	f, err := e.Fork(bids, t)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for step := 0; t.left > 0 && err == nil; step++ {
		if step%8192 == 8191 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if !f.More() {
			return 0, errors.New("jobs of an epoch never ended, and it has no payoff")
		}
		err = f.Step()
	}
	return t.payoff(), err
}
