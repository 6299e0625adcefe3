package learn

import (
	"context"
	"errors"
	"math"
	"slices"

	"bourse/engine"
	"bourse/policies"
	"bourse/reports/ask/fork"
	"bourse/reports/experiment"
	"bourse/reports/stats"
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

// leastOf is the least possible total weighted flow time of an epoch's jobs, NaN if unknown.
func (t *tally) leastOf(e int) float64 {
	if t.bound == nil {
		return math.NaN()
	}
	return t.bound[e].Value()
}

// least is that of all: epochs' jobs apart from each other bound them together.
func (t *tally) least() (all float64) {
	for e := range t.epochs {
		all += t.leastOf(e)
	}
	return all
}

// run steps a replay of the field; before is called where the first job of a cell comes.
func (f *field) run(ctx context.Context, cfg engine.Config, sink engine.Sink,
	before func(e *engine.Replay, cell int) error) error {
	e, err := engine.New(cfg, f.jobs.Source(), sink)
	if err != nil {
		return err
	}
	defer e.Close()
	_, err = fork.Visit(ctx, e, f.comes, func(cell int) error { return before(e, cell) })
	return err
}

// measure replays the field while nobody learns; before may be nil.
func (c *Config) measure(ctx context.Context, f *field, p *player, bounded bool,
	before func(e *engine.Replay, cell int) error) (*tally, error) {
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
	if before != nil {
		return t, f.run(ctx, r.Config, t, before)
	}
	_, err = r.RunAll(ctx, t)
	return t, err
}

// play replays the field once more while agents learn.
func (s *session) play(ctx context.Context, f *field) error {
	market := f.jobs.Scenario.Market
	market.Payment = s.Payment
	r, err := f.jobs.Replay(market)
	if err != nil {
		return err
	}
	s.field, s.tally, s.open = f, newTally(f, 1), make([]*Play, len(f.cells))
	s.bids = &player{field: f, played: slices.Repeat([]int8{-1}, len(f.cells))}
	s.tally.ended = s.credit
	r.Config.Bidder = s.bids
	return f.run(ctx, r.Config, s.tally, func(e *engine.Replay, cell int) error { return s.begin(ctx, e, cell) })
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
	return experiment.Do(ctx, s.workers, len(Actions), func(k int) error {
		bids := &player{field: s.field, row: s.bids.row, played: slices.Clone(known)}
		bids.played[c] = int8(k)
		t, err := s.follow(ctx, e, bids, 1, func(y *cell) bool { return y == &s.cells[c] })
		if err == nil {
			p.Payoffs[k] = t.cells[0][c].payoff()
		}
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

// follow steps a copy of the replay until the jobs of some cells have ended.
func (f *field) follow(ctx context.Context, e *engine.Replay, bids *player, payments int, of func(*cell) bool) (*tally,
	error) {
	t, open := newTally(f, payments), 0
	for i := range f.cells {
		if of(&f.cells[i]) {
			open++
		}
	}
	t.ended = func(i int) {
		if of(&f.cells[i]) {
			open--
		}
	}
	copied, err := e.Fork(bids, t)
	if err != nil {
		return nil, err
	}
	defer copied.Close()
	_, err = fork.Steps(ctx, copied, func() (bool, error) { return open == 0, nil })
	if err == nil && open > 0 {
		err = errors.New("jobs of an epoch never ended, and it has no payoff")
	}
	return t, err
}
