package sched_test

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/engine/policytest"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
	"bourse/policies/sched"
	"bourse/traces"
)

// spotting makes the policy with so many processors of spot capacity in hours that repeat.
func spotting(line bool, values ...float64) *sched.Deadlines {
	var at []events.Time
	for i := range values {
		at = append(at, events.Time(i)*hourly)
	}
	d := &sched.Deadlines{Line: line, Capacity: "spot", Every: hourly / 6, Deadline: 2, OnDemand: 10, Reserve: 1}
	d.ReadSite(traces.Names{}, 99)
	if err := d.ReadSeries([]policies.Series{{Name: "spot", Values: events.NewSteps(at, values, events.Again)}}); err != nil {
		panic(err)
	}
	return d
}

type spotted struct{ *sched.Deadlines }

func (spotted) ReadSeries([]policies.Series) error { return nil }
func (s spotted) Clone() policies.Policy {
	return spotted{s.Deadlines.Clone().(*sched.Deadlines)}
}

// bidding are bids by job.
type biddings []float64

func (b biddings) Bid(j *traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: b[j.ID], Bid: b[j.ID]}, nil
}

type payments []float64

func (p payments) Record(o *engine.Outcome) error { p[o.Job.ID] = o.Payment; return nil }

// TestDeadlinesConform puts the policies through the kit's random workloads.
func TestDeadlinesConform(t *testing.T) {
	for _, line := range []bool{false, true} {
		policytest.Run(t, func() policies.Policy { return spotted{spotting(line, 1, 0, 2, 1)} },
			policytest.Expect{KnowsUnits: true, Preempts: true, Overruns: true})
	}
}

// TestSpotClears follows three jobs of an hour that share two processors of spot capacity, their bills by hand. The
// third bids least and pays for itself on demand: under greedy from the last moment on, an hour less ten minutes later.
func TestSpotClears(t *testing.T) {
	jobs := make([]traces.Job, 3)
	for i := range jobs {
		jobs[i] = traces.UnknownJob
		jobs[i].ID, jobs[i].Procs, jobs[i].Run, jobs[i].Estimate = int64(i), 1, hourly, hourly
	}
	d := spotted{spotting(false, 2, 2)}
	d.Deadline = 1.9
	paid := payments(make([]float64, 3))
	if _, err := engine.Run(context.Background(), engine.Config{Machine: engine.Processors(4), Policy: d,
		Pricer: payment.NewAsked(d), Bidder: biddings{7, 5, 3}, Check: true}, traces.MemoryOf(jobs...).Source(),
		paid); err != nil {
		t.Fatal(err)
	}
	// The price is 3 until the third job goes on demand at 50 minutes, and 1 from then on.
	both := 3000*3.0 + 600*1
	for i, want := range []float64{both, both, 3600 * 10} {
		if math.Abs(paid[i]-want) > 1e-6 {
			t.Errorf("job %d pays %g, want %g", i, paid[i], want)
		}
	}
}

// plainJob is a job of the twin below, in ticks.
type plainJob struct {
	submit, work, procs    int
	bid                    float64
	on                     string // "", spot or demand
	opening, done, stopped int
	paid                   float64
	end                    int
}

