package fair_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/engine/policytest"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/fair"
	"bourse/policies/payment"
	"bourse/policies/share"
	"bourse/traces"
)

// rules are the mechanisms by name.
var rules = []struct {
	name string
	make func() *share.Limited
	pool bool // takes two resources
}{
	{"drf", share.LimitedDRF, false},
	{"unb", share.LimitedUNB, false},
	{"bal", share.LimitedBAL, true},
	{"bal*", share.LimitedBALStar, true},
	{"nash", share.LimitedNash, true},
	{"hybrid-util", func() *share.Limited { return share.LimitedHybrid(false) }, true},
}

func TestConformance(t *testing.T) {
	run := func(name string, fresh func() policies.Policy) {
		t.Run(name, func(t *testing.T) {
			policytest.Run(t, fresh, policytest.Expect{Preempts: true, KnowsUnits: true})
		})
	}
	for _, rule := range rules {
		resources := 1
		if rule.pool {
			resources = 2
		}
		run(rule.name, func() policies.Policy { return fair.NewSharing(rule.make(), resources) })
	}
	for _, name := range slices.Sorted(maps.Keys(lenders)) {
		run("lend "+name, func() policies.Policy { return fair.NewLend(lenders[name], 5*events.Second, 4) })
	}
	for _, alike := range []bool{true, false} {
		run(fmt.Sprintf("price-anticipating, alike %v", alike),
			func() policies.Policy { return fair.NewBidding(biddingRules(alike)) })
	}
}

// slow is Sharing worked out afresh at every round from all jobs in the system.
type slow struct {
	policies.Policy // nil: never copied
	mechanism       *share.Limited
	jobs            []policies.Ref // in order of arrival
	came            []traces.Label // users in order of the job that brought them
	rates           map[policies.Ref]float64
}

func (p *slow) Traits() policies.Traits { return policies.Traits{Packs: true} }

func (p *slow) Plan(r *policies.Round) {
	p.jobs = slices.DeleteFunc(p.jobs, func(ref policies.Ref) bool { return slices.Contains(r.Ended, ref) })
	for _, ref := range r.Ended {
		delete(p.rates, ref)
	}
	p.came = slices.DeleteFunc(p.came, func(u traces.Label) bool {
		return !slices.ContainsFunc(p.jobs, func(ref policies.Ref) bool { return r.Job(ref).User == u })
	})
	for _, ref := range r.Arrived {
		p.jobs = append(p.jobs, ref)
		if u := r.Job(ref).User; !slices.Contains(p.came, u) {
			p.came = append(p.came, u)
		}
	}
	var d share.Demands
	var limits []float64
	needs := make([]policies.Amount, len(p.came))
	for i, u := range p.came {
		for _, ref := range p.jobs {
			if j := r.Job(ref); j.User == u {
				needs[i] = needs[i].Plus(j.Need)
			}
		}
		limit, _ := needs[i].Dominant(r.Total)
		row := []float64{1}
		if r.Total.Memory > 0 {
			row = []float64{1, 1}
		}
		for k := range row {
			if limit > 0 {
				row[k] = needs[i].At(k) / r.Total.At(k) / limit
			}
		}
		d, limits = append(d, row), append(limits, limit)
	}
	x := p.mechanism.Share(d, limits)
	for i, u := range p.came {
		rest := needs[i]
		if x[i] < limits[i] {
			rest = needs[i].Times(x[i] / limits[i])
		}
		open := true
		for _, ref := range p.jobs {
			j := r.Job(ref)
			if j.User != u {
				continue
			}
			rate := 0.0
			if open {
				rate = 1
				for k := range policies.Resources {
					if n := j.Need.At(k); n > 0 {
						rate = min(rate, (rest.At(k)+1e-13*r.Total.At(k))/n)
					}
				}
				if rate < 1 {
					open = false
					if rate = max(rate, 0); rate < 1e-6 {
						rate = 0
					}
				}
				rest = rest.Minus(j.Need.Times(rate))
			}
			if rate != p.rates[ref] {
				p.rates[ref] = rate
				r.Share(ref, rate)
			}
		}
	}
}

