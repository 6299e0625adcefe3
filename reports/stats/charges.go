package stats

import (
	"bourse/engine"
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
