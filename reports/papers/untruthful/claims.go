package untruthful

import (
	"fmt"
	"math"

	"bourse/reports/papers"
	"bourse/reports/stats"
)

// paired returns the interval over seeds of a number of two settings.
func (r results) paired(a, b setting, of func(a, b *curve) float64) stats.Estimate {
	return stats.EstimateOver(len(r[a]), func(i int) float64 { return of(r[a][i], r[b][i]) })
}

// positive records a difference that the paper says is above 0.
func (st *study) positive(where, says string, i stats.Estimate, found, format string) *papers.Claim {
	verdict := papers.Judge(i.Mean > 0)
	if i.Known() && i.Tie() {
		verdict = papers.Unclear
	}
	return st.Claim(where, says, verdict, found, i.Text(format))
}

// low, high are the ranges of bins of low and high values.
var low, high = [2]int{0, lastLow}, [2]int{firstHigh, bins}

// textClaims checks what the paper says of its figures.
func (st *study) textClaims() {
	before := st.Counted()
	st.slowdownClaims()
	st.algorithmClaims()
	st.utilityClaims()
	st.paymentClaims()
	const where, says = "Section II", "the results of the other workloads are nearly identical"
	if st.work.cluster.Name == LPC.Name {
		st.Claim(where, says, papers.Unpublished, "this is LPC").Read("the paper names neither its cluster of DAS2 nor " +
			"prints a number of the others; give another log to see its sentences judged")
		return
	}
	after := st.Counted()
	differ, hold := after[papers.Differs]-before[papers.Differs], after[papers.Holds]-before[papers.Holds]
	st.Hold(where, says, differ == 0, "of the sentences on Figures 2 to 8, %d hold here and %d differ", hold,
		differ).Read("on %s: %s", st.work.cluster.Name, st.work.cluster.note)
}

// excess is by how much more a metric of the aggressive owners is than that of everybody under truth.
func (st *study) excess(s setting, bins [2]int, m metric) stats.Estimate {
	return st.results.paired(truthfulHB, s, func(a, b *curve) float64 {
		return m(b.sumOfBins(0, 2, aggressive, bins[0], bins[1])) - m(a.sumOfBins(0, 2, everybody, bins[0], bins[1]))
	})
}

// slowdownClaims are those of sections II and III.A, Figures 2 and 3.
func (st *study) slowdownClaims() {
	bsd, same, ssj := st.excess(aggressiveHB, low, point.meanBSD), st.excess(aggressiveHB, high, point.meanBSD),
		st.excess(aggressiveHB, low, point.ssj)
	st.positive("Figure 2", "underbidding slows low-value jobs down", bsd, "bounded slowdown higher by %s", "%.1f")
	st.Hold("Figure 2", "high-value jobs: almost no difference", math.Abs(same.Mean) < .1*math.Abs(bsd.Mean),
		"bounded slowdown differs by %s", same.Text("%.3f")).
		Read("less than a tenth of the difference of low values, which the same figure shows")
	st.positive("Section III.A", "... a more careful comparison: high-value jobs are slower, too", same, "by %s", "%.3f")
	st.positive("Figure 3", "more low-value jobs severely slowed", ssj, "more by %s %%", "%.2f")
	bsd2, ssj2 := st.excess(divided, low, point.meanBSD), st.excess(divided, low, point.ssj)
	st.Hold("Section II", "80 % cautious with β = 20 %, the rest with 80 %: nearly identical",
		near(bsd2.Mean, bsd.Mean, .25) && near(ssj2.Mean, ssj.Mean, .25),
		"low values: bounded slowdown higher by %s (%s), severe slowdowns more by %s %% (%s)", bsd2.Text("%.1f"),
		bsd.Text("%.1f"), ssj2.Text("%.2f"), ssj.Text("%.2f")).
		Read("Figures 2 and 3 again, those of the usual division in brackets; nearly identical: within a quarter. " +
			"Directions agree; who shades by 80 %% instead of 90 %% falls less far behind")
}

// near tells whether a is within a part of b.
func near(a, b, part float64) bool { return math.Abs(a-b) <= part*math.Abs(b) }

