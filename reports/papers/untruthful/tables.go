package untruthful

import (
	"fmt"
	"math"
	"strings"

	"bourse/reports/ask/game"
	"bourse/reports/papers"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// games fills the payoff matrices from the replays, the users' of a group of run times.
func (r results) games(seeds, group int) []*game.Game {
	var games []*game.Game
	for i, payment := range payments {
		g := &game.Game{Name: payment, Rows: rows}
		for _, b := range betas {
			g.Cols = append(g.Cols, "β="+b)
		}
		for seed := range seeds {
			designer, users := make([][]float64, len(rows)), make([][]float64, len(rows))
			for row, policy := range rows {
				for _, b := range betas {
					c := r[setting{policy, srg(b)}][seed]
					designer[row] = append(designer[row], c.designer(i))
					users[row] = append(users[row], c.users(group, i))
				}
			}
			g.Designer, g.Users = append(g.Designer, designer), append(g.Users, users)
		}
		games = append(games, g)
	}
	return games
}

// tables prints Tables II and III beside the published cells.
func (st *study) tables() {
	games := st.results.games(st.options.Seeds, groupC.from)
	scale := game.ScaleOf(games)
	keep := table.New(table.Named("payment", "policy", "beta", "player", "published", "here", "half_width",
		"difference")...)
	for i, g := range games {
		st.Heading("Table %s: payoffs under the %s price (designer, aggressive users; published in brackets)",
			[]string{"II", "III"}[i], []string{"first", "k-th"}[i])
		t := table.New(table.Headed(terminal.Fixed(3), append([]string{"algorithm"}, g.Cols...)...)...)
		cells, worst, where := g.Payoffs(scale), 0.0, ""
		for r, policy := range rows {
			for player, name := range []string{"designer", "users"} {
				row := algorithm(policy) + " " + name
				line := []any{row}
				for c := range betas {
					p := cells[r*len(betas)+c]
					here, half := p.NormalDesigner, p.Designer.Half/p.Designer.Mean*p.NormalDesigner
					if player == 1 {
						here, half = p.NormalUsers, math.Abs(p.Users.Half/p.Users.Mean)*p.NormalUsers
					}
					want := published[g.Name][r][c][player]
					// The published figure is of seeds as well: it differs where it is out of the interval and the tolerance.
					if off := math.Abs(here-want) - known(half); where == "" || off > worst {
						worst, where = off, fmt.Sprintf("%s, %s: %.3f, published %.3f", row, g.Cols[c], here, want)
					}
					line = append(line, fmt.Sprintf("%.3f (%.3f)", here, want))
					keep.Add(g.Name, policy, betas[c], name, want, here, half, here-want)
				}
				t.Add(line...)
			}
		}
		st.Show(t)
		st.Hold("Table "+[]string{"II", "III"}[i], "the 42 payoffs printed", worst <= tolerance,
			"all within %.3f of the intervals over seeds; the worst is %s", max(0, worst), where).
			Read("within %g of the interval: the second digit, and the rounding of the third", tolerance)
	}
	st.Keep("tables", keep)
	st.equilibria(games)
	hb, rest, largest := games[1].Payoffs(scale), 0.0, papers.Holds
	for col, p := range hb[1:len(betas)] {
		rest = max(rest, p.NormalUsers)
		largest = papers.All(largest, st.above(games[1].UsersGain(0, 1+col, 0)))
	}
	st.Claim("Table III", "under HB the users' payoff is largest at β = 5 %", largest,
		"%.3f, and %.3f at most with other β", hb[0].NormalUsers, rest).
		Read("printed as 1.000: the largest of both tables. Seed by seed the users gain by moving to it from any other")
	st.otherGroups(games)
}

// known is a half-width, 0 where there is none.
func known(half float64) float64 { return stats.Estimate{Half: half}.High() }

// otherGroups compares the users' payoffs of the groups that the paper leaves out with group C's.
func (st *study) otherGroups(of []*game.Game) {
	found, most := "", 0.0
	for _, g := range byGroup[:2] {
		games, worst, at := st.results.games(st.options.Seeds, g.from), 0.0, ""
		for i := range games {
			cells := of[i].Payoffs(game.ScaleOf(of))
			for k, p := range games[i].Payoffs(game.ScaleOf(games)) {
				worst = max(worst, math.Abs(p.NormalUsers-cells[k].NormalUsers))
			}
			for _, e := range game.Pure(games[i].Means(nil)) {
				at += fmt.Sprintf(" %s with %s,", algorithm(rows[e.Row]), games[i].Cols[e.Col])
			}
		}
		found, most = found+fmt.Sprintf("; group %s: by up to %.3f, equilibria%s", g.name, worst, at), max(most, worst)
	}
	st.Hold("Section V", "the tables of groups A and B are nearly identical", most <= .05, "users' payoffs differ%s",
		strings.ReplaceAll(found[1:]+";", ",;", ";")).
		Read("within .05, each group's payoffs as parts of its own best. A short job's utility is mostly its waiting, " +
			"which the algorithm decides, and a long one's its payment")
}

// equilibria compares the pure equilibria with the paper's. Another column whose
// payoff differs within the noise is a statistical tie.
func (st *study) equilibria(games []*game.Game) {
	st.Heading("Equilibria")
	withoutWSPT := games[1].Without(func(row string) bool { return row == "wspt" })
	withoutWSPT.Name = "kth without WSPT"
	for _, want := range []struct {
		g         *game.Game
		row, says string
		col       int
	}{
		{games[0], "hb", "first price: HB with β = 50 %", 2},
		{games[1], "wspt", "k-th price: WSPT with β = 70 %", 4},
		{withoutWSPT, "nphb", "k-th price without WSPT: NPHB with β = 25 %", 1},
	} {
		designer, users := want.g.Means(nil)
		survival := want.g.Survival()
		verdict, found := papers.Differs, "no pure equilibrium"
		for _, e := range game.Pure(designer, users) {
			found = fmt.Sprintf("%s with %s", algorithm(want.g.Rows[e.Row]), want.g.Cols[e.Col])
			if survival != nil {
				found += fmt.Sprintf(" (in %.0f %% of resamples)", 100*survival[e.Row][e.Col])
			}
			if want.g.Rows[e.Row] != want.row {
				continue
			}
			if e.Col == want.col {
				verdict = papers.Holds
				break
			}
			if gain := want.g.UsersGain(e.Row, want.col, e.Col); gain.Tie() {
				verdict = papers.Unclear
				found += fmt.Sprintf(", a tie with %s: users gain %.0f ±%.0f", want.g.Cols[want.col], gain.Mean, gain.Half)
				break
			}
		}
		if st.options.Seeds < stats.LeastReplicas {
			verdict = papers.Unclear
		}
		st.Printf("%-46s here: %s\n", want.says, found)
		st.Claim("Section V", "equilibrium at the "+want.says, verdict, "%s", found)
	}
}

// keepCurves writes what the figures show in long form.
func (st *study) keepCurves() error {
	out := table.New(table.Named("policy", "behaviour", "owners", "group", "value", "seed", "jobs", "mean_bsd",
		"ssj_percent", "mean_utility_first", "mean_utility_kth")...)
	for _, s := range settings() {
		if s.behaviour != "truthful" && s.behaviour != srg(".9") {
			continue
		}
		for seed, c := range st.results[s] {
			for w, owners := range []string{"all", "aggressive"} {
				for _, g := range append(byGroup, allGroups) {
					for b := range bins {
						p := c.point(g.from, g.to, who(w), b)
						if p.jobs == 0 {
							continue
						}
						out.Add(s.policy, s.behaviour, owners, g.name, (float64(b)+.5)*binWidth, seed+1,
							p.jobs, p.meanBSD(), p.ssj(), p.meanUtility(0), p.meanUtility(1))
					}
				}
			}
		}
	}
	return st.Keep("curves", out)
}
