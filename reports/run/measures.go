package run

import (
	"fmt"
	"slices"
	"strings"

	"bourse/reports/stats"
	"bourse/reports/terminal"
	"bourse/traces/suggest"
)

// Figures are what one run, or a part of its jobs, comes to. Jobs and Machine may be
// nil where only the other is known.
type Figures struct {
	*stats.Aggregate
	*Machine
}

// Total is a run's figures, of all its jobs.
func (s *Summary) Total() Figures { return Figures{&s.Jobs.Total, &s.Machine} }

// Measure is a figure of a run: its name in summary.json, and how tables show it.
type Measure struct {
	Name, Heading string
	terminal.Unit
	Of func(Figures) float64
}

// Measures lists them. Tables take their columns from it.
var Measures = []Measure{
	{"jobs", "jobs", terminal.Number, func(f Figures) float64 { return float64(f.Jobs) }},
	{"mean_wait_s", "mean wait", terminal.Seconds, func(f Figures) float64 { return f.MeanWait }},
	{"median_wait_s", "median wait", terminal.Seconds, func(f Figures) float64 { return f.MedianWait }},
	{"p95_wait_s", "p95 wait", terminal.Seconds, func(f Figures) float64 { return f.P95Wait }},
	{"mean_bounded_slowdown", "bounded slowdown", terminal.Ratio, func(f Figures) float64 { return f.MeanBoundedSlowdown }},
	{"p95_bounded_slowdown", "p95 slowdown", terminal.Ratio, func(f Figures) float64 { return f.P95BoundedSlowdown }},
	{"mean_bsd", "mean BSD", terminal.Ratio, func(f Figures) float64 { return f.MeanBSD }},
	{"ssj_percent", "SSJ %", terminal.Percent, func(f Figures) float64 { return f.SSJ }},
	{"utilisation", "use %", terminal.Share, func(f Figures) float64 { return f.Utilisation }},
	{"makespan_s", "makespan", terminal.Seconds, func(f Figures) float64 { return f.MakespanS }},
	{"mean_payment", "mean payment", terminal.Number, func(f Figures) float64 { return f.MeanPayment }},
	{"sum_payment", "revenue", terminal.Number, func(f Figures) float64 { return f.SumPayment }},
	{"mean_utility", "mean utility", terminal.Number, func(f Figures) float64 { return f.MeanUtility }},
}

// MeasuresNamed returns the measures of these names, in their order.
func MeasuresNamed(names ...string) (some []Measure) {
	for _, name := range names {
		some = append(some, Measures[slices.IndexFunc(Measures, func(m Measure) bool { return m.Name == name })])
	}
	return some
}

// Shown are the measures of a table: of jobs, of money where there is a market, and of
// the machine.
func Shown(market, machine bool) []Measure {
	names := []string{"jobs", "mean_wait_s", "median_wait_s", "p95_wait_s", "mean_bounded_slowdown", "p95_bounded_slowdown"}
	if market { // which takes the room of the median
		names = append(slices.Delete(names, 2, 3), "mean_payment", "mean_utility")
	}
	if machine {
		names = append(names, "utilisation")
	}
	return MeasuresNamed(names...)
}

// Headings are the headings of columns.
func Headings(of []Measure) (head []string) {
	for _, m := range of {
		head = append(head, m.Heading)
	}
	return head
}

// Cells are a row of figures; of no jobs there are none.
func Cells(of []Measure, f Figures) (row []string) {
	for _, m := range of {
		cell := "-"
		if f.Jobs > 0 || m.Name == "jobs" {
			cell = m.Text(m.Of(f))
		}
		row = append(row, cell)
	}
	return row
}

// shortNames are what people call the measures most used.
var shortNames = map[string]string{
	"wait": "mean_wait_s", "median": "median_wait_s", "p95": "p95_wait_s", "slowdown": "mean_bounded_slowdown", "bsd": "mean_bsd",
	"ssj": "ssj_percent", "use": "utilisation", "revenue": "sum_payment", "payment": "mean_payment", "utility": "mean_utility",
}

// FindMeasure returns the measure of a name, as in summary.json or in short: wait, p95,
// bounded_slowdown, payment.
func FindMeasure(name string) (Measure, error) {
	full, ok := shortNames[name]
	if !ok {
		full = name
	}
	var names []string
	for _, m := range Measures {
		if m.Name == full || m.Name == "mean_"+full || m.Name == full+"_s" {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Measure{}, fmt.Errorf("there is no measure %q%s", name, suggest.Then(suggest.DidYouMean(name, names), "want "+strings.Join(names, ", ")))
}
