// Package bidding provides what jobs are worth and what their owners bid: models of
// private values, models of behaviour, and bids read from a table.
//
// Every draw is from a stream named for its purpose and keyed by the job's
// number, so a job's value depends on nothing but the seed and the job: not on
// filters, policies, other draws or the order of anything. Replays of one seed
// are therefore paired job by job.
package bidding

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/rng"
)

// Values draws private values w > 0 per processor-second.
type Values interface {
	Draw(r *rng.Rand, k Key) float64
}

// Key is what the draws of a job depend on in addition to the seed: pieces of one job
// have one key and one value.
type Key struct {
	ID       int64
	Priority int32 // the trace's, negative if it has none
}

// KeyOf returns a job's key.
func KeyOf(j *traces.Job) Key { return Key{j.ID, j.Priority} }

// Behaviour turns a value into a bid. u is uniform in [0,1); inGroup is uniform
// too and decides who belongs to which group.
type Behaviour interface {
	Report(value, inGroup, u float64) (bid float64, aggressive bool)
}

// Informed is a Behaviour of owners who look at their job: u is uniform in [0, 1).
type Informed interface {
	Behaviour
	ReportFor(j *traces.Job, value, u float64) (bid float64, err error)
}

// Model is a Bidder that draws a value and lets a behaviour report it.
type Model struct {
	values    Values
	behaviour Behaviour

	streams streams

	last      policies.Offer // of the job lastKey: the pieces of a serialised job come together
	lastKey   Key
	haveDrawn bool
}

// NewModel returns the Bidder of a seed. Without Values a processor-second is worth 1 to all, without a Behaviour all are
// truthful.
func NewModel(v Values, b Behaviour, seed uint64) *Model {
	if v == nil {
		v = constant(1)
	}
	if b == nil {
		b = Truthful{}
	}
	return &Model{values: v, behaviour: b, streams: newStreams(seed)}
}

// ReadCalendar implements policies.CalendarReader for behaviours that do.
func (m *Model) ReadCalendar(c *events.Calendar) (needs string) {
	if r, ok := m.behaviour.(policies.CalendarReader); ok {
		return r.ReadCalendar(c)
	}
	return ""
}

// ReadSite implements policies.SiteReader for behaviours that do.
func (m *Model) ReadSite(n traces.Names, size float64) {
	if r, ok := m.behaviour.(policies.SiteReader); ok {
		r.ReadSite(n, size)
	}
}

// ReadSeries implements policies.SeriesReader for behaviours that do.
func (m *Model) ReadSeries(all []policies.Series) error {
	if r, ok := m.behaviour.(policies.SeriesReader); ok {
		return r.ReadSeries(all)
	}
	return nil
}

// Bid draws the job's offer.
func (m *Model) Bid(j *traces.Job) (policies.Offer, error) {
	key := KeyOf(j)
	if m.haveDrawn && key == m.lastKey {
		return m.last, nil
	}
	w, group, shade := m.streams.draw(m.values, key)
	bid, aggressive := m.behaviour.Report(w, group, shade)
	if owner, ok := m.behaviour.(Informed); ok {
		var err error
		if bid, err = owner.ReportFor(j, w, shade); err != nil {
			return policies.Offer{}, err
		}
	}
	m.last = policies.Offer{Value: w, Bid: bid, Aggressive: aggressive, Shape: shapeOf(m.values, j, m.streams.slack)}
	m.lastKey, m.haveDrawn = key, true
	return m.last, nil
}

// constant is a value that all have.
type constant float64

// Draw returns it.
func (c constant) Draw(*rng.Rand, Key) float64 { return float64(c) }

// Bimodal is the bimodal distribution of private values: a share of low values
// around one mean, the rest around another, both normal with the same
// deviation, redrawn until 0 < w <= Max (Shudler et al., Fig. 1).
type Bimodal struct{ Low, High, Deviation, Share, Max float64 }

// Draw draws one value.
func (b Bimodal) Draw(r *rng.Rand, _ Key) float64 {
	mean := b.High
	if r.Float64() < b.Share {
		mean = b.Low
	}
	return drawAround(r, mean, b.Deviation, b.Max)
}

// drawAround draws from a normal distribution until 0 < w <= limit.
func drawAround(r *rng.Rand, mean, deviation, limit float64) float64 {
	for {
		w := mean + float64(deviation*r.Norm())
		if w > 0 && w <= limit {
			return w
		}
	}
}

// NewBimodal checks that the distribution can be drawn from without waiting for
// ever: both modes must leave room below Max and above 0.
func NewBimodal(low, high, deviation, share, limit float64) (Bimodal, error) {
	return Bimodal{low, high, deviation, share, limit}, drawable("bimodal", deviation, limit, low, high)
}

// drawable checks that redrawing around the means comes to an end.
func drawable(of string, deviation, limit float64, means ...float64) error {
	for _, mean := range means {
		if mean-float64(3*deviation) > limit || mean+float64(3*deviation) <= 0 || mean > limit && deviation == 0 {
			return fmt.Errorf("%s: a mode at %g with deviation %g has hardly any values in (0, %g]", of, mean, deviation, limit)
		}
	}
	return nil
}

// Truthful reports the value: b = w.
type Truthful struct{}

// Report returns the value itself.
func (Truthful) Report(value, _, _ float64) (float64, bool) { return value, false }

// SRG is the Small Risk-aggressive Group model: with probability Share a job is
// aggressive and shades its value by up to Beta, else it is conservative and
// shades by up to Mild; the bid is uniform in [(1-beta) w, w] (Shudler et al.,
// section II.B). That is underbidding; with probability Over an owner overbids by the
// inverse of the factor instead, up to w / (1-beta).
type SRG struct{ Share, Beta, Mild, Over float64 }

// Report returns w (1 - beta u), or w / (1 - beta u): for one job and seed, larger betas
// give bids further from the value, which keeps sweeps over beta paired.
func (s SRG) Report(value, inGroup, u float64) (float64, bool) {
	beta, aggressive := s.Mild, inGroup < s.Share
	if aggressive {
		beta = s.Beta
	}
	if u < s.Over {
		return value / (1 - float64(beta*(u/s.Over))), aggressive
	}
	return value * (1 - float64(beta*((u-s.Over)/(1-s.Over)))), aggressive
}

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
			return t, fmt.Errorf("priority: %q: want a priority, a colon and a mean value above 0 and up to %g, as in "+
				"0:30/2:90/9:150", part, limit)
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
	return drawAround(r, t.tiers[at].mean, t.deviation, t.max)
}