// plainSpot runs jobs tick by tick by the text of the policy, with starts that take so many ticks.
func plainSpot(line bool, procs, change int, supply func(int) int, jobs []*plainJob) {
	const onDemand, reserve = 10., 1.
	for t, left := 0, len(jobs); left > 0; t++ {
		var live []*plainJob
		free := procs
		for _, j := range jobs {
			if j.on != "" {
				if j.opening > 0 {
					j.opening--
				} else if j.done++; j.done == j.work {
					j.on, j.end = "", t
					left--
				}
			}
			if j.submit <= t && j.done < j.work {
				live = append(live, j)
				if j.on != "" {
					free -= j.procs
				}
			}
		}
		choose := func(j *plainJob, offered bool) string {
			deadline, now := 2*j.work, t-j.submit
			onLine := func(at int) bool { return j.done*deadline >= at*j.work }
			switch {
			case deadline-now <= j.work-j.done+change:
				if offered && j.on == "spot" {
					return "spot"
				}
				return "demand"
			case line && j.on == "demand" && !(offered && onLine(now+2*change)):
				return "demand"
			case offered:
				return "spot"
			case line && !onLine(now):
				return "demand"
			}
			return ""
		}
		var want []*plainJob
		for _, j := range live {
			if min(j.bid, onDemand) >= reserve && choose(j, true) == "spot" {
				want = append(want, j)
			}
		}
		slices.SortStableFunc(want, func(a, b *plainJob) int { return cmp.Compare(min(b.bid, onDemand), min(a.bid, onDemand)) })
		price, room, winners := reserve, supply(t), map[*plainJob]bool{}
		for _, j := range want {
			if room -= j.procs; room < 0 {
				price = min(j.bid, onDemand)
				break
			}
			winners[j] = true
		}
		for _, runs := range []bool{true, false} {
			for _, j := range live {
				if was := j.on; (was != "") == runs && j.stopped <= t {
					to := choose(j, winners[j])
					switch {
					case to == was:
						continue
					case was == "" && j.procs > free:
						continue
					case was == "":
						free -= j.procs
					case to == "":
						free += j.procs
					}
					j.on, j.opening, j.stopped = to, change, t+1
				}
			}
		}
		for _, j := range live {
			switch j.stopped = 0; j.on {
			case "spot":
				j.paid += price * float64(j.procs)
			case "demand":
				j.paid += onDemand * float64(j.procs)
			}
		}
	}
}

// TestDeadlinesAgainstDefinition wants jobs that compete to end, and to pay, as tick by tick.
func TestDeadlinesAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const tick = hourly / 6
		procs, change := rapid.IntRange(2, 8).Draw(t, "procs"), rapid.IntRange(0, 3).Draw(t, "change")
		var values []float64
		for range rapid.IntRange(2, 20).Draw(t, "ticks") {
			values = append(values, float64(rapid.IntRange(0, procs).Draw(t, "there")))
		}
		var at []events.Time
		for i := range values {
			at = append(at, events.Time(i)*tick)
		}
		line := rapid.Bool().Draw(t, "line")
		d := spotted{spotting(line, 0, 0)}
		if err := d.Deadlines.ReadSeries([]policies.Series{{Name: "spot", Values: events.NewSteps(at, values,
			events.Again)}}); err != nil {
			t.Fatal(err)
		}
		var jobs []traces.Job
		var plain []*plainJob
		var bids biddings
		now := 0
		for i := range rapid.IntRange(1, 9).Draw(t, "jobs") {
			now += rapid.IntRange(0, 6).Draw(t, "gap")
			j := traces.UnknownJob
			run := rapid.IntRange(1, 20).Draw(t, "run")
			j.ID, j.Procs = int64(i), int32(rapid.IntRange(1, procs).Draw(t, "width"))
			j.Submit, j.Run = events.Time(now)*tick, events.Time(run)*tick
			j.Estimate = j.Run
			jobs = append(jobs, j)
			bids = append(bids, float64(rapid.IntRange(0, 24).Draw(t, "bid"))/2)
			plain = append(plain, &plainJob{submit: now, work: run, procs: int(j.Procs), bid: bids[i]})
		}
		plainSpot(line, procs, change, func(t int) int { return int(values[t%len(values)]) }, plain)
		got := outcomes(make([]engine.Outcome, len(jobs)))
		if _, err := engine.Run(context.Background(), engine.Config{Machine: engine.Processors(procs), Policy: d,
			Pricer: payment.NewAsked(d), Bidder: bids, StartCost: events.Time(change) * tick, Check: true},
			traces.MemoryOf(jobs...).Source(), got); err != nil {
			t.Fatal(err)
		}
		for i, j := range plain {
			if o := &got[i]; o.End != events.Time(j.end)*tick || math.Abs(o.Payment-j.paid*tick.Seconds()) > 1e-6 {
				t.Fatalf("job %d ends at %v and pays %g, by the definition at tick %d and %g", i, o.End, o.Payment, j.end,
					j.paid*tick.Seconds())
			}
		}
	})
}

type outcomes []engine.Outcome

func (s outcomes) Record(o *engine.Outcome) error { s[o.Job.ID] = *o; return nil }
