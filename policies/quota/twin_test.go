package quota_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/quota"
	"bourse/traces"
)

// twin is the policy on processors, read off its definition: what a node uses is added up
// from the jobs that run whenever it is asked for. The table's parts are processors.
type twin struct {
	rules   quota.Rules
	parents []int // of cohorts, then queues, -1: the machine
	all     []quota.Node
	jobs    []*twinJob // unfinished, by age
	starts  int
}

type twinJob struct {
	ref            policies.Ref
	queue, need    int
	priority       float64
	start          int // 0: waits
	stopped, tried bool
}

func newTwin(rules quota.Rules) *twin {
	t := &twin{rules: rules, all: append(slices.Clone(rules.Table.Cohorts), rules.Table.Queues...)}
	for _, n := range t.all {
		t.parents = append(t.parents, slices.IndexFunc(rules.Table.Cohorts,
			func(c quota.Node) bool { return c.Name == n.Cohort }))
	}
	return t
}

func (t *twin) Clone() policies.Policy { panic("not copied") }

func (t *twin) children(x int) (list []int) {
	for c, parent := range t.parents {
		if parent == x {
			list = append(list, c)
		}
	}
	return list
}

func (t *twin) leaf(x int) bool { return x >= len(t.rules.Table.Cohorts) }

func (t *twin) nominal(x int) (n float64) {
	if x >= 0 && t.leaf(x) {
		return *t.all[x].Nominal
	}
	for _, c := range t.children(x) {
		n += t.nominal(c)
	}
	return n
}

func (t *twin) lends(x int) float64 {
	if l := t.all[x].Lend; l != nil {
		return min(*l, t.nominal(x))
	}
	return t.nominal(x)
}

func (t *twin) used(x int) (n float64) {
	if x >= 0 && t.leaf(x) {
		for _, j := range t.jobs {
			if j.start > 0 && j.queue == x {
				n += float64(j.need)
			}
		}
		return n
	}
	for _, c := range t.children(x) {
		n += max(t.used(c), t.nominal(c)-t.lends(c))
	}
	return n
}

func (t *twin) borrows(x int) bool { return t.used(x) > t.nominal(x) }

func (t *twin) share(x int) float64 {
	lendable, weight := 0.0, 1.0
	for _, c := range t.children(t.parents[x]) {
		lendable += t.lends(c)
	}
	if w := t.all[x].Weight; w != nil {
		weight = *w
	}
	if over := t.used(x) - t.nominal(x); over > 0 {
		return over / lendable / weight
	}
	return 0
}

// path are the nodes around a queue, itself first, the machine left out.
func (t *twin) path(x int) (list []int) {
	for ; x >= 0; x = t.parents[x] {
		list = append(list, x)
	}
	return list
}

// with evaluates something as if j ran, without as if it did not.
func with[T any](j *twinJob, what func() T) T {
	before := j.start
	j.start = 1
	defer func() { j.start = before }()
	return what()
}

func without[T any](j *twinJob, what func() T) T {
	before := j.start
	j.start = 0
	defer func() { j.start = before }()
	return what()
}

func (t *twin) fits(j *twinJob) bool {
	return with(j, func() bool {
		for _, x := range t.path(j.queue) {
			if b := t.all[x].Borrow; b != nil && t.used(x) > t.nominal(x)+*b {
				return false
			}
		}
		return t.used(-1) <= t.nominal(-1)
	})
}

// apart are the children of the lowest common node of two queues.
func (t *twin) apart(x, y int) (int, int) {
	for _, a := range t.path(x) {
		for _, b := range t.path(y) {
			if t.parents[a] == t.parents[b] {
				return a, b
			}
		}
	}
	panic("two queues in no machine")
}

func (t *twin) source(x int, from []*twinJob) int {
	at := -1
	for at < 0 || !t.leaf(at) {
		best, most := -2, -1.0
		for _, c := range t.children(at) {
			if t.gives(c, x, from) && t.share(c) > most {
				best, most = c, t.share(c)
			}
		}
		if best == -2 {
			return -1
		}
		at = best
	}
	return at
}

// gives reports whether some queue in c has jobs to give and borrows with all around it that
// x is not in.
func (t *twin) gives(c, x int, from []*twinJob) bool {
	return slices.ContainsFunc(from, func(j *twinJob) bool {
		return slices.Contains(t.path(j.queue), c) &&
			t.mayGive(j.queue, x)
	})
}

func (t *twin) mayGive(y, x int) bool {
	if x == y {
		return false
	}
	_, top := t.apart(x, y)
	for _, a := range t.path(y) {
		if !t.borrows(a) {
			return false
		}
		if a == top {
			break
		}
	}
	return true
}

func (t *twin) makeRoom(j *twinJob) (victims []*twinJob) {
	within := with(j, func() bool { return !t.borrows(j.queue) })
	if within && !t.rules.Reclaim || !within && (!t.rules.Fair || j.stopped) {
		return nil
	}
	from, passed, starts := []*twinJob{}, []*twinJob{}, map[*twinJob]int{}
	for _, z := range t.jobs {
		if z.start > 0 {
			from = append(from, z)
			starts[z] = z.start
		}
	}
	slices.SortFunc(from, func(a, b *twinJob) int {
		return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(b.start, a.start))
	})
	stop := func(z *twinJob) { z.start, victims = 0, append(victims, z) }
	for !t.fits(j) {
		y := t.source(j.queue, from)
		if y < 0 {
			break
		}
		k := slices.IndexFunc(from, func(z *twinJob) bool { return z.queue == y })
		z := from[k]
		from = slices.Delete(from, k, k+1)
		a, b := t.apart(j.queue, y)
		if within || with(j, func() float64 { return t.share(a) }) <= without(z, func() float64 { return t.share(b) }) {
			stop(z)
		} else {
			passed = append(passed, z)
		}
	}
	for _, z := range passed {
		a, b := t.apart(j.queue, z.queue)
		gave := slices.ContainsFunc(victims, func(v *twinJob) bool { return v.queue == z.queue })
		if !t.fits(j) && !gave && t.mayGive(z.queue, j.queue) && with(j, func() float64 { return t.share(a) }) < t.share(b) {
			stop(z)
		}
	}
	fits := t.fits(j)
	for i := len(victims) - 1; i >= 0; i-- {
		z := victims[i]
		z.start = starts[z]
		if fits && !t.fits(j) {
			z.start = 0
		} else {
			victims = slices.Delete(victims, i, i+1)
		}
	}
	return victims
}

