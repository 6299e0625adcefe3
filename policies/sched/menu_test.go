package sched_test

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
	"bourse/policies/sched"
	"bourse/traces"
	"bourse/traces/rng"
	"bourse/traces/tracetest"
)

// offers are those of jobs by number, a policies.Bidder.
type offers []policies.Offer

func (o offers) Bid(j *traces.Job) (policies.Offer, error) { return o[j.ID], nil }

// menuRun is the outcome of a menu: what each job was billed, and when the bill was known.
type menuRun struct {
	menu   *sched.Menu
	byJob  []engine.Outcome
	quoted []float64 // on arrival
}

func (m *menuRun) Record(o *engine.Outcome) error { m.byJob[o.Job.ID] = *o; return nil }

// Round implements engine.RoundSink.
func (m *menuRun) Round(r *policies.Round) error {
	for _, ref := range r.Arrived {
		m.quoted[r.Job(ref).ID] = m.menu.Fee(ref) * r.Job(ref).Size
	}
	return nil
}

func runMenu(t testing.TB, procs int, jobs []traces.Job, bids offers, check bool) *menuRun {
	t.Helper()
	return runMenuOf(t, sched.NewMenu(1, 16), procs, jobs, bids, check)
}

func runMenuOf(t testing.TB, menu *sched.Menu, procs int, jobs []traces.Job, bids offers, check bool) *menuRun {
	t.Helper()
	m := &menuRun{menu: menu, byJob: make([]engine.Outcome, len(jobs)), quoted: make([]float64, len(jobs))}
	cfg := engine.Config{Machine: engine.Processors(procs), Policy: menu, Pricer: payment.NewAsked(menu), Bidder: bids,
		Check: check}
	if check {
		cfg.Rounds = m
	}
	if _, err := engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), m); err != nil {
		t.Fatal(err)
	}
	return m
}

// drawMenu draws a tiny workload in whole seconds, about half of whose jobs have a deadline.
func drawMenu(r *rng.Rand) (procs int, jobs []traces.Job, values offers) {
	procs = 1 + r.IntN(4)
	at := events.Time(0)
	for i := range 2 + r.IntN(5) {
		at += events.Time(r.IntN(4)) * events.Second
		run := events.Time(1+r.IntN(6)) * events.Second
		jobs = append(jobs, traces.Job{ID: int64(i), Submit: at, Run: run, Estimate: run, Pieces: 1, Prev: -1,
			Procs: int32(1 + r.IntN(procs)), CPU: -1,
			Memory: -1, GPU: -1, Disk: -1})
		w := float64(1+r.IntN(40)) / 2
		o := policies.Offer{Value: w, Bid: w}
		if r.IntN(2) == 0 {
			o.Shape = deadline(run + events.Time(r.IntN(9))*events.Second)
		}
		values = append(values, o)
	}
	return procs, jobs, values
}

func deadline(flow events.Time) *policies.Shape {
	return &policies.Shape{Times: []events.Time{flow}, Factors: []float64{1}}
}

// TestMenuAgainstDefinition wants each job to have the best start of all there are on a grid of seconds, at the price
// of the definition, second by second, and the bill that it was told on arrival.
func TestMenuAgainstDefinition(t *testing.T) {
	r := rng.New(1, "menu")
	for range 400 {
		procs, jobs, values := drawMenu(r)
		if r.IntN(2) == 0 { // jobs that end before their time leave holes
			for i := range jobs {
				jobs[i].Estimate += events.Time(r.IntN(4)) * events.Second
			}
		}
		m := runMenu(t, procs, jobs, values, true)
		const horizon = 200
		for i, j := range jobs {
			var used [horizon]int // what jobs before it hold, by what is known when it arrives
			for k := range jobs[:i] {
				from, until := m.byJob[k].Start, m.byJob[k].Start+jobs[k].Estimate
				if m.byJob[k].End <= j.Submit {
					until = m.byJob[k].End
				}
				for s := int(from / events.Second); s < int(until/events.Second); s++ {
					used[s] += int(jobs[k].Procs)
				}
			}
			length, o := int(j.Estimate/events.Second), &m.byJob[i]
			net := func(s int) (net, fee float64) {
				fits := true
				for x := s; x < s+length; x++ {
					fee += math.Pow(16, float64(used[x])/float64(procs))
					fits = fits && used[x]+int(j.Procs) <= procs
				}
				if !fits {
					return math.Inf(-1), fee
				}
				flow := events.Time(s+length)*events.Second - j.Submit
				worth := -values[i].Bid * flow.Seconds()
				if shape := values[i].Shape; shape != nil {
					worth = values[i].Bid * float64(length) * shape.At(flow)
				}
				return worth - fee, fee * float64(j.Procs)
			}
			got, fee := net(int(o.Start / events.Second))
			for s := int(j.Submit / events.Second); s+length < horizon; s++ {
				if other, _ := net(s); other > got+1e-9*math.Abs(got) {
					t.Fatalf("job %d starts at %v, worth %g less its price; at %d s that is %g", i, o.Start, got, s, other)
				}
			}
			if math.Abs(o.Payment-fee) > 1e-9*fee || o.Payment != m.quoted[i] {
				t.Fatalf("job %d is billed %g, %g by the definition, and %g was told on arrival", i, o.Payment, fee, m.quoted[i])
			}
		}
	}
}

