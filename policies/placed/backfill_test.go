package placed_test

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/gpus"
	"bourse/policies/payment"
	"bourse/policies/placed"
	"bourse/policies/placement"
	"bourse/traces"
	"bourse/traces/rng"
)

// plainBackfill is placed.Backfill without any memory but of what waits and runs where: every round it makes
// the machines anew, and looks at all of them at all times for each job.
type plainBackfill struct {
	policies.Policy // nil: never copied
	key, backfill   func(*policies.Job) float64
	reservations    int
	find            func(r *policies.Round, now []gpus.Node, up []bool, j *policies.Job) policies.Spot
	waiting         []policies.Ref
	running         []runs
	held            []runs // in this round
	absent          []policies.Absence
}

// runs is a job that runs or shall run.
type runs struct {
	ref         policies.Ref
	from, until events.Time
	ask         gpus.Ask
	at          []policies.Spot
}

func (p *plainBackfill) Traits() policies.Traits { return policies.Traits{Places: true} }
func (p *plainBackfill) Needs() policies.Needs   { return policies.Needs{Estimates: true} }

func (p *plainBackfill) Plan(r *policies.Round) {
	gone := slices.Concat(r.Ended, r.Evicted)
	p.running = slices.DeleteFunc(p.running, func(x runs) bool { return slices.Contains(gone, x.ref) })
	p.held, p.absent = nil, append(p.absent, r.Absent...)
	for _, a := range p.absent {
		if n := len(r.Machines[a.Machine].Devices); a.From > r.Now {
			p.held = append(p.held, runs{from: a.From, until: a.Until, at: []policies.Spot{{Machine: a.Machine, Devices: 1<<n - 1}},
				ask: gpus.Ask{CPU: 1e18, Memory: 1e18, Devices: int32(n), Each: gpus.Whole}})
		}
	}
	p.waiting = slices.Concat(p.waiting, r.Evicted, r.Arrived)
	byRank(r, p.waiting, p.key)
	var others []policies.Ref
	promised := map[uint64]int{} // by set of machines
	for _, ref := range slices.Clone(p.waiting) {
		set := r.Job(ref).Models
		switch {
		case promised[set] == p.reservations:
			others = append(others, ref)
		case p.start(r, ref):
			p.waiting = slices.DeleteFunc(p.waiting, func(x policies.Ref) bool { return x == ref })
		default:
			p.reserve(r, ref)
			promised[set]++
		}
	}
	byRank(r, others, p.backfill)
	for _, ref := range others {
		if p.start(r, ref) {
			p.waiting = slices.DeleteFunc(p.waiting, func(x policies.Ref) bool { return x == ref })
		}
	}
}

// at is what all machines have free at a time if what runs until then is gone, and what is reserved there.
func (p *plainBackfill) at(r *policies.Round, t events.Time) []gpus.Node {
	var all []gpus.Node
	for m := range r.Machines {
		x := &r.Machines[m]
		all = append(all, gpus.NewNode(x.Capacity.CPU, x.Capacity.Memory, len(x.Devices), x.Models))
	}
	for _, x := range slices.Concat(p.running, p.held) {
		for _, s := range x.at {
			if x.from <= t && t < x.until {
				all[s.Machine].Put(&x.ask, s.Devices)
			}
		}
	}
	return all
}

// least is the least of it from a time to another.
func (p *plainBackfill) least(r *policies.Round, from, until events.Time) []gpus.Node {
	all := p.at(r, from)
	for _, x := range p.held {
		if from < x.from && x.from < until {
			for m, n := range p.at(r, x.from) {
				all[m].CPU, all[m].Memory = min(all[m].CPU, n.CPU), min(all[m].Memory, n.Memory)
				for i := range n.Devices {
					all[m].Devices[i] = min(all[m].Devices[i], n.Devices[i])
				}
			}
		}
	}
	return all
}

