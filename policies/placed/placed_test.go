package placed_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
	"bourse/policies/payment"
	"bourse/policies/placed"
	"bourse/policies/placement"
	"bourse/policies/sched"
	"bourse/traces"
)

// plainPlaced is sched.Placed without any index: every round sorts the waiting
// jobs and looks at all machines for each.
type plainPlaced struct {
	policies.Policy // nil: never copied
	key             func(*policies.Job) float64
	preempts        bool
	strict          bool // the first that does not fit keeps those behind it waiting
	fit             placement.Fit
	waiting         []policies.Ref
	running         [][]policies.Ref // by machine, in order of start
	later           []policies.Ref   // stopped by the last round

	torn   bool // somebody waits whom all machines together had room for
	since  events.Time
	scraps events.Time
}

func (p *plainPlaced) Fragmented() events.Time { return p.scraps }

func (p *plainPlaced) Traits() policies.Traits { return policies.Traits{Places: true} }

func (p *plainPlaced) Plan(r *policies.Round) {
	for len(p.running) < len(r.Machines) {
		p.running = append(p.running, nil)
	}
	for _, ref := range slices.Concat(r.Ended, r.Evicted) {
		for m := range p.running {
			p.running[m] = slices.DeleteFunc(p.running[m], func(x policies.Ref) bool { return x == ref })
		}
	}
	p.waiting = slices.Concat(p.waiting, r.Evicted, p.later, r.Arrived)
	p.later = nil
	byRank(r, p.waiting, p.key)
	free := make([]policies.Amount, len(r.Machines))
	for m := range free {
		free[m] = r.Machines[m].Free
	}
	var left []policies.Ref
	for _, ref := range p.waiting {
		need, m := r.Job(ref).Need, -1
		if !p.strict || len(left) == 0 {
			m = p.choose(r, free, need)
		}
		if m < 0 && p.preempts {
			m = p.evict(r, free, ref)
		}
		if m < 0 {
			left = append(left, ref)
			continue
		}
		free[m] = free[m].Minus(need)
		p.running[m] = append(p.running[m], ref)
		r.StartOn(ref, policies.Spot{Machine: int32(m)})
	}
	p.waiting = left
	if p.torn {
		p.scraps += r.Now - p.since
	}
	var idle policies.Amount
	for m := range free {
		if r.Machines[m].Up {
			idle = idle.Plus(free[m])
		}
	}
	if p.strict && len(left) > 1 {
		left = left[:1]
	}
	p.torn = slices.ContainsFunc(left, func(ref policies.Ref) bool { return r.Job(ref).Need.Fits(idle) })
	p.since = r.Now
}

// byRank sorts jobs by their keys, the least first, ties by age.
func byRank(r *policies.Round, list []policies.Ref, key func(*policies.Job) float64) {
	slices.SortFunc(list, func(a, b policies.Ref) int {
		x, y := r.Job(a), r.Job(b)
		return cmp.Or(cmp.Compare(key(x), key(y)), cmp.Compare(x.Seq, y.Seq))
	})
}

func (p *plainPlaced) choose(r *policies.Round, free []policies.Amount, need policies.Amount) int {
	best, score := -1, math.Inf(-1)
	for m, f := range free {
		if !r.Machines[m].Up || !need.Fits(f) {
			continue
		}
		s := 0.0
		switch p.fit {
		case placement.BestFit:
			s = -(f.CPU + f.Memory)
		case placement.WorstFit:
			s = f.CPU + f.Memory
		case placement.DotProduct:
			s = need.CPU*f.CPU + need.Memory*f.Memory
		}
		if s > score {
			best, score = m, s
		}
	}
	return best
}

func (p *plainPlaced) evict(r *policies.Round, free []policies.Amount, by policies.Ref) int {
	need, class := r.Job(by).Need, p.key(r.Job(by))
	for m := range free {
		room := free[m]
		for _, ref := range p.running[m] {
			if p.key(r.Job(ref)) > class {
				room = room.Plus(r.Job(ref).Need)
			}
		}
		if !r.Machines[m].Up || !need.Fits(room) {
			continue
		}
		for !need.Fits(free[m]) {
			v := -1
			for i, ref := range p.running[m] {
				if k := p.key(r.Job(ref)); k > class && (v < 0 || k >= p.key(r.Job(p.running[m][v]))) {
					v = i
				}
			}
			victim := p.running[m][v]
			p.running[m] = slices.Delete(p.running[m], v, v+1)
			free[m] = free[m].Plus(r.Job(victim).Need)
			r.PreemptFor(victim, by)
			p.later = append(p.later, victim)
		}
		return m
	}
	return -1
}

// site is a random workload on a random cluster.
type site struct {
	jobs     []traces.Job
	machines []traces.MachineEvent
	names    traces.Names
	at       int
	history  []string
}

func (s *site) Header() *traces.Header {
	return &traces.Header{Ledger: &traces.Ledger{}, Names: s.names}
}

func (s *site) Next(j *traces.Job) error {
	if s.at == len(s.jobs) {
		return io.EOF
	}
	*j = s.jobs[s.at]
	s.at++
	return nil
}