// heads are the first jobs of the queues that have not been tried.
func (t *twin) heads() (list []*twinJob) {
	for x := range t.all {
		var best *twinJob
		for _, j := range t.jobs {
			if j.queue != x || j.start > 0 || j.tried && !t.rules.Strict || best != nil && j.priority <= best.priority {
				continue
			}
			best = j
		}
		if best != nil && !best.tried {
			list = append(list, best)
		}
	}
	return list
}

func (t *twin) pick(at int, heads []*twinJob) (best *twinJob) {
	if at >= 0 && t.leaf(at) {
		if k := slices.IndexFunc(heads, func(j *twinJob) bool { return j.queue == at }); k >= 0 {
			return heads[k]
		}
		return nil
	}
	least := math.Inf(1)
	for _, c := range t.children(at) {
		j := t.pick(c, heads)
		if j == nil {
			continue
		}
		s := with(j, func() float64 { return t.share(c) })
		if best == nil || s < least || s == least && slices.Index(t.jobs, j) < slices.Index(t.jobs, best) {
			best, least = j, s
		}
	}
	return best
}

func (t *twin) Plan(r *policies.Round) {
	t.jobs = slices.DeleteFunc(t.jobs, func(j *twinJob) bool { return slices.Contains(r.Ended, j.ref) })
	for _, ref := range r.Arrived {
		j := r.Job(ref)
		x := slices.IndexFunc(t.all, func(n quota.Node) bool { return string(n.Name) == string(rune('0'+j.User)) })
		if x < 0 {
			x = len(t.all) - 1
		}
		made := &twinJob{ref: ref, queue: x, need: int(j.Procs), priority: float64(j.Priority)}
		if t.rules.ByBid {
			made.priority = j.Bid
		}
		running := t.jobs
		if t.jobs = nil; !t.fitsAlone(made) {
			t.jobs = running
			r.Leave(ref, 2, "the queue may never use so much")
			continue
		}
		t.jobs = append(running, made)
	}
	for _, j := range t.jobs {
		j.stopped, j.tried = false, false
	}
	for {
		j := t.pick(-1, t.heads())
		if j == nil {
			break
		}
		within := with(j, func() bool { return !t.borrows(j.queue) })
		if !j.stopped || within {
			ready := t.fits(j)
			victims := []*twinJob(nil)
			if !ready {
				victims = t.makeRoom(j)
			}
			if ready || t.fits(j) {
				t.starts++
				j.start = t.starts
				for _, z := range victims {
					z.stopped = true
				}
				if len(victims) > 0 {
					for _, z := range t.jobs {
						z.tried = false
					}
				}
				continue
			}
		}
		j.tried = true
		for _, z := range t.jobs { // those who need as much are passed over with it
			z.tried = z.tried || !t.rules.Strict && !(j.stopped && !within) && z.queue == j.queue && z.need >= j.need &&
				z.start == 0
		}
	}
	for _, j := range t.jobs {
		switch state := r.Job(j.ref).State; {
		case j.start > 0 && state == policies.Waiting:
			r.Start(j.ref)
		case j.start == 0 && state == policies.Running:
			r.Preempt(j.ref)
		}
	}
}

func (t *twin) fitsAlone(j *twinJob) bool {
	t.jobs = []*twinJob{j}
	return t.fits(j)
}

// TestTwin wants the schedule of the definition.
func TestTwin(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules := quota.Rules{By: "user", Reclaim: rapid.Bool().Draw(rt, "reclaim"), Strict: rapid.Bool().Draw(rt, "strict"),
			ByBid: rapid.Bool().Draw(rt, "by bid"), Table: deep()}
		if rules.Fair = rules.Reclaim && rapid.Bool().Draw(rt, "fair"); rapid.Bool().Draw(rt, "flat") {
			rules.Table = flat(4, 3, 2, 1)
		}
		var jobs []traces.Job
		at := events.Time(0)
		for i := range rapid.IntRange(1, 20).Draw(rt, "jobs") {
			at += events.Time(rapid.IntRange(0, 3).Draw(rt, "gap"))
			j := of(int64(i+1), traces.Label(rapid.IntRange(1, 4).Draw(rt, "user")), at,
				events.Time(rapid.IntRange(0, 20).Draw(rt, "run")), int32(rapid.IntRange(1, 7).Draw(rt, "procs")))
			j.Priority = int32(rapid.IntRange(-1, 1).Draw(rt, "priority"))
			jobs = append(jobs, j)
		}
		want := replay(rt, newTwin(rules), 10, jobs)
		for id, o := range replay(rt, policy(rt, rules), 10, jobs) {
			if w := want[id]; o.Start != w.Start || o.End != w.End || o.Preemptions != w.Preemptions || o.WhyLeft != w.WhyLeft {
				rt.Fatalf("job %d: %v to %v, the twin's %v to %v", id, o.Start, o.End, w.Start, w.End)
			}
		}
	})
}
