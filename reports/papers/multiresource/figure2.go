package multiresource

import (
	"math"

	"bourse/reports/figures"
	"bourse/reports/table"
)

const alphaLabel = "minority's share of agents α"

// figure2 draws the fair ratios against alpha, with what the bounds' instances
// attain at 20,000 agents as marks.
func (s *study) figure2() error {
	s.Heading("Figure 2: fair ratios against alpha")
	alphas := span(101, 0, .5)
	coarse := span(10, .05, .5)
	welfare := &figures.Panel{X: alphaLabel, Y: "fair ratio, welfare", XMax: .5, YMin: 1, YMax: 2}
	utilisation := &figures.Panel{X: alphaLabel, Y: "fair ratio, utilisation", Legend: "tr", XMin: .2, XMax: .5, YMin: 1,
		YMax: 5}
	rows := table.New(table.Named("mechanism_of", "alpha", "theory", "attained")...)
	const n = 20_000
	for k, c := range worstCases {
		if c.name == "bal" {
			continue // its curve is that of bal*
		}
		name := c.name
		if name == "bal*" {
			name = "bal, bal*"
		}
		w, u := figures.Line{Name: name, Bare: true}, figures.Line{Name: name, Bare: true}
		for _, a := range alphas {
			w.X, w.Y = append(w.X, a), append(w.Y, ratios[k].welfare(a))
			if a >= .1999 {
				u.X, u.Y = append(u.X, a), append(u.Y, ratios[k].utilisation(a))
			}
		}
		for _, a := range coarse {
			gotW, gotU, err := c.attained(n, int(math.Round(a*n)))
			if err != nil {
				return err
			}
			rows.Add(name+" welfare", a, ratios[k].welfare(a), gotW)
			rows.Add(name+" utilisation", a, ratios[k].utilisation(a), gotU)
			w.MarkX, w.MarkY = append(w.MarkX, a), append(w.MarkY, gotW)
			if a >= .1999 {
				u.MarkX, u.MarkY = append(u.MarkX, a), append(u.MarkY, gotU)
			}
		}
		welfare.Lines, utilisation.Lines = append(welfare.Lines, w), append(utilisation.Lines, u)
	}
	better := true
	for _, a := range coarse[:len(coarse)-1] { // below 1/2
		for _, r := range ratios[1:] {
			better = better && r.welfare(a) < ratios[isDRF].welfare(a) && r.utilisation(a) < ratios[isDRF].utilisation(a)
		}
	}
	s.Hold("Figure 2", "the new mechanisms have better ratios than drf for alpha in (0, 1/2)", better,
		"at every alpha of the grid")
	w := crossing(ratios[1].welfare, ratios[2].welfare)
	u := crossing(ratios[1].utilisation, ratios[2].utilisation)
	s.Hold("Figure 2", "unb is better near 0, bal and bal* near 1/2", min(w, u) > 0 && max(w, u) < .5-1e-9,
		"they cross at %.4f for welfare (2-sqrt(3) = %.4f) and %.4f for utilisation (1/3)", w, 2-math.Sqrt(3), u)
	s.Keep("figure2", rows)
	return s.Draw("figure2", []figures.Drawing{welfare, utilisation})
}

// crossing finds where a rising and a falling curve meet in (0, 1/2).
func crossing(rising, falling func(float64) float64) float64 {
	low, high := 0.0, .5
	for range 60 {
		if mid := (low + high) / 2; rising(mid) < falling(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// span returns n numbers at equal distances from low to high. gonum's rounds otherwise
// on arm64.
func span(n int, low, high float64) []float64 {
	x, step := make([]float64, n), (high-low)/float64(n-1)
	for i := range x {
		x[i] = low + float64(step*float64(i))
	}
	x[n-1] = high
	return x
}
