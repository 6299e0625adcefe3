package truth

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"bourse/reports/ask/fork"
	"bourse/reports/stats"
	"bourse/traces/rng"
)

// Total is what a payment takes if all jobs are truthful, as a share of what their flow times cost.
type Total struct {
	Revenue stats.Estimate
	// Enclosed is how far Revenue may be off because not all bids were asked, if flow times do not rise with the bid.
	Enclosed float64
	// From says whom it is from: "every job", "200 draws", "200 jobs".
	From string
	// Skewed means that there is no interval because one term is above a tenth of the sum.
	Skewed bool
	// Asked counts the jobs that were asked how long they wait bidding the least, Late those that wait for the
	// end of the log or of the horizon, and LatePart is what these pay, as a share of the sum.
	Asked, Late int
	LatePart    float64
}

const everyJob = "every job"

// totals fills in what all jobs pay.
func (c *Config) totals(ctx context.Context, r *Result) error {
	jobs, err := fork.Sample(c.Jobs, math.MaxInt)
	if err != nil {
		return err
	}
	r.Census = len(jobs) == len(r.Answers)
	s := &survey{Config: c, result: r, jobs: jobs}
	if !r.Census {
		if err := s.ask(ctx); err != nil {
			return err
		}
	}
	scheme, least := 0, 0
	for k, p := range c.Payments {
		t := totalOf(r.Answers, k, slices.Index(r.Factors, 1))
		switch {
		case r.Census:
			t.Revenue, t.From, t.Skewed = stats.Exactly(t.Revenue.Mean), everyJob, false
		case p.kind == billed:
			t = s.billed(scheme)
			scheme++
		case p.kind == critical:
			t = s.critical(least)
			least++
		}
		r.Totals = append(r.Totals, t)
	}
	return nil
}

// totalOf is that of answers, all that there are or a simple sample.
func totalOf(answers []Answer, k, truth int) (t Total) {
	paid, waited, half, late := make([]float64, len(answers)), make([]float64, len(answers)), 0.0, 0.0
	for i := range answers {
		a := &answers[i]
		paid[i], waited[i] = a.Paid[k][truth], a.Waiting
		half += a.Half[k][truth]
		if a.Late[k] {
			t.Late++
			late += paid[i]
		}
	}
	t.Asked, t.From = len(answers), fmt.Sprintf("%d jobs", len(answers))
	t.Enclosed, t.LatePart = part(half, stats.Total(waited)), part(late, stats.Total(paid))
	t.Revenue, t.Skewed = unlessSkewed(stats.RatioOf(paid, waited), paid)
	return t
}

// unlessSkewed takes an estimate its interval if one of its terms is above a tenth of their sum.
func unlessSkewed(e stats.Estimate, terms []float64) (stats.Estimate, bool) {
	if e.Known() && stats.Skewed(terms) {
		return stats.Exactly(e.Mean), true
	}
	return e, false
}

// part is a share, 0 of nothing.
func part(x, of float64) float64 {
	if of == 0 {
		return 0
	}
	return x / of
}

// draws draws n of some items, with replacement and probabilities in the proportion of their sizes.
func draws(seed uint64, stream string, sizes []float64, n int) (drawn []int) {
	below, all := make([]float64, len(sizes)), 0.0
	for i, x := range sizes {
		all += x
		below[i] = all
	}
	draw := rng.New(seed, stream)
	for range n {
		if at := float64(draw.Float64() * all); at < all {
			drawn = append(drawn, sort.Search(len(below), func(i int) bool { return below[i] > at }))
		}
	}
	return drawn
}

// hansenHurwitz estimates a sum of payments from draws with probabilities by bounds of known or estimated sum: it
// is the mean of payment / bound times that sum (Hansen and Hurwitz 1943).
func hansenHurwitz(ratios []float64, bounds stats.Estimate) (sum stats.Estimate, skewed bool) {
	r, skewed := unlessSkewed(stats.EstimateOf(ratios), ratios)
	half := float64(r.Half * bounds.Mean)
	if bounds.Known() {
		half = math.Hypot(half, float64(r.Mean*bounds.Half))
	}
	return stats.Estimate{Mean: r.Mean * bounds.Mean, Half: half}, skewed
}