func (s *site) Bid(j *traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: float64(j.ID % 5), Bid: float64(j.ID % 5)}, nil
}

func (s *site) Record(o *engine.Outcome) error {
	s.history = append(s.history, fmt.Sprintf("%d %v-%v %d by %d", o.Job.ID, o.Start, o.End, o.Preemptions, o.PreemptedBy))
	return nil
}

func (s *site) replay(t *rapid.T, p policies.Policy) []string {
	s.at, s.history = 0, nil
	cfg := engine.Config{Machine: engine.Cluster(s.machines), Policy: p, Pricer: payment.NewPosted(1), Bidder: s,
		Check: true, Restart: s.jobs[0].Procs == 1 && len(s.jobs)%2 == 0}
	sum, err := engine.Run(context.Background(), cfg, s, s)
	if err != nil {
		t.Fatal(err)
	}
	s.history = append(s.history, fmt.Sprintf("fragmented %v", sum.Fragmented))
	return s.history
}

func drawSite(t *rapid.T) *site {
	s := &site{}
	machines := rapid.SampledFrom([]int{1, 2, 3, 4, 5, 6, 50}).Draw(t, "machines")
	rest := events.Time(0) // when the others come, all at once
	if machines > 6 || rapid.Bool().Draw(t, "late") {
		rest = events.Time(rapid.IntRange(1, 20).Draw(t, "rest")) * events.Second
	}
	for m := range machines {
		e := traces.MachineEvent{At: rest, Machine: int64(10 + m), CPU: float64(rapid.IntRange(1, 4).Draw(t, "cpu")) / 4,
			Memory: float64(rapid.IntRange(1, 4).Draw(t, "memory")) / 4}
		if m == 0 {
			e.At, e.CPU, e.Memory = 0, 1, 1 // stays, and holds every job
		}
		s.machines = append(s.machines, e)
	}
	at := rest
	for range rapid.IntRange(0, 6).Draw(t, "changes") {
		at += events.Time(rapid.IntRange(0, 10).Draw(t, "later")) * events.Second
		m := rapid.IntRange(0, machines).Draw(t, "machine")
		if m == 0 {
			continue
		}
		s.machines = append(s.machines, traces.MachineEvent{At: at, Machine: int64(10 + m),
			Gone: rapid.Bool().Draw(t, "gone"),
			CPU:  float64(rapid.IntRange(0, 4).Draw(t, "cpu")) / 4, Memory: float64(rapid.IntRange(0, 4).Draw(t, "memory")) / 4})
	}
	at = 0
	for i := range rapid.IntRange(1, 40).Draw(t, "jobs") {
		at += events.Time(rapid.IntRange(0, 2).Draw(t, "gap")) * events.Second
		s.jobs = append(s.jobs, traces.Job{
			ID: int64(i + 1), Submit: at, Run: events.Time(rapid.IntRange(0, 12).Draw(t, "run")) * events.Second, Procs: 1,
			Pieces: 1,
			CPU:    float64(rapid.IntRange(0, 4).Draw(t, "need")) / 8, Memory: float64(rapid.IntRange(0, 4).Draw(t, "need")) / 8,
			Priority: int32(rapid.IntRange(0, 3).Draw(t, "priority")), Estimate: events.Unknown,
		})
	}
	return s
}

// TestPlacedAgainstPlain wants the indexed policy to tell every job's history as the
// plain one does, under every rule of fit, with machines that come and go.
func TestPlacedAgainstPlain(t *testing.T) {
	for _, fit := range []placement.Fit{placement.FirstFit, placement.BestFit, placement.WorstFit, placement.DotProduct} {
		for _, c := range []struct {
			name string
			of   func() policies.Policy
			key  func(*policies.Job) float64
		}{
			{"fcfs", func() policies.Policy { return sched.NewList(order.BySubmit) }, func(*policies.Job) float64 { return 0 }},
			{"skip", func() policies.Policy { return sched.NewFirstFit() },
				func(*policies.Job) float64 { return 0 }},
			{"nphb", func() policies.Policy { return sched.NewList(order.ByBid) },
				func(j *policies.Job) float64 { return -j.Bid }},
			{"priority", func() policies.Policy { return sched.NewPriority(order.Ranking{Order: order.ByPriority}) },
				func(j *policies.Job) float64 { return -float64(j.Priority) }},
		} {
			t.Run(fmt.Sprint(c.name, fit), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					s := drawSite(t)
					p, err := placed.New(c.of(), fit)
					if err != nil {
						t.Fatal(err)
					}
					got := s.replay(t, p)
					want := s.replay(t, &plainPlaced{key: c.key, preempts: c.name == "priority", strict: c.name == "fcfs",
						fit: fit})
					if !slices.Equal(got, want) {
						t.Fatalf("got  %v\nwant %v", got, want)
					}
				})
			})
		}
	}
}

func TestOnMachinesRefuses(t *testing.T) {
	for _, p := range []policies.Policy{&sched.HighestBid{}, sched.NewSRPT(false),
		sched.NewList(order.ByWFP3)} {
		if _, err := placed.New(p, placement.FirstFit); err == nil {
			t.Errorf("%T was taken", p)
		}
	}
}
