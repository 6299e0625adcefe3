package dynamicsharing

import (
	"fmt"
	"slices"

	"bourse/reports/figures"
	"bourse/reports/studies"
	"bourse/reports/terminal"
)

// running replaces the first rule with other demands.
var running = rule{name: "running", line: "mean demand, of running tasks only: those that wait demand nothing"}

// sensitivity varies the length of a round and the rule of endowments.
func (s *study) sensitivity() error {
	s.Heading("Sensitivity: length of a round and rule of endowments")
	t := terminal.NewTable("trace", "round", "endowments", "SMM / static", "FL / SMM", "R/2 / SMM", "2-Period / SMM", "1-Period / SMM", "Karma / SMM", "least index", "mean", "agents below 1")
	t.Left(2)
	rows := studies.Columns("trace", "round_s", "endowments", "smm_static", "fl_smm", "half_smm", "two_smm", "one_smm", "karma_smm", "least_index", "mean_index", "below_1")
	for i, all := range s.traces {
		var outs []outcome
		for _, r := range rules {
			got, err := s.again(i, all, r)
			if err != nil {
				return err
			}
			outs = append(outs, got...)
		}
		of := rules
		if i == 0 && s.hasGoogle() {
			all, _, err := readGoogle(s.ctx, s.Google, lengths, true)
			if err != nil {
				return err
			}
			got, err := runAll(s.ctx, s.Workers, all, rules[0])
			if err != nil {
				return err
			}
			outs = append(outs, got...)
			of = append(slices.Clone(rules), running)
		}
		for k, o := range outs {
			r, every := of[k/len(lengths)], lengths[k%len(lengths)]
			x := o.indices(flexible)
			values := []float64{o.welfare(staticMaxMin, 0), o.ofSMM(flexible), o.ofSMM(halfPeriod), o.ofSMM(twoPeriod), o.ofSMM(onePeriod), o.ofSMM(karma), x.least(), x.mean}
			cells, kept := []string{all[0].name, every.Short(), r.name}, []any{all[0].name, every.Seconds(), r.name}
			for _, v := range values {
				cells, kept = append(cells, fmt.Sprintf("%.3f", v)), append(kept, v)
			}
			t.Row(append(cells, fmt.Sprint(x.below))...)
			rows.Add(append(kept, x.below)...)
		}
	}
	if len(s.traces) == 0 {
		s.Printf("There are no traces to vary it on.\n")
		return nil
	}
	s.Table(t)
	s.Printf("\nThe index is FL's. Endowments:\n")
	for _, r := range rules {
		s.Printf("  %-7s %s\n", r.name, r.line)
	}
	if s.hasGoogle() {
		s.Printf("  %-7s %s\n", running.name, running.line)
	}
	return s.Keep("sensitivity", rows)
}

// again runs all lengths under a rule, taking over what was run already.
func (s *study) again(i int, all []*instance, r rule) ([]outcome, error) {
	if r.name != rules[0].name {
		return runAll(s.ctx, s.Workers, all, r)
	}
	rest, err := runAll(s.ctx, s.Workers, all[1:], r)
	return append([]outcome{s.main[i]}, rest...), err
}

// lows are values of L/H.
var lows = []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1}

// unwanted varies the value of units beyond the demand.
func (s *study) unwanted() error {
	s.Heading("Sensitivity: L/H, the value of a unit beyond the demand (welfare over static)")
	outs, names := s.main, []string{}
	for _, all := range s.traces {
		names = append(names, all[0].name)
	}
	head := []string{"trace", "mechanism"}
	for _, low := range lows[:len(lows)-1] {
		head = append(head, fmt.Sprint(low))
	}
	t := terminal.NewTable(append(head, "1")...)
	t.Left(1)
	rows := studies.Columns("trace", "mechanism", "low", "welfare")
	var panels []figures.Drawing
	for i := range len(outs) + 1 {
		name, value := "random", func(k int, low float64) float64 {
			return s.over(func(o outcome) float64 { return o.welfare(k, low) }).Mean
		}
		if i < len(outs) {
			name, value = names[i], outs[i].welfare
		}
		panel := &figures.Panel{Title: shortened(name), X: "L/H", Y: "welfare over static"}
		if i == 0 {
			panel.Legend = "tr"
		}
		for k := 1; k < len(mechanisms); k++ {
			m, line := mechanisms[k], figures.Line{Name: mechanisms[k].label}
			cells := []string{name, m.label}
			for _, low := range lows {
				v := value(k, low)
				cells = append(cells, fmt.Sprintf("%.3f", v))
				rows.Add(name, m.name, low, v)
				line.X, line.Y = append(line.X, low), append(line.Y, v)
			}
			t.Row(cells...)
			if k != dynamicMaxMin { // SMM's
				panel.Lines = append(panel.Lines, line)
			}
		}
		panels = append(panels, panel)
	}
	s.Table(t)
	s.Printf("\nReports are truthful. Karma leaves unwanted units idle, so it falls below 1.\n")
	s.Keep("low-value", rows)
	return s.Draw("low-value", inRows(panels)...)
}

// inRows sets panels two by two; a place left over repeats none but is dropped
// with its row made single.
func inRows(panels []figures.Drawing) [][]figures.Drawing {
	return slices.Collect(slices.Chunk(panels, 2-len(panels)%2))
}
