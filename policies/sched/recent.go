package sched

import (
	"maps"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Predictor says for how long jobs are taken to run. A job that starts keeps its prediction; one that outlives it gets
// more: a minute, then 5, 15 and 30 minutes, 1, 2, 5, 10, 20, 50 and 100 hours, up to its request (Tsafrir, Etsion and
// Feitelson, IEEE TPDS 18(6), 2007, section 3.2).
type Predictor interface {
	// Length is the prediction for a job that waits.
	Length(now events.Time, j *policies.Job) events.Time
	// Ended learns from a job that has ended; Since is its last start.
	Ended(now events.Time, j *policies.Job)
	Clone() Predictor
}

// predicted is a Predictor within a policy; without one, requests are what jobs are taken to run for.
type predicted struct {
	by  Predictor
	job policies.Job // with its prediction, for rankings
}

func (p *predicted) length(now events.Time, j *policies.Job) events.Time {
	if p.by == nil {
		return j.Estimate
	}
	return min(max(p.by.Length(now, j), 0), j.Estimate)
}

// withLength is the job as predicted.
func (p *predicted) withLength(now events.Time, j *policies.Job) *policies.Job {
	p.job = *j
	p.job.Estimate = p.length(now, j)
	return &p.job
}

// correct moves the expected end of a job that has outlived it.
func (p *predicted) correct(now events.Time, x *running) {
	for ; x.end <= now && x.end < x.limit && x.corrected < len(corrections); x.corrected++ {
		x.end = min(x.end+corrections[x.corrected], x.limit)
	}
}

func (p *predicted) clone() predicted {
	if p.by == nil {
		return predicted{}
	}
	return predicted{by: p.by.Clone()}
}

// recent predicts run times as EASY++ does: a job runs as long as its user's last two that ended did on
// average, or the only one, and at most as long as requested; a user of whom none has ended is believed.
type recent struct {
	places map[traces.Label]int32 // looked up, never walked over
	last   [][2]events.Time       // by user, the older run time first
}

const (
	minute = 60 * events.Second
	hour   = 60 * minute
)

var corrections = [...]events.Time{minute, 5 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 5 * hour, 10 * hour,
	20 * hour, 50 * hour, 100 * hour}

// NewRecent returns the predictions of EASY++, a Predictor.
func NewRecent() Predictor { return newRecent() }

func newRecent() *recent { return &recent{places: map[traces.Label]int32{}} }

// Length implements Predictor.
func (p *recent) Length(_ events.Time, j *policies.Job) events.Time {
	if i, known := p.places[j.User]; known {
		return min((p.last[i][0]+p.last[i][1])/2, j.Estimate)
	}
	return j.Estimate
}

// Ended implements Predictor.
func (p *recent) Ended(now events.Time, j *policies.Job) {
	ran := now - j.Since
	i, known := p.places[j.User]
	if !known {
		i = int32(len(p.last))
		p.places[j.User], p.last = i, append(p.last, [2]events.Time{ran, ran})
	}
	p.last[i] = [2]events.Time{p.last[i][1], ran}
}

// Clone implements Predictor.
func (p *recent) Clone() Predictor {
	return &recent{places: maps.Clone(p.places), last: slices.Clone(p.last)}
}
