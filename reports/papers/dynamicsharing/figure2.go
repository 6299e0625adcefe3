package dynamicsharing

import (
	"math"
	"slices"
	"strings"

	"bourse/policies/share"
	"bourse/reports/figures"
	"bourse/reports/papers"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// The published numbers: welfare in parts of SMM's.
const (
	flGoogle, flRandom, halfGoogle = .97, .98, .87
	// apart is how far a share of SMM's welfare may be from the published one,
	// which has two digits.
	apart = .01
)

// randomMean takes a quantity's mean and interval over the random instances.
func (s *study) randomMean(of func(outcome) float64) stats.Estimate {
	return stats.EstimateOver(len(s.random), func(k int) float64 { return of(s.random[k]) })
}

// figure2 compares welfare.
func (s *study) figure2() error {
	var firsts []*instance
	for _, all := range s.traces {
		firsts = append(firsts, all[0])
	}
	if err := s.ofTraces(); err != nil {
		return err
	}
	if err := s.randomOutcomes(); err != nil {
		return err
	}
	s.Heading("Figure 2: welfare in parts of SMM's")
	t := table.New(table.Headed(terminal.Fixed(3), "mechanism", "random")...)
	rows := table.New(table.Named("mechanism", "of", "random", "random_half_width")...)
	for _, x := range firsts {
		t.Columns, rows.Columns = append(t.Columns, table.Col("", x.name, terminal.Fixed(3))),
			append(rows.Columns, table.Col(x.name, "", terminal.Number))
	}
	t.Columns = append(t.Columns, table.Headed(terminal.General, "published: Google", "random")...)
	published := map[int][]any{flexible: {flGoogle, flRandom}, halfPeriod: {halfGoogle, ""}, staticMaxMin: {1., 1.},
		dynamicMaxMin: {1., 1.}}
	bars := &figures.Bars{Y: "welfare over static", From: 1, Legend: "tl", Groups: []string{"random"}}
	for _, x := range firsts {
		bars.Groups = append(bars.Groups, shortened(x.name))
	}
	for k, m := range mechanisms {
		welfare, part := s.randomMean(func(o outcome) float64 { return o.welfare(k, 0) }),
			s.randomMean(func(o outcome) float64 { return o.ofSMM(k) })
		cells, line := []any{m.label, part}, figures.Series{Name: m.label, Y: []float64{welfare.Mean},
			Half: []float64{welfare.Half}}
		over, of := []any{m.name, "static", welfare.Mean, welfare.Half}, []any{m.name, "smm", part.Mean, part.Half}
		for _, o := range s.main {
			cells = append(cells, o.ofSMM(k))
			over, of = append(over, o.welfare(k, 0)), append(of, o.ofSMM(k))
			line.Y, line.Half = append(line.Y, o.welfare(k, 0)), append(line.Half, 0)
		}
		t.Add(append(cells, published[k]...)...)
		rows.Add(over...)
		rows.Add(of...)
		if k != static {
			bars.Series = append(bars.Series, line)
		}
	}
	s.Show(t)
	s.Printf("\nIntervals are 95 %% over the random instances. Karma is not in the paper.\n")
	s.welfareClaims()
	s.Keep("figure2", rows)
	return s.Draw("figure2", []figures.Drawing{bars})
}

// shortened is a log's name up to its year, for an axis.
func shortened(name string) string {
	parts := strings.SplitN(name, "-", 3)
	return strings.Join(parts[:min(2, len(parts))], "-")
}

// welfareClaims judges what the paper says of Figure 2's random instances, and checks on
// all what follows from definitions.
func (s *study) welfareClaims() {
	const where = "Figure 2, random"
	fl := s.randomMean(func(o outcome) float64 { return o.ofSMM(flexible) })
	s.Hold(where, "FL achieves 98 % of SMM's welfare", math.Abs(fl.Mean-flRandom) <= apart, "%.1f ±%.1f %%", 100*fl.Mean,
		100*fl.Half).
		Read("two printed digits, so within .01; no law of demands is published: exponential, with means that are the " +
			"endowments")
	rising := s.randomMean(func(o outcome) float64 { return o.welfare(twoPeriod, 0) - o.welfare(onePeriod, 0) })
	s.Claim(where, "2-Period is slightly above 1-Period", sign(rising), "by %s of static welfare", rising)
	lowest := s.randomMean(func(o outcome) float64 {
		return min(o.welfare(twoPeriod, 0), o.welfare(halfPeriod, 0), o.welfare(flexible, 0)) - o.welfare(onePeriod, 0)
	})
	s.Claim(where, "1-Period has the lowest welfare", sign(lowest), "the next lies %s of static welfare above it",
		lowest).Read("of the dynamic mechanisms; the mean difference must exceed its 95 %% interval")
	outs := append(slices.Clone(s.random), s.main...)
	same, most, low, owed, handed := 0.0, math.Inf(1), math.Inf(1), 0.0, 0.0
	for _, o := range outs {
		same = max(same, math.Abs(o.ofSMM(dynamicMaxMin)-1))
		for k := range mechanisms {
			most = min(most, o.welfare(staticMaxMin, 0)-o.welfare(k, 0))
			if k != karma {
				handed = max(handed, math.Abs(share.Welfare(o[k].Alloc)/(share.Welfare(o[k].Endow)*float64(o[k].Rounds))-1))
			}
		}
		low = min(low, o.welfare(onePeriod, 0)-1, o.welfare(twoPeriod, 0)-1)
		for i, e := range o[flexible].Endow {
			owed = max(owed, math.Abs(o[flexible].Alloc[i]/(e*float64(o[flexible].Rounds))-1))
		}
	}
	s.Check("Figure 2", "DMM and SMM produce the same, highest welfare", same < 1e-9 && most > -1e-9,
		"%.1e apart at most; no other has more than %.1e above them", same, max(0, -most)).
		Read("so by definition at L = 0, both being efficient")
	s.Check("Figure 2", "1-Period and 2-Period outperform static shares", low > -1e-9, "by %.1e or more of static welfare",
		low).Read("at L = 0 that is their sharing incentive, summed")
	s.Check("Section 3", "FL allocates exactly R e_i to each agent", owed < 1e-6, "off by %.1e of it at most", owed).
		Read("1e-6 for the rounding of some ten thousand rounds")
	s.Check("Section 2", "all resources are allocated", handed < 1e-9, "off by %.1e of them at most, but for Karma",
		handed)
}

// sign judges whether a difference is above 0, on average and beyond its interval.
func sign(x stats.Estimate) papers.Verdict {
	switch {
	case x.Mean > 0 && (!x.Known() || !x.Tie()):
		return papers.Holds
	case x.Mean+x.Half > 0:
		return papers.Unclear
	}
	return papers.Differs
}
