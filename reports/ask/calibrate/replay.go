package calibrate

import (
	"context"
	"errors"
	"sort"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/traces"
	"bourse/traces/transform"
)

// calibration is a log, and what is worked out of it once.
type calibration struct {
	jobs     *scenario.Loaded
	record   *record
	capacity *scenario.SiteCapacity
	last     []float64 // what the last starts say of each job
}

// lead is how long before a stretch of the log its replays begin, so that the machine is full at its begin.
const lead = 4 * week

// stretch is a part of the log that is replayed, and of which the jobs submitted from one instant to another are
// judged.
type stretch struct {
	from, until events.Time
	jobs        *traces.Memory
	first       int64 // the place of its first job in the log
}

// stretch cuts a part out of a log.
func (c *calibration) stretch(from, until events.Time) (*stretch, error) {
	s := &stretch{from: from, until: until}
	begin := max(from-lead, c.record.first)
	m := c.jobs.Memory
	s.first = int64(sort.Search(m.Len(), func(i int) bool { return m.Job(i).Submit >= begin }))
	var err error
	s.jobs, err = scenario.Transformed(m, transform.Options{From: events.Instant{Since: begin}, Until: events.Instant{Since: until}})
	return s, err
}

// waits takes the waits of the judged jobs by their places in the log, until they are hopeless.
type waits struct {
	s     *stretch
	out   map[int64]float64
	bound *bound // nil: there is no score to beat
}

// errHopeless ends a replay whose score cannot be better any more.
var errHopeless = errors.New("no better")

// Record implements engine.Sink.
func (w *waits) Record(o *engine.Outcome) error {
	if o.Job.Submit < w.s.from {
		return nil
	}
	w.out[o.Seq+w.s.first] = o.Wait().Seconds()
	if w.bound != nil && w.bound.beyond(o.End, w.out) {
		return errHopeless
	}
	return nil
}

// replay replays a stretch under a model and returns the waits.
func (c *calibration) replay(ctx context.Context, s *stretch, m *scenario.SiteModel,
	enough *bound) (map[int64]float64, error) {
	l, err := c.jobs.Under(m, s.jobs)
	if err != nil {
		return nil, err
	}
	market := l.Scenario.Market
	market.Policy = m.Scheduler.Rule
	p, err := l.Replay(market)
	if err != nil {
		return nil, err
	}
	w := &waits{s, map[int64]float64{}, enough}
	_, err = p.RunAll(ctx, w)
	return w.out, err
}

// judged are the jobs of a stretch that started before its end: of others the waits were not known then.
func (c *calibration) judged(s *stretch) (list []*job) {
	for _, i := range c.record.between(s.from, s.until) {
		if j := &c.record.jobs[i]; j.start < s.until {
			list = append(list, j)
		}
	}
	return list
}

// pairs puts the waits of a replay next to those of the record.
func pairs(jobs []*job, modelled map[int64]float64) (list []pair) {
	for _, j := range jobs {
		if w, ok := modelled[j.seq]; ok {
			list = append(list, pair{j.wait(), w})
		}
	}
	return list
}

// between lists the jobs submitted from one instant to another.
func (r *record) between(from, until events.Time) (list []int) {
	at := sort.Search(len(r.jobs), func(i int) bool { return r.jobs[i].submit >= from })
	for ; at < len(r.jobs) && r.jobs[at].submit < until; at++ {
		list = append(list, at)
	}
	return list
}
