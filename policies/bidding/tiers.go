package bidding

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bourse/traces/rng"
)

// Tiers maps the priorities a trace records to values: jobs of a tier, from its
// least priority up to the next tier's, have values around the tier's mean, normal
// with one deviation, redrawn until 0 < w <= Max. What is below the first tier
// belongs to it, and so do jobs without a priority.
type Tiers struct {
	tiers          []tier
	deviation, max float64
}

type tier struct {
	from int32
	mean float64
}

// NewTiers reads tiers like "0:30/2:90/9:150": the least priority of each and its
// mean.
func NewTiers(text string, deviation, limit float64) (Tiers, error) {
	t := Tiers{deviation: deviation, max: limit}
	var means []float64
	for _, part := range strings.Split(text, "/") {
		from, mean, _ := strings.Cut(part, ":")
		p, err1 := strconv.ParseInt(strings.TrimSpace(from), 10, 32)
		m, err2 := strconv.ParseFloat(strings.TrimSpace(mean), 64)
		if err1 != nil || err2 != nil || !(m > 0 && m <= limit) {
			return t, fmt.Errorf("priority: %q: want a priority, a colon and a mean value above 0 and up to %g, as in 0:30/2:90/9:150", part, limit)
		}
		t.tiers, means = append(t.tiers, tier{int32(p), m}), append(means, m)
	}
	if !slices.IsSortedFunc(t.tiers, func(a, b tier) int { return cmp.Compare(a.from, b.from+1) }) {
		return t, fmt.Errorf("priority: tiers %q: want increasing priorities, each once", text)
	}
	return t, drawable("priority", deviation, limit, means...)
}

// Draw draws a value for a job of this priority.
func (t Tiers) Draw(r *rng.Rand, k Key) float64 {
	at := 0
	for at+1 < len(t.tiers) && t.tiers[at+1].from <= k.Priority {
		at++
	}
	return around(r, t.tiers[at].mean, t.deviation, t.max)
}