// workload is a random workload of several users.
type workload struct {
	jobs []traces.Job
	at   int
	done map[int64]events.Time
	ran  map[int64]events.Time
}

func (c *workload) Header() *traces.Header { return &traces.Header{Ledger: &traces.Ledger{}} }

func (c *workload) Next(j *traces.Job) error {
	if c.at == len(c.jobs) {
		return io.EOF
	}
	*j = c.jobs[c.at]
	c.at++
	return nil
}

func (c *workload) Bid(*traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: 1, Bid: 1}, nil
}

func (c *workload) Record(o *engine.Outcome) error {
	c.done[o.Job.ID], c.ran[o.Job.ID] = o.End, o.Job.Run
	return nil
}

func (c *workload) replay(p policies.Policy, pool bool) error {
	c.at, c.done, c.ran = 0, map[int64]events.Time{}, map[int64]events.Time{}
	cfg := engine.Config{Machine: engine.Processors(8), Policy: p, Pricer: payment.NewPosted(1), Bidder: c, Check: true}
	if pool {
		cfg.Machine = engine.Pool{CPU: 4, Memory: 2, Machines: 8}
	}
	_, err := engine.Run(context.Background(), cfg, c, c)
	return err
}

func drawWorkload(t *rapid.T) *workload {
	c := &workload{}
	at := events.Time(0)
	for i := range rapid.IntRange(1, 30).Draw(t, "jobs") {
		// Nobody comes at an instant that is a whole part of anybody's run time: who has a
		// microsecond left then, by the rounding of rates, may have to wait for long.
		if gap := rapid.IntRange(0, 3).Draw(t, "gap"); gap > 0 {
			at += events.Time(gap)*events.Second + 7919
		}
		c.jobs = append(c.jobs, traces.Job{
			ID: int64(i + 1), Submit: at, Run: events.Time(rapid.IntRange(0, 20).Draw(t, "run")) * events.Second / 2,
			Procs: int32(rapid.IntRange(1, 4).Draw(t, "procs")), User: traces.Label(rapid.IntRange(-1, 3).Draw(t, "user")),
			Pieces:   1,
			CPU:      float64(rapid.IntRange(0, 8).Draw(t, "cpu")) / 8,
			Memory:   float64(rapid.IntRange(0, 4).Draw(t, "memory")) / 8,
			Estimate: events.Unknown,
		})
	}
	return c
}

// TestAgainstFromScratch wants the same ends from the policy that keeps its heaps
// and from one that works everything out afresh, to the microseconds that rates
// differing in the last digits may cost.
func TestAgainstFromScratch(t *testing.T) {
	for _, rule := range rules {
		for _, pool := range []bool{false, true} {
			if rule.pool && !pool {
				continue
			}
			t.Run(fmt.Sprint(rule.name, pool), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					c := drawWorkload(t)
					if err := c.replay(fair.NewSharing(rule.make(), 1), pool); err != nil {
						t.Fatal(err)
					}
					got := c.done
					if err := c.replay(&slow{mechanism: rule.make(), rates: map[policies.Ref]float64{}}, pool); err != nil {
						t.Fatal(err)
					}
					if id, differs := parting(got, c.done); differs {
						t.Fatalf("job %d ends at %v, from scratch at %v", id, got[id], c.done[id])
					}
				})
			})
		}
	}
}

// again recomputes everything at each round: a copy of a policy remembers nothing of
// what its users ask for.
type anew struct{ policies.Policy }

func (p *anew) Unwrap() policies.Policy { return p.Policy }

func (p *anew) Plan(r *policies.Round) {
	p.Policy = p.Policy.Clone()
	p.Policy.Plan(r)
}

