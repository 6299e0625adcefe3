package quota_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/engine/policytest"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
	"bourse/policies/quota"
	"bourse/traces"
)

func number(x float64) *float64 { return &x }

// flat is a table of queues without cohorts.
func flat(nominal ...float64) (t quota.Table) {
	for i, n := range nominal {
		t.Queues = append(t.Queues, quota.Node{Name: quota.Name(fmt.Sprint(i + 1)), Nominal: &n})
	}
	return t
}

// deep has two cohorts, the second in the first, limits and weights.
func deep() quota.Table {
	return quota.Table{
		Cohorts: []quota.Node{{Name: "inner", Cohort: "outer", Lend: number(2)},
			{Name: "outer", Borrow: number(3), Weight: number(2)}},
		Queues: []quota.Node{
			{Name: "1", Cohort: "inner", Nominal: number(2), Borrow: number(3)},
			{Name: "2", Cohort: "inner", Nominal: number(3), Lend: number(1)},
			{Name: "3", Cohort: "outer", Nominal: number(2), Weight: number(0)},
			{Name: "*", Nominal: number(3), Lend: number(2)},
		},
	}
}

func policy(t interface{ Fatal(...any) }, rules quota.Rules) *quota.Quota {
	p, err := quota.New(rules)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestConformance(t *testing.T) {
	for name, rules := range map[string]quota.Rules{
		"flat":    {Table: flat(3, 2, 1, 1), By: "user", Reclaim: true},
		"fair":    {Table: flat(3, 2, 1, 1), By: "user", Reclaim: true, Fair: true},
		"strict":  {Table: flat(1, 1, 1, 1), By: "user", Strict: true, Reclaim: true, Fair: true},
		"deep":    {Table: deep(), By: "user", Reclaim: true},
		"deepest": {Table: deep(), By: "user", Reclaim: true, Fair: true},
		"bids":    {Table: deep(), By: "user", Reclaim: true, ByBid: true},
		"kept":    {Table: deep(), By: "user"},
	} {
		t.Run(name, func(t *testing.T) {
			policytest.Run(t, func() policies.Policy { return policy(t, rules) }, policytest.Expect{Preempts: true})
		})
	}
}

type ends map[int64]engine.Outcome

func (e ends) Record(o *engine.Outcome) error { e[o.Job.ID] = *o; return nil }

type worth struct{}

func (worth) Bid(j *traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: 1, Bid: float64(j.ID % 3)}, nil
}

func replay(t interface{ Fatal(...any) }, p policies.Policy, procs int, jobs []traces.Job) ends {
	got := ends{}
	cfg := engine.Config{Machine: engine.Processors(procs), Policy: p, Pricer: payment.NewPosted(0), Bidder: worth{},
		Check: true}
	if _, err := engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), got); err != nil {
		t.Fatal(err)
	}
	return got
}

func of(id int64, user traces.Label, submit, run events.Time, procs int32) traces.Job {
	return traces.Job{ID: id, User: user, Submit: submit * events.Second, Run: run * events.Second, Procs: procs,
		Pieces: 1, Estimate: events.Unknown, Priority: -1}
}

// later lets job 3 bid most from 5 s on.
type later struct{ worth }

func (later) Rebids(j *traces.Job) []policies.Rebid {
	if j.ID != 3 {
		return nil
	}
	return []policies.Rebid{{At: 5 * events.Second, Bid: 9}}
}

