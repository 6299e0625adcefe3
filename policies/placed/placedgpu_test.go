package placed_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/gpus"
	"bourse/policies/order"
	"bourse/policies/payment"
	"bourse/policies/placed"
	"bourse/policies/sched"
	"bourse/traces"
)

// plainOnGPUs is sched.Placed on machines with GPUs without any memory but of what waits and
// runs where: every round it walks all that wait in order, and asks for each piece a
// finder made of the machines as they are.
type plainOnGPUs struct {
	policies.Policy // nil: never copied
	key             func(*policies.Job) float64
	preempts        bool
	strict          bool // the first that does not fit keeps those behind it waiting
	rule            gpus.Rule
	waiting, later  []policies.Ref
	running         [][]policies.Ref // by machine, in order of start
	on              map[policies.Ref][]policies.Spot
	scale           gpus.Scale
}

func (p *plainOnGPUs) Traits() policies.Traits { return policies.Traits{Places: true} }

func (p *plainOnGPUs) ask(r *policies.Round, ref policies.Ref) gpus.Ask {
	return gpus.AskOf(r.Job(ref).Piece(), r.Job(ref).Models)
}

func (p *plainOnGPUs) Plan(r *policies.Round) {
	for len(p.running) < len(r.Machines) {
		p.running = append(p.running, nil)
	}
	for _, ref := range slices.Concat(r.Ended, r.Evicted) {
		p.forget(ref)
	}
	p.waiting = slices.Concat(p.waiting, r.Evicted, p.later, r.Arrived)
	p.later = nil
	byRank(r, p.waiting, p.key)
	f := gpus.NewFinder(p.rule, 1)
	for m := range r.Machines {
		x := &r.Machines[m]
		p.scale = gpus.Scale{CPU: max(p.scale.CPU, x.Capacity.CPU), GPU: max(p.scale.GPU, x.Capacity.GPU)}
		n := gpus.NewNode(x.Capacity.CPU, x.Capacity.Memory, len(x.Devices), x.Models)
		for _, ref := range p.running[m] {
			a := p.ask(r, ref)
			for _, at := range p.on[ref] {
				if at.Machine == int32(m) {
					n.Put(&a, at.Devices)
				}
			}
		}
		f.Set(m, n, x.Up)
	}
	f.Measure(p.scale)
	var left []policies.Ref
	for _, ref := range p.waiting {
		a := p.ask(r, ref)
		var got []policies.Spot
		for range r.Job(ref).Pieces {
			if p.strict && len(left) > 0 {
				break
			}
			m, devices := f.Find(&a)
			if m < 0 && p.preempts && r.Job(ref).Pieces == 1 {
				if m = p.evict(r, f, ref); m >= 0 {
					devices = f.On(m, &a)
				}
			}
			if m < 0 {
				break
			}
			f.Put(m, &a, devices)
			got = append(got, policies.Spot{Machine: int32(m), Devices: devices})
		}
		if len(got) < int(r.Job(ref).Pieces) {
			for _, at := range got {
				f.Take(int(at.Machine), &a, at.Devices)
			}
			left = append(left, ref)
			continue
		}
		p.on[ref] = got
		for i, at := range got {
			if i == 0 {
				r.StartOn(ref, at)
			} else {
				r.StartFurther(at)
			}
			if !slices.Contains(p.running[at.Machine], ref) {
				p.running[at.Machine] = append(p.running[at.Machine], ref)
			}
		}
	}
	p.waiting = left
}

func (p *plainOnGPUs) forget(ref policies.Ref) {
	for m := range p.running {
		p.running[m] = slices.DeleteFunc(p.running[m], func(x policies.Ref) bool { return x == ref })
	}
	delete(p.on, ref)
}

// evict stops jobs of lower rank on the first machine where that is enough.
func (p *plainOnGPUs) evict(r *policies.Round, f *gpus.Finder, by policies.Ref) int {
	a, class := p.ask(r, by), p.key(r.Job(by))
	for m := range r.Machines {
		n := f.Node(m).Clone()
		for _, ref := range p.running[m] {
			if p.key(r.Job(ref)) > class {
				p.lift(r, ref, m, n.Take)
			}
		}
		if !r.Machines[m].Up || !n.Fits(&a) {
			continue
		}
		for !f.Node(m).Fits(&a) {
			v := policies.Ref(-1)
			for _, ref := range p.running[m] {
				if k := p.key(r.Job(ref)); k > class && (v < 0 || k >= p.key(r.Job(v))) {
					v = ref
				}
			}
			b := p.ask(r, v)
			for _, at := range p.on[v] {
				f.Take(int(at.Machine), &b, at.Devices)
			}
			p.forget(v)
			r.PreemptFor(v, by)
			p.later = append(p.later, v)
		}
		return m
	}
	return -1
}

// lift takes the pieces of a job off one machine.
func (p *plainOnGPUs) lift(r *policies.Round, ref policies.Ref, m int, take func(*gpus.Ask, uint64)) {
	a := p.ask(r, ref)
	for _, at := range p.on[ref] {
		if at.Machine == int32(m) {
			take(&a, at.Devices)
		}
	}
}

