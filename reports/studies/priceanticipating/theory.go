package priceanticipating

import (
	"fmt"
	"math"

	"bourse/policies/market"
	"bourse/reports/figures"
	"bourse/reports/studies"
	"bourse/reports/terminal"
	"bourse/traces/rng"
)

// bestResponse is the rule of most of the study, and toRest a search with it to
// the last digits.
var (
	bestResponse = market.Rule{Update: market.BestResponse}
	toRest       = market.Search{Rule: bestResponse, Until: market.BidGap, Tolerance: 1e-12, Limit: 2000}
)

// equalWeights plays the equal-weight game from bids that are not its equilibrium.
func (s *study) equalWeights() error {
	s.Heading("Section 3.1: the equal-weight game")
	t := terminal.NewTable("alpha", "bid, theory", "bid, sweeps", "utility", "efficiency", "envy-freeness")
	worst := 0.0
	for _, alpha := range []float64{.5, .6, .8, .95, .999} {
		m, err := market.Of([][]float64{{alpha, 1 - alpha}, {alpha, 1 - alpha}}, nil)
		if err != nil {
			return err
		}
		if err := m.SetBids(0, []float64{.3, .7}); err != nil {
			return err
		}
		search := toRest
		search.Optimum, search.Envy = 1, true
		found, err := m.Run(s.ctx, search)
		if err != nil {
			return err
		}
		x := m.Bids(0)[0]
		worst = max(worst, math.Abs(x-alpha), math.Abs(m.Utility(0)-.5), math.Abs(found.Last.Efficiency-1), math.Abs(found.Last.Uniformity-1), 1-found.Last.EnvyFreeness)
		t.Row(fmt.Sprint(alpha), fmt.Sprintf("%.9f", alpha), fmt.Sprintf("%.9f", x), fmt.Sprintf("%.9f", m.Utility(0)),
			fmt.Sprintf("%.9f", found.Last.Efficiency), fmt.Sprintf("%.9f", found.Last.EnvyFreeness))
	}
	s.Hold("Section 3.1", "equal weights: bids (alpha, 1-alpha), utility 1/2, all metrics 1", worst < 1e-9, "off by %.1e at most", worst)
	s.Table(t)
	return nil
}

// oppositeWeights tabulates all equilibria and draws their efficiency.
func (s *study) oppositeWeights() error {
	s.Heading("Section 3.1: the opposite-weight game, all equilibria")
	t := terminal.NewTable("alpha", "delta", "bids on machine 1", "utilities", "efficiency", "uniformity", "off the best response")
	rows := studies.Columns("alpha", "delta", "x", "y", "utility_1", "utility_2", "efficiency", "uniformity")
	worst, formula := 0.0, 0.0
	for _, alpha := range []float64{.5, .6, math.Sqrt2 / 2, .8, .85, .86, .9, .95, .99, .999, .9999} {
		for _, e := range equilibria(alpha) {
			off, err := e.off()
			if err != nil {
				return err
			}
			worst = max(worst, off)
			if e.delta == 1 {
				formula = max(formula, math.Abs(e.efficiency()-symmetric(alpha)))
			}
			u, v := e.utilities()
			t.Row(fmt.Sprintf("%.4f", alpha), fmt.Sprintf("%.6g", e.delta), fmt.Sprintf("%.6f, %.6f", e.x, e.y), fmt.Sprintf("%.4f, %.4f", u, v),
				fmt.Sprintf("%.6f", e.efficiency()), fmt.Sprintf("%.6f", e.uniformity()), fmt.Sprintf("%.1e", off))
			rows.Add(alpha, e.delta, e.x, e.y, u, v, e.efficiency(), e.uniformity())
		}
	}
	s.Table(t)
	least := symmetric(math.Sqrt2 / 2)
	s.Hold("Section 3.1", "each root of the cubic is an equilibrium", worst < 1e-9, "best responses are off by %.1e at most", worst)
	s.Hold("Section 3.1", "symmetric efficiency 2 alpha + 1/alpha - 2, least .828 at alpha = sqrt(2)/2", formula < 1e-9 && least < symmetric(.70) && least < symmetric(.71),
		"off by %.1e at most; %.6f at %.6f", formula, least, math.Sqrt2/2)
	just, past := len(equilibria(threshold-1e-6)), len(equilibria(threshold+1e-6))
	s.Hold("Section 3.1", "two more equilibria above alpha = .854", just == 1 && past == 3, "%d at %.6f, %d at %.6f", just, threshold-1e-6, past, threshold+1e-6)
	last := equilibria(1 - 1e-9)[1]
	s.Hold("Section 3.1", "the worst efficiency tends to .75, the uniformity to 1/2", math.Abs(last.efficiency()-.75) < 1e-6 && math.Abs(last.uniformity()-.5) < 1e-6,
		"%.6f and %.6f at alpha = 1 - 1e-9", last.efficiency(), last.uniformity())
	s.Keep("opposite-weights", rows)
	return s.attracted()
}

