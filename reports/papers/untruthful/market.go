package untruthful

import (
	"fmt"
	"math"
	"strings"

	"bourse/reports/ask/game"
	"bourse/reports/papers"
	"bourse/reports/stats"
)

// marketClaims are the sentences of section V on revenue, weighted flow time and uniqueness.
func (st *study) marketClaims() {
	st.revenueClaims()
	games := st.results.games(st.options.Seeds, groupC.from)
	verdict, found := papers.Holds, ""
	for _, g := range append(games, bothPayments(games)) {
		here := stats.EstimateOver(len(g.Users), func(seed int) float64 {
			return float64(len(game.Pure(g.Means([]int{seed}))))
		})
		verdict, found = papers.All(verdict, st.within(here, 1, 1)), found+fmt.Sprintf("; %s: %s", g.Name, here.Text("%.1f"))
	}
	st.Claim("Section V", "there exists a unique pure Nash equilibrium", verdict, "pure equilibria%s", found[1:]).
		Read("how many the game of each seed has, by the payments of Tables II and III and where the designer chooses the " +
			"payment as well, which is the strategy space that the section gives; exactly one under every seed. One player " +
			"stands for all users, so that it is symmetric by definition")
}

// bothPayments is the game in which the designer chooses the payment, too.
func bothPayments(games []*game.Game) *game.Game {
	all := &game.Game{Name: "either", Cols: games[0].Cols}
	for seed := range games[0].Users {
		var designer, users [][]float64
		for _, g := range games {
			designer, users = append(designer, g.Designer[seed]...), append(users, g.Users[seed]...)
		}
		all.Designer, all.Users = append(all.Designer, designer), append(all.Users, users)
	}
	for _, g := range games {
		for _, row := range g.Rows {
			all.Rows = append(all.Rows, row+" "+g.Name)
		}
	}
	return all
}

// revenueClaims compare the algorithms under the first price with Highest-Bid, at every β.
func (st *study) revenueClaims() {
	revenue, flow, found, longer := papers.Holds, papers.Holds, "", ""
	for _, policy := range rows[1:] {
		var worst, least stats.Estimate
		for k, b := range betas {
			more := func(of func(*curve) float64) stats.Estimate {
				return st.results.paired(setting{"hb", srg(b)}, setting{policy, srg(b)},
					func(hb, other *curve) float64 { return 100 * (of(other)/of(hb) - 1) })
			}
			r := more(func(c *curve) float64 { return c.payment[0] })
			w := more(func(c *curve) float64 { return c.weight })
			revenue, flow = papers.All(revenue, st.within(r, -sameRevenue, sameRevenue)), papers.All(flow, st.above(w))
			if k == 0 || math.Abs(r.Mean) > math.Abs(worst.Mean) {
				worst = r
			}
			if k == 0 || w.Mean < least.Mean {
				least = w
			}
		}
		found += fmt.Sprintf("; %s's differs from HB's by up to %s %%", algorithm(policy), worst.Text("%+.2f"))
		longer += fmt.Sprintf("; %s's is longer by %s %% at least", algorithm(policy), least.Text("%.2f"))
	}
	st.Claim("Section V", "the total revenue under the first price is independent of the algorithm", revenue, "%s",
		strings.TrimPrefix(found, "; ")).
		Read("within %g %%, at every β. A job pays its bid while all nodes are busy and the reservation price at other times, "+
			"and how long they are all busy depends on who runs when", sameRevenue)
	st.Claim("Section V", "Highest-Bid has the best performance in terms of weighted flow time", flow, "%s",
		strings.TrimPrefix(longer, "; ")).Read("the sum over all jobs, at every β")
}

// sameRevenue is by how many percent revenues may differ to be called independent.
const sameRevenue = 1.
