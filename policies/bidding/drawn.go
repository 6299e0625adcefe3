package bidding

import (
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/rng"
)

// Drawn holds all that a Model draws for the jobs of one trace and seed, made
// once for any number of replays: what owners do with their draws differs, the
// draws do not. It is not changed after Draw and may be shared.
type Drawn struct {
	value, group, shade []float64
	of                  Values
	slack               uint64 // its seed
}

// Draw draws for jobs in trace order, given by their keys; equal neighbours are
// pieces of one job.
func Draw(keys []Key, v Values, seed uint64) *Drawn {
	n := len(keys)
	d := &Drawn{make([]float64, n), make([]float64, n), make([]float64, n), v, seed}
	s := newStreams(seed)
	for i, key := range keys {
		if i > 0 && key == keys[i-1] {
			d.value[i], d.group[i], d.shade[i] = d.value[i-1], d.group[i-1], d.shade[i-1]
			continue
		}
		d.value[i], d.group[i], d.shade[i] = s.draw(v, key)
	}
	return d
}

// Bidder returns a Bidder for one replay of these jobs, in their order.
func (d *Drawn) Bidder(b Behaviour) policies.Bidder {
	return &replayed{drawn: d, behaviour: b, slack: rng.New(d.slack, "slack")}
}

type replayed struct {
	drawn     *Drawn
	behaviour Behaviour
	slack     *rng.Rand
	next      int
}

// Bid reports the next job's value.
func (r *replayed) Bid(j *traces.Job) (policies.Offer, error) {
	i := r.next
	r.next++
	w := r.drawn.value[i]
	bid, aggressive := r.behaviour.Report(w, r.drawn.group[i], r.drawn.shade[i])
	return policies.Offer{Value: w, Bid: bid, Aggressive: aggressive, Shape: shapeOf(r.drawn.of, j, r.slack)}, nil
}

// streams are the named streams of a seed.
type streams struct{ value, group, shade, slack *rng.Rand }

func newStreams(seed uint64) streams {
	return streams{rng.New(seed, "value"), rng.New(seed, "group"), rng.New(seed, "shade"), rng.New(seed, "slack")}
}

// draw draws what belongs to a job.
func (s *streams) draw(v Values, k Key) (value, group, shade float64) {
	s.value.Key(uint64(k.ID))
	s.group.Key(uint64(k.ID))
	s.shade.Key(uint64(k.ID))
	return v.Draw(s.value, k), s.group.Float64(), s.shade.Float64()
}
