package dynamicsharing

import (
	"fmt"
	"slices"

	"bourse/reports/figures"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// lows are values of L/H.
var lows = []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1}

// unwanted varies the value of units beyond the demand.
func (s *study) unwanted() error {
	s.Heading("Sensitivity: L/H, the value of a unit beyond the demand (welfare over static)")
	outs, names := s.main, []string{}
	for _, all := range s.traces {
		names = append(names, all[0].name)
	}
	t := table.New(table.Headed(terminal.Words, "trace", "mechanism")...)
	for _, low := range lows {
		t.Columns = append(t.Columns, table.Col("", fmt.Sprint(low), terminal.Fixed(3)))
	}
	rows := table.New(table.Named("trace", "mechanism", "low", "welfare")...)
	var panels []figures.Drawing
	for i := range len(outs) + 1 {
		name, value := "random", func(k int, low float64) float64 {
			return s.randomMean(func(o outcome) float64 { return o.welfare(k, low) }).Mean
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
			cells := []any{name, m.label}
			for _, low := range lows {
				v := value(k, low)
				cells = append(cells, v)
				rows.Add(name, m.name, low, v)
				line.X, line.Y = append(line.X, low), append(line.Y, v)
			}
			t.Add(cells...)
			if k != dynamicMaxMin { // SMM's
				panel.Lines = append(panel.Lines, line)
			}
		}
		panels = append(panels, panel)
	}
	s.Show(t)
	s.Printf("\nReports are truthful. Karma leaves unwanted units idle, so it falls below 1.\n")
	s.Keep("low-value", rows)
	return s.Draw("low-value", inRows(panels)...)
}

// inRows sets panels two by two; a place left over repeats none but is dropped
// with its row made single.
func inRows(panels []figures.Drawing) [][]figures.Drawing {
	return slices.Collect(slices.Chunk(panels, 2-len(panels)%2))
}
