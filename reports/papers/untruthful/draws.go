package untruthful

import (
	"math"
	"slices"

	"bourse/policies/bidding"

	"bourse/reports/stats"
	"bourse/traces"
)

// The groups of owners of section II.B: SRG, and the one in which 80 % are aggressive.
var (
	smallGroup = bidding.SRG{Share: .1, Beta: .9, Mild: .1}
	largeGroup = bidding.SRG{Share: .8, Beta: .9, Mild: .1}
)

// paperValues are the private values of Figure 1.
var paperValues = bidding.Bimodal{Low: 30, High: 150, Deviation: 15, Share: .8, Max: 180}

// draws are, of every seed, the Kolmogorov distances between distributions of bids: the largest
// difference of the two shares of bids up to some amount.
type draws struct {
	small, large []float64 // from full truthfulness
	exponential  []float64 // of the large group from an exponential distribution of the same mean
	bimodal      []float64 // of full truthfulness from such a one
}

// drawn draws the bids of the workload's jobs as replays do.
func (w *workload) drawn(seeds int, small, large bidding.Behaviour) (d draws) {
	for seed := range uint64(seeds) {
		bids := func(b bidding.Behaviour) []float64 {
			m, all := bidding.NewModel(paperValues, b, seed+1), make([]float64, w.jobs.Len())
			for i := range all {
				offer, _ := m.Bid(&traces.Job{ID: w.jobs.Job(i).ID})
				all[i] = offer.Bid
			}
			slices.Sort(all)
			return all
		}
		truth, few, many := bids(bidding.Truthful{}), bids(small), bids(large)
		d.small, d.large = append(d.small, apart(few, truth)), append(d.large, apart(many, truth))
		d.exponential, d.bimodal = append(d.exponential, fromExponential(many)), append(d.bimodal, fromExponential(truth))
	}
	return d
}

// apart is the Kolmogorov distance of two sorted samples of one size.
func apart(a, b []float64) (most float64) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x := min(a[i], b[j])
		for i < len(a) && a[i] == x {
			i++
		}
		for j < len(b) && b[j] == x {
			j++
		}
		most = max(most, math.Abs(float64(i-j))/float64(len(a)))
	}
	return most
}

// fromExponential is the Kolmogorov distance of a sorted sample from the exponential
// distribution of its mean.
func fromExponential(sorted []float64) (most float64) {
	n, mean := float64(len(sorted)), stats.EstimateOf(sorted).Mean
	for i, x := range sorted {
		up := -math.Expm1(-x / mean)
		most = max(most, math.Abs(up-float64(i)/n), math.Abs(up-float64(i+1)/n))
	}
	return most
}

// drawClaims are the sentences of section II.B on distributions of bids.
func (st *study) drawClaims() {
	d := st.draws
	few, many, exponential := stats.EstimateOf(d.small), stats.EstimateOf(d.large), stats.EstimateOf(d.exponential)
	st.Claim("Section II", "in SRG, the distribution of the bids is nearly identical to that of FT",
		st.within(few, 0, nearlyIdentical), "a Kolmogorov distance of %s", few.Text("%.3f")).
		Read("at no amount do the shares of bids up to it differ by more than %g, our choice: one bid in ten. With 80 %% "+
			"aggressive owners they differ by %s", nearlyIdentical, many.Text("%.3f"))
	st.Claim("Section II", "80 % aggressive: a more exponential rather than bimodal distribution",
		st.above(stats.EstimateOver(len(d.large), func(i int) float64 { return d.large[i] - d.exponential[i] })),
		"a Kolmogorov distance of %s from the exponential distribution of the same mean, of %s from the bimodal one of FT",
		exponential.Text("%.3f"), many.Text("%.3f")).
		Read("nearer to the one than to the other, in which the values themselves are %s from an exponential distribution",
			stats.EstimateOf(d.bimodal).Text("%.3f"))
}

// nearlyIdentical is how far the distributions of bids may be apart to be called so.
const nearlyIdentical = .1
