// Package apportion divides a fixed cost of capacity over time by the temporal Shapley value of a demand.
package apportion

import (
	"fmt"
	"io"
	"math"
	"strings"

	"bourse/events"
	"bourse/policies/payment"
	"bourse/reports/table"
	"bourse/reports/terminal"
	intable "bourse/traces/table"
)

// Read reads a demand: a table with the columns time, in seconds, and demand, CSV or Parquet by its name.
func Read(path string, stdin io.Reader) (*events.Steps, error) {
	rows, err := intable.OpenRows(path, stdin, "time", "demand")
	if err != nil {
		return nil, err
	}
	var at []events.Time
	var demand []float64
	err = rows.Each(func() error {
		var x [2]float64
		if err := rows.Floats(x[:]); err != nil {
			return err
		}
		t, ok := events.FromSeconds(x[0])
		switch n := len(at); {
		case !ok:
			return rows.Fault(fmt.Sprintf("time is %g", x[0]), "want seconds")
		case n > 0 && t <= at[n-1]:
			return rows.Fault(fmt.Sprintf("time %v is not after the one before it, %v", t, at[n-1]),
				"want rows in order of time, each once")
		case !(x[1] >= 0) || math.IsInf(x[1], 1):
			return rows.Fault(fmt.Sprintf("demand is %g", x[1]), "want a number of 0 or more")
		}
		at, demand = append(at, t), append(demand, x[1])
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(at) < 2 {
		return nil, fmt.Errorf("%s has fewer than two rows, and for how long a demand holds is the time to the next one",
			rows.Name)
	}
	return events.NewSteps(at, demand, events.Nowhere), nil
}

// Run divides a cost by a demand. The report's data are the prices.
func Run(demand *events.Steps, levels []events.Time, cost float64) (*table.Report, error) {
	prices, err := payment.Apportion(demand, levels, cost)
	if err != nil {
		return nil, err
	}
	t := table.New(table.Column{Name: "start_s", Heading: "from", Unit: terminal.Seconds, Key: true},
		table.Col("end_s", "to", terminal.Seconds), table.Col("price", "price", terminal.Significant(6)))
	t.Plain = true
	low, high, paid, used := math.Inf(1), math.Inf(-1), 0.0, false
	for _, p := range prices {
		t.Add(p.From.Seconds(), p.To.Seconds(), p.PerUnit)
		paid += p.Amount
		if p.Amount > 0 || cost == 0 {
			low, high, used = min(low, p.PerUnit), max(high, p.PerUnit), true
		}
	}
	from, to := demand.Span()
	finest := levels[len(levels)-1]
	answer := fmt.Sprintf("%s prices of %s over %s: together %s is paid", terminal.Thousands(int64(len(prices))),
		finest.Short(),
		(to - from).Short(), terminal.Figure(paid))
	if used {
		answer += fmt.Sprintf(", %.6g to %.6g per unit of demand and second", low, high)
	}
	return &table.Report{Data: t, Answers: append([]string{answer}, doubts(demand, levels, cost)...)}, nil
}

// doubts are what may not be meant.
func doubts(demand *events.Steps, levels []events.Time, cost float64) (notes []string) {
	from, to := demand.Span()
	finest, shortest, longest := levels[len(levels)-1], events.Never, events.Time(0)
	for i := range demand.Len() {
		a, b, _ := demand.Step(i)
		shortest, longest = min(shortest, b-a), max(longest, b-a)
	}
	if cost == 0 {
		notes = append(notes, "note: the cost is 0, and so are all prices")
	}
	if to-from <= finest {
		notes = append(notes, fmt.Sprintf("note: the demand is %s long, no longer than the finest level: times are "+
			"seconds; if these are hours, "+
			"multiply them by 3600", (to-from).Short()))
	}
	if longest >= 2*shortest {
		notes = append(notes, fmt.Sprintf("note: rows are %s to %s apart; in a gap the demand before it counts",
			shortest.Short(), longest.Short()))
	}
	var uneven []string
	for i, l := range levels[1:] {
		if levels[i]%l != 0 {
			uneven = append(uneven, fmt.Sprintf("%s by %s", levels[i].Short(), l.Short()))
		}
	}
	if len(uneven) > 0 {
		notes = append(notes, "note: levels do not divide evenly ("+strings.Join(uneven, ", ")+"): the last block of each "+
			"is shorter")
	}
	return notes
}