// algorithmClaims are those of section III.B, Figures 4 and 5.
func (st *study) algorithmClaims() {
	r := st.results
	of := func(policy string, bins [2]int) func(*curve) float64 {
		return func(c *curve) float64 { return c.sumOfBins(0, 2, aggressive, bins[0], bins[1]).meanBSD() }
	}
	for _, pair := range [][2]string{{"wspt", "wsept"}, {"wsept", "hb"}} {
		of := of(pair[0], low)
		i := r.paired(setting{pair[0], srg(".9")}, setting{pair[1], srg(".9")},
			func(x, y *curve) float64 { return of(y) - of(x) })
		st.positive("Figure 4", fmt.Sprintf("low values: %s before %s", algorithm(pair[0]), algorithm(pair[1])), i,
			"bounded slowdown better by %s", "%.1f")
	}
	worst, text := true, ""
	for _, p := range compared {
		s, low, high := setting{p, srg(".9")}, of(p, low), of(p, high)
		i := r.paired(s, s, func(c, _ *curve) float64 { return low(c) - high(c) })
		worst, text = worst && i.Mean > 0 && !(i.Known() && i.Tie()),
			text+fmt.Sprintf(", %s by %s", algorithm(p), i.Text("%.1f"))
	}
	st.Hold("Figure 4", "high values: bounded slowdown becomes smaller under every algorithm", worst,
		"than of low values:%s", text[1:])
	fewer, bins := r.bins("hb", "nphb", point.meanBSD)
	st.Hold("Figure 4", "preemption: HB before NPHB for all bids", fewer == bins, "in %d of %d bins of value", fewer, bins)
	for _, p := range compared[1:] {
		fewer, bins := r.bins("hb", p, point.ssj)
		st.Hold("Figure 5", fmt.Sprintf("HB has fewer severe slowdowns than %s for almost all bids", algorithm(p)),
			float64(fewer) >= .85*float64(bins), "in %d of %d bins of value", fewer, bins).
			Read("almost all: 85 %% of the bins, of 10 each; those of middle values hold few jobs and are noisy, as the paper " +
				"says of Figures 2 to 4")
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
		if y, ok := at[x]; ok {
			of++
			if a.Y[i] < y {
				lower++
			}
		}
	}
	return lower, of
}

// gain is what underbidding brings to a group's mean utility, in percent.
func (st *study) gain(g scope, bins [2]int, payment int) stats.Estimate {
	return st.results.paired(truthfulHB, aggressiveHB, func(a, b *curve) float64 {
		truth := a.sumOfBins(g.from, g.to, everybody, bins[0], bins[1]).meanUtility(payment)
		return 100 * (b.sumOfBins(g.from, g.to, aggressive, bins[0], bins[1]).meanUtility(payment) - truth) / math.Abs(truth)
	})
}

// utilityClaims are those of section IV, Figures 6 and 7.
func (st *study) utilityClaims() {
	for k, g := range byGroup {
		for _, at := range []struct {
			name string
			bins [2]int
		}{{"low", low}, {"high", high}} {
			i := st.gain(g, at.bins, 0)
			where, says, found := "Figure 6", "underbidding harms "+at.name+"-value jobs", "utility lower by %s %%"
			if k == 2 {
				where = map[string]string{"low": "Figure 7a", "high": "Figure 7b"}[at.name]
			}
			if k == 2 && at.name == "high" {
				says, found = "underbidding pays for high-value jobs under the first price", "utility higher by %s %%"
			} else {
				i.Mean = -i.Mean
			}
			st.positive(where, "group "+g.name+": "+says, i, found, "%.2f")
		}
	}
	first, kth := st.gain(groupC, high, 0), st.gain(groupC, high, 1)
	st.Hold("Figure 7c", "the k-th price removes that gain", kth.Mean < .2*first.Mean, "utility changes by %s %%",
		kth.Text("%+.2f")).Read("less than a fifth of the gain is left")
	st.Hold("Figure 7c", "the curves of FT and SRG coincide under the k-th price", math.Abs(kth.Mean) < 1, "%s %%",
		kth.Text("%+.2f")).Read("within 1 %%, less than a printed line is wide")
}

// paymentClaims hold the payments against each other: section IV, Figure 8 and Eq. 3.
func (st *study) paymentClaims() {
	for k, g := range byGroup {
		for _, s := range []struct {
			name string
			at   setting
			w    who
		}{{"truthful owners", truthfulHB, everybody}, {"aggressive owners", aggressiveHB, aggressive}} {
			bins := [][2]int{{0, high[1]}, {0, high[1]}, high}[k]
			i := st.results.paired(s.at, s.at, func(c, _ *curve) float64 {
				p := c.sumOfBins(g.from, g.to, s.w, bins[0], bins[1])
				return 100 * (p.meanUtility(1) - p.meanUtility(0)) / math.Abs(p.meanUtility(0))
			})
			switch k {
			case 0:
				st.Hold("Section IV", "group A, "+s.name+": the same utility under both payments", math.Abs(i.Mean) < 1,
					"k-th price higher by %s %%", i.Text("%.2f")).Read("within 1 %%")
			case 1:
				st.Hold("Section IV", "group B, "+s.name+": almost the same, slightly higher under the k-th price", i.Mean > 0 &&
					i.Mean < 5, "higher by %s %%", i.Text("%.2f")).Read("by more than 0 and less than 5 %%")
			default:
				st.positive("Figure 8", s.name+": higher utility under the k-th price", i, "higher by %s %%", "%.2f")
			}
		}
	}
	dearer, below, jobs := 0, 0, 0
	for _, s := range settings() {
		for _, c := range st.results[s] {
			dearer, below, jobs = dearer+c.dearer[0], below+c.dearer[1], jobs+st.work.jobs.Len()
		}
	}
	st.Hold("Section IV", "Eq. 3: no job's utility is lower under the k-th price", dearer == 0,
		"higher bills than under the first price: %d of %d, and %d of jobs that bid less than the reservation price", dearer,
		jobs, below).
		Read("job by job in one and the same schedule, all replays; of jobs that bid 1, the reservation price, or more: " +
			"where all nodes are busy and no job waits, the first price is the bid and the k-th price 1, which is more for " +
			"the rest")
}
