// Package regret measures what a job's owner gains by lying: all other bids held
// fixed, the job bids each of a grid of multiples of its value, and its utility
// is compared with that of the truth. It is the direct measure of incentive
// compatibility; averages over groups of liars only suggest it.
//
// The jobs are asked as package truth asks them, under one policy and prices that a replay
// bills; what is made of the answers differs: medians over the jobs whose bid matters, at
// each multiple, and a test of whether it pays to underbid.
package regret

import (
	"context"

	"bourse/reports/ask/truth"
)

// Result holds the answers in order of submission.
type Result struct{ *truth.Result }

// Run samples jobs and tries the lies under the scenario's policy.
func Run(ctx context.Context, cfg truth.Config) (*Result, error) {
	cfg.Policies = []string{cfg.Jobs.Scenario.Policy}
	all, err := truth.Ask(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return &Result{all[0]}, nil
}
