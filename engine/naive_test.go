package engine_test

import (
	"math"
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
	payment   string // first, kth, kth-uncapped, posted, none
	reserve   float64
	posted    float64
	migration events.Time
	restart   bool // a preempted job begins again

	jobs []*naiveJob
	now  events.Time
}

type naiveJob struct {
	job         traces.Job
	value, bid  float64
	rebids      []policies.Rebid
	left        events.Time
	here, done  bool
	running     bool
	begun       bool
	start, end  events.Time
	payment     float64
	price       float64
	preemptions int32
	worked      events.Time // on its processors, lost work included
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
			at = min(at, j.job.Submit)
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
			j.worked += dt
			j.payment += j.price * float64(j.job.Procs) * dt.Seconds()
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
		if !j.here && j.job.Submit == n.now {
			j.here = true
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
	for _, j := range n.jobs {
		if j.running && j.left == 0 {
			j.running, j.done, j.end = false, true, n.now
			any = true
		}
	}
	return any
}

// key is what a policy ranks jobs by, larger first.
func (n *naive) key(j *naiveJob) float64 {
	switch n.policy {
	case "wspt":
		return j.bid / math.Max(j.job.Run.Seconds(), 1)
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
	free, queue := n.procs, []*naiveJob{}
	for _, j := range n.jobs {
		if !j.here || j.done {
			continue
		}
		if j.running && !preemptive {
			free -= int(j.job.Procs)
		} else {
			queue = append(queue, j)
		}
	}
	sort.SliceStable(queue, func(a, b int) bool { return n.key(queue[a]) > n.key(queue[b]) })
	fits := true
	for _, j := range queue {
		fits = fits && int(j.job.Procs) <= free
		if !fits {
			if j.running {
				j.running = false
				j.preemptions++
				if n.restart {
					j.left = j.job.Run
				}
			}
			continue
		}
		free -= int(j.job.Procs)
		if !j.running {
			j.running = true
			if !j.begun {
				j.begun, j.start = true, n.now
			} else {
				j.left += n.migration
			}
		}
	}
}

func (n *naive) setPrices() {
	demand, queued := 0, false
	for _, j := range n.jobs {
		if j.here && !j.done {
			demand += int(j.job.Procs)
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
			if demand < n.procs {
				j.price = n.reserve
			}
		default:
			j.price = n.kth(j, queued)
		}
	}
}

// kth is the table of the specification, row by row.
func (n *naive) kth(i *naiveJob, queued bool) float64 {
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
			offer = j.bid / math.Max(j.job.Run.Seconds(), 1) * math.Max(i.job.Run.Seconds(), 1)
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