// TestPriorityOfBids: inside a queue the highest bid starts first, and the lowest stops first,
// as bids are by then.
func TestPriorityOfBids(t *testing.T) {
	starting := []traces.Job{of(1, 1, 0, 10, 2), of(3, 2, 1, 10, 2), of(4, 2, 2, 10, 2), of(5, 2, 3, 10, 2)}
	stopping := []traces.Job{of(3, 1, 0, 20, 1), of(4, 1, 0, 20, 1), of(5, 2, 10, 20, 1)}
	for _, c := range []struct {
		bidder policies.Bidder
		by     bool
		order  [3]int64
		stops  int64
	}{{worth{}, false, [3]int64{3, 4, 5}, 4}, {worth{}, true, [3]int64{5, 4, 3}, 3},
		{later{}, true, [3]int64{3, 5, 4}, 4}} {
		run := func(jobs []traces.Job) ends {
			got := ends{}
			p := policy(t, quota.Rules{Table: flat(1, 1), By: "user", Reclaim: true, ByBid: c.by})
			cfg := engine.Config{Machine: engine.Processors(2), Policy: p, Pricer: payment.NewPosted(0), Bidder: c.bidder,
				Check: true}
			if _, err := engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), got); err != nil {
				t.Fatal(err)
			}
			return got
		}
		got := run(starting)
		for i, id := range c.order {
			if want := events.Time(10*(i+1)) * events.Second; got[id].Start != want {
				t.Errorf("%T, by bid %v: job %d starts at %v, want %v", c.bidder, c.by, id, got[id].Start, want)
			}
		}
		if got := run(stopping); got[c.stops].Preemptions != 1 || got[7-c.stops].Preemptions != 0 {
			t.Errorf("%T, by bid %v: job 3 stops %d times, job 4 %d", c.bidder, c.by, got[3].Preemptions, got[4].Preemptions)
		}
	}
}

// TestReclaimExample: quotas 4, 4 and 2. Queue 1 runs three jobs of 2, queue 2 one of 4; the
// job of 2 of queue 3 is within its nominal quota, and the latest of queue 1 stops.
func TestReclaimExample(t *testing.T) {
	jobs := []traces.Job{of(1, 1, 0, 100, 2), of(2, 1, 1, 100, 2), of(3, 1, 2, 100, 2), of(4, 2, 3, 100, 4),
		of(5, 3, 4, 10, 2)}
	for _, fair := range []bool{false, true} {
		got := replay(t, policy(t, quota.Rules{Table: flat(4, 4, 2), By: "user", Reclaim: true, Fair: fair}), 10, jobs)
		if o := got[5]; o.Start != 4*events.Second {
			t.Errorf("the job within its quota starts at %v", o.Start)
		}
		for id, o := range got {
			if stops := o.Preemptions; stops != 0 && id != 3 || id == 3 && (stops != 1 || o.End != 112*events.Second) {
				t.Errorf("job %d stops %d times and ends at %v", id, stops, o.End)
			}
		}
	}
}

// TestFairExample: quotas 2, 2 and 6, and queue 3 idle. Queue 1 runs four jobs of 2 (share
// value .6), queue 2 one; the next of queue 2 stops the latest of queue 1, the one after may
// not: at rest they use 6 and 4.
func TestFairExample(t *testing.T) {
	jobs := []traces.Job{of(1, 1, 0, 100, 2), of(2, 1, 1, 100, 2), of(3, 1, 2, 100, 2), of(4, 1, 3, 100, 2),
		of(5, 2, 4, 100, 2), of(6, 2, 5, 100, 2), of(7, 2, 6, 100, 2)}
	got := replay(t, policy(t, quota.Rules{Table: flat(2, 2, 6), By: "user", Reclaim: true, Fair: true}), 10, jobs)
	for id, stops := range []int32{1: 0, 0, 0, 1, 0, 0, 0} {
		if id > 0 && got[int64(id)].Preemptions != stops {
			t.Errorf("job %d stops %d times, want %d", id, got[int64(id)].Preemptions, stops)
		}
	}
	if got[6].Start != 5*events.Second || got[7].Start != 101*events.Second {
		t.Errorf("the second and third of queue 2 start at %v and %v, want 5s and 101s", got[6].Start, got[7].Start)
	}
	got = replay(t, policy(t, quota.Rules{Table: flat(2, 2, 6), By: "user", Reclaim: true}), 10, jobs)
	if got[4].Preemptions != 0 || got[6].Start != 100*events.Second {
		t.Errorf("without fair preemption job 6 starts at %v", got[6].Start)
	}
}

