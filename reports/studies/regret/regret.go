// Package regret measures what a job's owner gains by lying: all other bids held
// fixed, the job bids each of a grid of multiples of its value, and its utility
// is compared with that of the truth. It is the direct measure of incentive
// compatibility; averages over groups of liars only suggest it.
//
// A lie changes nothing before the job arrives, and the job's own utility is
// settled when it ends: the replay is forked at the instant of arrival (package fork).
package regret

import (
	"context"

	"bourse/engine/scenario"
	"bourse/reports/studies/fork"
	"bourse/traces"
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
	// Moves tells that some bid tried changes the flow time.
	Moves bool
}

// Result holds the answers in order of submission.
type Result struct {
	Payments []string
	Factors  []float64
	Answers  []Answer
	fork.Counts
}

// Run samples jobs and tries the lies.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	factors := fork.WithTruth(cfg.Factors)
	jobs, err := fork.Sample(cfg.Jobs, cfg.Sample)
	if err != nil {
		return nil, err
	}
	r := &Result{Payments: cfg.Payments, Factors: factors, Answers: make([]Answer, len(jobs))}
	r.Counts, err = fork.Each(ctx, cfg.fork(jobs), func(i int, p *fork.Point) (err error) {
		r.Answers[i], err = ask(p, jobs[i], r.Payments, factors)
		return err
	})
	return r, err
}

func (c *Config) fork(jobs []traces.Job) fork.Config {
	return fork.Config{Jobs: c.Jobs, Payments: c.Payments, At: fork.Submissions(jobs), Workers: c.Workers, Progress: c.Progress}
}

// ask follows a fork for every factor.
func ask(p *fork.Point, j traces.Job, payments []string, factors []float64) (Answer, error) {
	a := Answer{Job: j, Utility: make([][]float64, len(payments))}
	first := 0.0
	for i, factor := range factors {
		f, err := p.FateOf(&j, fork.Multiple(j.ID, factor))
		if err != nil {
			return a, err
		}
		a.Value, a.Aggressive = f.Value, f.Aggressive
		if i == 0 {
			first = f.Flow
		}
		a.Moves = a.Moves || f.Flow != first
		for k, u := range f.Utility {
			a.Utility[k] = append(a.Utility[k], u)
		}
	}
	return a, nil
}
