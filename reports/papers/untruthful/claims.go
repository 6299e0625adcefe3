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
	return st.Claim(where, says, st.above(i), found, i.Text(format))
}

// within judges a figure over the seeds.
func (st *study) within(i stats.Estimate, low, high float64) papers.Verdict {
	return papers.Within(i, st.options.Seeds, low, high)
}

// above judges that a figure is above 0.
func (st *study) above(i stats.Estimate) papers.Verdict {
	return st.within(i, math.SmallestNonzeroFloat64, math.Inf(1))
}

// near judges that a figure is within a part of another.
func (st *study) near(i stats.Estimate, of, part float64) papers.Verdict {
	off := float64(part * math.Abs(of))
	return st.within(i, of-off, of+off)
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
	st.Claim("Figure 2", "high-value jobs: almost no difference",
		st.within(same, -.1*math.Abs(bsd.Mean), .1*math.Abs(bsd.Mean)), "bounded slowdown differs by %s", same.Text("%.3f")).
		Read("less than a tenth of the difference of low values, which the same figure shows")
	st.positive("Section III.A", "... a more careful comparison: high-value jobs are slower, too", same, "by %s", "%.3f")
	st.positive("Figure 3", "more low-value jobs severely slowed", ssj, "more by %s %%", "%.2f")
	bsd2, ssj2 := st.excess(divided, low, point.meanBSD), st.excess(divided, low, point.ssj)
	st.Claim("Section II", "80 % cautious with β = 20 %, the rest with 80 %: nearly identical",
		papers.All(st.near(bsd2, bsd.Mean, .25), st.near(ssj2, ssj.Mean, .25)),
		"low values: bounded slowdown higher by %s (%s), severe slowdowns more by %s %% (%s)", bsd2.Text("%.1f"),
		bsd.Text("%.1f"), ssj2.Text("%.2f"), ssj.Text("%.2f")).
		Read("Figures 2 and 3 again, those of the usual division in brackets; nearly identical: within a quarter. " +
			"Directions agree; who shades by 80 %% instead of 90 %% falls less far behind")
}

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
	worst, text := papers.Holds, ""
	for _, p := range compared {
		s, low, high := setting{p, srg(".9")}, of(p, low), of(p, high)
		i := r.paired(s, s, func(c, _ *curve) float64 { return low(c) - high(c) })
		worst, text = papers.All(worst, st.above(i)), text+fmt.Sprintf(", %s by %s", algorithm(p),
			i.Text("%.1f"))
	}
	st.Claim("Figure 4", "high values: bounded slowdown becomes smaller under every algorithm", worst,
		"than of low values:%s", text[1:])
	all := st.bins("hb", "nphb", point.meanBSD)
	st.Claim("Figure 4", "preemption: HB before NPHB for all bids", all.verdict(1), "%s", all)
	for _, p := range compared[1:] {
		few := st.bins("hb", p, point.ssj)
		st.Claim("Figure 5", fmt.Sprintf("HB has fewer severe slowdowns than %s for almost all bids", algorithm(p)),
			few.verdict(.85), "%s", few).
			Read("almost all: bins of value, of 10 each, with 85 %% of the jobs; those of middle values hold few jobs and are " +
				"noisy, as the paper says of Figures 2 to 4. A bin counts for one side where its interval over the seeds does")
	}
}

// jobsIn are the jobs of the bins in which one of two policies is better beyond the noise of the seeds.
type jobsIn struct{ first, second, open float64 }

func (j jobsIn) String() string {
	all := (j.first + j.second + j.open) / 100
	return fmt.Sprintf("in bins with %.0f %% of the jobs, the other way round in bins with %.0f %%", j.first/all,
		j.second/all)
}

// verdict judges that the first policy is better for a part of the jobs at least.
func (j jobsIn) verdict(part float64) papers.Verdict {
	switch all := j.first + j.second + j.open; {
	case j.first >= part*all:
		return papers.Holds
	case j.second > (1-part)*all:
		return papers.Differs
	}
	return papers.Unclear
}

// bins compares two policies bin by bin.
func (st *study) bins(first, second string, m metric) (j jobsIn) {
	a, b := setting{first, srg(".9")}, setting{second, srg(".9")}
	for bin := range bins {
		jobs, empty := 0., false
		i := st.results.paired(a, b, func(x, y *curve) float64 {
			p, q := x.sumOfBins(0, 2, aggressive, bin, bin+1), y.sumOfBins(0, 2, aggressive, bin, bin+1)
			jobs += float64(p.jobs)
			empty = empty || p.jobs == 0 || q.jobs == 0
			return m(q) - m(p)
		})
		switch verdict := st.above(i); {
		case empty: // under some seed nobody has such a value
		case verdict == papers.Holds:
			j.first += jobs
		case verdict == papers.Differs && i.Mean < 0:
			j.second += jobs
		default:
			j.open += jobs
		}
	}
	return j
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
	st.Claim("Figure 7c", "the k-th price removes that gain", st.within(kth, math.Inf(-1), .2*first.Mean),
		"utility changes by %s %%", kth.Text("%+.2f")).Read("less than a fifth of the gain is left")
	st.Claim("Figure 7c", "the curves of FT and SRG coincide under the k-th price", st.within(kth, -1, 1), "%s %%",
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
				st.Claim("Section IV", "group A, "+s.name+": the same utility under both payments", st.within(i, -1, 1),
					"k-th price higher by %s %%", i.Text("%.2f")).Read("within 1 %%")
			case 1:
				st.Claim("Section IV", "group B, "+s.name+": almost the same, slightly higher under the k-th price",
					st.within(i, math.SmallestNonzeroFloat64, 5), "higher by %s %%", i.Text("%.2f")).Read("by more than 0 and less than 5 %%")
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
