package learn

import (
	"context"
	"slices"
	"strings"
	"sync"

	"bourse/engine/scenario"
	"bourse/reports/experiment"
	"bourse/reports/stats"
	"bourse/traces"
	"bourse/traces/transform"
)

// Config says who learns, and how.
type Config struct {
	// Scenario is replayed; its payment is not used. Jobs are its trace, as it is.
	Scenario scenario.Scenario
	Jobs     *traces.Memory
	Payments []string
	Rule     string
	// Weeks are the epochs of one replay, otherwise there are Epochs replays of replicas
	// of the log, drawn under the seeds from the scenario's on.
	Weeks  bool
	Epochs int
	// Group lets the aggressive group learn as one, not users with at least Least jobs.
	Group bool
	Least int
	// Ask is how many agents Hedge asks in an epoch, at most.
	Ask int
	// Movers are how many agents are asked what bidding another multiple alone would gain,
	// at each that all bid; at most, and at least 1.
	Movers int
	// Stop ends the replays when the average regret has been below it after each of
	// settledFor epochs; 0 is never.
	Stop    float64
	Workers int
	// Progress, if not nil, is called with how much has been done.
	Progress func(done, of int)
}

// settledFor is after how many epochs of little regret nobody is expected to learn more.
const settledFor = 5

// Play is what an agent did in an epoch.
type Play struct {
	Agent, Epoch, Jobs int
	// Weights are what it had learnt when the epoch began, Likely what it drew from, After
	// what it had learnt when the payoff was credited.
	Weights, Likely, After []float64
	Action                 int
	Payoff                 float64
	// Payoffs are those of all actions; nil if it was not asked. Honest is what it gets if
	// everybody is honest.
	Payoffs []float64
	Honest  float64
}

// Epoch compares an epoch's jobs with all being honest: total weighted flow times, the
// least possible (NaN if unknown) and revenue.
type Epoch struct{ Bound, TWFT, Honest, Paid, HonestPaid float64 }

// PaymentResult is all that happened under one payment.
type PaymentResult struct {
	Payment string
	Plays   []*Play
	Epochs  []Epoch
	// End are each agent's weights at the end; nil if it had no jobs.
	End [][]float64
	// Regrets are the average regrets after each epoch. Settled is after how many of them
	// learning stopped, 0 if it did not.
	Regrets []float64
	Settled int
	// Common are the agents' mean payoffs if all bid the same multiple, on the whole last
	// log, as are: Gains, by it, what each agent Asked gains by bidding another one alone, as
	// a share; Commons, what comes of it; Favourites, of each bidding what it likes best at
	// the end.
	Common     []float64
	Asked      []int
	Gains      [][]float64
	Commons    []Epoch
	Favourites Epoch
}

// Result holds what was learnt under each payment.
type Result struct {
	Policy, Rule string
	Weeks        bool
	Users        []string // the agents
	Payments     []*PaymentResult
}

// session is the learning under one payment.
type session struct {
	*Config
	PaymentResult
	agents   []traces.Label
	learners []*learner
	workers  int // copies followed at a time
	tick     func()
	// of the replay in progress:
	*field
	tally *tally
	bids  *player
	open  []*Play // by cell
}

// Run lets owners learn under each payment.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	c := &cfg
	jobs, err := c.load(-1)
	if err != nil {
		return nil, err
	}
	agents, err := c.agents(jobs)
	if err != nil {
		return nil, err
	}
	f, err := c.divide(jobs, agents, 0)
	if err != nil {
		return nil, err
	}
	sessions := c.sessions(f, agents)
	rounds := c.Epochs
	if c.Weeks {
		rounds = 1
	}
	for t := 0; t < rounds && slices.ContainsFunc(sessions, func(s *session) bool { return s.Settled == 0 }); t++ {
		if !c.Weeks {
			if jobs, err = c.load(t); err == nil {
				f, err = c.divide(jobs, agents, t)
			}
			if err != nil {
				return nil, err
			}
		}
		if err := c.round(ctx, f, sessions); err != nil {
			return nil, err
		}
		if c.Progress != nil && !c.Weeks {
			c.Progress(t+1, rounds)
		}
	}
	return c.result(ctx, f, sessions)
}

// load reads the jobs: those of replica t, or for -1 the log's.
func (c *Config) load(t int) (*scenario.Loaded, error) {
	s := c.Scenario
	switch {
	case c.Weeks:
	case t < 0:
		s.Resample, s.Shake = "", 0
	default:
		switch s.Seed += uint64(t); {
		case s.Resample == "" && s.Shake == 0:
			s.Resample = transform.Blocks
		case s.Resample == "users":
			s.Resample = "same=1"
		case s.Resample != "" && !strings.Contains(s.Resample, "blocks="):
			s.Resample += ",same=1"
		}
	}
	return s.Load(c.Jobs.Source())
}

