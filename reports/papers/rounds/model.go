package rounds

import (
	"fmt"
	"math"
	"slices"
)

// What the paper's simulator takes as given.
const (
	devices     = 32
	roundLength = 120 // seconds
	moving      = 20. // seconds of a round that a job loses which was not in the last one, unless the round is short
	short       = 5.  // by how much a round may be shorter for that
	overtime    = 1.5 // planned durations on devices after which a job is ended
	mostFailed  = 5   // rounds in a row without any work after which it is
)

// run is jobs that train in rounds.
type run struct {
	jobs   []*training
	speeds speeds
	now    float64
	in     []int // the jobs of the last round
	active []int
	next   int
}

func newRun(jobs []job, s speeds) (*run, error) {
	r := &run{speeds: s}
	for i := range jobs {
		j := &jobs[i]
		if k := (kind{j.model, j.batch, j.devices}); s[k.String()] == 0 {
			return nil, fmt.Errorf("there is no speed of job %d, %v", i, k)
		}
		r.jobs = append(r.jobs, &training{job: j, batch: j.batch, total: j.steps, end: math.NaN()})
	}
	if len(jobs) > 0 {
		r.now = jobs[0].submit
	}
	r.arrive()
	return r, nil
}

func (r *run) arrive() {
	for ; r.next < len(r.jobs) && r.jobs[r.next].submit <= r.now; r.next++ {
		r.active = append(r.active, r.next)
	}
}

// round lets jobs train for a round: each does the whole steps that 120 s have room for, and the round is over when the
// last has. Then batch sizes change, and jobs arrive.
func (r *run) round(in []int) {
	start, end, first := r.now, r.now, r.in == nil
	for _, i := range in {
		t := r.jobs[i]
		speed := r.speeds[kind{t.model, t.batch, t.devices}.String()]
		steps := min(int(speed*roundLength), t.total-t.run)
		at := max(start, start+float64(steps)/speed)
		end = max(end, at)
		t.starts = append(t.starts, start)
		t.train(steps, start, at, first || slices.Contains(r.in, i))
		t.rescale(r.speeds)
	}
	r.now = end
	var still []int
	for _, i := range r.active {
		if t := r.jobs[i]; math.IsNaN(t.end) {
			t.adapt()
			still = append(still, i)
		}
	}
	for _, i := range in { // a job that stays holds its devices to the end of the round
		if t := r.jobs[i]; math.IsNaN(t.end) {
			t.lengths = append(t.lengths, end-start)
		} else {
			t.lengths = append(t.lengths, t.end-start)
		}
	}
	r.active, r.in = still, in
	r.arrive()
}

// train counts the steps of a round from start to end.
func (t *training) train(steps int, start, end float64, stayed bool) {
	length := end - start
	if !stayed && length > roundLength-short {
		steps = int(float64(steps) * ((length - moving) / length))
		length -= moving
	}
	if steps <= 0 && length <= 0 {
		if t.failed++; t.failed == mostFailed {
			t.end = end
		}
		return
	}
	t.failed = 0
	t.held += length
	t.run += steps
	if t.run >= t.total || t.held > math.Floor(t.duration*overtime) {
		t.end = end
	}
}
