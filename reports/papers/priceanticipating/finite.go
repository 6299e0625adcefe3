package priceanticipating

import (
	"fmt"
	"math"
	"slices"

	"bourse/reports/papers"
)

// betweenPreferences is the sentence that compares both models of preferences.
const betweenPreferences = "no significant difference between the preferences"

// bad is where the paper's sweeps do not converge, users by bound.
var bad = [][2]int{{20, 40}, {5, 10}}

// figure5 is the time to convergence with bounded parallelism.
func (s *study) figure5() error {
	s.Heading("Figure 5: sweeps to convergence with at most 5 and 20 machines per user (%d: not converged)", mostSweeps)
	times := strip{"sweeps", 1, 0, mostSweeps * 1.05, nil}
	for model, name := range models {
		p := panel{title: name, short: []string{"U", "C"}[model], legend: []string{"", "tr"}[model]}
		for k, most := range s.bounds {
			p.series = append(p.series, s.byUsers(fmt.Sprintf("%d machines", most), model, block(k, finiteSweeps)))
		}
		times.panels = append(times.panels, p)
	}
	for k, most := range s.bounds {
		none := s.restless(0, k)
		in := s.where(0, func(p *point) bool { return p.users >= bad[k][0] && p.users <= bad[k][1] })
		some := s.where(0, func(p *point) bool {
			m := p.estimate(block(k, finiteConverged)).Mean
			return m >= .5 && m < 1
		})
		slow := 0.0
		for _, p := range s.points(0, 0, drawn) {
			if least, _ := p.extremes(block(k, finiteConverged)); least == 1 {
				slow = max(slow, p.estimate(block(k, finiteSweeps)).Mean)
			}
		}
		s.Hold("Figure 5", fmt.Sprintf("at most %d machines: no convergence with %d to %d users, quickly elsewhere", most,
			bad[k][0], bad[k][1]), listed(none) == listed(in) && slow <= 10,
			"users at which most instances do not converge: %s; some: %s; elsewhere after %.1f sweeps at most (means)",
			listed(none), listed(some), slow).
			Read("uniform preferences, as in the figure; quickly: within 10 sweeps. With a reserve of 1e-9 some instances " +
				"fail with 15 and 50 users as well").Tried(len(reserves))
		s.Found("Figure 5", fmt.Sprintf("correlated preferences, at most %d machines (not drawn)", most),
			"users at which most instances do not converge: %s", listed(s.restless(1, k)))
	}
	s.searchClaims()
	return s.figure("figure5", usersLabel, nil, times)
}

// searchClaims are about the local search itself.
func (s *study) searchClaims() {
	brief, proved := [2]float64{1, 1}, 1.0
	for model := range models {
		for k := range s.bounds {
			for _, p := range s.points(model, 0, drawn) {
				if least, _ := p.extremes(block(k, finiteConverged)); least == 1 {
					brief[model], proved = min(brief[model], p.estimate(block(k, finiteBrief)).Mean),
						min(proved, p.estimate(block(k, finiteProved)).Mean)
				}
			}
		}
	}
	s.Hold("Section 5.2", "the local search usually takes two iterations", brief[0] > .5,
		"%.0f %% of the answers or more (correlated: %.0f %%)", 100*brief[0], 100*brief[1]).
		Read("usually: most answers take two rounds at most, the last finding nothing better; where all instances " +
			"converge, uniform preferences, as all of section 5.2")
	s.Found("Section 4.2", "local search may find the optimal response (suspected)",
		"a Lagrangian bound proves it for %.0f %% of the answers or more where sweeps converge; the others may be optimal, "+
			"too", 100*proved)
}

// figure6 is efficiency over time with bounded parallelism, in and out of the
// ranges where sweeps do not converge. The paper does not state its numbers of
// users.
func (s *study) figure6() error {
	const long = 50
	s.Heading("Figure 6: efficiency over time with bounded parallelism, uniform preferences")
	least, all := 1.0, []series{}
	for _, c := range []struct{ most, users int }{{5, 30}, {5, 100}, {20, 8}, {20, 100}} {
		rule := s.searched
		rule.Most = c.most
		l, samples, err := s.follow(fmt.Sprintf("%d machines, %d users", c.most, c.users), c.users, long, rule)
		if err != nil {
			return err
		}
		all = append(all, l)
		for _, values := range samples[3:] {
			least = min(least, slices.Min(values))
		}
	}
	s.Hold("Figure 6", "efficiency is high (>= .7) after a few sweeps, converged or not", least >= .7,
		"%.3f or more from the third sweep on, in all instances", least)
	return s.figure("figure6", "sweep", []int{0, 1, 2, 3, 5, 10, 20, long},
		strip{"efficiency", 4, .7, 1, []panel{{"", "", "br", all}}})
}

