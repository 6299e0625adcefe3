package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/traces"
)

// rigid is a job of a tiny instance, in whole seconds.
type rigid struct {
	submit, run, procs int
	worth              float64 // per processor-second
}

// boundOf is the bound for jobs in order of submission.
func boundOf(jobs []rigid, procs int) float64 {
	var b Bound
	for _, j := range jobs {
		o := engine.Outcome{Job: traces.Job{Submit: events.Time(j.submit) * events.Second,
			Run: events.Time(j.run) * events.Second}, Value: j.worth, Size: float64(j.procs)}
		b.Arrive(&o, policies.Amount{CPU: float64(j.procs) / float64(procs)})
	}
	return b.Value()
}

func TestBoundExample(t *testing.T) {
	jobs := []rigid{{0, 4, 1, 4}, {0, 2, 1, 3}, {1, 2, 1, 5}}
	if got := boundOf(jobs, 1); got != 51 {
		t.Errorf("bound %g, want 51", got)
	}
	if got := optimum(jobs, 1); got != 53 {
		t.Errorf("optimum %g, want 53", got)
	}
	if got := boundOf([]rigid{{0, 10, 2, 1}, {5, 0, 1, 9}, {7, 3, 1, 0}}, 4); got != 20 {
		t.Errorf("a job that is alone, one of no length and one of no worth: bound %g, want 20", got)
	}
}

func drawRigid(r *rand.Rand, most, procs int) []rigid {
	jobs := make([]rigid, 1+r.IntN(most))
	for i := range jobs {
		jobs[i] = rigid{r.IntN(8), r.IntN(5), 1 + r.IntN(procs), float64(r.IntN(9))}
	}
	slices.SortStableFunc(jobs, func(a, b rigid) int { return a.submit - b.submit })
	return jobs
}

// TestBoundBelowOptimum compares with an exhaustive search on tiny instances, gang and
// serial: the bound is never above, and mostly near.
func TestBoundBelowOptimum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 18))
	ratio, least, instances := 0.0, 1.0, 0
	for range 3000 {
		procs := 1 + r.IntN(3)
		jobs := drawRigid(r, 4, procs)
		low, best := boundOf(jobs, procs), optimum(jobs, procs)
		if low > best*(1+1e-12) {
			t.Fatalf("%d processors, %v: bound %g above the optimum %g", procs, jobs, low, best)
		}
		if best > 0 {
			ratio, least, instances = ratio+low/best, min(least, low/best), instances+1
		}
	}
	if mean := ratio / float64(instances); mean < 0.9 || least < 0.5 {
		t.Errorf("on average %.3f of the optimum, at least %.3f", mean, least)
	}
}

// optimum is the least total weighted flow time of preemptive schedules that change at
// whole seconds, by trying all of them.
func optimum(jobs []rigid, procs int) float64 {
	known := map[string]float64{}
	var from func(now int, left []int) float64
	from = func(now int, left []int) float64 {
		if slices.Max(left) <= 0 {
			return 0
		}
		key := fmt.Sprint(now, left)
		if v, ok := known[key]; ok {
			return v
		}
		best := math.Inf(1)
		for set := range 1 << len(jobs) {
			used, fine := 0, true
			next, cost := slices.Clone(left), 0.0
			for i, j := range jobs {
				if set>>i&1 == 0 {
					continue
				}
				used += j.procs
				fine = fine && j.submit <= now && left[i] > 0
				if next[i]--; next[i] == 0 {
					cost += j.worth * float64(j.procs*(now+1-j.submit))
				}
			}
			idle := set == 0 && !slices.ContainsFunc(jobs, func(j rigid) bool { return j.submit > now })
			if fine && used <= procs && !idle {
				best = min(best, cost+from(now+1, next))
			}
		}
		known[key] = best
		return best
	}
	left := make([]int, len(jobs))
	for i, j := range jobs {
		left[i] = j.run
	}
	return from(0, left)
}

// TestBoundTwin compares with lists that are gone through, job by job.
func TestBoundTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 18))
	for range 2000 {
		procs := 1 + r.IntN(8)
		jobs := drawRigid(r, 60, procs)
		for i := range jobs {
			jobs[i].submit *= r.IntN(12)
		}
		slices.SortStableFunc(jobs, func(a, b rigid) int { return a.submit - b.submit })
		if got, want := boundOf(jobs, procs), plainBound(jobs, procs); math.Abs(got-want) > 1e-9*(1+want) {
			t.Fatalf("%d processors, %v: %g, the plain bound is %g", procs, jobs, got, want)
		}
	}
}

