package sched

import (
	"maps"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// recent predicts run times as EASY++ does (Tsafrir, Etsion and Feitelson, IEEE TPDS 18(6), 2007): a job runs as long
// as its user's last two that ended did on average, or the only one, and at most as long as requested; a user of whom
// none has ended is believed. A job that starts keeps its prediction; one that outlives it gets more: a minute, then 5,
// 15 and 30 minutes, 1, 2, 5, 10, 20, 50 and 100 hours (their section 3.2), up to the request.
type recent struct {
	places map[traces.Label]int32 // looked up, never walked over
	last   [][2]events.Time       // by user, the older run time first
	job    policies.Job           // with its prediction, for rankings
}

const (
	minute = 60 * events.Second
	hour   = 60 * minute
)

var corrections = [...]events.Time{minute, 5 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 5 * hour, 10 * hour,
	20 * hour, 50 * hour, 100 * hour}

func newRecent() *recent { return &recent{places: map[traces.Label]int32{}} }

// length is the prediction for a job that waits.
func (p *recent) length(j *policies.Job) events.Time {
	if i, known := p.places[j.User]; known {
		return min((p.last[i][0]+p.last[i][1])/2, j.Estimate)
	}
	return j.Estimate
}

// of is the job as predicted.
func (p *recent) of(j *policies.Job) *policies.Job {
	p.job = *j
	p.job.Estimate = p.length(j)
	return &p.job
}

// correct moves the expected end of a job that has outlived it.
func (p *recent) correct(now events.Time, x *running) {
	for ; x.end <= now && x.end < x.limit && x.corrected < len(corrections); x.corrected++ {
		x.end = min(x.end+corrections[x.corrected], x.limit)
	}
}

// ended learns how long a job ran.
func (p *recent) ended(user traces.Label, ran events.Time) {
	i, known := p.places[user]
	if !known {
		i = int32(len(p.last))
		p.places[user], p.last = i, append(p.last, [2]events.Time{ran, ran})
	}
	p.last[i] = [2]events.Time{p.last[i][1], ran}
}

func (p *recent) clone() *recent {
	if p == nil {
		return nil
	}
	return &recent{places: maps.Clone(p.places), last: slices.Clone(p.last)}
}
