package calibrate

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/experiment"
	"bourse/traces"
)

// The models that are judged: the site's, plain EASY, the median wait of the weeks of the fit, that of the job's
// class, and that of the last 15 starts of its class; and the site's without the capacity of the judged weeks.
const (
	site = iota
	easy
	oneMedian
	classMedian
	last15
	bareSite
	models
)

var modelNames = [models]string{"site", "easy", "median", "class_median", "last_15", "site_without_capacity"}

// How long stretches are that are fitted and judged, and how many there are at most.
const (
	fitted    = 12 * week
	judgedFor = 4 * week
	mostFolds = 12
)

// fold is a model fitted to twelve weeks, and its judgement on the four that follow.
type fold struct {
	at    events.Time // where the second begin
	fit   *fit
	jobs  []int             // of the record
	waits [models][]float64 // of these
}

// origins are the instants at which judged stretches begin.
func (r *record) origins() (list []events.Time) {
	for at := r.first + fitted; at+judgedFor <= r.last+1; at += judgedFor {
		list = append(list, at)
	}
	if n := len(list); n > mostFolds {
		some := make([]events.Time, mostFolds)
		for i := range some {
			some[i] = list[(i*(n-1)+(mostFolds-1)/2)/(mostFolds-1)]
		}
		return some
	}
	return list
}

// folds fits and judges all stretches.
func (c *calibration) folds(ctx context.Context, workers int, progress func(done, of int, err error)) ([]*fold, error) {
	at := c.record.origins()
	all := make([]*fold, len(at))
	errs := experiment.Each(ctx, workers, len(at), func(i int) (err error) {
		all[i], err = c.fold(ctx, at[i])
		return err
	}, progress)
	return all, cmp.Or(errs...)
}

func (c *calibration) fold(ctx context.Context, at events.Time) (*fold, error) {
	e := c.record.era(at-fitted, at)
	e.from, e.until = 0, events.Never // its rules are to hold afterwards
	fit, err := c.fit(ctx, at-fitted, at, []era{e})
	if err != nil {
		return nil, err
	}
	f := &fold{at: at, fit: fit}
	s, err := c.stretch(at, at+judgedFor)
	if err != nil {
		return nil, err
	}
	chosen, plain := fit.choice.model(), (&choice{reservations: 1}).model()
	without := *chosen
	without.Capacity = nil
	var replayed [3]map[int64]float64
	for i, m := range []*scenario.SiteModel{chosen, plain, &without} {
		if replayed[i], err = c.replay(ctx, s, m, nil); err != nil {
			return nil, err
		}
	}
	byMedian, byClass := c.record.medians(at-fitted, at)
	for _, i := range c.record.between(at, at+judgedFor) {
		j := &c.record.jobs[i]
		w, known := replayed[0][j.seq]
		e, both := replayed[1][j.seq]
		b, all := replayed[2][j.seq]
		if known && both && all {
			f.jobs = append(f.jobs, i)
			for k, x := range []float64{w, e, byMedian, byClass(j), c.last[i], b} {
				f.waits[k] = append(f.waits[k], x)
			}
		}
	}
	return f, nil
}

// group is a queue, a class of requests and a class of widths.
type group struct {
	queue traces.Label
	class int8
	width int
}

func groupOf(j *job) group { return group{j.queue, j.class, min(4, bits.Len32(uint32(j.procs-1))/2)} }

// leastOfClass is how many waits a median is taken of.
const leastOfClass = 10

// medians are the median wait of the jobs submitted and started in a stretch, and that of those of a job's class.
func (r *record) medians(from, until events.Time) (all float64, of func(*job) float64) {
	waits := map[group][]float64{}
	var every []float64
	for _, i := range r.between(from, until) {
		if j := &r.jobs[i]; j.start < until {
			every = append(every, j.wait())
			waits[groupOf(j)] = append(waits[groupOf(j)], j.wait())
		}
	}
	all = median(every)
	medians := map[group]float64{}
	for g, w := range waits {
		if len(w) >= leastOfClass {
			medians[g] = median(w)
		}
	}
	return all, func(j *job) float64 {
		if m, ok := medians[groupOf(j)]; ok {
			return m
		}
		return all
	}
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	x = slices.Clone(x)
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// lastOfClass is how many starts the last reference looks back at.
const lastOfClass = 15

// lastStarts is for each job the median wait of the last 15 jobs of its queue and class of requests that had started
// when it was submitted.
func (r *record) lastStarts() []float64 {
	type class struct {
		queue traces.Label
		class int8
	}
	last, out := map[class][]float64{}, make([]float64, len(r.jobs))
	b := 0
	for i := range r.jobs {
		j := &r.jobs[i]
		for ; b < len(r.byStart) && r.jobs[r.byStart[b]].start < j.submit; b++ {
			k := &r.jobs[r.byStart[b]]
			w := append(last[class{k.queue, k.class}], k.wait())
			last[class{k.queue, k.class}] = w[max(0, len(w)-lastOfClass):]
		}
		out[i] = median(last[class{j.queue, j.class}])
	}
	return out
}
