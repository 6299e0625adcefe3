package compare

import (
	"fmt"
	"math"
	"slices"
	"time"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/reports/stats"
	"bourse/traces/suggest"
)

// By lists what jobs can be grouped by.
var By = []string{"user", "group", "queue", "size", "hour"}

// CheckBy wants one of By.
func CheckBy(by string) error {
	if slices.Contains(By, by) {
		return nil
	}
	return fmt.Errorf("%q%s", by, suggest.Among(by, By))
}

// jobs are those that all schedules compared have, in order of submission.
type jobs struct {
	submit []events.Time
	// from and until are the first job that counts, and the first one after it that does not:
	// those at the edges take part in schedules only.
	from, until int
	zero        int64    // Unix time of the trace's zero, 0 if unknown
	group       []int32  // of each job, its place in names; nil if jobs are not grouped
	names       []string // of the groups
}

// groupBy deals the jobs out to groups by their names.
func (l *jobs) groupBy(name func(i int) string) {
	l.group = make([]int32, len(l.submit))
	at := map[string]int32{} // looked up, never walked over
	for i := l.from; i < l.until; i++ {
		who := name(i)
		g, known := at[who]
		if !known {
			g = int32(len(l.names))
			at[who], l.names = g, append(l.names, who)
		}
		l.group[i] = g
	}
}

// schedule is when a replay ran each of the jobs, and what each adds to the metric.
type schedule struct {
	start []events.Time // broken if the job did not run in one piece
	end   []events.Time
	x     []float64
}

// broken is the start of a job that was stopped, ran at a lower rate or left: between its start
// and its end nothing is known of what it still had to do.
const broken events.Time = math.MinInt64

func newSchedule(n int) *schedule {
	return &schedule{make([]events.Time, n), make([]events.Time, n), make([]float64, n)}
}

func (s *schedule) record(o *engine.Outcome, x float64) {
	s.set(int(o.Row), o.Start, o.End, o.Job.Run, o.WhyLeft != "" || o.Preemptions > 0, x)
}

func (s *schedule) set(i int, start, end, run events.Time, stopped bool, x float64) {
	if s.start[i], s.end[i], s.x[i] = start, end, x; stopped || end-start != run {
		s.start[i] = broken
	}
}

// stretch is a part of the log from one instant at which two schedules agree to the next, and what
// its jobs add to the difference between the two.
type stretch struct {
	first, next int // jobs
	jobs        int64
	sum         float64
}

// cut is where stretches begin: at a job at whose submission nobody waits under either schedule and
// every job that runs began at the same time under both. From there on both go on from one state, so
// what stretches add is independent of each other, given the jobs.
func (l *jobs) cut(a, b *schedule) (begin []int) {
	until := l.submit[0]
	for i, t := range l.submit {
		if until <= t {
			begin = append(begin, i)
		}
		agreed := a.start[i] // from then on the job is the same under both
		if agreed == broken || agreed != b.start[i] {
			agreed = max(a.end[i], b.end[i])
		}
		until = max(until, agreed)
	}
	return begin
}

// differences are the stretches of each group, or of all jobs, in which b differs from a.
func (l *jobs) differences(a, b *schedule, grouped bool) [][]stretch {
	begin := append(l.cut(a, b), len(l.submit))
	all := make([][]stretch, 1)
	if grouped {
		all = make([][]stretch, len(l.names))
	}
	for c, first := range begin[:len(begin)-1] {
		next := begin[c+1]
		for i := max(first, l.from); i < min(next, l.until); i++ {
			g := int32(0)
			if grouped {
				g = l.group[i]
			}
			list := all[g]
			if n := len(list); n == 0 || list[n-1].first != first {
				if n > 0 && list[n-1].sum == 0 { // nothing differed in the one before
					list = list[:n-1]
				}
				list = append(list, stretch{first: first, next: next})
			}
			s := &list[len(list)-1]
			s.jobs++
			s.sum += b.x[i] - a.x[i]
			all[g] = list
		}
	}
	for g, list := range all {
		if n := len(list); n > 0 && list[n-1].sum == 0 {
			list = list[:n-1]
		}
		all[g] = merge(list)
	}
	return all
}

// mostStretches is up to how many stretches are kept apart. Neighbours put together are as
// independent of others as before.
const mostStretches = 2000

func merge(list []stretch) []stretch {
	size := (len(list) + mostStretches - 1) / mostStretches
	if size <= 1 {
		return list
	}
	var out []stretch
	for part := range slices.Chunk(list, size) {
		all := part[0]
		for _, s := range part[1:] {
			all.next, all.jobs, all.sum = s.next, all.jobs+s.jobs, all.sum+s.sum
		}
		out = append(out, all)
	}
	return out
}

