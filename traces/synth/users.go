package synth

import (
	"sort"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/rng"
)

// users draws whose jobs are: that of the job before half of the time, as people submit several at once, and else one by
// Zipf's law with exponent 1.
type users struct {
	shares []float64 // running sums of 1/k
	draws  *rng.Rand
	last   traces.Label
}

func newUsers(n int, seed uint64) *users {
	if n == 0 {
		return nil
	}
	u := &users{shares: make([]float64, n), draws: rng.New(seed, "lublin/user"), last: traces.NoLabel}
	sum := 0.0
	for k := range u.shares {
		sum += 1 / float64(k+1)
		u.shares[k] = sum
	}
	return u
}

func (u *users) draw() traces.Label {
	if u.last == traces.NoLabel || u.draws.Float64() >= .5 {
		x := u.draws.Float64() * u.shares[len(u.shares)-1]
		u.last = traces.Label(1 + sort.SearchFloat64s(u.shares, x))
	}
	return u.last
}

// usualTimes are those that people ask for.
var usualTimes = []events.Time{5 * 60, 15 * 60, 30 * 60, 3600, 2 * 3600, 4 * 3600, 8 * 3600, 12 * 3600, 18 * 3600, 24 * 3600,
	36 * 3600, 48 * 3600, 72 * 3600}

// usual is the next usual time, the longest of which sites grant no more than: above it the run time stands.
func usual(t, run events.Time) events.Time {
	for _, s := range usualTimes {
		if t <= s*events.Second {
			return s * events.Second
		}
	}
	return max(run, usualTimes[len(usualTimes)-1]*events.Second)
}
