package dynamicsharing

import (
	"fmt"
	"math"
	"strings"

	"bourse/reports/figures"
	"bourse/reports/stats"
	"bourse/reports/studies"
	"bourse/reports/terminal"
)

// The published numbers: welfare in parts of SMM's.
const (
	flGoogle, flRandom, halfGoogle = .97, .98, .87
	// apart is how far a share of SMM's welfare may be from the published one,
	// which has two digits.
	apart = .01
)

// over takes a quantity's mean and interval over the random instances.
func (s *study) over(of func(outcome) float64) stats.Estimate {
	return stats.EstimateOver(len(s.random), func(k int) float64 { return of(s.random[k]) })
}

// figure2 compares welfare.
func (s *study) figure2() error {
	var firsts []*instance
	for _, all := range s.traces {
		firsts = append(firsts, all[0])
	}
	var err error
	if s.main, err = runAll(s.ctx, s.Workers, firsts, rules[0]); err != nil {
		return err
	}
	if err := s.randomOutcomes(); err != nil {
		return err
	}
	s.Heading("Figure 2: welfare over that of static shares, and in parts of SMM's")
	head := []string{"", "random"}
	names := []string{"mechanism", "of", "random", "random_half_width"}
	for _, x := range firsts {
		head, names = append(head, x.name), append(names, x.name)
	}
	t, share := terminal.NewTable(head...), terminal.NewTable(append(head, "published: Google", "random")...)
	rows := studies.Columns(names...)
	for k, m := range mechanisms {
		welfare, part := s.over(func(o outcome) float64 { return o.welfare(k, 0) }), s.over(func(o outcome) float64 { return o.ofSMM(k) })
		a, b := []string{m.label, welfare.String()}, []string{m.label, part.String()}
		c, d := []any{m.name, "static", welfare.Mean, welfare.Half}, []any{m.name, "smm", part.Mean, part.Half}
		for _, o := range s.main {
			a, b = append(a, fmt.Sprintf("%.3f", o.welfare(k, 0))), append(b, fmt.Sprintf("%.3f", o.ofSMM(k)))
			c, d = append(c, o.welfare(k, 0)), append(d, o.ofSMM(k))
		}
		switch k {
		case flexible:
			b = append(b, fmt.Sprint(flGoogle), fmt.Sprint(flRandom))
		case halfPeriod:
			b = append(b, fmt.Sprint(halfGoogle))
		case staticMaxMin, dynamicMaxMin:
			b = append(b, "1", "1")
		}
		t.Row(a...)
		share.Row(b...)
		rows.Add(c...)
		rows.Add(d...)
	}
	s.Table(t)
	s.Printf("\nIn parts of SMM's welfare:\n\n")
	s.Table(share)
	s.Printf("\nIntervals are 95 %% over the random instances. Karma is not in the paper.\n")
	s.welfareClaims()
	s.Keep("figure2", rows)
	return s.drawFigure2(firsts)
}

// drawFigure2 gives Google's traces a panel of their own: their welfare has
// another scale.
func (s *study) drawFigure2(firsts []*instance) error {
	rest := &figures.Bars{Y: "welfare over static", From: 1, Legend: "tl", Groups: []string{"random"}}
	alone := &figures.Bars{Y: "welfare over static", From: 1, Legend: "tl"}
	for i, x := range firsts {
		if i < s.googles() {
			alone.Groups = append(alone.Groups, x.name)
		} else {
			rest.Groups = append(rest.Groups, shortened(x.name))
		}
	}
	for k := 1; k < len(mechanisms); k++ {
		mean := s.over(func(o outcome) float64 { return o.welfare(k, 0) })
		a := figures.Series{Name: mechanisms[k].label}
		b := figures.Series{Name: mechanisms[k].label, Y: []float64{mean.Mean}, Half: []float64{mean.Half}}
		for i, o := range s.main {
			to := &b
			if i < s.googles() {
				to = &a
			}
			to.Y, to.Half = append(to.Y, o.welfare(k, 0)), append(to.Half, 0)
		}
		alone.Series, rest.Series = append(alone.Series, a), append(rest.Series, b)
	}
	if !s.hasGoogle() {
		return s.Draw("figure2", []figures.Drawing{rest})
	}
	return s.Draw("figure2", []figures.Drawing{alone}, []figures.Drawing{rest})
}

// shortened is a log's name up to its year, for an axis.
func shortened(name string) string {
	parts := strings.SplitN(name, "-", 3)
	return strings.Join(parts[:min(2, len(parts))], "-")
}

// welfareClaims judges what the paper says of Figure 2.
func (s *study) welfareClaims() {
	near := func(where, says string, found, published float64, interval string) {
		s.Claim(where, says, studies.Judge(math.Abs(found-published) <= apart), "%.1f %%%s, %+.1f points", 100*found, interval, 100*(found-published))
	}
	fl := s.over(func(o outcome) float64 { return o.ofSMM(flexible) })
	near("Figure 2, random", "FL achieves 98 % of SMM's welfare", fl.Mean, flRandom, fmt.Sprintf(" ±%.1f", 100*fl.Half))
	s.orders("random", s.random)
	for i := range s.googles() {
		name, o := s.traces[i][0].name, s.main[i]
		near("Figure 2, "+name, "FL achieves 97 % of SMM's welfare", o.ofSMM(flexible), flGoogle, "")
		near("Figure 2, "+name, "R/2-Period achieves 87 % of SMM's welfare", o.ofSMM(halfPeriod), halfGoogle, "")
		s.orders(name, s.main[i:i+1])
	}
}

// orders judges the order of the mechanisms, on average over the instances.
func (s *study) orders(name string, all []outcome) {
	same, most := 0.0, math.Inf(1)
	var rising, one, two []float64
	for _, o := range all {
		same = max(same, math.Abs(o.welfare(dynamicMaxMin, 0)/o.welfare(staticMaxMin, 0)-1))
		for k := range mechanisms {
			most = min(most, o.welfare(staticMaxMin, 0)-o.welfare(k, 0))
		}
		a, b := o.welfare(onePeriod, 0), o.welfare(twoPeriod, 0)
		rising, one, two = append(rising, b-a), append(one, a-1), append(two, b-1)
	}
	where := "Figure 2, " + name
	s.Hold(where, "DMM and SMM produce the same, highest welfare", same < 1e-9 && most > -1e-9, "%.1e apart at most; no other has more than %.1e above them", same, max(0, -most))
	for _, c := range []struct {
		says string
		of   []float64
	}{{"2-Period is above 1-Period", rising}, {"1-Period is above static", one}, {"2-Period is above static", two}} {
		x := stats.EstimateOf(c.of)
		by := x.String()
		if len(c.of) == 1 {
			by = fmt.Sprintf("%.2g", x.Mean)
		}
		s.Claim(where, c.says, sign(x), "by %s of static welfare", by)
	}
}

// sign judges whether a difference is above 0, on average and beyond its interval.
func sign(x stats.Estimate) studies.Verdict {
	switch {
	case x.Mean > 0 && (!x.Known() || !x.Tie()):
		return studies.Holds
	case x.Mean+x.Half > 0:
		return studies.Unclear
	}
	return studies.Differs
}
