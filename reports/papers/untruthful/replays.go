package untruthful

import (
	"context"
	"fmt"

	"bourse/reports/experiment"
)

// setting is one replay of the study.
type setting struct{ policy, behaviour string }

func srg(beta string) string { return "srg(beta=" + beta + ")" }

// divided is the more traditional division that the paper tried as well (section II.B).
var divided = setting{"hb", "srg(beta=.8,share=.2,mild=.2)"}

// settings lists the replays of one seed: everybody truthful and the standard
// group under the four algorithms of the figures, and the game's columns.
func settings() []setting {
	all := []setting{divided}
	for _, p := range compared {
		all = append(all, setting{p, "truthful"})
	}
	for _, p := range compared {
		for _, b := range betas {
			if p != "wsept" || b == ".9" {
				all = append(all, setting{p, srg(b)})
			}
		}
	}
	return all
}

// results holds the curves by setting and seed.
type results map[setting][]*curve

// replayAll runs every setting under every seed.
func replayAll(ctx context.Context, w *workload, seeds, workers int, done func(done, of int, err error)) (results,
	error) {
	r, err := experiment.Run(ctx, workers, settings(), seeds, func(s setting, seed int) (*curve, error) {
		c, err := w.replay(ctx, s, uint64(seed+1))
		if err != nil {
			err = fmt.Errorf("%s, %s, seed %d: %w", s.policy, s.behaviour, seed+1, err)
		}
		return c, err
	}, done)
	return results(r), err
}

// replay runs one setting, billed under both payments at once.
func (w *workload) replay(ctx context.Context, s setting, seed uint64) (*curve, error) {
	market := w.loaded.Scenario.Market
	market.Policy, market.Payment, market.Behaviour, market.Seed = s.policy, payments[0], s.behaviour, seed
	p, err := w.loaded.Replay(market, w.kth)
	if err != nil {
		return nil, err
	}
	c := &curve{groups: w.groups}
	_, err = p.Run(ctx, c)
	return c, err
}