// grid is the number of starting bids.
const grid = 41

// ends counts where sweeps end: at the symmetric equilibrium, at an asymmetric
// one, elsewhere, not converged. It marks where they converge.
func (s *study) ends(alpha float64, marks [][2][]float64) (ends [4]int, err error) {
	known := equilibria(alpha)
	for a := range grid {
		m, err := (opposite{alpha: alpha, x: .5, y: (.5 + float64(a)) / grid}).market()
		if err != nil {
			return ends, err
		}
		found, err := m.Run(s.ctx, toRest)
		if err != nil {
			return ends, err
		}
		if !found.Converged {
			ends[3]++
			continue
		}
		end, at := 2, opposite{alpha: alpha, x: m.Bids(0)[0], y: m.Bids(1)[0]}
		for k, e := range known {
			if math.Abs(at.x-e.x) < 1e-7 && math.Abs(at.y-e.y) < 1e-7 {
				end = min(k, 1)
			}
		}
		ends[end]++
		if end < 2 && ends[end] == 1 {
			marks[end][0], marks[end][1] = append(marks[end][0], alpha), append(marks[end][1], at.efficiency())
		}
	}
	return ends, nil
}

// attracted finds to which equilibrium sweeps converge from each start of a grid,
// and draws efficiency against alpha.
func (s *study) attracted() error {
	panel := &figures.Panel{X: "weight α", Y: "efficiency", Legend: "bl", YMin: .7, YMax: 1, XMin: .5, XMax: 1}
	lines := []figures.Line{{Name: "symmetric", Bare: true}, {Name: "asymmetric", Bare: true}}
	marks := [2][2][]float64{}
	for k := 0; k < 500; k++ {
		alpha := .5 + float64(k)/1000
		for i, e := range equilibria(alpha) {
			if i < 2 {
				lines[i].X, lines[i].Y = append(lines[i].X, alpha), append(lines[i].Y, e.efficiency())
			}
		}
	}
	t := terminal.NewTable("alpha", "starts", "to the symmetric one", "to the asymmetric ones", "elsewhere", "not converged")
	var total [4]int
	for _, alpha := range []float64{.55, .65, .75, .8, .84, .86, .865, .87, .875, .88, .9, .93, .96, .98} {
		ends, err := s.ends(alpha, marks[:])
		if err != nil {
			return err
		}
		for k, n := range ends {
			total[k] += n
		}
		t.Row(fmt.Sprint(alpha), fmt.Sprint(grid), fmt.Sprint(ends[0]), fmt.Sprint(ends[1]), fmt.Sprint(ends[2]), fmt.Sprint(ends[3]))
	}
	s.Printf("\nWhere sweeps of best responses end, user 2 bidding from 1/%d to 1 - 1/%d of its money on machine 1 before user 1 answers:\n\n", 2*grid, 2*grid)
	s.Table(t)
	s.Hold("Section 3.1", "the cubic has all equilibria", total[2] == 0, "sweeps converged elsewhere from %d starts; from %d they did not converge", total[2], total[3])
	for k := range lines {
		lines[k].MarkX, lines[k].MarkY = marks[k][0], marks[k][1]
	}
	panel.Lines = lines
	return s.Draw("opposite-weights", []figures.Drawing{panel})
}

