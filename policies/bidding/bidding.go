// Package bidding says what jobs are worth and what their owners say: models of
// private values, models of behaviour, and bids read from a table.
//
// Every draw comes from a stream named for its purpose and keyed by the job's
// number, so a job's value depends on nothing but the seed and the job: not on
// filters, policies, other draws or the order of anything. Replays of one seed
// are therefore paired job by job.
package bidding

import (
	"fmt"

	"bourse/policies"
	"bourse/traces"
	"bourse/traces/rng"
)

// Values draws private values w > 0 per processor-second.
type Values interface{ Draw(r *rng.Rand) float64 }

// Behaviour turns a value into a bid. u is uniform in [0,1); inGroup is uniform
// too and decides who belongs to which group.
type Behaviour interface {
	Report(value, inGroup, u float64) (bid float64, aggressive bool)
}

// Model is a Bidder that draws a value and lets a behaviour report it.
type Model struct {
	values    Values
	behaviour Behaviour

	streams streams

	last      policies.Offer // of job lastID: the pieces of a serialised job come together
	lastID    int64
	haveDrawn bool
}

// NewModel returns the Bidder of a seed.
func NewModel(v Values, b Behaviour, seed uint64) *Model {
	return &Model{values: v, behaviour: b, streams: newStreams(seed)}
}

// Bid draws the job's offer.
func (m *Model) Bid(j *traces.Job) (policies.Offer, error) {
	if m.haveDrawn && j.ID == m.lastID {
		return m.last, nil
	}
	w, group, shade := m.streams.draw(m.values, j.ID)
	bid, aggressive := m.behaviour.Report(w, group, shade)
	m.last = policies.Offer{Value: w, Bid: bid, Aggressive: aggressive}
	m.lastID, m.haveDrawn = j.ID, true
	return m.last, nil
}

// Bimodal is the bimodal distribution of private values: a share of low values
// around one mean, the rest around another, both normal with the same
// deviation, redrawn until 0 < w <= Max (Shudler et al., Fig. 1).
type Bimodal struct{ Low, High, Deviation, Share, Max float64 }

// Draw draws one value.
func (b Bimodal) Draw(r *rng.Rand) float64 {
	mean := b.High
	if r.Float64() < b.Share {
		mean = b.Low
	}
	for {
		w := mean + float64(b.Deviation*r.Norm())
		if w > 0 && w <= b.Max {
			return w
		}
	}
}

// NewBimodal checks that the distribution can be drawn from without waiting for
// ever: both modes must leave room below Max and above 0.
func NewBimodal(low, high, deviation, share, limit float64) (Bimodal, error) {
	b := Bimodal{low, high, deviation, share, limit}
	for _, mean := range []float64{low, high} {
		if mean-3*deviation > limit || mean+3*deviation <= 0 || mean > limit && deviation == 0 {
			return b, fmt.Errorf("bimodal: a mode at %g with deviation %g has hardly any values in (0, %g]", mean, deviation, limit)
		}
	}
	return b, nil
}

// Truthful reports the value: b = w.
type Truthful struct{}

// Report returns the value itself.
func (Truthful) Report(value, _, _ float64) (float64, bool) { return value, false }

// SRG is the Small Risk-aggressive Group model: with probability Share a job is
// aggressive and shades its value by up to Beta, else it is conservative and
// shades by up to Mild; the bid is uniform in [(1-beta) w, w] (Shudler et al.,
// section II.B).
type SRG struct{ Share, Beta, Mild float64 }

// Report returns w (1 - beta u): for one job and seed, larger betas give
// smaller bids, which keeps sweeps over beta paired.
func (s SRG) Report(value, inGroup, u float64) (float64, bool) {
	if inGroup < s.Share {
		return value * (1 - float64(s.Beta*u)), true
	}
	return value * (1 - float64(s.Mild*u)), false
}
