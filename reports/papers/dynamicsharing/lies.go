package dynamicsharing

import (
	"fmt"

	"bourse/policies/lending"
	"bourse/reports/experiment"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/rng"
)

// hunt is a search for lies under one mechanism.
type hunt struct {
	m      mechanism
	rounds int
	low    float64
	claim  string // what the paper proves; a search can refute it
}

// hunts are the searches.
func hunts() []hunt {
	return []hunt{
		{mechanisms[flexible], 6, 0, "FL is strategy-proof"},
		{mechanisms[flexible], 6, .3, "FL is strategy-proof"},
		{mechanisms[onePeriod], 6, 0, "T-Period is strategy-proof for T = 1"},
		{mechanisms[onePeriod], 6, .3, "T-Period is strategy-proof for T = 1"},
		{mechanisms[twoPeriod], 4, 0, "T-Period is strategy-proof for T = 2"},
		{mechanisms[twoPeriod], 4, .3, "T-Period is strategy-proof for T = 2"},
		{threePeriod, 6, 0, ""},
		{mechanisms[dynamicMaxMin], 6, 0, ""},
		{mechanisms[staticMaxMin], 6, 0, ""},
		{mechanisms[staticMaxMin], 6, .3, ""},
		{mechanisms[karma], 6, 0, ""},
	}
}

// threePeriod is R/2-Period in 6 rounds.
var threePeriod = mechanism{"tperiod:3", "3-Period", periods(3)}

// counterExample is an instance in which a mechanism lacks a property: the first agent
// gains by saying lie, or, if that is nil, has less than its endowment would give it.
type counterExample struct {
	where, says string
	m           mechanism
	small
	lie []float64
	low float64
}

func counterExamples() []counterExample {
	idle := small{[]float64{1, 1}, [][]float64{{0, 2}}}
	late := small{[]float64{1, 1, 1}, [][]float64{{1, 0, 2}, {3, 1, 2}, {2, 6, 0}}}
	return []counterExample{
		{"Section 2", "SMM violates sharing incentives", mechanisms[staticMaxMin], idle, nil, .5},
		{"Section 2", "DMM violates sharing incentives", mechanisms[dynamicMaxMin], idle, nil, .5},
		{"Section 2", "SMM is not strategy-proof", mechanisms[staticMaxMin], idle, []float64{1}, .5},
		{"Section 2", "DMM is not strategy-proof", mechanisms[dynamicMaxMin], late, []float64{0, 3, 2}, 0},
		{"Section 4", "R/2-Period is not strategy-proof", threePeriod,
			small{[]float64{1, 1, 2}, [][]float64{{8, 2, 0}, {8, 0, 0}, {0, 4, 0}, {8, 0, 0}, {0, 0, 0}, {0, 0, 0}}},
			[]float64{1, 8, 0, 8, 0, 0}, 0},
	}
}

// gain is what the first agent has too little, or gains by its lie.
func (c *counterExample) gain() (float64, error) {
	honest, err := c.utility(c.m, c.demands, 0, c.low)
	if err != nil {
		return 0, err
	}
	if c.lie == nil {
		own, err := c.utility(mechanisms[static], c.demands, 0, c.low)
		return own - honest, err
	}
	lies := make([][]float64, len(c.demands))
	for r, row := range c.demands {
		lies[r] = append([]float64{c.lie[r]}, row[1:]...)
	}
	said, err := c.utility(c.m, lies, 0, c.low)
	return said - honest, err
}

// lies plays counter-examples and searches small random instances for lies that pay.
func (s *study) lies() error {
	for _, c := range counterExamples() {
		gain, err := c.gain()
		if err != nil {
			return err
		}
		s.Hold(c.where, c.says, gain > 1e-9, "endowments %v, demands by round %v, L/H = %g: agent 1 %s %.3f", c.endow,
			c.demands, c.low, c.what(), gain).Read("to deny a property one instance is enough")
	}
	s.impossible()
	s.Heading("Strategy-proofness: lies that pay in %d small random instances", s.Lies)
	if s.Lies == 0 {
		s.Printf("Left out: no instances to search for lies.\n")
		return nil
	}
	t := table.New(
		table.Col("mechanism", "", terminal.Words), table.Col("", "mechanism", terminal.Words),
		table.Col("low", "L/H", terminal.General), table.Col("rounds", "rounds", terminal.Number),
		table.Col("instances", "", terminal.Number), table.Col("with_lie", "instances with one", terminal.Number),
		table.Col("largest_gain", "largest gain", terminal.Fixed(3)))
	for _, g := range hunts() {
		gains := make([]float64, s.Lies)
		err := experiment.Do(s.ctx, s.Workers, s.Lies, func(k int) (err error) {
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
		t.Add(g.m.name, g.m.label, g.low, g.rounds, s.Lies, found, most)
		if g.claim != "" {
			s.Hold("Section 3", g.claim, found == 0, "L/H = %g: %d of %d instances have a lie that pays, the best %.3f", g.low,
				found, s.Lies, most).
				Read("proved in the paper: the search could only refute it; a gain counts beyond rounding, 1e-6")
		}
	}
	s.Show(t)
	s.Printf("\n2 to 4 agents with endowments 1 to 3; one agent of each instance lies, by coordinate ascent over what " +
		"it could say.\nR/2-Period is 3-Period in 6 rounds; its lies are rare.\n")
	return s.Keep("lies", t)
}

// what says what happens to the agent.
func (c *counterExample) what() string {
	if c.lie == nil {
		return "lacks"
	}
	return fmt.Sprintf("says %v and gains", c.lie)
}

// search draws an instance and returns what one agent can gain.
func (g *hunt) search(r *rng.Rand, k int) (float64, error) {
	x := drawSmall(r, g.rounds, 3)
	if _, err := g.m.make(x.endow, g.rounds); err != nil {
		return 0, err
	}
	fresh := func() lending.Lender {
		m, err := g.m.make(x.endow, g.rounds)
		if err != nil {
			panic(err) // the same arguments have worked before
		}
		return m
	}
	i := k % len(x.endow)
	return lending.BestLie(fresh, x.demands, i, x.endow[i], g.low).Gain, nil
}
