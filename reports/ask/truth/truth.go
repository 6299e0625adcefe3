package truth

import (
	"context"
	"math"
	"slices"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/ask/fork"
	"bourse/traces"
)

// Config says what is asked.
type Config struct {
	// Jobs are replayed under their scenario and each of Policies; its payment is not used.
	Jobs     *scenario.Loaded
	Policies []string
	Payments []Payment
	// Factors are the bids tried, as multiples of the value. 1, the truth, is added if it
	// is missing.
	Factors []float64
	// Sample is the number of jobs asked, and of draws for the sum of critical payments.
	Sample int
	// Forks bounds the copies made for a job's critical payments, in addition to those of Factors.
	Forks int
	// CensusTime is the processor time that the critical payments of all jobs may take under a policy, on a
	// machine that does perSecond instants a second; it is counted in instants so that every machine decides alike.
	CensusTime events.Time
	// Horizon, if not 0, ends what critical payments charge for: time saved so long after the submission.
	Horizon events.Time
	Workers int
	// Progress, if not nil, is called with how many of the questions have been asked.
	Progress func(done, of int)
}

// CensusTime is the default of Config.CensusTime.
const CensusTime = 60 * events.Second

// Answer is what lies would do for one job under one policy. What is indexed by payment is
// in the order of Config.Payments.
type Answer struct {
	Job        traces.Job
	Value      float64
	Aggressive bool
	// Waiting is what the flow time costs under the truth, value x size x time; of a job with
	// a shape what it is worth when it ends.
	Waiting float64
	// Matters tells that some bid tried changes the flow time.
	Matters bool
	// Utility and Paid are indexed by payment and factor.
	Utility, Paid [][]float64
	// Half is how far a critical payment may be off, by payment and factor; Late tells that bidding the least
	// the job would wait for the end of the log, or of the horizon.
	Half [][]float64
	Late []bool
	// Rises counts the neighbouring bids asked between which the flow time rose with the
	// bid, Places all.
	Rises, Places int
}

// Result holds the answers under one policy, in order of submission.
type Result struct {
	Policy   string
	Seed     uint64
	Payments []Payment
	Factors  []float64
	Horizon  events.Time
	Answers  []Answer
	// Totals are what all jobs pay, by payment; none if that was not asked. Census means that Answers has every job.
	Totals []Total
	Census bool
	fork.Counts
}

// Run asks the same jobs under every policy, and what all jobs pay.
func Run(ctx context.Context, cfg Config) ([]*Result, error) {
	all, err := Ask(ctx, cfg)
	for _, r := range all {
		if err == nil {
			err = cfg.under(r.Policy).totals(ctx, r)
		}
	}
	return all, err
}

// Ask asks the same jobs under every policy.
func Ask(ctx context.Context, cfg Config) (all []*Result, err error) {
	cfg.Factors = fork.WithTruth(cfg.Factors)
	sample, err := fork.Sample(cfg.Jobs, cfg.Sample)
	if err != nil {
		return nil, err
	}
	for i, policy := range cfg.Policies {
		c := cfg.under(policy)
		if cfg.Progress != nil {
			c.Progress = func(done, of int) { cfg.Progress(i*of+done, len(cfg.Policies)*of) }
		}
		r, err := c.askPolicy(ctx, policy, sample)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// under is the configuration under one policy.
func (c Config) under(policy string) *Config {
	jobs := *c.Jobs
	jobs.Scenario.Policy = policy
	c.Jobs = &jobs
	return &c
}

// askPolicy asks the sample under one policy.
func (c *Config) askPolicy(ctx context.Context, policy string, sample []traces.Job) (*Result, error) {
	market := c.Jobs.Scenario.Market
	market.Payment = "none"
	p, err := c.Jobs.Replay(market)
	if err != nil {
		return nil, err
	}
	if err := defined(c.Payments, &c.Jobs.Scenario, p.Config.Policy, p.Config.Bidder); err != nil {
		return nil, err
	}
	known := byScale(p.Config.Policy, c)
	r := &Result{Policy: policy, Seed: c.Jobs.Scenario.Seed, Payments: c.Payments, Factors: c.Factors, Horizon: c.Horizon,
		Answers: make([]Answer, len(sample))}
	forks := fork.Config{Jobs: c.Jobs, Payments: schemes(c.Payments), At: fork.Submissions(sample), Workers: c.Workers,
		Progress: c.Progress, Horizon: c.Horizon}
	r.Counts, err = fork.Each(ctx, forks, func(i int, p *fork.Branch) error {
		q := &question{Config: c, ctx: ctx, point: p, job: &sample[i], answer: &r.Answers[i], byScale: known,
			truth: slices.Index(c.Factors, 1)}
		return q.ask()
	})
	return r, err
}

// question is one job asked under one policy.
type question struct {
	*Config
	ctx     context.Context
	point   *fork.Branch
	job     *traces.Job
	answer  *Answer
	truth   int // among Factors
	byScale bool
	value   float64
}

// ask follows a copy for every factor, whose schedule all payments share, and works the
// payments out.
func (q *question) ask() error {
	lies, bids := make([]fork.Result, len(q.Factors)), make([]float64, len(q.Factors))
	for i, factor := range q.Factors {
		var err error
		if lies[i], err = q.point.FateOf(q.job, fork.Multiple(q.job.ID, factor)); err != nil {
			return err
		}
		bids[i] = float64(factor * lies[i].Value)
	}
	f := &lies[q.truth]
	q.value = f.Value
	*q.answer = newAnswer(q.job, f, len(q.Payments), len(q.Factors))
	q.answer.Matters = slices.ContainsFunc(lies, func(lie fork.Result) bool { return !same(lie.Flow, f.Flow) })
	scheme := 0
	for k := range q.paymentsOf(billed) {
		for i := range lies {
			q.answer.Utility[k][i], q.answer.Paid[k][i] = lies[i].Utility[scheme], lies[i].Paid[scheme]
		}
		scheme++
	}
	if err := q.criticals(lies, bids); err != nil {
		return err
	}
	for k := range q.paymentsOf(clarke) {
		if err := q.clarkes(k, lies, bids); err != nil {
			return err
		}
	}
	return nil
}

func newAnswer(j *traces.Job, truth *fork.Result, payments, factors int) Answer {
	a := Answer{Job: *j, Value: truth.Value, Aggressive: truth.Aggressive, Waiting: waiting(truth),
		Utility: make([][]float64, payments), Paid: make([][]float64, payments), Half: make([][]float64, payments),
		Late: make([]bool, payments)}
	for k := range payments {
		a.Utility[k], a.Paid[k], a.Half[k] = make([]float64, factors), make([]float64, factors), make([]float64, factors)
	}
	return a
}

// waiting is what a job's flow time costs.
func waiting(f *fork.Result) float64 { return math.Abs(f.Value * f.Flow) }

// set notes what a lie pays by the k-th payment.
func (a *Answer) set(k, factor int, lie fork.Result, paid float64) {
	a.Paid[k][factor] = paid
	a.Utility[k][factor] = -float64(a.Value*lie.Flow) - paid
}
