package priceanticipating

import (
	"context"
	"math"

	"bourse/policies/market"
	"bourse/reports/stats"
	"bourse/reports/studies/parallel"
	"bourse/traces/rng"
)

// The settings of section 5; the greedy ones are the study's choice.
const (
	machines        = 100
	tolerance       = .001
	mostSweeps      = 200
	greedyStep      = .02
	greedyTolerance = .002
	mostGreedy      = 500
)

// userCounts are the points of the figures: the paper simulates 5 to 250 and
// draws 5 to 150.
var userCounts = []int{5, 8, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 100, 125, 150, 200, 250}

// models are the two models of preferences.
var models = []string{"uniform", "correlated"}

// bounds on parallelism of section 5.2.
var parallelism = []int{5, 20}

// quantity is something measured at a point.
type quantity int

// What is measured in each repetition. Of finite parallelism there is a block for
// each bound.
const (
	sweeps          quantity = iota // of best response, to convergence
	stable                          // of best response, to stable welfare
	bestConverged                   // 1 if best response converged
	greedySweeps                    // the same of greedy
	greedyStable                    //
	greedyConverged                 // 1 if greedy converged
	greedyLetter                    // the last sweep of greedy that changes welfare by more than the tolerance
	efficiency                      // at the equilibrium
	uniformity                      //
	envyFreeness                    //
	proportional                    // efficiency in proportion to weights, then its fairness
	proportionalUni                 //
	proportionalEnv                 //
	optimumUni                      // fairness of the social optimum
	optimumEnv                      //
	leastUtility                    // times the number of users: 1 or more in theory
	finite                          // the first of a block
)

// The entries of a block of finite parallelism.
const (
	finiteSweeps quantity = iota
	finiteConverged
	finiteEfficiency
	finiteUniformity
	finiteEnvy
	finiteRounds // of the local search, a mean
	finiteProved // part of the answers proved best
	finiteSize
)

const quantities = finite + 2*finiteSize

// block is an entry of the k-th block.
func block(k int, of quantity) quantity { return finite + quantity(k)*finiteSize + of }

// sample is one repetition.
type sample [quantities]float64

// point is the repetitions at one number of users.
type point struct {
	users   int
	samples []sample
}

func (p *point) of(q quantity) stats.Estimate {
	return stats.EstimateOver(len(p.samples), func(i int) float64 { return p.samples[i][q] })
}

// least returns the smallest value of a quantity in any repetition.
func (p *point) least(q quantity) float64 {
	least := math.Inf(1)
	for i := range p.samples {
		least = min(least, p.samples[i][q])
	}
	return least
}

// draw makes the instance of a model, a number of users and a repetition. Other
// figures that ask for the same get the same.
func (s *study) draw(model, users, repetition int) (*market.Market, error) {
	stream := rng.Stream(s.Seed, "price-anticipating "+models[model], uint64(users)<<32|uint64(repetition))
	var weights [][]float64
	if model == 0 {
		weights = market.Uniform(stream, users, machines)
	} else {
		weights = market.Correlated(stream, users, machines, 3)
	}
	return market.Of(weights, nil)
}

// simulate fills the points, the largest instances first.
func (s *study) simulate() error {
	for model := range models {
		for _, users := range userCounts {
			s.found[model] = append(s.found[model], &point{users, make([]sample, s.Repetitions)})
		}
	}
	n := len(models) * len(userCounts) * s.Repetitions
	return parallel.Do(s.ctx, s.Workers, n, func(i int) error {
		k := n - 1 - i
		model, p, repetition := k%len(models), k/len(models)/s.Repetitions, k/len(models)%s.Repetitions
		m, err := s.draw(model, userCounts[p], repetition)
		if err != nil {
			return err
		}
		return repeat(s.ctx, m, &s.found[model][p].samples[repetition])
	})
}

