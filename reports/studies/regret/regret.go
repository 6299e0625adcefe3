// Package regret measures what a job's owner gains by lying: all other bids held
// fixed, the job bids each of a grid of multiples of its value, and its utility
// is compared with that of the truth. It is the direct measure of incentive
// compatibility; averages over groups of liars only suggest it.
//
// A lie changes nothing before the job arrives, and the job's own utility is
// settled when it ends. So the replay is forked at the instant of arrival and
// the fork is followed until the job's last piece has completed, instead of
// replaying the whole trace for every lie.
package regret

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/bidding"
	"bourse/traces"
	"bourse/traces/rng"
)

// Config says what is asked.
type Config struct {
	// Jobs are replayed under their scenario; its payment is not used.
	Jobs *scenario.Loaded
	// Payments are the schemes billed side by side.
	Payments []string
	// Factors are the bids tried, as multiples of the value. 1, the truth, is
	// added if it is missing.
	Factors []float64
	// Sample is the number of jobs asked.
	Sample  int
	Workers int
	// Progress, if not nil, is called with how many of the sampled jobs have arrived.
	Progress func(done, of int)
}

// Answer is what lying would do for one job.
type Answer struct {
	Job        traces.Job
	Value      float64
	Aggressive bool
	// Utility is indexed by payment and factor, summed over the job's pieces.
	Utility [][]float64
}

// Result holds the answers in order of submission.
type Result struct {
	Payments []string
	Factors  []float64
	Answers  []Answer
	// Instants is the length of the whole replay; Stepped counts the instants
	// that all forks together went through, Forks their number.
	Instants, Stepped, Forks int64
}

// Run samples jobs and tries the lies.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	cfg.Factors = slices.Clone(cfg.Factors)
	if !slices.Contains(cfg.Factors, 1) {
		cfg.Factors = append(cfg.Factors, 1)
	}
	slices.Sort(cfg.Factors)
	picked, err := sample(cfg)
	if err != nil {
		return nil, err
	}
	w := &work{cfg: cfg, ctx: ctx, tasks: make(chan task), result: &Result{Payments: cfg.Payments, Factors: cfg.Factors, Answers: picked}}
	w.start()
	err = w.replay()
	close(w.tasks)
	w.group.Wait()
	return w.result, errors.Join(err, w.err)
}

// sample picks jobs at random, without replacement, and lists them in order of
// submission. Those at the edges are not asked.
func sample(cfg Config) ([]Answer, error) {
	all := cfg.Jobs.Memory
	from, until := cfg.Jobs.Scenario.Edges().Counted(all.Len(), func(i int) events.Time { return all.Job(i).Submit })
	// Reservoir sampling (Vitter's algorithm R): one pass, any length.
	draw := rng.New(cfg.Jobs.Scenario.Seed, "regret sample")
	var picked []Answer
	seen := 0
	for i := from; i < until; i++ {
		j := all.Job(i)
		if j.Task > 0 { // a job's pieces are one job
			continue
		}
		if len(picked) < cfg.Sample {
			picked = append(picked, Answer{Job: *j})
		} else if k := draw.IntN(seen + 1); k < cfg.Sample {
			picked[k] = Answer{Job: *j}
		}
		seen++
	}
	if len(picked) == 0 {
		return nil, errors.New("there are no jobs to sample")
	}
	slices.SortFunc(picked, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(a.Job.Submit, b.Job.Submit), cmp.Compare(a.Job.ID, b.Job.ID))
	})
	for i := range picked {
		picked[i].Utility = make([][]float64, len(cfg.Payments))
		for p := range picked[i].Utility {
			picked[i].Utility[p] = make([]float64, len(cfg.Factors))
		}
	}
	return picked, nil
}

// build makes a replay's parts; every fork needs a bidder of its own.
func (c *Config) build() (*scenario.Prepared, error) {
	market := c.Jobs.Scenario.Market
	market.Payment = c.Payments[0]
	return c.Jobs.Replay(market, c.Payments[1:]...)
}

// task is one fork to be followed.
type task struct {
	fork   *engine.Replay
	watch  *watch
	answer *Answer
	factor int
}

