package truth

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/traces"
	"bourse/traces/tracetest"
)

// job is one of a tiny instance: submission, run time, processors, value.
type job struct {
	r, tau, p int
	w         float64
}

// instance is jobs, numbered from 1, on n processors.
type instance struct {
	n    int
	jobs []job
}

func (x instance) rows() []traces.Job {
	var rows []traces.Job
	for i, j := range x.jobs {
		run := events.Time(j.tau) * events.Second
		rows = append(rows, traces.Job{ID: int64(i + 1), Submit: events.Time(j.r) * events.Second, Run: run, Estimate: run,
			Procs: int32(j.p), Pieces: 1})
	}
	slices.SortStableFunc(rows, func(a, b traces.Job) int { return int(a.Submit - b.Submit) })
	return rows
}

// table writes the bids, which are the values.
func (x instance) table(t testing.TB) string {
	var table strings.Builder
	table.WriteString("job_id,value,bid\n")
	for i, j := range x.jobs {
		fmt.Fprintf(&table, "%d,%v,%v\n", i+1, j.w, j.w)
	}
	path := filepath.Join(t.TempDir(), "bids.csv")
	must(t, os.WriteFile(path, []byte(table.String()), 0o600))
	return path
}

// asked lets all jobs lie, others truthful; lies are multiples of the value.
func (x instance) asked(t testing.TB, policy, payments string, lies []float64,
	change ...func(*scenario.Scenario)) *Result {
	t.Helper()
	s := scenario.Default()
	s.Policy, s.Bids = policy, x.table(t)
	for _, c := range change {
		c(&s)
	}
	names, err := policies.SplitList(payments)
	must(t, err)
	list, err := ParsePayments(names)
	must(t, err)
	jobs := &scenario.Loaded{Scenario: s, Hardware: scenario.Hardware{Machine: engine.Processors(x.n)},
		Memory: traces.MemoryOf(x.rows()...)}
	all, err := Run(context.Background(), Config{Jobs: jobs, Policies: []string{policy}, Payments: list, Factors: lies,
		Sample: 1000, Forks: 1000, Workers: 1})
	must(t, err)
	slices.SortFunc(all[0].Answers, func(a, b Answer) int { return int(a.Job.ID - b.Job.ID) })
	return all[0]
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// flow replays everything from scratch with one job's bid changed, or the job left out if
// the bid is negative, and returns its flow time x processors and what those of the others
// cost at their bids.
func (x instance) flow(t testing.TB, policy string, id int64, bid float64, change ...func(*scenario.Scenario)) (own,
	others float64) {
	t.Helper()
	p, pricer, _, err := catalog.Market{Policy: policy, Payment: "none", Values: "bimodal", Behaviour: "truthful"}.Build()
	must(t, err)
	s := scenario.Default()
	for _, c := range change {
		c(&s)
	}
	rows := slices.DeleteFunc(x.rows(), func(j traces.Job) bool { return j.ID == id && bid < 0 })
	sink := sinkFunc(func(o *engine.Outcome) {
		if o.Job.ID == id {
			own = o.Size * o.Flow().Seconds()
		} else {
			others += o.Bid * o.Size * o.Flow().Seconds()
		}
	})
	cfg := engine.Config{Machine: engine.Processors(x.n), Policy: p, Pricer: pricer, Bidder: says{x, id, bid},
		MigrationCost: events.Time(s.MigrationCost)}
	_, err = engine.Run(context.Background(), cfg, traces.MemoryOf(rows...).Source(), sink)
	must(t, err)
	return own, others
}

type sinkFunc func(*engine.Outcome)

func (r sinkFunc) Record(o *engine.Outcome) error { r(o); return nil }

// says bids values, but for one job.
type says struct {
	x   instance
	id  int64
	bid float64
}

func (s says) Bid(j *traces.Job) (policies.Offer, error) {
	w := s.x.jobs[j.ID-1].w
	if j.ID == s.id {
		return policies.Offer{Value: w, Bid: s.bid}, nil
	}
	return policies.Offer{Value: w, Bid: w}, nil
}

// brute is the critical payment by a loop over all stretches between break points.
func (x instance) brute(t testing.TB, policy string, id int64, from, bid float64) (paid float64) {
	return x.bruteWithin(t, policy, id, from, bid, math.Inf(1))
}

// bruteWithin counts flow times up to a horizon, in seconds.
func (x instance) bruteWithin(t testing.TB, policy string, id int64, from, bid, horizon float64) (paid float64) {
	j := x.jobs[id-1]
	flow := func(bid float64) float64 {
		own, _ := x.flow(t, policy, id, bid)
		return min(own, float64(j.p)*horizon)
	}
	scale := func(k job) float64 {
		if policy == "wspt" || policy == "wsept" {
			return max(1, float64(k.tau))
		}
		return 1
	}
	ends := []float64{from, bid}
	for i, k := range x.jobs {
		if z := k.w * scale(j) / scale(k); int64(i+1) != id && z > from && z < bid {
			ends = append(ends, z)
		}
	}
	slices.Sort(ends)
	at, first := flow(bid), flow(from)
	paid = from * (first - at)
	for i := range len(ends) - 1 {
		if low, high := ends[i], ends[i+1]; high > low {
			paid += (flow((low+high)/2) - at) * (high - low)
		}
	}
	return paid
}

func close(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// index finds a payment.
func (r *Result) index(name string) int {
	return slices.IndexFunc(r.Payments, func(p Payment) bool { return p.Name == name })
}

// paid is what the jobs pay, all truthful.
func (r *Result) paid(name string) (list []float64) {
	for _, a := range r.Answers {
		list = append(list, a.Paid[r.index(name)][slices.Index(r.Factors, 1)])
	}
	return list
}

// TestExample is worked out by hand: one machine, three jobs at once, no reservation price.
func TestExample(t *testing.T) {
	x := instance{1, []job{{0, 1, 1, 6}, {0, 4, 1, 4}, {0, 2, 1, 3}}}
	lie := 5. / 3 // C bids 5
	for policy, want := range map[string]struct{ flow, kth, critical, clarke []float64 }{
		"hb":   {[]float64{1, 5, 7}, []float64{4, 12, 0}, []float64{22, 6, 0}, []float64{7, 12, 0}},
		"wspt": {[]float64{1, 7, 3}, []float64{1.5, 0, 4}, []float64{7, 0, 8}, []float64{7, 0, 8}},
	} {
		r := x.asked(t, policy, "kth:0,critical:0,clarke", []float64{1, lie})
		for i, a := range r.Answers {
			if f := a.Waiting / a.Value; !close(f, want.flow[i]) {
				t.Errorf("%s: job %d has flow time %g, want %g", policy, i+1, f, want.flow[i])
			}
		}
		for name, w := range map[string][]float64{"kth:0": want.kth, "critical:0": want.critical, "clarke": want.clarke} {
			for i, got := range r.paid(name) {
				if !close(got, w[i]) {
					t.Errorf("%s, %s: job %d pays %g, want %g", policy, name, i+1, got, w[i])
				}
			}
		}
		if policy != "hb" {
			continue
		}
		c := r.Answers[2]
		if kth := c.Utility[0]; !close(kth[0], -21) || !close(kth[1], -17) {
			t.Errorf("C's utilities under k-th prices are %v, want -21 and -17", kth)
		}
		if !close(c.Paid[1][1], 16) || !close(c.Utility[1][1], -25) {
			t.Errorf("bidding 5, C pays %g and has utility %g; want 16 and -25", c.Paid[1][1], c.Utility[1][1])
		}
		if row := r.Rows()[0]; row.Over != 1 || row.Gainers != 1 {
			t.Errorf("one job gains by overbidding under k-th prices: %+v", row)
		}
	}
}

// TestRises finds the three known instances in which bidding more makes a job wait longer.
func TestRises(t *testing.T) {
	migrates := func(s *scenario.Scenario) { s.MigrationCost = scenario.Duration(2 * events.Second) }
	for _, c := range []struct {
		policy string
		x      instance
		id     int
		bids   []float64
		flows  []float64 // per processor
		change []func(*scenario.Scenario)
	}{
		{"nphb", instance{2, []job{{0, 3, 1, 100}, {0, 2, 1, 5}, {0, 1, 2, 10}, {1, 10, 1, 20}, {2, 1, 2, 40},
			{2, 10, 1, 30}}}, 3, []float64{3, 8}, []float64{15, 23}, nil},
		{"easy(order=bid)", instance{3, []job{{0, 6, 1, 3}, {0, 2, 2, 9}, {0, 1, 3, 12}, {1, 4, 2, 6}}}, 3,
			[]float64{1, 4, 8, 12}, []float64{7, 8, 3, 1}, nil},
		{"hb", instance{1, []job{{1, 5, 1, 7}, {5, 4, 1, 16}, {6, 2, 1, 12}}}, 2, []float64{3, 10, 16}, []float64{7, 8, 4},
			[]func(*scenario.Scenario){migrates}},
	} {
		own := c.x.jobs[c.id-1]
		var lies []float64
		for _, b := range c.bids {
			lies = append(lies, b/own.w)
		}
		r := c.x.asked(t, c.policy, "critical:0", lies, c.change...)
		a := r.Answers[c.id-1]
		for i, want := range c.flows {
			f := slices.Index(r.Factors, lies[i])
			if got := -(a.Utility[0][f] + a.Paid[0][f]) / own.w / float64(own.p); !close(got, want) {
				t.Errorf("%s: bidding %g the flow time is %g, want %g", c.policy, c.bids[i], got, want)
			}
			if whole, _ := c.x.flow(t, c.policy, int64(c.id), c.bids[i], c.change...); !close(whole, want*float64(own.p)) {
				t.Errorf("%s: bidding %g the flow time of a whole replay is %g, want %g", c.policy, c.bids[i], whole,
					want*float64(own.p))
			}
		}
		if a.Rises != 1 {
			t.Errorf("%s: %d rises of %d, want 1", c.policy, a.Rises, a.Places)
		}
		if text := strings.Join(Answers(r.Rows()), "\n"); !strings.Contains(text,
			"a flow time rose with the bid 1 time of ") {
			t.Errorf("%s: not told:\n%s", c.policy, text)
		}
		// Without being asked at those bids it is found by the bisection.
		if a := c.x.asked(t, c.policy, "critical:0", nil, c.change...).Answers[c.id-1]; a.Rises == 0 {
			t.Errorf("%s: the bisection finds no rise among %d", c.policy, a.Places)
		}
	}
}

// drawn is a random instance.
func drawn(r *rand.Rand, procs, most int) instance {
	x := instance{n: procs}
	for range 2 + r.IntN(4) {
		x.jobs = append(x.jobs, job{r.IntN(7), 1 + r.IntN(6), 1 + r.IntN(most), float64(1 + r.IntN(9))})
	}
	return x
}

// TestAgainstBruteForce compares critical and Clarke payments, at the truth and at lies,
// with loops over whole replays.
func TestAgainstBruteForce(t *testing.T) { againstBruteForce(t, 15) }

func TestLongAgainstBruteForce(t *testing.T) {
	tracetest.Long(t)
	againstBruteForce(t, 80)
}

func againstBruteForce(t *testing.T, workloads int) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range workloads {
		for _, policy := range []string{"hb", "nphb", "wspt", "wsept", "easy(order=bid)"} {
			procs := 1 + draw.IntN(3)
			wide := 1
			if policy == "hb" {
				wide = procs
			}
			x := drawn(draw, procs, wide)
			r := x.asked(t, policy, "critical,clarke", []float64{.37, 1, 2.3})
			for i, a := range r.Answers {
				id := int64(i + 1)
				_, without := x.flow(t, policy, id, -1)
				for f, factor := range r.Factors {
					bid := factor * a.Value
					if want := x.brute(t, policy, id, 0, bid); !close(a.Paid[0][f], want) && factor <= 1 {
						t.Fatalf("%s %+v: job %d bidding %g pays %g, by brute force %g", policy, x, id, bid, a.Paid[0][f], want)
					}
					if want := x.brute(t, policy, id, 1, bid); bid >= 1 && !close(a.Paid[1][f], want) && factor <= 1 {
						t.Fatalf("%s %+v: from 1 job %d bidding %g pays %g, by brute force %g", policy, x, id, bid, a.Paid[1][f], want)
					}
					_, others := x.flow(t, policy, id, bid)
					if got := a.Paid[2][f]; !close(got, others-without) {
						t.Fatalf("%s %+v: job %d bidding %g owes the others %g, in whole replays %g", policy, x, id, bid, got,
							others-without)
					}
				}
			}
		}
	}
}
