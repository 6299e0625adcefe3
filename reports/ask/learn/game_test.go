package learn

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestGame enumerates what every agent gets by every move from every common action, in whole
// replays, and wants the gains that copies tell, in both kinds of epochs.
func TestGame(t *testing.T) {
	for _, weeks := range []bool{true, false} {
		c := log(t, 3, 2, 4, true)
		c.Least, c.Weeks, c.Epochs, c.Movers, c.Payments = 1, weeks, 1, 3, []string{"first", "kth", "none"}
		r := learnt(t, c)
		jobs, err := c.load(0)
		if err != nil {
			t.Fatal(err)
		}
		agents, err := c.agents(jobs)
		if err != nil {
			t.Fatal(err)
		}
		f, err := c.divide(jobs, agents, 0)
		if err != nil {
			t.Fatal(err)
		}
		pays := func(pay, agent, common, own int) float64 {
			p := &player{}
			for _, x := range f.cells {
				k := common
				if x.agent == agent {
					k = own
				}
				p.played = append(p.played, int8(k))
			}
			whole, err := c.measure(context.Background(), f, p, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			return whole.mean(pay, agent)
		}
		for pay, l := range r.Payments {
			var equilibria []float64
			for common := range Actions {
				stable := true
				for i, agent := range c.movers(f, agents) {
					best := math.Inf(-1)
					for own := range Actions {
						best = max(best, pays(pay, agent, common, own))
					}
					gain := best/pays(pay, agent, common, common) - 1
					if math.Abs(gain-l.Gains[common][i]) > 1e-12 {
						t.Errorf("weeks %v, %s, all bid %g w: agent %d gains %v alone, copies say %v", weeks, l.Payment, Actions[common],
							agent, gain, l.Gains[common][i])
					}
					stable = stable && gain <= slight
				}
				if stable {
					equilibria = append(equilibria, Actions[common])
				}
			}
			if g := r.Rows()[pay].Game; g.Equilibrium != (len(equilibria) > 0) || g.Equilibrium &&
				!slices.Contains(equilibria, g.Factor) || g.Asked != 3 {
				t.Errorf("weeks %v, %s: equilibria %v, found %+v", weeks, l.Payment, equilibria, g)
			}
		}
	}
}

// TestGameOf wants the equilibrium nearest to the truth, or else what is nearest to one.
func TestGameOf(t *testing.T) {
	gains := make([][]float64, len(Actions))
	for k := range gains {
		gains[k] = []float64{.2, 0}
	}
	gains[1], gains[6] = []float64{.1, .01}, []float64{0, .05}
	if g := gameOf(gains); g.Equilibrium || g.Factor != 2 || g.Gain.Mean != .025 || g.Most != .05 || g.Asked != 2 {
		t.Errorf("no equilibrium: %+v", g)
	}
	gains[0], gains[3] = []float64{0, 0}, []float64{slight, 0}
	if g := gameOf(gains); !g.Equilibrium || g.Factor != .75 || g.Most != 0 || g.Gains[3] != 0 {
		t.Errorf("two equilibria: %+v", g)
	}
}

// TestGamesKnown has games whose equilibria are plain: who never waits and pays the bid bids
// the least, who pays nothing and competes the most, and one agent what pays it best.
func TestGamesKnown(t *testing.T) {
	c := log(t, 2, 3, 10, false)
	c.Movers = 2
	lonely := learnt(t, c).Rows()
	if g := lonely[0].Game; !g.Equilibrium || g.Factor != .1 || g.Asked != 2 || g.Cost != 0 || *g.Efficiency != 1 ||
		math.Abs(g.Revenue-.1) > 1e-9 {
		t.Errorf("first, alone: %+v", g)
	}
	if g := lonely[1].Game; !g.Equilibrium || g.Factor != 1 {
		t.Errorf("none, alone, where honesty is as good as anything: %+v", g)
	}
	c = log(t, 5, 10, 8, true)
	c.Movers = 4
	if g := learnt(t, c).Rows()[1].Game; g.Factor < 2 || g.Asked != 4 {
		t.Errorf("none, rivals: %+v", g)
	}
	c.Group, c.Scenario.Behaviour = true, "srg"
	for _, row := range learnt(t, c).Rows() {
		g := row.Game
		if !g.Equilibrium || g.Factor != row.Common || g.Asked != 1 ||
			!strings.Contains(strings.Join(g.answers(row.Agents), " "), "one agent bids for all") {
			t.Errorf("%s, one agent: %+v, best %g", row.Payment, g, row.Common)
		}
	}
}