// TestLimits: what a queue may not borrow or another does not lend stays idle.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		borrow, lend *float64
		start        events.Time // of the third job of 2
	}{{nil, nil, 0}, {number(2), nil, 0}, {number(1), nil, 10}, {nil, number(2), 0}, {nil, number(1), 10}} {
		table := flat(4, 4)
		table.Queues[0].Borrow, table.Queues[1].Lend = c.borrow, c.lend
		got := replay(t, policy(t, quota.Rules{Table: table, By: "user"}), 8,
			[]traces.Job{of(1, 1, 0, 10, 2), of(2, 1, 0, 10, 2), of(3, 1, 0, 10, 2)})
		if got[3].Start != c.start*events.Second {
			t.Errorf("the third job starts at %v, want %v s", got[3].Start, int64(c.start))
		}
	}
	table := flat(4, 4)
	table.Queues[0].Borrow = number(1)
	got := replay(t, policy(t, quota.Rules{Table: table, By: "user"}), 8,
		[]traces.Job{of(1, 1, 0, 10, 6), of(2, 1, 0, 10, 5)})
	if got[1].WhyLeft == "" || got[2].WhyLeft != "" {
		t.Error("a job that its queue may never run is there, or another is not")
	}
}

// watcher asks for a round with no news a second after each other one. What a job that
// borrows has taken in a round in which nothing else started it must not lose to its victims.
type watcher struct {
	*quota.Quota
	t       *rapid.T
	nominal []int
	taken   map[int64]int64 // by victim
	fair    *int            // seen
}

func (w *watcher) Clone() policies.Policy { panic("not copied") }

func (w *watcher) Unwrap() policies.Policy { return w.Quota }

func (w *watcher) Plan(r *policies.Round) {
	w.Quota.Plan(r)
	used := map[traces.Label]int{}
	for ref := range policies.Ref(r.Jobs.Len()) {
		if j := r.Job(ref); j.State == policies.Running {
			used[j.User] += int(j.Procs)
		}
	}
	quiet := len(r.Arrived)+len(r.Ended) == 0
	if !quiet {
		r.Wake(r.Now + events.Second/2)
	}
	for i, ref := range r.Preempted {
		if by := r.Job(r.Preemptors[i]); quiet && w.taken[by.ID] == r.Job(ref).ID {
			w.t.Fatalf("at %v job %d takes its place back from job %d", r.Now, by.ID, r.Job(ref).ID)
		}
	}
	clear(w.taken)
	if len(r.Started) == 1 && len(r.Preempted) > 0 {
		j := r.Job(r.Started[0])
		if used[j.User]+int(j.Procs) > w.nominal[j.User-1] {
			for _, ref := range r.Preempted {
				w.taken[r.Job(ref).ID] = j.ID
				*w.fair++
			}
		}
	}
}