// work is a run in progress: one goroutine replays the trace and forks, others
// follow the forks. They are handed over one by one and not by studies/parallel, which
// wants a list: no more than a few forks are alive at a time.
type work struct {
	cfg    Config
	ctx    context.Context
	tasks  chan task
	group  sync.WaitGroup
	mu     sync.Mutex
	err    error
	result *Result
	table  policies.Bidder // of bids, which is only read: forks share it; nil without one
}

func (w *work) start() {
	for range max(1, w.cfg.Workers) {
		w.group.Add(1)
		go func() {
			defer w.group.Done()
			for t := range w.tasks {
				w.follow(t)
			}
		}()
	}
}

// follow steps a fork until the job has ended.
func (w *work) follow(t task) {
	steps := int64(0)
	var err error
	for t.watch.left > 0 && err == nil {
		if !t.fork.More() {
			err = fmt.Errorf("job %d never ended", t.answer.Job.ID)
			break
		}
		err = t.fork.Step()
		steps++
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.result.Stepped += steps
	w.result.Forks++
	if err != nil && w.err == nil {
		w.err = err
	}
	t.answer.Value, t.answer.Aggressive = t.watch.value, t.watch.aggressive
	for p, u := range t.watch.utility {
		t.answer.Utility[p][t.factor] = u
	}
}

// nothing is a sink for the original replay, whose records are not wanted.
type nothing struct{}

func (nothing) Record(*engine.Outcome) error { return nil }

// replay runs the trace once and forks it before each sampled job arrives.
func (w *work) replay() error {
	p, err := w.cfg.build()
	if err != nil {
		return err
	}
	if t, ok := p.Config.Bidder.(*bidding.Table); ok {
		w.table = t
	}
	r, err := engine.New(p.Config, w.cfg.Jobs.Source(), nothing{})
	if err != nil {
		return err
	}
	asked := 0
	for r.More() {
		for next, more := r.Next(); more && asked < len(w.result.Answers) && next.Submit >= w.result.Answers[asked].Job.Submit; asked++ {
			if err := w.ask(r, &w.result.Answers[asked]); err != nil {
				return err
			}
			if w.cfg.Progress != nil {
				w.cfg.Progress(asked+1, len(w.result.Answers))
			}
		}
		if err := r.Step(); err != nil {
			return err
		}
		w.result.Instants++
		if w.result.Instants%8192 == 0 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
	}
	return nil
}

// ask forks once for every factor.
func (w *work) ask(r *engine.Replay, a *Answer) error {
	for i, factor := range w.cfg.Factors {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		bidder := w.table
		if bidder == nil {
			p, err := w.cfg.build()
			if err != nil {
				return err
			}
			bidder = p.Config.Bidder
		}
		watch := &watch{id: a.Job.ID, left: max(1, int(a.Job.Pieces)), utility: make([]float64, len(w.cfg.Payments))}
		fork, err := r.Fork(lying(bidder, a.Job.ID, factor), watch)
		if err != nil {
			return err
		}
		w.tasks <- task{fork, watch, a, i}
	}
	return nil
}

// liar lets one job bid a multiple of its value.
type liar struct {
	policies.Bidder
	id     int64
	factor float64
}

func (l *liar) Bid(j *traces.Job) (policies.Offer, error) {
	o, err := l.Bidder.Bid(j)
	if j.ID == l.id {
		o.Bid = float64(l.factor * o.Value)
	}
	return o, err
}

// lying wraps a bidder; a lie is not changed later, as other bids may be.
func lying(b policies.Bidder, id int64, factor float64) policies.Bidder {
	l := &liar{b, id, factor}
	if later, ok := b.(policies.Rebidder); ok {
		return &rebidder{l, later}
	}
	return l
}

type rebidder struct {
	*liar
	later policies.Rebidder
}

// Rebids implements policies.Rebidder.
func (r *rebidder) Rebids(j *traces.Job) []policies.Rebid {
	if j.ID == r.id {
		return nil
	}
	return r.later.Rebids(j)
}

// watch waits for one job's pieces and sums up their utilities.
type watch struct {
	id         int64
	left       int
	value      float64
	aggressive bool
	utility    []float64
}

func (w *watch) Record(o *engine.Outcome) error {
	if o.Job.ID != w.id {
		return nil
	}
	w.left--
	w.value, w.aggressive = o.Value, o.Aggressive
	w.utility[0] += o.Utility()
	for i, bill := range o.Also {
		w.utility[i+1] += o.Valuation() - bill
	}
	return nil
}
