package run

import (
	"fmt"
	"slices"
	"strings"

	"bourse/engine"
	"bourse/reports/stats"
	"bourse/reports/table"
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
	// High means that more is better.
	High bool
	// Column is the column of jobs whose mean it is, or sum; empty if it is neither.
	Column string
	// Part is what a job adds for its value of the column; nil is the value itself.
	Part func(float64) float64
	// Sum means that it is the sum over the jobs.
	Sum bool
	// Recorded means that a log has it, too, and Money that it is of interest in a market only.
	Recorded, Money bool
}

// Measures lists them. Tables take their columns from it.
var Measures = []Measure{
	{Name: "jobs", Heading: "jobs", Unit: terminal.Number, High: true, Recorded: true,
		Of: func(f Figures) float64 { return float64(f.Jobs) }},
	{Name: "mean_wait_s", Heading: "mean wait", Unit: terminal.Seconds, Column: "wait_s", Recorded: true,
		Of: func(f Figures) float64 { return f.MeanWait }},
	{Name: "median_wait_s", Heading: "median wait", Unit: terminal.Seconds, Recorded: true,
		Of: func(f Figures) float64 { return f.MedianWait }},
	{Name: "p95_wait_s", Heading: "p95 wait", Unit: terminal.Seconds, Recorded: true,
		Of: func(f Figures) float64 { return f.P95Wait }},
	{Name: "max_wait_s", Heading: "longest wait", Unit: terminal.Seconds, Recorded: true,
		Of: func(f Figures) float64 { return f.MaxWait }},
	{Name: "over_day_percent", Heading: "over a day %", Unit: terminal.Percent, Column: "wait_s", Part: overDay, Recorded: true,
		Of: func(f Figures) float64 { return f.OverDay }},
	{Name: "mean_bounded_slowdown", Heading: "bounded slowdown", Unit: terminal.Ratio, Column: "bounded_slowdown",
		Recorded: true, Of: func(f Figures) float64 { return f.MeanBoundedSlowdown }},
	{Name: "p95_bounded_slowdown", Heading: "p95 slowdown", Unit: terminal.Ratio, Recorded: true,
		Of: func(f Figures) float64 { return f.P95BoundedSlowdown }},
	{Name: "mean_bsd", Heading: "mean BSD", Unit: terminal.Ratio, Column: "bsd",
		Of: func(f Figures) float64 { return f.MeanBSD }},
	{Name: "ssj_percent", Heading: "SSJ %", Unit: terminal.Percent, Column: "bsd", Part: severe,
		Of: func(f Figures) float64 { return f.SSJ }},
	{Name: "fairness", Heading: "fairness", Unit: terminal.Ratio, High: true,
		Of: func(f Figures) float64 { return known(f.Fairness) }},
	{Name: "utilisation", Heading: "use %", Unit: terminal.Share, High: true,
		Of: func(f Figures) float64 { return f.Utilisation }},
	{Name: "makespan_s", Heading: "makespan", Unit: terminal.Seconds, Of: func(f Figures) float64 { return f.MakespanS }},
	{Name: "energy_kwh", Heading: "energy kWh", Unit: terminal.Number, Column: "energy_kwh", Sum: true,
		Of: func(f Figures) float64 { return known(f.SumEnergy) }},
	{Name: "carbon_g", Heading: "carbon g", Unit: terminal.Number, Column: "carbon_g", Sum: true,
		Of: func(f Figures) float64 { return known(f.SumCarbon) }},
	{Name: "tariff_cost", Heading: "tariff cost", Unit: terminal.Number, Column: "tariff_cost", Sum: true,
		Of: func(f Figures) float64 { return known(f.SumTariff) }},
	{Name: "mean_payment", Heading: "mean payment", Unit: terminal.Number, Column: "payment", Money: true,
		Of: func(f Figures) float64 { return f.MeanPayment }},
	{Name: "sum_payment", Heading: "revenue", Unit: terminal.Number, High: true, Column: "payment", Sum: true, Money: true,
		Of: func(f Figures) float64 { return f.SumPayment }},
	{Name: "efficiency", Heading: "efficiency", Unit: terminal.Ratio, High: true, Money: true,
		Of: func(f Figures) float64 { return known(f.Efficiency) }},
	{Name: "realised", Heading: "worth realised %", Unit: terminal.Share, High: true, Money: true,
		Of: func(f Figures) float64 { return known(f.Realised) }},
	{Name: "in_time", Heading: "in time %", Unit: terminal.Share, High: true, Money: true,
		Of: func(f Figures) float64 { return known(f.InTime) }},
	{Name: "mean_utility", Heading: "mean utility", Unit: terminal.Number, High: true, Column: "utility", Money: true,
		Of: func(f Figures) float64 { return f.MeanUtility }},
}

// known is a figure, 0 where it is not known.
func known(x *float64) float64 {
	if x == nil {
		return 0
	}
	return *x
}

// severe is the percentage that a job is of itself.
func severe(bsd float64) float64 {
	if bsd >= engine.SevereSlowdown {
		return 100
	}
	return 0
}

// overDay is the percentage that a job is of itself.
func overDay(wait float64) float64 {
	if wait > stats.Day {
		return 100
	}
	return 0
}

// Better reports whether a is better than b.
func (m Measure) Better(a, b float64) bool { return m.High && a > b || !m.High && a < b }

// Words name the measure in a sentence.
func (m Measure) Words() string {
	if words, ok := strings.CutSuffix(m.Heading, " %"); ok {
		return words
	}
	return m.Heading
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
	names := []string{"jobs", "mean_wait_s", "median_wait_s", "p95_wait_s", "mean_bounded_slowdown",
		"p95_bounded_slowdown"}
	if market { // which takes the room of the median
		names = append(slices.Delete(names, 2, 3), "mean_payment", "mean_utility")
	}
	if machine {
		names = append(names, "utilisation")
	}
	return MeasuresNamed(names...)
}

// Head is the measure's column in a table.
func (m Measure) Head() table.Column {
	return table.Column{Name: m.Name, Heading: m.Heading, Unit: m.Unit}
}

// Cell is the measure's cell of figures; of no jobs there are none.
func (m Measure) Cell(f Figures) table.Cell {
	if f.Jobs == 0 && m.Name != "jobs" {
		return table.Missing
	}
	return table.Number(m.Of(f))
}

// shortNames are what people call the measures most used.
var shortNames = map[string]string{
	"wait": "mean_wait_s", "median": "median_wait_s", "p95": "p95_wait_s", "max": "max_wait_s", "over_day": "over_day_percent", "slowdown": "mean_bounded_slowdown",
	"bsd": "mean_bsd", "carbon": "carbon_g", "tariff": "tariff_cost", "energy": "energy_kwh",
	"ssj": "ssj_percent", "use": "utilisation", "revenue": "sum_payment", "payment": "mean_payment",
	"utility": "mean_utility",
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
	return Measure{}, fmt.Errorf("there is no measure %q%s", name,
		suggest.Then(suggest.DidYouMean(name, names), "want "+strings.Join(names, ", ")))
}