func (p *plainBackfill) start(r *policies.Round, ref policies.Ref) bool {
	j := r.Job(ref)
	job := runs{ref: ref, from: r.Now, until: r.Now + max(j.Estimate, 1), ask: gpus.AskOf(j.Piece(), j.Models)}
	now, plan := p.now(r), p.least(r, job.from, job.until)
	up := make([]bool, len(now))
	for m := range up {
		up[m] = r.Machines[m].Up
	}
	for len(job.at) < int(max(j.Pieces, 1)) {
		s := p.find(r, now, up, j)
		if s.Machine < 0 {
			return false
		}
		left := &plan[s.Machine]
		ok := job.ask.CPU <= left.CPU && job.ask.Memory <= left.Memory
		for d := s.Devices; d != 0; d &= d - 1 {
			ok = ok && left.Devices[bits.TrailingZeros64(d)] >= job.ask.Each
		}
		if up[s.Machine] = ok; ok {
			now[s.Machine].Put(&job.ask, s.Devices)
			left.Put(&job.ask, s.Devices)
			job.at = append(job.at, s)
		}
	}
	r.StartOn(ref, job.at[0])
	for _, s := range job.at[1:] {
		r.StartFurther(s)
	}
	p.running = append(p.running, job)
	return true
}

// now is what the machines have free, with the jobs there that are past their estimates.
func (p *plainBackfill) now(r *policies.Round) []gpus.Node {
	late := slices.Clone(p.running)
	for i := range p.running {
		p.running[i].until = events.Never
	}
	held := p.held
	p.held = nil
	all := p.at(r, r.Now)
	p.running, p.held = late, held
	return all
}

func (p *plainBackfill) reserve(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	times := []events.Time{r.Now}
	for _, x := range slices.Concat(p.running, p.held) {
		if x.until > r.Now {
			times = append(times, x.until)
		}
	}
	slices.Sort(times)
	idle := p.now(r)
	for _, t := range times {
		job := runs{ref: ref, from: t, until: t + max(j.Estimate, 1), ask: gpus.AskOf(j.Piece(), j.Models)}
		var busy, free []policies.Spot
		for m, n := range p.least(r, job.from, job.until) {
			for r.Machines[m].Up && n.Fits(&job.ask) {
				s := policies.Spot{Machine: int32(m), Devices: policies.FirstDevices(n.Devices, job.ask.GPU())}
				if n.Put(&job.ask, s.Devices); idle[m].Fits(&job.ask) {
					free = append(free, s)
				} else {
					busy = append(busy, s)
				}
				if len(free)+len(busy) > 50 {
					break // asks for nothing
				}
			}
		}
		if job.at = append(busy, free...); len(job.at) >= int(max(j.Pieces, 1)) {
			job.at = job.at[:max(j.Pieces, 1)]
			p.held = append(p.held, job)
			return
		}
	}
}

// guess gives the jobs of a site requested times, too long, right and too short, and lets it be known in advance of some
// machines when they are away.
func (s *site) guess(t *rapid.T) *site {
	for i := range s.machines {
		x := &s.machines[i]
		if again := slices.IndexFunc(s.machines[i+1:], func(e traces.MachineEvent) bool { return e.Machine == x.Machine }); x.Gone &&
			again >= 0 && rapid.Bool().Draw(t, "planned") {
			x.Back = s.machines[i+1+again].At
		}
	}
	for i := range s.jobs {
		s.jobs[i].Estimate = events.Time(rapid.IntRange(1, 14).Draw(t, "estimate")) * events.Second
	}
	return s
}

var backfills = []struct {
	name          string
	reservations  int
	key, backfill func(*policies.Job) float64
}{
	{"easy", 1, bySubmit, bySubmit},
	{"easy(reservations=3)", 3, bySubmit, bySubmit},
	{"easy(order=bid,backfill=sjf)", 1, byBid, byEstimate},
	{"easy(order=bid)", 1, byBid, bySubmit},
	{"easy(order=sjf,reservations=2)", 2, byEstimate, bySubmit},
	{"conservative", 1 << 30, bySubmit, bySubmit},
}