// sessions begin with owners who know nothing.
func (c *Config) sessions(f *field, agents []traces.Label) (list []*session) {
	epochs := make([]float64, len(agents)) // that an agent learns from
	for i := range epochs {
		if !c.Weeks {
			if epochs[i] = float64(c.Epochs); c.Rule == Hedge {
				epochs[i] *= min(1, float64(c.Ask)/float64(len(agents)))
			}
		}
	}
	for _, x := range f.cells {
		if c.Weeks && (x.asked || c.Rule == EXP3) {
			epochs[x.agent]++
		}
	}
	tick := func() {}
	if c.Weeks {
		tick = c.counter(len(f.cells) * len(c.Payments))
	}
	for _, payment := range c.Payments {
		s := &session{Config: c, PaymentResult: PaymentResult{Payment: payment}, agents: agents,
			workers: max(1, c.Workers/len(c.Payments)), tick: tick}
		for i := range agents {
			s.learners = append(s.learners, newLearner(c.Rule, len(Actions), epochs[i]))
		}
		list = append(list, s)
	}
	return list
}

// counter tells of progress in parts that are done in parallel.
func (c *Config) counter(of int) func() {
	var mu sync.Mutex
	done := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		if done++; c.Progress != nil {
			c.Progress(done, of)
		}
	}
}

// round replays the field under each payment, and with all being honest.
func (c *Config) round(ctx context.Context, f *field, sessions []*session) error {
	var truth *tally
	err := experiment.Do(ctx, c.Workers, len(sessions)+1, func(i int) (err error) {
		switch {
		case i == len(sessions):
			truth, err = c.measure(ctx, f, &player{truth: true}, true, nil)
		case sessions[i].Settled == 0:
			err = sessions[i].play(ctx, f)
		}
		return err
	})
	if err != nil {
		return err
	}
	for k, s := range sessions {
		if s.Settled > 0 {
			continue
		}
		for i, p := range s.open {
			p.Honest = truth.cells[k][i].payoff()
		}
		for e := range f.epochs {
			s.PaymentResult.Epochs = append(s.PaymentResult.Epochs, Epoch{truth.leastOf(e), s.tally.twft[e], truth.twft[e],
				s.tally.paid[0][e], truth.paid[k][e]})
			s.Regrets = append(s.Regrets, mean(s.regrets(c.Rule, f.first+e+1)))
		}
		n := len(s.Regrets)
		if !c.Weeks && n >= settledFor &&
			!slices.ContainsFunc(s.Regrets[n-settledFor:], func(r float64) bool { return !(r < c.Stop) }) {
			s.Settled = n
		}
	}
	return nil
}

// result adds what comes of bids that stay as they are, on the last field: if all agents bid
// the same, if all are honest, and if each does what it likes best.
func (c *Config) result(ctx context.Context, f *field, sessions []*session) (*Result, error) {
	r := &Result{Policy: c.Scenario.Policy, Rule: c.Rule, Weeks: c.Weeks}
	players := []*player{{truth: true}}
	for _, s := range sessions {
		p := &player{}
		for _, x := range f.cells {
			w := s.learners[x.agent].weights()
			p.played = append(p.played, int8(slices.Index(w, slices.Max(w))))
		}
		players = append(players, p)
		s.End = make([][]float64, len(s.agents))
		for _, p := range s.Plays {
			s.End[p.Agent] = s.learners[p.Agent].weights()
		}
		r.Payments = append(r.Payments, &s.PaymentResult)
	}
	all := make([]*tally, len(players))
	err := experiment.Do(ctx, c.Workers, len(all), func(i int) (err error) {
		all[i], err = c.measure(ctx, f, players[i], i == 0, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	asked := c.movers(f, sessions[0].agents)
	commons, err := c.commons(ctx, f, asked)
	if err != nil {
		return nil, err
	}
	for k, s := range sessions {
		whole := func(t *tally) Epoch {
			return Epoch{all[0].least(), stats.Total(t.twft), stats.Total(all[0].twft), stats.Total(t.paid[k]),
				stats.Total(all[0].paid[k])}
		}
		s.Asked, s.Favourites = asked, whole(all[1+k])
		for _, t := range commons {
			s.Common = append(s.Common, meanOver(len(f.cells), func(i int) float64 { return t.cells[k][i].payoff() }))
			s.Gains, s.Commons = append(s.Gains, t.gains[k]), append(s.Commons, whole(t.tally))
		}
	}
	for _, user := range sessions[0].agents {
		name := Group
		if !c.Group {
			name, _ = f.jobs.Memory.Header().Names.Users.Text(user)
		}
		r.Users = append(r.Users, name)
	}
	return r, nil
}
