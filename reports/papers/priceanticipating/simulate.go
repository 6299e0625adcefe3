package priceanticipating

import (
	"math"

	"bourse/policies/market"
	"bourse/reports/experiment"
	"bourse/reports/stats"
	"bourse/traces/rng"
)

// The settings of section 5; the greedy ones are the study's choice.
const (
	tolerance       = .001
	mostSweeps      = 200
	greedyStep      = .02
	greedyTolerance = .002
	mostGreedy      = 500
	// drawn is the largest number of users of the paper's figures: it simulates 5 to 250.
	drawn = 150
	// At exact rest no utility changes by this from sweep to sweep.
	restTolerance = 1e-7
)

// models are the two models of preferences.
var models = []string{"uniform", "correlated"}

// setup is what section 5 is run with. Tests break it on purpose.
type setup struct {
	machines int
	bounds   []int // on a user's machines, of section 5.2
	users    []int // the points of the figures
	reserve  float64
	// bounded leaves out all but section 5.2 and best responses, lean also what is not of the
	// uniform model or, with the first bound, of section 5.2.
	bounded, lean bool
	// best, adjusted and searched are the three ways to answer.
	best, adjusted, searched market.Rule
	weights                  func(r *rng.Rand, model, users, machines int) [][]float64
	budgets                  func(users int) []float64 // nil: all 1
	found                    [2][]*point               // by model and in order of users
}

// published is the setup of the paper.
func published(reserve float64) setup {
	return setup{
		machines: 100, bounds: []int{5, 20}, reserve: reserve,
		users: []int{5, 8, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 100, 125, 150, 200, 250},
		best:  bestResponse, adjusted: market.Rule{Update: market.Greedy, Step: greedyStep},
		searched: market.Rule{Update: market.LocalSearch},
		weights: func(r *rng.Rand, model, users, machines int) [][]float64 {
			if model == 0 {
				return market.Uniform(r, users, machines)
			}
			return market.Correlated(r, users, machines, 3)
		},
		budgets: func(int) []float64 { return nil },
	}
}

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
	greedyConverged                 //
	efficiency                      // where best responses converge
	uniformity                      //
	envyFreeness                    //
	rested                          // 1 if they come to exact rest
	restEfficiency                  // there
	restEnvy                        //
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
	finiteBrief  // part of the answers of at most two rounds
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

func (p *point) estimate(q quantity) stats.Estimate {
	return stats.EstimateOver(len(p.samples), func(i int) float64 { return p.samples[i][q] })
}

// extremes returns the least and largest value of a quantity in any repetition.
func (p *point) extremes(q quantity) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for i := range p.samples {
		least, most = min(least, p.samples[i][q]), max(most, p.samples[i][q])
	}
	return least, most
}

// draw makes the instance of a model, a number of users and a repetition. Other
// figures that ask for the same get the same.
func (s *study) draw(model, users, repetition int) (*market.Market, error) {
	stream := rng.Stream(s.Seed, "price-anticipating "+models[model], uint64(users)<<32|uint64(repetition))
	m, err := market.Of(s.weights(stream, model, users, s.machines), s.budgets(users))
	if err != nil {
		return nil, err
	}
	return m, m.SetReserve(s.reserve)
}

// simulate fills the points, the largest instances first.
func (s *study) simulate() error {
	s.found = [2][]*point{}
	for model := range models {
		for _, users := range s.users {
			s.found[model] = append(s.found[model], &point{users, make([]sample, s.Repetitions)})
		}
	}
	n := len(models) * len(s.users) * s.Repetitions
	return experiment.Do(s.ctx, s.Workers, n, func(i int) error {
		k := n - 1 - i
		model, p, repetition := k%len(models), k/len(models)/s.Repetitions, k/len(models)%s.Repetitions
		m, err := s.draw(model, s.users[p], repetition)
		if err != nil {
			return err
		}
		return s.repeat(m, model, &s.found[model][p].samples[repetition])
	})
}