// TestNoWayBack wants no victim of fair preemption to take its place back from its
// preemptor.
func TestNoWayBack(t *testing.T) {
	seen := 0
	rapid.Check(t, func(rt *rapid.T) {
		nominal, parts, sum := rapid.SliceOfN(rapid.IntRange(1, 4), 2, 4).Draw(rt, "nominal"), []float64{}, 0
		for _, n := range nominal {
			parts, sum = append(parts, float64(n)), sum+n
		}
		var jobs []traces.Job
		for i := range rapid.IntRange(2, 14).Draw(rt, "jobs") {
			jobs = append(jobs, of(int64(i+1), traces.Label(rapid.IntRange(1, len(nominal)).Draw(rt, "user")), events.Time(i),
				events.Time(rapid.IntRange(5, 50).Draw(rt, "run")), int32(rapid.IntRange(1, sum).Draw(rt, "procs"))))
		}
		p := policy(t, quota.Rules{Table: flat(parts...), By: "user", Reclaim: true, Fair: true})
		replay(t, &watcher{Quota: p, t: rt, nominal: nominal, taken: map[int64]int64{}, fair: &seen}, sum, jobs)
	})
	if seen == 0 {
		t.Error("nobody took anything")
	}
	t.Log(seen, "jobs were stopped by fair preemption")
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		change func(*quota.Rules)
		want   string
	}{
		{func(r *quota.Rules) { r.By = "colour" }, "want queue, group, user, size or time"},
		{func(r *quota.Rules) { r.Table = quota.Table{} }, "without queues"},
		{func(r *quota.Rules) { r.Table.Queues[0].Name = "2" }, "queue 2 twice"},
		{func(r *quota.Rules) { r.Table.Queues[0].Name = "" }, "without a name"},
		{func(r *quota.Rules) { r.Table.Queues[0].Cohort = "none" }, "cohort none, which the table does not have"},
		{func(r *quota.Rules) { r.Table.Queues[0].Weight = number(-1) }, "weight -1"},
		{func(r *quota.Rules) { r.Table.Queues[0].Nominal = nil }, "no nominal quota"},
		{func(r *quota.Rules) { r.Table.Cohorts[0].Nominal = number(1) }, "want it with its queues"},
		{func(r *quota.Rules) { r.Table.Cohorts[1].Cohort = "inner" }, "in each other: inner in outer in inner"},
		{func(r *quota.Rules) {
			for i := range r.Table.Queues {
				r.Table.Queues[i].Nominal = number(0)
			}
		}, "add up to 0"},
		{func(r *quota.Rules) { r.Fair = true }, "without reclaim"},
	} {
		rules := quota.Rules{Table: deep(), By: "user"}
		c.change(&rules)
		if _, err := quota.New(rules); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want ... %s", err, c.want)
		}
	}
	jobs := []traces.Job{of(7, 9, 0, 1, 1)}
	cfg := engine.Config{Machine: engine.Processors(4), Policy: policy(t, quota.Rules{Table: flat(1, 1), By: "user"}),
		Pricer: payment.NewPosted(0), Bidder: worth{}}
	if _, err := engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), ends{}); err == nil ||
		!strings.Contains(err.Error(), `job 7 is of user "9"`) {
		t.Errorf("a job without a queue: %v", err)
	}
}

// TestClasses wants classes of sizes and requested times to be what queues of these names are.
func TestClasses(t *testing.T) {
	table := func(names ...quota.Name) (t quota.Table) {
		for i, name := range names {
			t.Queues = append(t.Queues, quota.Node{Name: name, Nominal: number(float64(i + 1))})
		}
		return t
	}
	for by, names := range map[string][]quota.Name{"size": {"*", "5", "2"}, "time": {"*", "9", "4"}} {
		rapid.Check(t, func(t *rapid.T) {
			var jobs, labelled []traces.Job
			for i := range rapid.IntRange(1, 20).Draw(t, "jobs") {
				run := events.Time(rapid.IntRange(1, 20).Draw(t, "run")) * events.Second
				j := of(int64(i+1), 1, events.Time(i)*events.Second, run, int32(rapid.IntRange(1, 7).Draw(t, "procs")))
				j.Estimate = run
				jobs = append(jobs, j)
				n := int(j.Procs)
				least := [...]int{5, 2}
				if by == "time" {
					n, least = int(run/events.Second), [...]int{9, 4}
				}
				if j.User = 0; n >= least[0] {
					j.User = 1
				} else if n >= least[1] {
					j.User = 2
				}
				labelled = append(labelled, j)
			}
			want := replay(t, policy(t, quota.Rules{By: "user", Reclaim: true, Table: table("0", "1", "2")}), 10, labelled)
			got := replay(t, policy(t, quota.Rules{By: by, Reclaim: true, Table: table(names...)}), 10, jobs)
			for id, o := range got {
				if w := want[id]; o.Start != w.Start || o.End != w.End || o.Preemptions != w.Preemptions {
					t.Fatalf("job %d: %v to %v, as labelled %v to %v", id, o.Start, o.End, w.Start, w.End)
				}
			}
		})
	}
}
