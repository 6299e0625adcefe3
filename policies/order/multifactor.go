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

// Weights are those of Slurm's multifactor priority (PriorityWeightAge, PriorityWeightJobSize and
// PriorityWeightFairshare), and what a job's partition and its queue (there: QOS) add.
type Weights struct {
	Age, Size, Fairshare float64
	Partition, QOS       Points
	// HalfLife is PriorityDecayHalfLife, Every PriorityCalcPeriod, MaxAge PriorityMaxAge.
	HalfLife, Every, MaxAge events.Time
}

// Points are what labels add to a priority, by name; * is all others.
type Points map[string]float64

// multifactor is Slurm's order (its documentation, "Multifactor Priority Plugin"): the greatest priority first, where
// a job's is
//
//	Age min(wait / MaxAge, 1) + Size procs / machine + Fairshare 2^(-U/S) + points of its partition and queue,
//
// U being its user's part of all users' decayed processor-seconds, and S an equal share: 1 / the number of users who
// have had any (the classic formula, with FairShareDampeningFactor 1). Priorities are worked out every so many seconds
// of the clock and hold until then; a job that has come since has age 0.
//
// A user's factor is worked out when it is asked for, from what usage was at the beginning of the period: what
// changes usage notes the factor before it does.
type multifactor struct {
	Weights
	machine        float64 // processors
	partition, qos labelPoints
	usage          *usage
	all            account // of all users together
	period         int64
	users          int     // at its beginning
	used           float64 // by all of them
	factors        []factor
}

// factor is 2^(-U/S) of a user in a period.
type factor struct {
	period int64
	value  float64
}

// NewMultifactor returns the order without any usage yet.
func NewMultifactor(w Weights) Keys {
	return &multifactor{Weights: w, machine: 1, usage: newUsage(w.HalfLife), period: -1}
}

// Looks say that keys change.
func (*multifactor) Looks() Looks { return Looks{Changes: true} }

// ReadSite implements policies.SiteReader.
func (m *multifactor) ReadSite(n traces.Names, size float64) {
	m.machine = size
	m.partition, m.qos = m.Partition.of(n.Partitions), m.QOS.of(n.Queues)
}

// Key is the priority, negative.
func (m *multifactor) Key(now events.Time, j *policies.Job) float64 {
	m.enter(now)
	age := min(float64(max(m.begun()-j.Submit, 0))/float64(m.MaxAge), 1)
	share := 1.0
	if i, known := m.usage.places[j.User]; known {
		share = m.factorOf(i)
	}
	return -(float64(m.Age*age) + float64(m.Size*float64(float64(j.Procs)/m.machine)) + float64(m.Fairshare*share) +
		m.partition.at(j.Partition) + m.qos.at(j.Queue))
}

// begun is when the period began.
func (m *multifactor) begun() events.Time { return events.Time(m.period) * m.Every }

// enter begins a new period where now is in one. No usage has changed since its beginning.
func (m *multifactor) enter(now events.Time) {
	if p := int64(math.Floor(float64(now) / float64(m.Every))); p != m.period {
		m.period, m.users = p, len(m.usage.users)
		m.used = m.all.value(m.begun(), m.HalfLife)
	}
}

// factorOf is the factor of a user that has had some usage.
func (m *multifactor) factorOf(i int32) float64 {
	if int(i) >= m.users || !(m.used > 0) {
		return 1 // none before this period
	}
	for len(m.factors) < m.users {
		m.factors = append(m.factors, factor{period: -1})
	}
	f := &m.factors[i]
	if f.period != m.period {
		part := m.usage.users[i].value(m.begun(), m.HalfLife) / m.used
		*f = factor{m.period, rng.Exp(-math.Ln2 * float64(part*float64(m.users)))}
	}
	return f.value
}

// Started implements watcher.
func (m *multifactor) Started(now events.Time, j *policies.Job) { m.change(now, j, j.Procs) }

// Ended implements watcher.
func (m *multifactor) Ended(now events.Time, j *policies.Job) { m.change(now, j, -j.Procs) }

func (m *multifactor) change(now events.Time, j *policies.Job, procs int32) {
	m.enter(now)
	if i, known := m.usage.places[j.User]; known {
		m.factorOf(i)
	}
	m.usage.change(now, j, procs)
	m.all.add(now, m.HalfLife, procs)
}

// Clone implements Keys.
func (m *multifactor) Clone() Keys {
	c := *m
	c.usage, c.factors = m.usage.clone(), slices.Clone(m.factors)
	c.partition.known, c.qos.known = maps.Clone(m.partition.known), maps.Clone(m.qos.known)
	return &c
}

// labelPoints are points by label.
type labelPoints struct {
	points Points
	words  *traces.Words
	known  map[traces.Label]float64 // looked up, never walked over
}

func (p Points) of(words *traces.Words) labelPoints {
	return labelPoints{p, words, map[traces.Label]float64{}}
}

func (l *labelPoints) at(x traces.Label) float64 {
	if len(l.points) == 0 {
		return 0
	}
	v, seen := l.known[x]
	if !seen {
		text, _ := l.words.Text(x)
		if v, seen = l.points[text]; !seen {
			v = l.points["*"]
		}
		l.known[x] = v
	}
	return v
}

// Notes say which partitions and queues with points no job has.
func (m *multifactor) Notes() (notes []traces.Note) {
	for _, of := range [...]struct {
		what string
		*labelPoints
	}{{"partition", &m.partition}, {"queue", &m.qos}} {
		met := map[string]bool{"*": true}
		for x := range of.known { // a set, whatever the order
			text, _ := of.words.Text(x)
			met[text] = true
		}
		for _, name := range slices.Sorted(maps.Keys(of.points)) {
			if !met[name] {
				notes = append(notes, traces.Note{What: "the points of " + of.what + " " + name +
					" are for no job: none that waited is of it"})
			}
		}
	}
	return notes
}