// means are a schedule's by group, or over all jobs, and the numbers of jobs.
func (l *jobs) means(s *schedule, grouped bool) (means []float64, n []int64) {
	sums := make([]policies.Sum, max(1, len(l.names)))
	n = make([]int64, len(sums))
	for i := l.from; i < l.until; i++ {
		g := int32(0)
		if grouped {
			g = l.group[i]
		}
		sums[g].Add(s.x[i])
		n[g]++
	}
	for g := range sums {
		means = append(means, sums[g].Value()/float64(n[g]))
	}
	return means, n
}

// Evidence is what is known of the difference between two entries.
type Evidence struct {
	// P is how probable a difference at least like that is between policies that are alike,
	// corrected for the number of entries; NaN if nothing can be tested.
	P float64 `json:"-"`
	// Stretches of the log in which the two differ; Effective is to how many of one weight they
	// come. None where replicas are compared.
	Stretches int     `json:"stretches"`
	Effective float64 `json:"effective"`
	// From and Until are when the one that weighs most begins and the next one does, Share its part
	// of all that differs.
	From  string  `json:"from"`
	Until string  `json:"until"`
	Share float64 `json:"share"`

	same     bool // no job or replica differs
	alpha    float64
	interval func(alpha float64) (low, high float64)
	flips    *stats.Flips
}

// untested is that of two entries of which nothing can be tested.
func untested(same bool) *Evidence { return &Evidence{P: math.NaN(), same: same} }

// correct takes the p-value that is corrected for the number of entries. The interval is widened in
// the same proportion: it contains 0 unless the entries are told apart.
func (e *Evidence) correct(p float64) {
	e.alpha, e.P = alpha*e.P/p, p
}

// paired tests the differences between replicas of two entries by Student's t.
func paired(a, b *Entry) *Evidence {
	if len(a.Samples) != len(b.Samples) || !slices.Equal(a.Replicas, b.Replicas) {
		return untested(true)
	}
	d := make([]float64, len(a.Samples))
	for i := range d {
		d[i] = b.Samples[i] - a.Samples[i]
	}
	same := len(d) == 0 || slices.Min(d) == 0 && slices.Max(d) == 0
	if len(d) < stats.LeastReplicas || slices.Min(d) == slices.Max(d) {
		return untested(same)
	}
	return &Evidence{P: stats.PValue(d), interval: func(alpha float64) (low, high float64) {
		x := stats.EstimateAt(d, alpha)
		return x.Low(), x.High()
	}}
}

// leastEffective is below how many stretches of one weight a test by signs could never reject:
// 2 / 2^5 is above 5 %.
const leastEffective = 6

// evidence tests the difference that the stretches of a group come to, by itself or with the signs that
// all groups have in common.
func (l *jobs) evidence(list []stretch, counted int64, sum, common bool) *Evidence {
	if len(list) == 0 {
		return untested(true)
	}
	e := &Evidence{Stretches: len(list)}
	sums, weights := make([]float64, len(list)), make([]float64, len(list))
	var heaviest *stretch
	apart := 0.0
	var keys []int
	for i := range list {
		s := &list[i]
		sums[i], weights[i] = s.sum, float64(s.jobs)
		if common {
			keys = append(keys, s.first)
		}
		if apart += math.Abs(s.sum); heaviest == nil || math.Abs(s.sum) > math.Abs(heaviest.sum) {
			heaviest = s
		}
	}
	if copies(sums) {
		return untested(false)
	}
	flips := stats.FlipsOf(sums, weights, keys)
	e.flips = flips
	factor := stats.Total(weights)
	if !sum {
		factor /= float64(counted)
	}
	e.interval = func(alpha float64) (low, high float64) {
		low, high = flips.Interval(alpha)
		return low * factor, high * factor
	}
	e.P, e.Effective, e.Share = flips.P(), stats.Effective(sums), math.Abs(heaviest.sum)/apart
	e.From, e.Until = l.dates(heaviest.first, min(heaviest.next, len(l.submit)-1))
	return e
}

// copies reports whether all of several sums are one number, as on a log that repeats itself: copies
// have no interval.
func copies(sums []float64) bool { return len(sums) > 1 && slices.Min(sums) == slices.Max(sums) }

// dates are when two jobs were submitted, with the time if that was on one day.
func (l *jobs) dates(i, k int) (from, until string) {
	form := func(job int, layout, unknown string) string {
		at := time.Unix(l.zero+int64(l.submit[job]/events.Second), 0).UTC()
		if l.zero != 0 {
			return at.Format(layout)
		}
		return fmt.Sprintf(unknown, 1+at.Unix()/86400) + at.Format(layout[len(time.DateOnly):])
	}
	from, until = form(i, time.DateOnly, "day %d"), form(k, time.DateOnly, "day %d")
	if from == until {
		return form(i, time.DateOnly+" 15:04", "day %d"), form(k, time.DateOnly+" 15:04", "day %d")
	}
	return from, until
}
