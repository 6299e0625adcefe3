package rounds

import (
	"context"
	"math"
	"slices"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// follow is a policy that keeps to a schedule: at the start of each round those run that are in it.
type follow struct {
	starts []events.Time
	in     [][]int64
	next   int
	last   []int64
	live   map[int64]policies.Ref
}

// Clone implements policies.Policy.
func (f *follow) Clone() policies.Policy {
	c := *f
	c.live = make(map[int64]policies.Ref, len(f.live))
	for id, ref := range f.live {
		c.live[id] = ref
	}
	return &c
}

// Plan implements policies.Policy.
func (f *follow) Plan(r *policies.Round) {
	for _, ref := range r.Ended {
		delete(f.live, r.Job(ref).ID)
	}
	for _, ref := range r.Arrived {
		f.live[r.Job(ref).ID] = ref
	}
	if f.next < len(f.starts) && f.starts[f.next] <= r.Now {
		for f.next+1 < len(f.starts) && f.starts[f.next+1] <= r.Now {
			f.next++ // past rounds of no length
		}
		f.change(r, f.last, false)
		f.last = f.in[f.next]
		f.change(r, f.last, true)
		f.next++
	}
	if f.next < len(f.starts) {
		r.Wake(f.starts[f.next])
	}
}

// change stops those of a round that are not in the next, or starts those that do not run.
func (f *follow) change(r *policies.Round, ids []int64, start bool) {
	for _, id := range ids {
		ref, there := f.live[id]
		switch {
		case !there:
		case start && r.Job(ref).State == policies.Waiting:
			r.Start(ref)
		case !start && r.Job(ref).State == policies.Running && !slices.Contains(f.in[f.next], id):
			r.Preempt(ref)
		}
	}
}

// ends are completions by job.
type ends []float64

// Record implements engine.Sink.
func (e ends) Record(o *engine.Outcome) error {
	e[o.Job.ID] = o.End.Seconds()
	return nil
}

func micros(seconds float64) events.Time { return events.Time(math.Round(seconds * 1e6)) }

// replay runs a schedule that the model has gone through in the engine, under the audit: each job holds its devices in
// its rounds, and ends with the time on them that the model says. One that is ended without any work in its last round is
// there for a microsecond of it.
func replay(ctx context.Context, m *run, starts []float64, in [][]int) (ends, engine.Summary, error) {
	f := &follow{live: map[int64]policies.Ref{}}
	for k, s := range starts {
		f.starts = append(f.starts, micros(s))
		var ids []int64
		for _, i := range in[k] {
			ids = append(ids, int64(i))
		}
		f.in = append(f.in, ids)
	}
	jobs := make([]traces.Job, len(m.jobs))
	for i, t := range m.jobs {
		jobs[i] = traces.UnknownJob
		jobs[i].ID, jobs[i].Submit, jobs[i].Procs = int64(i), micros(t.submit), int32(t.devices)
		jobs[i].Run = 0
		for k, start := range t.starts {
			jobs[i].Run += max(1, micros(start+t.lengths[k])-micros(start))
		}
	}
	got := make(ends, len(jobs))
	sum, err := engine.Run(ctx, engine.Config{Machine: engine.Processors(devices), Policy: f, Check: true},
		traces.MemoryOf(jobs...).Source(), got)
	return got, sum, err
}