// TestAnew wants the same ends to the microsecond where nothing is remembered from round to round.
func TestAnew(t *testing.T) {
	for _, rule := range rules {
		rapid.Check(t, func(t *rapid.T) {
			c := drawWorkload(t)
			if err := c.replay(fair.NewSharing(rule.make(), 1), rule.pool); err != nil {
				t.Fatal(err)
			}
			got := c.done
			if err := c.replay(&anew{fair.NewSharing(rule.make(), 1)}, rule.pool); err != nil {
				t.Fatal(err)
			}
			if !maps.Equal(got, c.done) {
				t.Fatalf("%s: jobs end at %v, worked out anew %v", rule.name, got, c.done)
			}
		})
	}
}

// parting finds the first job whose ends in two replays differ by more than the rounding of
// rates. Where others end at that instant a microsecond decides which of them is left with
// almost nothing to do, and may have to wait for long: such replays tell nothing.
func parting(a, b map[int64]events.Time) (first int64, differs bool) {
	end := func(id int64) events.Time { return min(a[id], b[id]) }
	ids := slices.Sorted(maps.Keys(b))
	for _, id := range ids {
		if d := a[id] - b[id]; max(d, -d) > 200 && (!differs || end(id) < end(first)) {
			first, differs = id, true
		}
	}
	together := func(id int64) bool {
		d := end(id) - end(first)
		return id != first && max(d, -d) <= 10
	}
	return first, differs && !slices.ContainsFunc(ids, together)
}

// TestDRFExample is the example of Ghodsi et al.: 9 CPUs and 18 GB, tasks of (1, 4)
// and of (3, 1); the users run 3 and 2 of them.
func TestDRFExample(t *testing.T) {
	c := &workload{}
	for i := range 20 {
		j := traces.Job{ID: int64(i), Run: 100 * events.Second, Procs: 1, Pieces: 1, User: traces.Label(i % 2), CPU: 1,
			Memory: 4, Estimate: events.Unknown}
		if i%2 == 1 {
			j.CPU, j.Memory = 3, 1
		}
		c.jobs = append(c.jobs, j)
	}
	p := fair.NewSharing(share.LimitedDRF(), 1)
	p.KeepAccount()
	c.done, c.ran = map[int64]events.Time{}, map[int64]events.Time{}
	cfg := engine.Config{Machine: engine.Pool{CPU: 9, Memory: 18, Machines: 1}, Policy: p, Pricer: payment.NewPosted(0),
		Bidder: c, Check: true}
	if _, err := engine.Run(context.Background(), cfg, c, c); err != nil {
		t.Fatal(err)
	}
	at := map[int]int{} // ends at 100 s, by user
	for id, end := range c.done {
		if end == 100*events.Second {
			at[int(id)%2]++
		}
	}
	if at[0] != 3 || at[1] != 2 {
		t.Errorf("%v tasks ran in the first 100 s, want 3 and 2", at)
	}
	// DRF is fair: nobody is short of an equal share or envies the other.
	for _, u := range p.Users() {
		if u.Short > 1e-6*u.Active || u.Envies > 0 || !(u.Held > 0) {
			t.Errorf("%+v", u)
		}
	}
}

// TestWatchAddsUp wants the shares held to add up to the work done.
func TestWatchAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawWorkload(t)
		p := fair.NewSharing(share.LimitedDRF(), 1)
		p.KeepAccount()
		if err := c.replay(p, false); err != nil {
			t.Fatal(err)
		}
		work := map[traces.Label]float64{}
		for i := range c.jobs {
			work[c.jobs[i].User] += float64(c.jobs[i].Procs) / 8 * c.jobs[i].Run.Seconds()
		}
		if len(p.Users()) != len(work) {
			t.Fatalf("account of %d users, want %d", len(p.Users()), len(work))
		}
		for _, u := range p.Users() {
			if math.Abs(u.Held-work[u.User]) > 1e-3 {
				t.Fatalf("user %d held %g, its work is %g", u.User, u.Held, work[u.User])
			}
		}
	})
}
