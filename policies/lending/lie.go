package lending

// Utility is an agent's over all rounds: high for each unit up to the true
// demand, low for each beyond, u = min(a,d) + low max(a-d, 0) (Freeman et al.,
// section 2, with the high value as the unit).
func Utility(alloc, truth [][]float64, agent int, low float64) float64 {
	u := 0.0
	for r := range alloc {
		a, d := alloc[r][agent], truth[r][agent]
		u += min(a, d) + float64(low*max(0, a-d))
	}
	return u
}

// Allocations runs a lender over all rounds.
func Allocations(m Lender, demands [][]float64) [][]float64 {
	out := make([][]float64, len(demands))
	for r, d := range demands {
		out[r] = make([]float64, len(d))
		m.Round(d, out[r])
	}
	return out
}

// Lie is a profitable misreport: what the agent says in each round instead of the
// truth, and what that brings.
type Lie struct {
	Agent    int
	Reported []float64
	Gain     float64
}

// gainful is the least gain that counts as one; less is rounding.
const gainful = 1e-9

// BestLie searches for the most profitable lie of one agent about its demands,
// the others telling the truth, by coordinate ascent over reports that matter:
// nothing, its endowment, parts and multiples of the truth, and what others
// demand. It proves a violation when it finds one; finding none (Gain 0) proves
// nothing, but over many instances it is evidence.
func BestLie(fresh func() Lender, truth [][]float64, agent int, endowment, low float64) Lie {
	reports := make([][]float64, len(truth))
	for r := range truth {
		reports[r] = append([]float64(nil), truth[r]...)
	}
	honest := Utility(Allocations(fresh(), truth), truth, agent, low)
	best := honest
	for improved := true; improved; {
		improved = false
		for r := range truth {
			kept := reports[r][agent]
			for _, d := range reportsWorthTrying(truth[r], agent, endowment) {
				reports[r][agent] = d
				if u := Utility(Allocations(fresh(), reports), truth, agent, low); u > best+gainful {
					best, kept, improved = u, d, true
				}
			}
			reports[r][agent] = kept
		}
	}
	lie := Lie{Agent: agent, Gain: best - honest}
	for r := range reports {
		lie.Reported = append(lie.Reported, reports[r][agent])
	}
	return lie
}

// reportsWorthTrying lists reports worth trying in one round.
func reportsWorthTrying(truth []float64, agent int, endowment float64) []float64 {
	d := truth[agent]
	out := []float64{0, d / 2, d, 2 * d, endowment / 2, endowment, 2 * endowment, d + endowment}
	for i, other := range truth {
		if i != agent {
			out = append(out, other)
		}
	}
	return out
}
