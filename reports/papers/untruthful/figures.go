package untruthful

import (
	"math"

	"bourse/policies/bidding"
	"bourse/reports/figures"
	"bourse/reports/stats"
	"bourse/traces"
)

// scope is a choice of run-time groups, by number.
type scope struct {
	name     string
	from, to int
}

var (
	allGroups = scope{"all", 0, 2}
	byGroup   = []scope{{"A", 0, 0}, {"B", 1, 1}, {"C", 2, 2}}
	groupC    = byGroup[2]
)

// metric is what a figure shows of a point.
type metric func(point) float64

func utilityOf(payment int) metric { return func(p point) float64 { return p.meanUtility(payment) } }

// line draws a metric against the private value, with the interval over seeds.
// Bins without jobs in some seed are left out.
func (r results) line(name string, s setting, g scope, w who, low, high int, m metric) figures.Line {
	l := figures.Line{Name: name}
	for b := low; b < high; b++ {
		mean := stats.EstimateOver(len(r[s]), func(i int) float64 { return m(r[s][i].point(g.from, g.to, w, b)) })
		if math.IsNaN(mean.Mean) {
			continue
		}
		l.X, l.Y = append(l.X, (float64(b)+.5)*binWidth), append(l.Y, mean.Mean)
		if mean.Known() {
			l.Low, l.High = append(l.Low, mean.Low()), append(l.High, mean.High())
		}
	}
	return l
}

const (
	valueAxis   = "private value w (money per processor-second)"
	bsdAxis     = "mean bounded slowdown"
	ssjAxis     = "severely slowed jobs (%)"
	utilityAxis = "mean utility (10⁶ money)"
	lastLow     = 6  // the first bin beyond the low values, w > 60
	firstHigh   = 12 // the first bin of the high values, w >= 120
)

// millions scales utilities for the axes.
func millions(m metric) metric { return func(p point) float64 { return m(p) / 1e6 } }

var (
	truthfulHB   = setting{"hb", "truthful"}
	aggressiveHB = setting{"hb", srg(".9")}
)

// lines draws the full-truthfulness model, everybody, lines the aggressive
// owners of the standard group, under hb.
func (r results) lines(g scope, low, high int, m metric) []figures.Line {
	return []figures.Line{
		r.line("FT, all", truthfulHB, g, everybody, low, high, m),
		r.line("SRG, aggressive", aggressiveHB, g, aggressive, low, high, m),
	}
}

// byAlgorithm draws the aggressive owners under the four algorithms.
func (r results) byAlgorithm(m metric) []figures.Line {
	var lines []figures.Line
	for _, p := range compared {
		lines = append(lines, r.line(algorithm(p), setting{p, srg(".9")}, allGroups, aggressive, 0, bins, m))
	}
	return lines
}

func algorithm(policy string) string {
	return map[string]string{"hb": "HB", "nphb": "NPHB", "wspt": "WSPT", "wsept": "WSEPT"}[policy]
}

// figure1 is the density of private values: the formula and what one seed draws.
func figure1(w *workload) figures.Drawing {
	b := paperValues
	m := bidding.NewModel(b, bidding.Truthful{}, 1)
	count := make([]float64, 2*bins)
	for i := range w.jobs.Len() {
		offer, _ := m.Bid(&traces.Job{ID: w.jobs.Job(i).ID})
		count[min(int(2*offer.Value/binWidth), 2*bins-1)]++
	}
	drawn, formula := figures.Line{Name: "drawn"}, figures.Line{Name: "density", Bare: true}
	for i, n := range count {
		drawn.X = append(drawn.X, (float64(i)+.5)*binWidth/2)
		drawn.Y = append(drawn.Y, n/float64(w.jobs.Len())/(binWidth/2))
	}
	for v := 0.0; v <= b.Max; v++ {
		formula.X, formula.Y = append(formula.X, v), append(formula.Y, density(b, v))
	}
	return &figures.Panel{X: valueAxis, Y: "density (1 per unit of value)", Lines: []figures.Line{drawn, formula},
		Legend: "tr"}
}

// density is the mixture of two normals, each cut to (0, max].
func density(b bidding.Bimodal, v float64) float64 {
	normal := func(mean float64) float64 {
		phi := func(x float64) float64 { return float64(.5 * math.Erfc(-(x-mean)/b.Deviation/math.Sqrt2)) }
		z := (v - mean) / b.Deviation
		return math.Exp(-z*z/2) / b.Deviation / math.Sqrt(2*math.Pi) / float64(phi(b.Max)-phi(0))
	}
	return float64(b.Share*normal(b.Low)) + float64((1-b.Share)*normal(b.High))
}

// draw writes the eight figures.
func (st *study) figures() error {
	r := st.results
	panel := func(title, y, legend string, lines []figures.Line) figures.Drawing {
		p := &figures.Panel{Title: title, X: valueAxis, Y: y, Lines: lines, Legend: legend}
		if y != utilityAxis {
			p.YMax = 1.1 * highest(lines) // from 0; intervals of nearly empty bins may leave the panel
		}
		return p
	}
	first, kth := millions(utilityOf(0)), millions(utilityOf(1))
	var figure6 []figures.Drawing
	for _, g := range byGroup {
		figure6 = append(figure6, panel("group "+g.name+", first price", utilityAxis, "bl", r.lines(g, 0, bins, first)))
	}
	var figure8 []figures.Line
	for i, payment := range []string{"first", "k-th"} {
		m := millions(utilityOf(i))
		figure8 = append(figure8,
			r.line("FT, "+payment+" price", truthfulHB, groupC, everybody, firstHigh, bins, m),
			r.line("SRG aggressive, "+payment+" price", aggressiveHB, groupC, aggressive, firstHigh, bins, m))
	}
	for _, f := range []struct {
		name string
		rows []figures.Drawing
	}{
		{"figure1", []figures.Drawing{figure1(st.work)}},
		{"figure2", []figures.Drawing{panel("", bsdAxis, "tr", r.lines(allGroups, 0, bins, point.meanBSD))}},
		{"figure3", []figures.Drawing{panel("", ssjAxis, "tr", r.lines(allGroups, 0, bins, point.ssj))}},
		{"figure4", []figures.Drawing{panel("aggressive owners", bsdAxis, "tr", r.byAlgorithm(point.meanBSD))}},
		{"figure5", []figures.Drawing{panel("aggressive owners", ssjAxis, "tr", r.byAlgorithm(point.ssj))}},
		{"figure6", figure6},
		{"figure7", []figures.Drawing{
			panel("(a) group C, low values, first price", utilityAxis, "bl", r.lines(groupC, 0, lastLow, first)),
			panel("(b) group C, high values, first price", utilityAxis, "bl", r.lines(groupC, firstHigh, bins, first)),
			panel("(c) group C, high values, k-th price", utilityAxis, "bl", r.lines(groupC, firstHigh, bins, kth)),
		}},
		{"figure8", []figures.Drawing{panel("group C, high values", utilityAxis, "bl", figure8)}},
	} {
		st.Draw(f.name, f.rows)
	}
	return st.keepCurves()
}

// highest returns the largest value of the lines, intervals apart.
func highest(lines []figures.Line) float64 {
	top := 0.0
	for _, l := range lines {
		for _, y := range l.Y {
			top = max(top, y)
		}
	}
	return top
}
