package policies

import (
	"fmt"
	"strings"

	"bourse/events"
	"bourse/traces/suggest"
)

// Series is an input series: what something outside of the machine is over time, as a tariff or the carbon intensity of
// power.
type Series struct {
	Name string
	// Values are the series' own, Price what a processor-second costs by it; nil where that is not so, and NoPrice
	// says why.
	Values, Price *events.Steps
	NoPrice       string
}

// SeriesReader is implemented by policies and price schemes that look at input series. They are given those of the
// replay before the first round.
type SeriesReader interface {
	ReadSeries([]Series) error
}

// StartCostReader is implemented by policies that look at what a start costs. They are given it before the first round.
type StartCostReader interface{ ReadStartCost(events.Time) }

// FindSeries returns the series of a name.
func FindSeries(all []Series, name, wanted string) (*Series, error) {
	var names []string
	for i := range all {
		if all[i].Name == name {
			return &all[i], nil
		}
		names = append(names, all[i].Name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s needs the input series %s, and there is none", wanted, name)
	}
	return nil, fmt.Errorf("%s needs the input series %s, and there is only %s%s", wanted, name, strings.Join(names, ", "),
		suggest.DidYouMean(name, names))
}

// Continuous is implemented by price schemes whose prices change between rounds: Owed is what a running job owes per
// processor for a time between two rounds, worked out from the definition and not from the integrals.
type Continuous interface {
	Owed(j *Job, from, to events.Time) float64
}

// Apportioner is implemented by price schemes that divide a fixed sum over the use of a whole replay. Its prices need
// the demand, what all running jobs hold over time, before the first bill is made.
type Apportioner interface {
	// Needs is false if the demand is a given one.
	Needs() bool
	Apportion(demand *events.Steps) error
	// Divides returns the sum to which all bills add up, false where the demand is a given one.
	Divides() (float64, bool)
}
