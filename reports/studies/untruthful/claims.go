package untruthful

import (
	"fmt"
	"math"

	"bourse/reports/stats"
	"bourse/reports/studies"
)

// paired returns the interval over seeds of b - a.
func (r results) paired(a, b setting, of func(a, b *curve) float64) stats.Estimate {
	return stats.EstimateOver(len(r[a]), func(i int) float64 { return of(r[a][i], r[b][i]) })
}

// positive judges a difference that a paper says is above 0.
func positive(i stats.Estimate) studies.Verdict {
	if i.Known() && i.Tie() {
		return studies.Unclear
	}
	return studies.Judge(i.Mean > 0)
}

// textClaims checks what the paper says of its figures.
func (st *study) textClaims() {
	st.slowdownClaims()
	st.algorithmClaims()
	st.utilityClaims()
}

// low, high are the ranges of bins of low and high values.
var low, high = [2]int{0, lastLow}, [2]int{firstHigh, bins}

// slowdownClaims are those of section III.A, Figures 2 and 3.
func (st *study) slowdownClaims() {
	excess := func(bins [2]int, m metric) stats.Estimate {
		return st.results.paired(truthfulHB, aggressiveHB, func(a, b *curve) float64 {
			return m(b.over(0, 2, aggressive, bins[0], bins[1])) - m(a.over(0, 2, everybody, bins[0], bins[1]))
		})
	}
	bsd := excess(low, point.meanBSD)
	st.Claim("Figure 2", "underbidding slows low-value jobs down", positive(bsd), "bounded slowdown higher by %s", bsd.Text("%.1f"))
	same := excess(high, point.meanBSD)
	st.Claim("Figure 2", "high-value jobs: almost no difference", studies.Judge(math.Abs(same.Mean) < .1*math.Abs(bsd.Mean)), "bounded slowdown differs by %s", same.Text("%.3f"))
	ssj := excess(low, point.ssj)
	st.Claim("Figure 3", "more low-value jobs severely slowed", positive(ssj), "more by %s %%", ssj.Text("%.2f"))
}

// algorithmClaims are those of section III.B, Figures 4 and 5.
func (st *study) algorithmClaims() {
	r := st.results
	lowBSD := func(policy string) (setting, func(c *curve) float64) {
		return setting{policy, srg(".9")}, func(c *curve) float64 { return c.over(0, 2, aggressive, low[0], low[1]).meanBSD() }
	}
	worse := func(better, other string) stats.Estimate {
		a, of := lowBSD(better)
		b, _ := lowBSD(other)
		return r.paired(a, b, func(x, y *curve) float64 { return of(y) - of(x) })
	}
	for _, pair := range [][2]string{{"wspt", "wsept"}, {"wsept", "hb"}} {
		i := worse(pair[0], pair[1])
		st.Claim("Figure 4", fmt.Sprintf("low values: %s before %s", algorithm(pair[0]), algorithm(pair[1])), positive(i), "bounded slowdown better by %s", i.Text("%.1f"))
	}
	bsdBins, of := r.bins("hb", "nphb", point.meanBSD)
	st.Claim("Figure 4", "preemption: HB before NPHB for all bids", studies.Judge(bsdBins == of), "in %d of %d bins of value", bsdBins, of)
	for _, p := range compared[1:] {
		fewer, of := r.bins("hb", p, point.ssj)
		st.Claim("Figure 5", fmt.Sprintf("HB has fewer severe slowdowns than %s for almost all bids", algorithm(p)),
			studies.Judge(float64(fewer) >= .85*float64(of)), "in %d of %d bins of value", fewer, of)
	}
}

// bins counts the bins in which the first policy's mean over the seeds is lower.
func (r results) bins(first, second string, m metric) (lower, of int) {
	a := r.line("", setting{first, srg(".9")}, allGroups, aggressive, 0, bins, m)
	b := r.line("", setting{second, srg(".9")}, allGroups, aggressive, 0, bins, m)
	at := map[float64]float64{}
	for i, x := range b.X {
		at[x] = b.Y[i]
	}
	for i, x := range a.X {
		y, ok := at[x]
		if !ok {
			continue
		}
		of++
		if a.Y[i] < y {
			lower++
		}
	}
	return lower, of
}

// utilityClaims are those of section IV, Figures 6 to 8.
func (st *study) utilityClaims() {
	gain := func(g scope, bins [2]int, payment int) stats.Estimate {
		return st.results.paired(truthfulHB, aggressiveHB, func(a, b *curve) float64 {
			truth := a.over(g.from, g.to, everybody, bins[0], bins[1]).meanUtility(payment)
			return 100 * (b.over(g.from, g.to, aggressive, bins[0], bins[1]).meanUtility(payment) - truth) / math.Abs(truth)
		})
	}
	minus := func(i stats.Estimate) stats.Estimate { return stats.Estimate{Mean: -i.Mean, Half: i.Half} }
	for _, g := range byGroup[:2] {
		i := minus(gain(g, low, 0))
		st.Claim("Figure 6", "group "+g.name+": underbidding harms low-value jobs", positive(i), "utility lower by %s %%", i.Text("%.1f"))
	}
	i := minus(gain(groupC, low, 0))
	st.Claim("Figure 7a", "group C: underbidding harms low-value jobs", positive(i), "utility lower by %s %%", i.Text("%.1f"))
	first := gain(groupC, high, 0)
	st.Claim("Figure 7b", "group C: underbidding pays for high-value jobs under the first price", positive(first), "utility higher by %s %%", first.Text("%.2f"))
	kth := gain(groupC, high, 1)
	st.Claim("Figure 7c", "the k-th price removes that gain", studies.Judge(kth.Mean < .2*first.Mean), "utility changes by %s %%", kth.Text("%+.2f"))
	for _, s := range []struct {
		name string
		at   setting
		w    who
	}{{"truthful owners", truthfulHB, everybody}, {"aggressive owners", aggressiveHB, aggressive}} {
		i := st.results.paired(s.at, s.at, func(c, _ *curve) float64 {
			p := c.over(2, 2, s.w, high[0], high[1])
			return 100 * (p.meanUtility(1) - p.meanUtility(0)) / math.Abs(p.meanUtility(0))
		})
		st.Claim("Figure 8", s.name+": higher utility under the k-th price", positive(i), "higher by %s %%", i.Text("%.2f"))
	}
}