// figure7 is efficiency and fairness with bounded parallelism.
func (s *study) figure7() error {
	s.Heading("Figure 7: efficiency, uniformity and envy-freeness with bounded parallelism, the least after any sweep " +
		"where sweeps do not converge")
	strips := make([]strip, len(models))
	for model, name := range models {
		strips[model] = strip{"metric", 3, 0, 1.02, nil}
		for k, most := range s.bounds {
			strips[model].panels = append(strips[model].panels, panel{fmt.Sprintf("%s, at most %d machines", name, most),
				fmt.Sprintf("%s%d", []string{"U", "C"}[model], most), []string{"", "br"}[model*k], []series{
					s.byUsers("efficiency", model, block(k, finiteEfficiency)),
					s.byUsers("uniformity", model, block(k, finiteUniformity)),
					s.byUsers("envy-freeness", model, block(k, finiteEnvy)),
				}})
		}
	}
	s.finiteClaims()
	return s.figure("figure7", usersLabel, nil, strips...)
}

// apart is how far the models' mean efficiencies differ, and with how many users.
func (s *study) apart(k int) (most float64, users int) {
	for i, p := range s.points(0, 0, drawn) {
		q := block(k, finiteEfficiency)
		if d := math.Abs(p.estimate(q).Mean - s.found[1][i].estimate(q).Mean); d > most {
			most, users = d, p.users
		}
	}
	return most, users
}

func (s *study) finiteClaims() {
	least := func(q quantity, from, to int) float64 {
		low, _ := spread(s.points(0, from, to), q)
		return low
	}
	five, twenty := block(0, finiteUniformity), block(1, finiteUniformity)
	dip, beyond := least(five, 20, 40), least(five, 60, drawn)
	s.Hold("Figure 7", "at most 5 machines: fairness drops with 20 to 40 users", dip < beyond-.05,
		"uniformity %.3f there, %.3f or more beyond", dip,
		beyond).Read("a drop: more than .05, five times the widest interval of an equilibrium's")
	dip, beyond = min(least(twenty, 5, 5), least(twenty, 10, 10)), least(twenty, 20, drawn)
	s.Hold("Figure 7", "at most 20 machines: no such drop", dip >= beyond-.05,
		"uniformity %.3f with 5 and 10 users, %.3f or more from 20 on: %+.3f; with 8, our own point, %.3f", dip, beyond,
		dip-beyond, least(twenty, 8, 8)).
		Read("the same .05, at the multiples of 5 that the paper's grid is likely to have. A smaller reserve deepens the " +
			"drop: see the table of reserves").Tried(len(reserves))
	low := min(least(block(0, finiteEfficiency), 5, drawn), least(block(1, finiteEfficiency), 5, drawn))
	s.Hold("Section 4.2", "efficiency of .7 and more", low >= .7, "least mean %.3f", low)
	efficient, envious := least(block(0, finiteEfficiency), 80, drawn)-least(efficiency, 80, drawn),
		least(block(0, finiteEnvy), 80, drawn)-least(envyFreeness, 80, drawn)
	s.Hold("Figure 7", "many users: efficiency and envy-freeness similar to those without a bound",
		math.Abs(efficient) < .05 && math.Abs(envious) < .05, "at most 5 machines: %+.3f and %+.3f", efficient,
		envious).Read("within the same .05, from 80 users on")
	verdict, last := papers.Unclear, s.points(0, 80, drawn)
	uneven, free := last[len(last)-1].estimate(five), last[len(last)-1].estimate(uniformity)
	if uneven.Low() > free.High() || uneven.High() < free.Low() {
		verdict = papers.Judge(uneven.Mean < free.Mean)
	}
	s.Claim("Figure 7", "many users: a lower level of uniformity", verdict,
		"with %d users %s at most 5 machines, %s without a bound", last[len(last)-1].users, uneven,
		free).Read("lower than without a bound")
	worst, users := s.apart(0)
	other, _ := s.apart(1)
	s.Hold("Section 5.2", betweenPreferences, max(worst, other) < .05,
		"mean efficiencies differ by up to %.3f with at most 5 machines (%d users) and %.3f with 20", worst, users, other).
		Read("the same .05. Correlated users meet on the same machines, so that sweeps fail to converge for more numbers " +
			"of users; where both models converge they do not differ").Tried(len(reserves))
}