func bySubmit(*policies.Job) float64     { return 0 }
func byBid(j *policies.Job) float64      { return -j.Bid }
func byEstimate(j *policies.Job) float64 { return float64(j.Estimate) }

// TestBackfillAgainstPlain wants each job's history as the plain policy tells it, on machines that come and go, with
// requested times that do not hold.
func TestBackfillAgainstPlain(t *testing.T) {
	for _, c := range backfills {
		for _, fit := range []placement.Fit{placement.FirstFit, placement.WorstFit, placement.DotProduct} {
			t.Run(fmt.Sprint(c.name, fit), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					s := drawSite(t).guess(t)
					p, err := placed.New(policy(t, c.name), fit)
					if err != nil {
						t.Fatal(err)
					}
					choose := plainPlaced{fit: fit}
					compareHistories(t, s, p, &plainBackfill{key: c.key, backfill: c.backfill, reservations: c.reservations,
						find: func(r *policies.Round, now []gpus.Node, up []bool, j *policies.Job) policies.Spot {
							free := make([]policies.Amount, len(now))
							for m := range now {
								if free[m] = (policies.Amount{CPU: now[m].CPU, Memory: now[m].Memory}); !up[m] {
									free[m] = placement.Nothing
								}
							}
							return policies.Spot{Machine: int32(choose.choose(r, free, j.Piece()))}
						}})
				})
			})
		}
	}
}

// TestBackfillOnGPUsAgainstPlain does the same with GPUs, models and gangs.
func TestBackfillOnGPUsAgainstPlain(t *testing.T) {
	for _, c := range backfills {
		for _, rule := range []gpus.Rule{gpus.First, gpus.Best, gpus.Packing} {
			t.Run(fmt.Sprint(c.name, rule), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					s := gpuSite(t, true).guess(t)
					p, err := placed.OnGPUs(policy(t, c.name), rule, 1)
					if err != nil {
						t.Fatal(err)
					}
					scale := gpus.Scale{}
					compareHistories(t, s, p, &plainBackfill{key: c.key, backfill: c.backfill, reservations: c.reservations,
						find: func(r *policies.Round, now []gpus.Node, up []bool, j *policies.Job) policies.Spot {
							f := gpus.NewFinder(rule, 1)
							for m := range now {
								x := &r.Machines[m]
								scale = gpus.Scale{CPU: max(scale.CPU, x.Capacity.CPU), GPU: max(scale.GPU, x.Capacity.GPU)}
								f.Set(m, now[m].Clone(), up[m])
							}
							f.Measure(scale)
							a := gpus.AskOf(j.Piece(), j.Models)
							m, devices := f.Find(&a)
							return policies.Spot{Machine: int32(m), Devices: devices}
						}})
				})
			})
		}
	}
}

func compareHistories(t *rapid.T, s *site, p, plain policies.Policy) {
	got, want := s.replayOnGPUs(t, p), s.replayOnGPUs(t, plain)
	if !slices.Equal(got, want) {
		t.Fatalf("got  %v\nwant %v", got, want)
	}
}

// TestBackfillOnLikeMachines wants EASY on machines of one processor each to start every job when EASY on as many
// processors does.
func TestBackfillOnLikeMachines(t *testing.T) {
	for _, name := range []string{"easy", "easy(order=bid)", "easy(backfill=sjf)"} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.IntRange(1, 12).Draw(t, "processors")
				s := drawSite(t).guess(t)
				s.machines = nil
				for m := range n {
					s.machines = append(s.machines, traces.MachineEvent{Machine: int64(m), CPU: 1, Memory: 1})
				}
				for i := range s.jobs {
					j := &s.jobs[i]
					j.Procs = int32(rapid.IntRange(1, n).Draw(t, "procs"))
					j.Pieces, j.CPU, j.Memory, j.Submit = j.Procs, 1, 0, j.Submit+events.Second // when all machines are there
				}
				p, err := placed.New(policy(t, name), placement.FirstFit)
				if err != nil {
					t.Fatal(err)
				}
				got := s.replayOnGPUs(t, p)
				s.at, s.history = 0, nil
				cfg := engine.Config{Machine: engine.Processors(n), Policy: policy(t, name), Pricer: payment.NewPosted(1),
					Bidder: s, Check: true}
				if _, err := engine.Run(context.Background(), cfg, s, s); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got, s.history) {
					t.Fatalf("got  %v\nwant %v", got, s.history)
				}
			})
		})
	}
}