// lies are what an owner may say: factors of the value, of the deadline (0 for none), and of the length.
var lies = struct{ bid, deadline, length []float64 }{
	[]float64{0, .1, .3, .6, .9, 1, 1.1, 1.5, 3, 10}, []float64{0, .3, .7, 1, 1.4, 2, 5}, []float64{1, 1.2, 1.5, 2, 4},
}

// searchMenu lets each job of an instance tell every lie, alone, and returns how many gain by one. A time asked for
// that is too short is no lie to look at: the job would be ended before it is done.
func searchMenu(t testing.TB, r *rng.Rand) (gains, told int) {
	procs, jobs, values := drawMenu(r)
	honest := runMenu(t, procs, jobs, values, false)
	utility := func(m *menuRun, i int) float64 {
		o := m.byJob[i]
		o.Value, o.Shape = values[i].Value, values[i].Shape
		return o.Utility()
	}
	for i := range jobs {
		truth, gained := utility(honest, i), false
		for _, bid := range lies.bid {
			for _, late := range lies.deadline {
				for _, long := range lies.length {
					said, asks := append(offers{}, values...), append([]traces.Job{}, jobs...)
					said[i].Bid *= bid
					switch shape := values[i].Shape; {
					case late == 0:
						said[i].Shape = nil
					case shape != nil:
						said[i].Shape = deadline(events.Time(float64(shape.Times[0]) * late))
					case late != 1:
						said[i].Shape = deadline(events.Time(float64(jobs[i].Run) * 2 * late))
					}
					asks[i].Estimate = events.Time(float64(jobs[i].Run) * long)
					told++
					if utility(runMenu(t, procs, asks, said, false), i) > truth+1e-9*(1+math.Abs(truth)) {
						gained = true
					}
				}
			}
		}
		if gained {
			gains++
		}
	}
	return gains, told
}

// TestMenuIsTruthful searches for lies about value, deadline and length that pay.
func TestMenuIsTruthful(t *testing.T) {
	r := rng.New(2, "menu")
	for n := range 15 {
		if gains, _ := searchMenu(t, r); gains > 0 {
			t.Fatalf("instance %d: %d jobs gain by a lie", n, gains)
		}
	}
}

// TestLongMenuIsTruthful is the same for 1,500 instances.
func TestLongMenuIsTruthful(t *testing.T) {
	tracetest.Long(t)
	r, told := rng.New(3, "menu"), 0
	for n := range 1500 {
		gains, lies := searchMenu(t, r)
		if told += lies; gains > 0 {
			t.Fatalf("instance %d: %d jobs gain by a lie", n, gains)
		}
	}
	t.Logf("1,500 instances, %d lies, none gains", told)
}

// TestMenuThatIsOverrun wants a job that outlives the time it has bought to be counted, and so the one that it delays.
func TestMenuThatIsOverrun(t *testing.T) {
	jobs := []traces.Job{{ID: 0, Run: 9 * events.Second, Estimate: 5 * events.Second, Pieces: 1, Prev: -1, Procs: 1,
		CPU: -1, Memory: -1, GPU: -1, Disk: -1},
		{ID: 1, Run: 1 * events.Second, Estimate: 5 * events.Second, Pieces: 1, Prev: -1, Procs: 1, CPU: -1, Memory: -1,
			GPU: -1, Disk: -1}}
	m := runMenu(t, 1, jobs, offers{{Value: 1, Bid: 1}, {Value: 1, Bid: 1}}, true)
	if m.byJob[1].Start != 9*events.Second || len(m.menu.Notes()) != 2 {
		t.Errorf("the second starts at %v; %v", m.byJob[1].Start, m.menu.Notes())
	}
}

