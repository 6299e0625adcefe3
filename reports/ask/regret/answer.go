package regret

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"bourse/reports/ask/truth"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// Low is what one bid below the value does to the jobs whose bid matters.
type Low struct {
	Factor     float64
	Gain, Lose int     // jobs, by more than a thousandth of their utility
	Median     float64 // change, as a share
	// P is how probable it is that so many gain if as many gain as lose, corrected for
	// the number of bids.
	P float64
}

// Low lists the bids below the value under the p-th payment scheme, by their medians, the
// best first; none if no bid matters.
func (r *Result) Low(p int) (list []Low) {
	truth := slices.Index(r.Factors, 1)
	var chance []float64
	for f, factor := range r.Factors {
		if factor >= 1 {
			continue
		}
		low := Low{Factor: factor}
		var changes []float64
		for _, a := range r.Answers {
			u := a.Utility[p]
			if slices.Min(u) == slices.Max(u) {
				continue
			}
			change := relative(u[f], u[truth])
			if changes = append(changes, change); change > better {
				low.Gain++
			} else if change < -better {
				low.Lose++
			}
		}
		if len(changes) == 0 {
			return nil
		}
		slices.Sort(changes)
		low.Median = stats.Quantile(changes, .5)
		list, chance = append(list, low), append(chance, signTest(low.Gain, low.Lose))
	}
	for i, x := range stats.Holm(chance) {
		list[i].P = x
	}
	slices.SortStableFunc(list, func(a, b Low) int {
		return cmp.Or(cmp.Compare(b.Median, a.Median), cmp.Compare(b.Gain-b.Lose, a.Gain-a.Lose))
	})
	return list
}

// signTest is the probability of at least so many gains among all changes if a gain is as
// probable as a loss.
func signTest(gain, lose int) float64 {
	p := 1.0
	if gain > 0 {
		p -= distuv.Binomial{N: float64(gain + lose), P: .5}.CDF(float64(gain) - 1)
	}
	return math.Round(p*1e9) / 1e9
}

// Verdicts say for each payment whether bidding below the value pays.
func (r *Result) Verdicts() (lines []string) {
	if !slices.ContainsFunc(r.Answers, func(a truth.Answer) bool { return a.Matters }) {
		lines = append(lines, "no bid tried changes when a sampled job runs: what changes is its bill")
	}
	for p, payment := range r.Payments {
		list := r.Low(p)
		if len(list) == 0 {
			lines = append(lines, fmt.Sprintf("under %s no bid of the sampled jobs matters, or none below the value was tried",
				payment.Name))
			continue
		}
		best := list[0]
		for _, low := range list { // the greatest median among those that are no chance
			if low.P < 0.05 && low.Median > better {
				best = low
				break
			}
		}
		counts := fmt.Sprintf("%s and %s", terminal.Count(best.Gain, "job gains", "jobs gain"),
			terminal.Count(best.Lose, "loses", "lose"))
		change := terminal.Share.Change(best.Median) + " %"
		switch {
		case best.Median <= better:
			lines = append(lines, fmt.Sprintf("under %s underbidding does not pay: no bid tried below the value raises the "+
				"median job's utility; at %g w, the best of them, %s (median %s)",
				payment.Name, best.Factor, counts, change))
		case best.P < 0.05:
			lines = append(lines, fmt.Sprintf("under %s underbidding pays: at %g w %s, the median job %s (sign test with "+
				"Holm's correction for %s: p %s)",
				payment.Name, best.Factor, counts, change, terminal.Count(len(list), "bid", "bids"), probability(best.P)))
		default:
			lines = append(lines, fmt.Sprintf("under %s it cannot be said whether underbidding pays: at %g w %s, which may be "+
				"chance (p %s); more jobs would tell",
				payment.Name, best.Factor, counts, probability(best.P)))
		}
	}
	return lines
}

func probability(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("= %.3f", p)
}