// TestPartitionsApart wants partitions that share nothing to be replayed as if each were a machine of its own.
func TestPartitionsApart(t *testing.T) {
	for _, name := range []string{"easy", "easy(order=bid,reservations=2)", "conservative"} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				sizes := []float64{float64(rapid.IntRange(1, 6).Draw(t, "cpu")), float64(rapid.IntRange(1, 6).Draw(t, "cpu"))}
				all := drawSite(t).guess(t)
				all.machines = []traces.MachineEvent{{Machine: 0, CPU: sizes[0], Memory: 99, Partitions: "1"},
					{Machine: 1, CPU: sizes[1], Memory: 99, Partitions: "2"}}
				each := []*site{{machines: all.machines[:1]}, {machines: all.machines[1:]}}
				for i := range all.jobs {
					j := &all.jobs[i]
					k := rapid.IntRange(0, 1).Draw(t, "partition")
					j.Partition, j.Pieces, j.CPU = traces.Label(k+1), 1, float64(rapid.IntRange(1, int(sizes[k])).Draw(t, "cpu"))
					j.Submit += events.Second // when all machines are there
					j.Estimate += j.Run       // past an estimate, a plan changes at any event
					each[k].jobs = append(each[k].jobs, *j)
				}
				run := func(s *site) []string {
					p, err := placed.OnGPUs(policy(t, name), gpus.First, 1)
					if err != nil {
						t.Fatal(err)
					}
					got := s.replayOnGPUs(t, p)
					slices.Sort(got)
					return got
				}
				want := slices.Concat(run(each[0]), run(each[1]))
				slices.Sort(want)
				if got := run(all); !slices.Equal(got, want) {
					t.Fatalf("got  %v\nwant %v", got, want)
				}
			})
		})
	}
}

// BenchmarkBackfillOnGPUs replays jobs that ask for a share of a device up to two machines of eight, half as much
// again as 1,523 machines have over the time in which they come.
func BenchmarkBackfillOnGPUs(b *testing.B) {
	random := rng.New(1, "backfill")
	s := &site{}
	for m := range 1523 {
		s.machines = append(s.machines, traces.MachineEvent{Machine: int64(m), CPU: 96, Memory: 512, GPU: 8, Model: "a"})
	}
	for i := range 30_000 {
		j := traces.UnknownJob
		j.ID, j.Submit, j.Procs, j.CPU, j.Memory = int64(i+1), events.Time(i)*events.Second, 1, 8, 32
		j.Run = events.Time(1+random.IntN(18_000)) * events.Second
		j.Estimate = j.Run * events.Time(1+random.IntN(4))
		j.GPU = []float64{.25, .5, 1, 1, 1, 2, 4, 8, 8}[random.IntN(9)]
		if j.GPU == 8 && i%2 == 0 {
			j.Procs = 2
		}
		s.jobs = append(s.jobs, j)
	}
	for _, name := range []string{"fcfs", "easy", "easy(reservations=3)", "easy(backfill=sjf)"} {
		b.Run(name, func(b *testing.B) {
			events := int64(0)
			for b.Loop() {
				p, err := placed.OnGPUs(policy(b, name), gpus.Gradient, 1)
				if err != nil {
					b.Fatal(err)
				}
				var done count
				s.at = 0
				sum, err := engine.Run(context.Background(),
					engine.Config{Machine: engine.Cluster(s.machines), Policy: p, Pricer: payment.NewPosted(0), Bidder: nothing{}},
					s, &done)
				if err != nil {
					b.Fatal(err)
				}
				events += sum.Events
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