// twoPlayers looks for games of two that are worse than Theorem 3 (2 in the
// short text) allows.
func (s *study) twoPlayers() error {
	s.Heading("Two players: Theorem 3.3 on random games")
	const games = 1000
	least := market.Metrics{Welfare: 2, Efficiency: 1, Uniformity: 1, EnvyFreeness: 1}
	converged, stream := 0, rng.New(s.Seed, "price-anticipating two players")
	for k := range uint64(games) {
		stream.Key(k)
		weights := make([][]float64, 2)
		for i := range weights {
			weights[i] = make([]float64, 2+k%7)
			for j := range weights[i] {
				// High powers make opposites.
				weights[i][j] = math.Pow(stream.Open(), float64(1+k%9))
			}
		}
		market.Normalise(weights)
		m, err := market.Of(weights, nil)
		if err != nil {
			return err
		}
		search := toRest
		search.Limit, search.Envy = 1000, true
		if search.Optimum, _, err = m.Optimum(0); err != nil {
			return err
		}
		found, err := m.Run(s.ctx, search)
		if err != nil {
			return err
		}
		if found.Converged {
			converged++
			least = least.Least(found.Last)
		}
	}
	s.Printf("%d random games of 2 to 8 machines, of which sweeps converged in %d: efficiency %.4f or more, uniformity %.4f,\nenvy-freeness %.9f.\n",
		games, converged, least.Efficiency, least.Uniformity, least.EnvyFreeness)
	s.Hold("Theorem 3.3", "two players: efficiency >= 3/4, uniformity >= 1/2, no envy", least.Efficiency >= .75 && least.Uniformity >= .5 && least.EnvyFreeness >= 1-1e-9,
		"least %.4f, %.4f, %.9f in %d games", least.Efficiency, least.Uniformity, least.EnvyFreeness, converged)
	return nil
}

// manyPlayers is the game of n^2 users of equal weights and n of one machine each.
func (s *study) manyPlayers() error {
	s.Heading("Section 3.2: n^2 + n players have less than 2 together, of n")
	t := terminal.NewTable("n", "players", "utility, theory", "utility, found", "optimum", "efficiency", "sqrt(m) x efficiency", "most to gain")
	worst, below, gain := 0.0, true, 0.0
	for _, n := range []int{2, 3, 5, 10, 20} {
		weights := make([][]float64, n*n+n)
		for i := range weights {
			weights[i] = make([]float64, n)
			for j := range n {
				if i < n*n {
					weights[i][j] = 1 / float64(n)
				} else if j == i-n*n {
					weights[i][j] = 1
				}
			}
		}
		m, err := market.Of(weights, nil)
		if err != nil {
			return err
		}
		optimum, _, err := m.Optimum(0)
		if err != nil {
			return err
		}
		got, regret := m.Measure(m.Allocation(), optimum, false), m.Regret(bestResponse)
		theory := 2 * float64(n) / float64(n+1)
		worst, below, gain = max(worst, math.Abs(got.Welfare-theory)), below && got.Welfare < 2, max(gain, regret)
		t.Row(fmt.Sprint(n), fmt.Sprint(len(weights)), fmt.Sprintf("%.9f", theory), fmt.Sprintf("%.9f", got.Welfare), fmt.Sprintf("%.0f", optimum),
			fmt.Sprintf("%.4f", got.Efficiency), fmt.Sprintf("%.4f", got.Efficiency*math.Sqrt(float64(len(weights)))), fmt.Sprintf("%.1e", regret))
	}
	s.Hold("Section 3.2", "n^2 + n players: total utility < 2 against n", below && worst < 1e-9 && gain < 1e-9, "2n/(n+1), off by %.1e at most; no player gains more than %.1e by another bid", worst, gain)
	s.Table(t)
	return nil
}