// repeat takes all measures of one instance.
func repeat(ctx context.Context, m *market.Market, out *sample) error {
	optimum, owner, err := m.Optimum(0)
	if err != nil {
		return err
	}
	start := m.Measure(m.Allocation(), optimum, true)
	out[proportional], out[proportionalUni], out[proportionalEnv] = start.Efficiency, start.Uniformity, start.EnvyFreeness
	best := m.Measure(m.Owned(owner), optimum, true)
	out[optimumUni], out[optimumEnv] = best.Uniformity, best.EnvyFreeness

	var w watch
	found, err := m.Run(ctx, market.Search{Rule: bestResponse, Tolerance: tolerance, Limit: mostSweeps, Optimum: optimum, Watch: true, Envy: true, Each: w.see})
	if err != nil {
		return err
	}
	out[sweeps], out[stable], out[bestConverged] = float64(found.Sweeps), w.stable(optimum), indicator(found.Converged)
	out[efficiency], out[uniformity], out[envyFreeness] = found.Least.Efficiency, found.Least.Uniformity, found.Least.EnvyFreeness
	out[leastUtility] = math.Inf(1)
	for i := range m.Users() {
		out[leastUtility] = min(out[leastUtility], m.Utility(i)*float64(m.Users()))
	}

	m.Reset(0)
	w = watch{}
	greedy := market.Search{Rule: market.Rule{Update: market.Greedy, Step: greedyStep}, Until: market.MarginGap, Tolerance: greedyTolerance, Limit: mostGreedy, Optimum: optimum, Watch: true, Each: w.see}
	if found, err = m.Run(ctx, greedy); err != nil {
		return err
	}
	out[greedySweeps], out[greedyStable], out[greedyConverged], out[greedyLetter] = float64(found.Sweeps), w.stable(optimum), indicator(found.Converged), w.restless(optimum)
	for k, most := range parallelism {
		if err := bounded(ctx, m, most, out[block(k, 0):block(k, finiteSize)]); err != nil {
			return err
		}
	}
	return nil
}

// bounded takes the measures with at most `most` machines a user.
func bounded(ctx context.Context, m *market.Market, most int, out []float64) error {
	optimum, _, err := m.Optimum(most)
	if err != nil {
		return err
	}
	m.Reset(most)
	before := m.Searches()
	found, err := m.Run(ctx, market.Search{Rule: market.Rule{Update: market.LocalSearch, Most: most}, Tolerance: tolerance, Limit: mostSweeps, Optimum: optimum, Watch: true, Envy: true})
	if err != nil {
		return err
	}
	out[finiteSweeps], out[finiteConverged] = float64(found.Sweeps), indicator(found.Converged)
	out[finiteEfficiency], out[finiteUniformity], out[finiteEnvy] = found.Least.Efficiency, found.Least.Uniformity, found.Least.EnvyFreeness
	after := m.Searches()
	made := float64(after.Made - before.Made)
	out[finiteRounds], out[finiteProved] = float64(after.Rounds-before.Rounds)/made, float64(after.Proved-before.Proved)/made
	return nil
}

// indicator is 1 if a statement holds.
func indicator(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// stability is how near welfare must stay to where it ends, as a part of the
// optimum. It is the study's own: by the paper's criterion, a change of .001 or
// less from one sweep to the next, greedy is stable at once, since its first sweep
// moves next to nothing, or, if no later sweep may change more, hardly ever with few
// users. Both are reported.
const stability = .01

// watch keeps the welfare after each sweep.
type watch struct{ welfare []float64 }

func (w *watch) see(p market.Progress) error {
	w.welfare = append(w.welfare, p.Metrics.Welfare)
	return nil
}

// stable is the sweep from which on welfare is near to where it ends: to its mean
// over the last ten sweeps.
func (w *watch) stable(optimum float64) float64 {
	n := len(w.welfare)
	end := 0.0
	for _, v := range w.welfare[max(0, n-10):] {
		end += v / float64(min(n, 10))
	}
	if n < 10 {
		end = w.welfare[n-1]
	}
	for k := n - 1; k >= 0; k-- {
		if math.Abs(w.welfare[k]-end) > stability*optimum {
			return float64(k + 2)
		}
	}
	return 1
}

// restless is the last sweep that changes welfare by more than the tolerance, 0 if
// none does.
func (w *watch) restless(optimum float64) float64 {
	for k := len(w.welfare) - 1; k > 0; k-- {
		if math.Abs(w.welfare[k]-w.welfare[k-1]) > tolerance*optimum {
			return float64(k + 1)
		}
	}
	return 0
}