// plainBound is Bound's definition: all jobs at once, and intervals in a list.
func plainBound(jobs []rigid, procs int) float64 {
	type interval struct{ from, to, mean, best float64 }
	order := slices.Clone(jobs)
	slices.SortStableFunc(order, func(a, b rigid) int {
		key := func(j rigid) float64 {
			return j.worth * float64(j.procs) / (float64(j.procs) / float64(procs) * float64(max(j.run, 1)))
		}
		x, y := key(a), key(b)
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	var busy []interval
	for _, j := range order {
		if j.run == 0 || j.worth == 0 {
			continue
		}
		w, r := j.worth*float64(j.procs), float64(j.submit)
		work := float64(j.run*j.procs) / float64(procs)
		now, left, moment := r, work, 0.0
		in := interval{from: r}
		var rest []interval
		for _, b := range busy {
			if b.to <= now+touch || b.from >= now+left-touch {
				rest = append(rest, b) // it is over, or not reached
				continue
			}
			if piece := b.from - now; piece > 0 {
				moment += piece * (now + piece/2)
				left -= piece
			}
			in.from, now = min(in.from, b.from), b.to
			in.mean, in.best = in.mean+b.mean, in.best+b.best
		}
		moment += left * (now + left/2)
		in.to = now + left
		in.mean += w * (moment/work + float64(j.run)/2 - r)
		in.best = max(in.mean, in.best+w*float64(j.run))
		busy = append(rest, in)
		slices.SortFunc(busy, func(a, b interval) int {
			if a.from < b.from {
				return -1
			}
			return 1
		})
	}
	sum := 0.0
	for _, b := range busy {
		sum += b.best
	}
	return sum
}

// drawn offers each job a worth of its own.
type drawn map[int64]float64

// Bid implements policies.Bidder.
func (d drawn) Bid(j *traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: d[j.ID], Bid: d[j.ID]}, nil
}

// TestBoundBelowReplays holds the bound against schedules of the engine, on processors and
// on a pool of two resources.
func TestBoundBelowReplays(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 18))
	for range 300 {
		worth := drawn{}
		var jobs []traces.Job
		at := 0
		for i := range 1 + r.IntN(40) {
			at += r.IntN(20)
			j := traces.UnknownJob
			j.ID, j.Submit, j.Run = int64(i+1), events.Time(at)*events.Second, events.Time(r.IntN(60))*events.Second
			j.Procs, j.CPU, j.Memory, j.Estimate = 1+r.Int32N(4), 0.5+r.Float64(), 0.5+r.Float64()*3, j.Run
			jobs, worth[j.ID] = append(jobs, j), float64(r.IntN(200))
		}
		for policy, machine := range map[string]engine.Machine{
			"hb": engine.Processors(5), "wspt": engine.Processors(4), "srpt": engine.Processors(7), "easy": engine.Processors(4),
			"drf": engine.Pool{CPU: 9, Memory: 14, Machines: 4}, "unb": engine.Pool{CPU: 9, Memory: 14, Machines: 4},
		} {
			p, err := catalog.Policies.Make(policy)
			if err != nil {
				t.Fatal(err)
			}
			free, err := catalog.Payments.Make("none")
			if err != nil {
				t.Fatal(err)
			}
			pricer, err := free(p)
			if err != nil {
				t.Fatal(err)
			}
			c := Collector{Bound: &Bound{}}
			config := engine.Config{Machine: machine, Policy: p, Pricer: pricer, Bidder: worth, Arrivals: c.Bound}
			if _, err := engine.Run(t.Context(), config, traces.MemoryOf(jobs...).Source(), &c); err != nil {
				t.Fatalf("%s: %v", policy, err)
			}
			if e := c.Result().Total.Efficiency; e != nil && !(*e > 0 && *e <= 1) {
				t.Fatalf("%s, %d jobs: efficiency %v", policy, len(jobs), *e)
			}
		}
	}
}

// BenchmarkBound is a million jobs in stretches of many, and all of them in one.
func BenchmarkBound(b *testing.B) {
	for _, load := range []float64{0.9, 3} {
		b.Run(fmt.Sprintf("load=%g", load), func(b *testing.B) {
			const n = 1_000_000
			for range b.N {
				r := rand.New(rand.NewPCG(3, 18))
				var bound Bound
				at := 0.0
				for range n {
					at += r.ExpFloat64() * 50 / load
					o := engine.Outcome{Job: traces.Job{Submit: events.Time(at * 1e6), Run: events.Time(r.ExpFloat64() * 1e8)},
						Value: r.Float64(), Size: 8}
					bound.Arrive(&o, policies.Amount{CPU: 0.5})
				}
				bound.Value()
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
