package learn

import (
	"cmp"
	"context"
	"math"
	"slices"

	"bourse/engine"
	"bourse/reports/experiment"
	"bourse/reports/stats"
	"bourse/traces"
)

// common is what comes of it if all agents play the same action for the whole log.
type common struct {
	*tally
	// gains are, by payment and agent asked, what one gets more by its best other action, as a
	// share of what it gets.
	gains [][]float64
}

// alone is the epoch by which the draw of agents asked what moving alone gains is named.
const alone = -1

// movers draws whom to ask.
func (c *Config) movers(f *field, agents []traces.Label) (asked []int) {
	for _, x := range f.cells {
		if !slices.Contains(asked, x.agent) {
			asked = append(asked, x.agent)
		}
	}
	slices.SortFunc(asked, func(a, b int) int { return cmp.Compare(c.key(agents[a], alone), c.key(agents[b], alone)) })
	return asked[:min(max(1, c.Movers), len(asked))]
}

// commons plays each action, all payments being billed side by side.
func (c *Config) commons(ctx context.Context, f *field, asked []int) ([]common, error) {
	all := make([]common, len(Actions))
	tick := c.counter(len(all))
	err := experiment.Do(ctx, c.Workers, len(all), func(k int) (err error) {
		all[k], err = c.common(ctx, f, asked, int8(k))
		tick()
		return err
	})
	return all, err
}

// common replays the field, and copies it where an agent that is asked comes first: in each
// copy it plays another action to the end.
func (c *Config) common(ctx context.Context, f *field, asked []int, action int8) (common, error) {
	p := &player{played: slices.Repeat([]int8{action}, len(f.cells))}
	met, others := map[int]bool{}, map[int][]*tally{} // by agent
	t, err := c.measure(ctx, f, p, false, func(e *engine.Replay, which int) error {
		agent := f.cells[which].agent
		if met[agent] || !slices.Contains(asked, agent) {
			return nil
		}
		met[agent] = true
		for k := range Actions {
			if int8(k) == action {
				continue
			}
			bids := &player{field: f, row: p.row, played: slices.Clone(p.played)}
			for i, x := range f.cells {
				if x.agent == agent {
					bids.played[i] = int8(k)
				}
			}
			other, err := f.follow(ctx, e, bids, len(c.Payments), func(x *cell) bool { return x.agent == agent })
			if err != nil {
				return err
			}
			others[agent] = append(others[agent], other)
		}
		return nil
	})
	if err != nil {
		return common{}, err
	}
	all := common{tally: t, gains: make([][]float64, len(c.Payments))}
	for pay := range c.Payments {
		for _, agent := range asked {
			own := t.mean(pay, agent)
			best := own
			for _, other := range others[agent] {
				best = max(best, other.mean(pay, agent))
			}
			if best -= own; own > 0 {
				best /= own
			}
			all.gains[pay] = append(all.gains[pay], best)
		}
	}
	return all, nil
}

// mean is an agent's payoff in the game: the mean of its epochs'.
func (t *tally) mean(payment, agent int) float64 {
	sum, n := 0.0, 0
	for i, x := range t.field.cells {
		if x.agent == agent {
			sum += t.cells[payment][i].payoff()
			n++
		}
	}
	return sum / float64(n)
}

// slight is the greatest gain that counts as none, as a share of payoff.
const slight = 1e-3

// Game is what comes of the game in which each agent plays one action for the whole log, at
// the common one that is its equilibrium, or nearest to one: those asked gain least on
// average by moving alone, and of several it is the nearest to the truth.
type Game struct {
	Factor float64 `json:"factor" head:"all bid" unit:"general"`
	// Equilibrium tells that nobody asked gains more than slightly by moving alone. Asked
	// counts them.
	Equilibrium bool `json:"is_equilibrium" head:"is one"`
	Asked       int  `json:"agents_asked"`
	// Gain is the mean of what they gain, as a share of payoff, Most the greatest.
	Gain stats.Estimate `json:"gain_alone" head:"gain alone %" unit:"share"`
	Most float64        `json:"greatest_gain_alone" head:"at most %" unit:"share"`
	Outcome
	// Gains are the mean gains at each common action.
	Gains []float64 `json:"gain_alone_by_factor"`
	place int
}

// gameOf finds it, gains being by action.
func gameOf(gains [][]float64) (g Game) {
	for k, of := range gains {
		counted := slices.Clone(of)
		for i, x := range counted {
			if x <= slight {
				counted[i] = 0
			}
		}
		mean := stats.EstimateOf(counted)
		g.Gains = append(g.Gains, mean.Mean)
		nearer := math.Abs(Actions[k]-1) < math.Abs(Actions[g.place]-1)
		if k == 0 || mean.Mean < g.Gain.Mean || mean.Mean == g.Gain.Mean && nearer {
			g.place, g.Factor, g.Asked, g.Gain, g.Most = k, Actions[k], len(of), mean, slices.Max(counted)
		}
	}
	g.Equilibrium = g.Most == 0
	return g
}