// gpuSite is a random workload on random machines with GPUs.
func gpuSite(t *rapid.T, gangs bool) *site {
	s := &site{}
	machines := rapid.SampledFrom([]int{1, 2, 3, 4, 5, 6, 40}).Draw(t, "machines")
	shape := func(e traces.MachineEvent) traces.MachineEvent {
		e.CPU, e.Memory = float64(rapid.IntRange(1, 8).Draw(t, "cpu")), float64(rapid.IntRange(1, 8).Draw(t, "memory"))
		if e.GPU = float64(rapid.IntRange(0, 3).Draw(t, "devices")); e.GPU > 0 {
			e.Model = rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "model")
		}
		return e
	}
	partitioned := rapid.IntRange(0, 2).Draw(t, "partitioned") == 0
	rest := events.Time(rapid.IntRange(0, 5).Draw(t, "rest")) * events.Second
	for m := range machines {
		e := shape(traces.MachineEvent{At: rest, Machine: int64(10 + m)})
		if m == 0 { // stays, and holds every piece, and every job of two
			e = traces.MachineEvent{Machine: 10, CPU: 16, Memory: 16, GPU: 4, Model: "a", Partitions: "1|2"}
		} else if partitioned {
			e.Partitions = rapid.SampledFrom([]string{"", "1", "2", "2|1"}).Draw(t, "partitions")
		}
		if !partitioned {
			e.Partitions = ""
		}
		s.machines = append(s.machines, e)
	}
	at := rest
	for range rapid.IntRange(0, 5).Draw(t, "changes") {
		at += events.Time(rapid.IntRange(0, 10).Draw(t, "later")) * events.Second
		if m := rapid.IntRange(0, machines).Draw(t, "machine"); m > 0 {
			s.machines = append(s.machines, shape(traces.MachineEvent{At: at, Machine: int64(10 + m),
				Gone: rapid.Bool().Draw(t, "gone")}))
		}
	}
	s.names.Models = &traces.Words{}
	at = 0
	for i := range rapid.IntRange(1, 40).Draw(t, "jobs") {
		at += events.Time(rapid.IntRange(0, 2).Draw(t, "gap")) * events.Second
		j := traces.UnknownJob
		j.ID, j.Submit, j.Run, j.Procs = int64(i+1), at, events.Time(rapid.IntRange(0, 12).Draw(t, "run"))*events.Second, 1
		j.CPU, j.Memory = float64(rapid.IntRange(0, 8).Draw(t, "need")), float64(rapid.IntRange(0, 4).Draw(t, "need"))
		j.GPU = rapid.SampledFrom([]float64{0, .2, .25, .5, .7, 1, 1, 2}).Draw(t, "gpu")
		if j.GPU > 0 && rapid.IntRange(0, 2).Draw(t, "picky") == 0 {
			j.Model = s.names.Models.Label([]byte(rapid.SampledFrom([]string{"a", "a|b", "c|a"}).Draw(t, "models")))
		}
		if j.Partition = traces.Label(rapid.IntRange(0, 2).Draw(t, "partition")); j.Partition == 0 {
			j.Partition = traces.NoLabel
		}
		if gangs {
			j.Procs = int32(rapid.IntRange(1, 2).Draw(t, "pieces"))
		}
		j.Priority = int32(rapid.IntRange(0, 3).Draw(t, "priority"))
		s.jobs = append(s.jobs, j)
	}
	return s
}

func (s *site) replayOnGPUs(t *rapid.T, p policies.Policy) []string {
	s.at, s.history = 0, nil
	cfg := engine.Config{Machine: engine.Cluster(s.machines), Policy: p, Pricer: payment.NewPosted(1), Bidder: s,
		Check: true}
	if _, err := engine.Run(context.Background(), cfg, s, s); err != nil {
		t.Fatal(err)
	}
	return s.history
}

// TestPlacedOnGPUsAgainstPlain wants the indexed policy to tell every job's history as the
// plain one does, with machines that come and go, jobs that ask for models, and gangs.
func TestPlacedOnGPUsAgainstPlain(t *testing.T) {
	for _, rule := range []gpus.Rule{gpus.First, gpus.Best, gpus.Worst, gpus.Packing, gpus.Clustering} {
		for _, c := range []struct {
			name  string
			of    func() policies.Policy
			key   func(*policies.Job) float64
			gangs bool
		}{
			{"fcfs", func() policies.Policy { return sched.NewList(order.BySubmit) }, func(*policies.Job) float64 { return 0 },
				true},
			{"skip", func() policies.Policy { return sched.NewFirstFit() },
				func(*policies.Job) float64 { return 0 }, true},
			{"nphb", func() policies.Policy { return sched.NewList(order.ByBid) },
				func(j *policies.Job) float64 { return -j.Bid }, true},
			{"priority", func() policies.Policy { return sched.NewPriority(order.Ranking{Order: order.ByPriority}) },
				func(j *policies.Job) float64 { return -float64(j.Priority) }, false},
		} {
			t.Run(fmt.Sprint(c.name, rule), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					s := gpuSite(t, c.gangs)
					p, err := placed.OnGPUs(c.of(), rule, 1)
					if err != nil {
						t.Fatal(err)
					}
					got := s.replayOnGPUs(t, p)
					want := s.replayOnGPUs(t, &plainOnGPUs{key: c.key, preempts: c.name == "priority",
						strict: c.name == "fcfs", rule: rule,
						on: map[policies.Ref][]policies.Spot{}})
					if !slices.Equal(got, want) {
						t.Fatalf("got  %v\nwant %v", got, want)
					}
				})
			})
		}
	}
}

// TestGangsPreempted replays gangs under preemption with the engine's audit.
func TestGangsPreempted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := gpuSite(t, true)
		p, err := placed.OnGPUs(sched.NewPriority(order.Ranking{Order: order.ByPriority}), gpus.Gradient, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.replayOnGPUs(t, p); len(got) != len(s.jobs) {
			t.Fatalf("%d of %d jobs ended", len(got), len(s.jobs))
		}
	})
}
