package stats

import (
	"fmt"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
)

// charges gathers what jobs drew and were charged by input series.
type charges struct {
	energy policies.Sum // joules
	of     [engine.NumCharges]policies.Sum
}

func (x *charges) add(o *engine.Outcome) {
	x.energy.Add(o.Energy)
	for kind, charged := range o.Charged {
		x.of[kind].Add(charged)
	}
}

// report puts the sums that are there into the aggregate of all jobs.
func (x *charges) report(a *Aggregate) {
	known := func(sum policies.Sum, unit float64) *float64 {
		if v := sum.Value() / unit; v != 0 {
			return &v
		}
		return nil
	}
	a.SumEnergy, a.SumCarbon, a.SumTariff = known(x.energy, 3.6e6), known(x.of[engine.Carbon], 1),
		known(x.of[engine.Tariff], 1)
}

// Hour is the hour of the day of an instant, where there are no dates since the log's zero.
func Hour(t events.Time, dates *events.Calendar) int {
	if dates != nil {
		return dates.Hour(t)
	}
	return int(t/(3600*events.Second)) % 24
}

// HourText is an hour as text.
func HourText(hour int) string { return fmt.Sprintf("%02d:00", hour) }
