package dynamicsharing

import (
	"fmt"

	"bourse/policies/share"
	"bourse/reports/studies"
	"bourse/reports/studies/parallel"
	"bourse/reports/terminal"
	"bourse/traces/rng"
)

// hunt is a search for lies under one mechanism.
type hunt struct {
	m      mechanism
	rounds int
	low    float64
	claim  string
	proof  bool // the paper says that no lie pays
}

// hunts are the searches with what the paper says of each.
func hunts() []hunt {
	three := mechanism{"tperiod:3", "3-Period", periods(3)}
	return []hunt{
		{mechanisms[flexible], 6, 0, "FL is strategy-proof", true},
		{mechanisms[flexible], 6, .3, "FL is strategy-proof", true},
		{mechanisms[onePeriod], 6, 0, "T-Period is strategy-proof for T = 1", true},
		{mechanisms[onePeriod], 6, .3, "T-Period is strategy-proof for T = 1", true},
		{mechanisms[twoPeriod], 4, 0, "T-Period is strategy-proof for T = 2", true},
		{mechanisms[twoPeriod], 4, .3, "T-Period is strategy-proof for T = 2", true},
		{three, 6, 0, "R/2-Period is not strategy-proof", false},
		{mechanisms[dynamicMaxMin], 6, 0, "DMM is not strategy-proof", false},
		{mechanisms[staticMaxMin], 6, 0, "", true}, // the paper's claim is for L > 0
		{mechanisms[staticMaxMin], 6, .3, "SMM is not strategy-proof (L > 0)", false},
		{mechanisms[karma], 6, 0, "", false},
	}
}

// lies searches small random instances for lies that pay.
func (s *study) lies() error {
	s.Heading("Strategy-proofness: lies that pay in %d small random instances", s.Lies)
	if s.Lies == 0 {
		s.Printf("Left out: no instances to search for lies.\n")
		return nil
	}
	t := terminal.NewTable("mechanism", "L/H", "rounds", "instances with one", "largest gain")
	rows := studies.Columns("mechanism", "low", "rounds", "instances", "with_lie", "largest_gain")
	for _, g := range hunts() {
		gains := make([]float64, s.Lies)
		err := parallel.Do(s.ctx, s.Workers, s.Lies, func(k int) (err error) {
			gains[k], err = g.search(rng.Stream(s.Seed, "dynamic-sharing lies", uint64(k)), k)
			return err
		})
		if err != nil {
			return err
		}
		found, most := 0, 0.0
		for _, v := range gains {
			if v > 1e-6 {
				found++
				most = max(most, v)
			}
		}
		t.Row(g.m.label, fmt.Sprint(g.low), fmt.Sprint(g.rounds), fmt.Sprint(found), fmt.Sprintf("%.3f", most))
		rows.Add(g.m.name, g.low, g.rounds, s.Lies, found, most)
		if g.claim != "" {
			verdict := studies.Judge((found == 0) == g.proof)
			if !g.proof && found == 0 {
				verdict = studies.Unclear // not found is not refuted
			}
			s.Claim("Section 3", g.claim, verdict, "L/H = %g: %d of %d instances have a lie that pays, the best %.3f", g.low, found, s.Lies, most)
		}
	}
	s.Table(t)
	s.Printf("\n2 to 4 agents with endowments 1 to 3; one agent of each instance lies, by coordinate ascent over what it could say.\nR/2-Period is 3-Period in 6 rounds; its lies are rare.\n")
	return s.Keep("lies", rows)
}

// search draws an instance and returns what one agent can gain.
func (g *hunt) search(r *rng.Rand, k int) (float64, error) {
	n := 2 + r.IntN(3)
	endow := make([]float64, n)
	for i := range endow {
		endow[i] = float64(1 + r.IntN(3))
	}
	truth := make([][]float64, g.rounds)
	for t := range truth {
		truth[t] = make([]float64, n)
		for i := range truth[t] {
			if r.IntN(3) > 0 {
				truth[t][i] = float64(r.IntN(9))
			}
		}
	}
	var failed error
	fresh := func() share.Lender {
		m, err := g.m.make(endow, g.rounds)
		if err != nil {
			failed = err
		}
		return m
	}
	if fresh(); failed != nil {
		return 0, failed
	}
	return share.BestLie(fresh, truth, k%n, endow[k%n], g.low).Gain, failed
}