// repeat takes all measures of one instance.
func (s *study) repeat(m *market.Market, model int, out *sample) error {
	if s.lean && model > 0 {
		return s.bound(m, s.bounds[0], out[block(0, 0):block(0, finiteSize)])
	}
	optimum, owner, err := m.Optimum(0)
	if err != nil {
		return err
	}
	start := m.Measure(m.Allocation(), optimum, true)
	out[proportional], out[proportionalUni], out[proportionalEnv] = start.Efficiency, start.Uniformity, start.EnvyFreeness
	best := m.Measure(m.Owned(owner), optimum, true)
	out[optimumUni], out[optimumEnv] = best.Uniformity, best.EnvyFreeness
	run := func(search market.Search, sweeps, stable, converged quantity) (market.Found, error) {
		welfare := []float64{start.Welfare}
		search.Optimum, search.Watch = optimum, true
		search.Each = func(p market.Progress) error {
			welfare = append(welfare, p.Metrics.Welfare)
			return nil
		}
		found, err := m.Run(s.ctx, search)
		out[sweeps], out[stable], out[converged] = float64(found.Sweeps), stabilised(welfare, tolerance*optimum),
			indicator(found.Converged)
		return found, err
	}
	found, err := run(market.Search{Rule: s.best, Tolerance: tolerance, Limit: mostSweeps, Envy: true}, sweeps, stable,
		bestConverged)
	if err != nil {
		return err
	}
	out[efficiency], out[uniformity], out[envyFreeness] = found.Least.Efficiency, found.Least.Uniformity,
		found.Least.EnvyFreeness
	out[leastUtility] = math.Inf(1)
	for i := range m.Users() {
		out[leastUtility] = min(out[leastUtility], m.Utility(i)*float64(m.Users()))
	}
	if !s.bounded {
		if found, err = m.Run(s.ctx, market.Search{Rule: s.best, Tolerance: restTolerance, Limit: mostSweeps, Envy: true,
			Optimum: optimum}); err != nil {
			return err
		}
		out[rested], out[restEfficiency], out[restEnvy] = indicator(found.Converged), found.Last.Efficiency,
			found.Last.EnvyFreeness
		m.Reset(0)
		if _, err = run(market.Search{Rule: s.adjusted, Until: market.MarginGap, Tolerance: greedyTolerance,
			Limit: mostGreedy}, greedySweeps, greedyStable, greedyConverged); err != nil {
			return err
		}
	}
	for k, most := range s.bounds {
		if err := s.bound(m, most, out[block(k, 0):block(k, finiteSize)]); err != nil {
			return err
		}
	}
	return nil
}

// bound takes the measures with at most `most` machines a user.
func (s *study) bound(m *market.Market, most int, out []float64) error {
	optimum, _, err := m.Optimum(most)
	if err != nil {
		return err
	}
	m.Reset(most)
	rule, before := s.searched, m.Searches()
	rule.Most = most
	found, err := m.Run(s.ctx, market.Search{Rule: rule, Tolerance: tolerance, Limit: mostSweeps, Optimum: optimum,
		Watch: true, Envy: true})
	if err != nil {
		return err
	}
	out[finiteSweeps], out[finiteConverged] = float64(found.Sweeps), indicator(found.Converged)
	out[finiteEfficiency], out[finiteUniformity], out[finiteEnvy] = found.Least.Efficiency, found.Least.Uniformity,
		found.Least.EnvyFreeness
	after := m.Searches()
	made := float64(after.Made - before.Made)
	out[finiteBrief], out[finiteProved] = float64(after.Brief-before.Brief)/made, float64(after.Proved-before.Proved)/made
	return nil
}

// indicator is 1 if a statement holds.
func indicator(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// stabilised is the first sweep that changes welfare by no more than epsilon, the paper's
// criterion (section 5), once half of the rise is done: greedy begins with changes that are
// smaller still, and goes on with larger ones forever.
func stabilised(welfare []float64, epsilon float64) float64 {
	last := len(welfare) - 1
	for k := 1; k < last; k++ {
		if welfare[k] >= (welfare[0]+welfare[last])/2 && math.Abs(welfare[k]-welfare[k-1]) <= epsilon {
			return float64(k)
		}
	}
	return float64(last)
}