// TestMenuSubmission measures what a job gains that is submitted later than it could be, to find another menu: nothing
// where jobs run as long as they ask for, as promises are never taken back; where others end early it may get what they
// leave.
func TestMenuSubmission(t *testing.T) {
	for _, early := range []bool{false, true} {
		r, jobsAsked, gainers, gained, all := rng.New(4, "menu"), 0, 0, 0.0, 0.0
		for range 200 {
			procs, jobs, values := drawMenu(r)
			for i := range jobs {
				if early {
					jobs[i].Estimate += events.Time(r.IntN(6)) * events.Second
				}
			}
			honest := runMenu(t, procs, jobs, values, false)
			for i := range jobs {
				utility := func(m *menuRun) float64 {
					o := m.byJob[i]
					o.Value, o.Shape, o.Job.Submit = values[i].Value, values[i].Shape, jobs[i].Submit
					return o.Utility()
				}
				truth := utility(honest)
				best := truth
				for late := events.Time(1); late <= 6; late++ {
					said, moved := append(offers{}, values...), append([]traces.Job{}, jobs...)
					moved[i].Submit += late * events.Second
					if shape := values[i].Shape; shape != nil {
						said[i].Shape = deadline(max(0, shape.Times[0]-late*events.Second))
					}
					slices.SortStableFunc(moved, func(a, b traces.Job) int { return cmp.Compare(a.Submit, b.Submit) })
					best = max(best, utility(runMenu(t, procs, moved, said, false)))
				}
				jobsAsked++
				if gain := best - truth; gain > 1e-9*(1+math.Abs(truth)) {
					gainers, gained = gainers+1, gained+gain
				}
				all += math.Abs(truth)
			}
		}
		t.Logf("early ends %v: %d of %d jobs gain by a later submission, %.2f %% of all utilities", early, gainers,
			jobsAsked, 100*gained/all)
		if early != (gainers > 0) {
			t.Errorf("early ends %v: %d of %d jobs gain by a later submission", early, gainers, jobsAsked)
		}
	}
}

// TestMenuThatMoves measures what the variant comes to whose starts move up for nothing, where jobs end early: some gain
// by saying another value, alone, and none does where starts are kept. No start is later than it was promised.
func TestMenuThatMoves(t *testing.T) {
	for _, moves := range []bool{false, true} {
		r, asked, gainers, wait := rng.New(5, "menu"), 0, 0, events.Time(0)
		run := func(procs int, jobs []traces.Job, bids offers, check bool) *menuRun {
			menu := sched.NewMenu(1, 16)
			menu.Moves = moves
			return runMenuOf(t, menu, procs, jobs, bids, check)
		}
		for range 120 {
			procs, jobs, values := drawMenu(r)
			for i := range jobs {
				jobs[i].Estimate += events.Time(r.IntN(8)) * events.Second
				values[i].Shape = nil // at a deadline owners would have to know when their jobs end
			}
			honest := run(procs, jobs, values, true)
			for i := range jobs {
				utility := func(m *menuRun) float64 {
					o := m.byJob[i]
					o.Value, o.Shape = values[i].Value, values[i].Shape
					return o.Utility()
				}
				truth, gained := utility(honest), false
				for _, by := range lies.bid {
					said := append(offers{}, values...)
					said[i].Bid *= by
					gained = gained || utility(run(procs, jobs, said, false)) > truth+1e-9*(1+math.Abs(truth))
				}
				if asked++; gained {
					gainers++
				}
				wait += honest.byJob[i].Wait()
			}
		}
		t.Logf("moves %v: %d of %d jobs gain by saying another value; together they wait %v", moves, gainers, asked, wait)
		if moves != (gainers > 0) {
			t.Errorf("moves %v: %d of %d jobs gain by saying another value", moves, gainers, asked)
		}
	}
}
