package order

import (
	"maps"
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/rng"
)

// usage is decayed fair share: how many processor-seconds each user has had,
// those of a half-life ago counting half (Kay and Lauder, CACM 31(1), 1988). Jobs
// of the user who has had least are first.
//
// A user with n processors running gains n a second and loses U ln 2 / half-life,
// so U moves towards the level n half-life / ln 2 and its value at any time
// follows from the last change: a start or an end costs O(1), and so does looking.
// Users' order changes with time while they run, so no queue can keep it: the
// ranking counts as one whose keys change.
type usage struct {
	halfLife events.Time
	places   map[traces.Label]int32 // looked up, never walked over
	users    []account
}

// account is one user's usage as of its last change.
type account struct {
	at    events.Time
	used  float64 // processor-seconds, decayed
	procs int64   // running
}

func newUsage(halfLife events.Time) *usage {
	return &usage{halfLife: halfLife, places: map[traces.Label]int32{}}
}

// valueAt returns a user's usage at an instant in processor-seconds, 0 for one not seen yet.
func (u *usage) valueAt(now events.Time, user traces.Label) float64 {
	if i, ok := u.places[user]; ok {
		return u.users[i].value(now, u.halfLife)
	}
	return 0
}

func (a *account) value(now, halfLife events.Time) float64 {
	level := float64(a.procs) * halfLife.Seconds() / math.Ln2
	halves := float64(now-a.at) / float64(halfLife)
	if halves > 1000 {
		return level
	}
	return level + float64((a.used-level)*rng.Exp(-halves*math.Ln2))
}

// change adds procs (negative at an end) to what the job's user has running.
func (u *usage) change(now events.Time, j *policies.Job, procs int32) {
	i, ok := u.places[j.User]
	if !ok {
		i = int32(len(u.users))
		u.places[j.User] = i
		u.users = append(u.users, account{at: now})
	}
	u.users[i].add(now, u.halfLife, procs)
}

func (a *account) add(now, halfLife events.Time, procs int32) {
	*a = account{at: now, used: a.value(now, halfLife), procs: a.procs + int64(procs)}
}

func (u *usage) clone() *usage {
	return &usage{halfLife: u.halfLife, places: maps.Clone(u.places), users: slices.Clone(u.users)}
}

// Ranker is a Ranking at work, with the state that it needs.
type Ranker struct {
	Ranking
	Looks
	usage *usage  // ByUsage only
	watch watcher // nil unless the keys want to know
}

// NewRanker returns a ranking without any state yet.
func NewRanker(r Ranking) Ranker {
	r.Order = r.order()
	k := Ranker{Ranking: r, Looks: r.Looks()}
	if r.Order == ByUsage {
		k.usage = newUsage(r.HalfLife)
	}
	k.watch, _ = r.Keys.(watcher)
	return k
}

// Key ranks a waiting job at now.
func (k *Ranker) Key(now events.Time, j *policies.Job) float64 {
	switch {
	case k.usage != nil:
		return k.usage.valueAt(now, j.User)
	case k.Keys != nil:
		return k.Keys.Key(now, j)
	}
	return k.Order.Key(now, j, k.Length(j))
}

// Length is r: at least a second.
func (k *Ranker) Length(j *policies.Job) events.Time {
	if k.Run {
		return max(j.Run, events.Second)
	}
	return max(j.Estimate, events.Second)
}

// Scale is the divisor of a bid that ranks the job: seconds where the order does so, else
// 1, at which jobs also bid for the k-th price where the order does not look at bids.
func (k *Ranker) Scale(j *policies.Job) float64 {
	if k.Order.PerSecond {
		return k.Length(j).Seconds()
	}
	return 1
}

// Started is called by the policy when it starts a job.
func (k *Ranker) Started(now events.Time, j *policies.Job) {
	if k.usage != nil {
		k.usage.change(now, j, j.Procs)
	}
	if k.watch != nil {
		k.watch.Started(now, j)
	}
}

// Ended is called by the policy when a job has ended.
func (k *Ranker) Ended(now events.Time, j *policies.Job) {
	if k.usage != nil {
		k.usage.change(now, j, -j.Procs)
	}
	if k.watch != nil {
		k.watch.Ended(now, j)
	}
}

// Clone returns an independent copy.
func (k *Ranker) Clone() Ranker {
	c := *k
	if k.Keys != nil {
		c.Keys = k.Keys.Clone()
		c.watch, _ = c.Keys.(watcher)
	}
	if k.usage != nil {
		c.usage = k.usage.clone()
	}
	return c
}
