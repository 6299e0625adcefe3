package engine_test

import (
	"math"
	"slices"
	"sort"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// naive replays a workload in the plainest way: all jobs in one slice, every
// instant looks at all of them, orders are sorted afresh, prices are worked out
// per job from the text of the study and charged interval by interval. It
// shares no code with the engine, the schedulers or the price schemes.
type naive struct {
	procs     int
	policy    string // hb, nphb, wspt, wsept, fcfs
	skip      bool   // jobs that do not fit are passed over (hb, nphb)
	payment   string // first, kth, kth-uncapped, posted, none
	reserve   float64
	posted    float64
	migration events.Time
	starting  events.Time // the cost of a start
	restart   bool        // a preempted job begins again
	// pool, if not empty, is the CPU, memory and perhaps GPUs there are instead of processors.
	pool []float64
	// feedback submits jobs when the one before them has ended.
	feedback bool
	// resubmit ends jobs at their estimate and submits them again with twice that.
	resubmit bool

	jobs  []*naiveJob // in trace order
	came  []*naiveJob // in order of first submission
	order []*naiveJob // in order of submission
	now   events.Time
}

// follows returns the job that j waits for. Of a circle, the first in the trace
// waits for nobody.
func (n *naive) follows(j *naiveJob) *naiveJob {
	before := func(j *naiveJob) *naiveJob {
		for _, k := range n.jobs {
			if n.feedback && k.job.ID == j.job.Prev && k != j {
				return k
			}
		}
		return nil
	}
	place := func(j *naiveJob) int { return slices.Index(n.jobs, j) }
	first := place(j)
	k := before(j)
	for step := 0; k != nil && step <= len(n.jobs); step++ {
		if k == j && first == place(j) {
			return nil
		}
		first = min(first, place(k))
		k = before(k)
	}
	return before(j)
}

// submit is when a job comes, as far as is known.
func (n *naive) submit(j *naiveJob) events.Time {
	switch k := n.follows(j); {
	case k == nil:
		return j.job.Submit
	case k.done:
		return k.end + max(j.job.Think, 0)
	}
	return events.Never
}

type naiveJob struct {
	job         traces.Job
	value, bid  float64
	rebids      []policies.Rebid
	left        events.Time
	opening     events.Time // of the start, what is left
	here, done  bool
	running     bool
	begun       bool
	start, end  events.Time
	payment     float64
	price       float64
	preemptions int32
	restarts    int32
	run         events.Time // of this attempt
	stopped     bool        // in this attempt
	worked      events.Time // on its processors, lost work included
}

// need lists what a job holds, and there what there is, resource by resource.
func (n *naive) need(j *naiveJob) []float64 {
	if n.pool == nil {
		return []float64{float64(j.job.Procs)}
	}
	all := []float64{float64(j.job.Procs) * j.job.CPU, float64(j.job.Procs) * j.job.Memory,
		float64(j.job.Procs) * j.job.GPU}
	return all[:len(n.pool)]
}

func (n *naive) there() []float64 {
	if n.pool == nil {
		return []float64{float64(n.procs)}
	}
	return slices.Clone(n.pool)
}

// size is what a job pays for.
func (n *naive) size(j *naiveJob) float64 {
	if n.pool == nil {
		return float64(j.job.Procs)
	}
	share := 0.0
	for r, x := range n.need(j) {
		share = math.Max(share, x/n.pool[r])
	}
	return share * float64(n.procs)
}

func (n *naive) run() {
	for {
		at := n.nextInstant()
		if at == events.Never {
			return
		}
		n.advance(at)
		n.apply()
		for {
			n.decide()
			if !n.endFinished() {
				break
			}
		}
		n.setPrices()
	}
}

func (n *naive) nextInstant() events.Time {
	at := events.Never
	for _, j := range n.jobs {
		switch {
		case j.done:
		case !j.here:
			at = min(at, n.submit(j))
		default:
			if j.running {
				at = min(at, n.now+j.left)
			}
			for _, b := range j.rebids {
				if b.At > n.now {
					at = min(at, b.At)
				}
			}
		}
	}
	return at
}

func (n *naive) advance(at events.Time) {
	dt := at - n.now
	for _, j := range n.jobs {
		if j.running {
			j.left -= dt
			j.opening = max(0, j.opening-dt)
			j.worked += dt
			j.payment += j.price * n.size(j) * dt.Seconds()
		}
	}
	n.now = at
}

// apply does completions, then bids, then arrivals.
func (n *naive) apply() {
	n.endFinished()
	for _, j := range n.jobs {
		for _, b := range j.rebids {
			if j.here && !j.done && b.At == n.now {
				j.bid = b.Bid
			}
		}
	}
	for _, j := range n.jobs {
		if !j.here && n.submit(j) == n.now {
			j.here = true
			j.job.Submit = n.now
			n.came, n.order = append(n.came, j), append(n.order, j)
			n.begin(j)
			for _, b := range j.rebids {
				if b.At <= n.now {
					j.bid = b.Bid
				}
			}
		}
	}
}

func (n *naive) endFinished() bool {
	any := false
	for _, j := range slices.Clone(n.order) {
		if !j.running || j.left > 0 {
			continue
		}
		any, j.running = true, false
		if j.run == j.job.Run {
			j.done, j.end = true, n.now
			continue
		}
		j.restarts++
		j.job.Estimate = max(2*j.job.Estimate, events.Second)
		n.order = append(slices.DeleteFunc(n.order, func(k *naiveJob) bool { return k == j }), j)
		n.begin(j)
	}
	return any
}

// begin makes a job ready for its first or next attempt.
func (n *naive) begin(j *naiveJob) {
	j.run, j.stopped = j.job.Run, false
	if n.resubmit {
		j.run = min(j.run, j.job.Estimate)
	}
	j.left = j.run
}

// key is what a policy ranks jobs by, larger first.
func (n *naive) key(j *naiveJob) float64 {
	switch n.policy {
	case "wspt":
		return j.bid / math.Max(j.run.Seconds(), 1)
	case "wsept":
		return j.bid / math.Max(j.job.Estimate.Seconds(), 1)
	case "fcfs":
		return 0
	}
	return j.bid
}

// decide takes jobs in order while they fit: all unfinished ones afresh under
// hb, the waiting ones on what is free otherwise.
func (n *naive) decide() {
	preemptive := n.policy == "hb"
	free, queue := n.there(), []*naiveJob{}
	for _, j := range n.order {
		if j.done {
			continue
		}
		if j.running && !preemptive {
			take(free, n.need(j))
		} else {
			queue = append(queue, j)
		}
	}
	sort.SliceStable(queue, func(a, b int) bool { return n.key(queue[a]) > n.key(queue[b]) })
	fits := true
	for _, j := range queue {
		fits = (fits || n.skip) && fit(n.need(j), free)
		if !fits {
			if j.running {
				j.running = false
				j.preemptions++
				j.stopped = true
				j.left, j.opening = j.left-j.opening, 0
				if n.restart {
					j.left = j.run
				}
			}
			continue
		}
		take(free, n.need(j))
		if !j.running {
			j.running = true
			if !j.begun {
				j.begun, j.start = true, n.now
			} else if j.stopped {
				j.left += n.migration
			}
			j.left, j.opening = j.left+n.starting, n.starting
		}
	}
}

func fit(need, free []float64) bool {
	for r, x := range need {
		if x > free[r] {
			return false
		}
	}
	return true
}

func take(from, amount []float64) {
	for r, x := range amount {
		from[r] -= x
	}
}

func (n *naive) setPrices() {
	rest, queued := n.there(), false
	for _, j := range n.jobs {
		if j.here && !j.done {
			take(rest, n.need(j))
			queued = queued || !j.running
		}
	}
	for _, j := range n.jobs {
		if !j.running {
			continue
		}
		switch n.payment {
		case "none":
			j.price = 0
		case "posted":
			j.price = n.posted
		case "first":
			j.price = j.bid
			if slices.Min(rest) > 0 {
				j.price = n.reserve
			}
		default:
			j.price = n.kth(j, queued)
		}
	}
}

// kth is the table of the specification, row by row.
func (n *naive) kth(i *naiveJob, queued bool) float64 {
	if n.skip {
		return n.critical(i)
	}
	if !queued {
		return n.reserve
	}
	best := 0.0
	for _, j := range n.jobs {
		if !j.here || j.done || j.running {
			continue
		}
		offer := j.bid
		switch n.policy {
		case "wspt":
			offer = j.bid / math.Max(j.run.Seconds(), 1) * math.Max(i.run.Seconds(), 1)
		case "wsept":
			offer = j.bid / math.Max(j.job.Estimate.Seconds(), 1) * math.Max(i.job.Estimate.Seconds(), 1)
		}
		best = math.Max(best, offer)
	}
	if n.policy != "hb" && n.payment == "kth" {
		return math.Min(i.bid, best)
	}
	return best
}

// critical is the price where jobs that do not fit are passed over, to the letter: one
// descends the order without i, and the first job after which i no longer fits sets it.
// Without preemption the others that run keep what they have, and the bid is the cap.
func (n *naive) critical(i *naiveJob) float64 {
	free, order := n.there(), []*naiveJob{}
	for _, j := range n.order {
		switch {
		case j.done || j == i:
		case j.running && n.policy != "hb":
			take(free, n.need(j))
		default:
			order = append(order, j)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return order[a].bid > order[b].bid })
	for _, j := range order {
		if !fit(n.need(j), free) {
			continue
		}
		take(free, n.need(j))
		switch {
		case fit(n.need(i), free):
		case n.policy != "hb" && n.payment == "kth":
			return math.Min(i.bid, j.bid)
		default:
			return j.bid
		}
	}
	return n.reserve
}
