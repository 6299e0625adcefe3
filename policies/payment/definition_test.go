package payment_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
)

// market is what a price scheme knows of a policy: how jobs rank, by bid or by bid per
// second. The test decides in its place.
type market struct{ perLength, preempts bool }

func (m market) Plan(*policies.Round)   {}
func (m market) Clone() policies.Policy { return m }

func (m market) Preempts() bool { return m.preempts }

func (m market) Scale(j *policies.Job) float64 {
	if m.perLength {
		return max(j.Run, events.Second).Seconds()
	}
	return 1
}

// state is a machine at an instant: what the definitions of the prices go by.
type state struct {
	market
	reserve float64
	round   policies.Round // with the jobs
}

// unfinished are the jobs in the system.
func (s *state) unfinished() (jobs []*policies.Job) {
	for ref := range policies.Ref(s.round.Jobs.Len()) {
		if j := s.round.Job(ref); j.State != policies.Gone {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// congested: the jobs in the system need at least as many processors as there are.
func (s *state) congested() bool {
	need := 0
	for _, j := range s.unfinished() {
		need += int(j.Procs)
	}
	return need >= s.round.Procs
}

// best is the highest waiting bid / scale; false if nobody waits.
func (s *state) best() (key float64, any bool) {
	key = math.Inf(-1)
	for _, j := range s.unfinished() {
		if j.State == policies.Waiting {
			key, any = max(key, j.Bid/s.Scale(j)), true
		}
	}
	return key, any
}

// schemes are the price schemes and the definitions of their prices.
var schemes = []struct {
	name   string
	make   func(s *state) policies.Pricer
	price  func(s *state, j *policies.Job) float64
	common func(s *state) float64 // the one price that is quoted, NaN if there is none
}{
	{"first", func(s *state) policies.Pricer { return payment.NewFirst(s.reserve) },
		func(s *state, j *policies.Job) float64 {
			if s.congested() {
				return j.Bid
			}
			return s.reserve
		}, func(s *state) float64 {
			if s.congested() {
				return math.NaN()
			}
			return s.reserve
		}},
	{"kth", func(s *state) policies.Pricer { return payment.NewKth(s.market, s.reserve) },
		func(s *state, j *policies.Job) float64 {
			switch key, any := s.best(); {
			case !any:
				return s.reserve
			case s.preempts:
				return key * s.Scale(j)
			default:
				return min(j.Bid, key*s.Scale(j))
			}
		}, quote},
	{"kth-uncapped", func(s *state) policies.Pricer { return payment.NewKthUncapped(s.market, s.reserve) },
		func(s *state, j *policies.Job) float64 {
			if key, any := s.best(); any {
				return key * s.Scale(j)
			}
			return s.reserve
		}, quote},
	{"posted", func(*state) policies.Pricer { return payment.NewPosted(2.5) },
		func(*state, *policies.Job) float64 { return 2.5 }, func(*state) float64 { return 2.5 }},
	{"toll", func(s *state) policies.Pricer { return payment.NewToll(s.reserve) },
		func(s *state, _ *policies.Job) float64 { return toll(s) }, toll},
	{"none", func(*state) policies.Pricer { return payment.NewPosted(0) },
		func(*state, *policies.Job) float64 { return 0 }, func(*state) float64 { return 0 }},
}

func toll(s *state) float64 {
	sum := 0.0
	for _, j := range s.unfinished() {
		switch j.State {
		case policies.Waiting:
			sum += j.Bid * float64(j.Procs)
		case policies.Running:
			sum += j.Bid * float64(j.Procs) * (1 - j.Rate)
		}
	}
	return max(s.reserve, sum/float64(s.round.Procs))
}

func quote(s *state) float64 {
	if key, any := s.best(); any {
		return key
	}
	return s.reserve
}

// TestBillsAgainstDefinitions drives the schemes through random rounds, as the engine
// does, and adds every running job's bill up from the definition of its price. Jobs
// come, start, are preempted where the market does that, bid again and end.
func TestBillsAgainstDefinitions(t *testing.T) {
	for _, scheme := range schemes {
		t.Run(scheme.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := &state{market: market{rapid.Bool().Draw(t, "per length"), rapid.Bool().Draw(t, "preempts")},
					reserve: float64(rapid.IntRange(0, 3).Draw(t, "reserve"))}
				s.round.Procs = rapid.IntRange(1, 12).Draw(t, "procs")
				d := &driver{T: t, state: s, pricer: scheme.make(s)}
				for range rapid.IntRange(1, 60).Draw(t, "rounds") {
					d.pass(func(j *policies.Job) float64 { return scheme.price(s, j) })
					d.step()
					if rapid.IntRange(0, 9).Draw(t, "fork") == 0 {
						d.pricer = d.pricer.Clone(s.market)
					}
					if got, want := d.pricer.Quote(), scheme.common(s); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
						t.Fatalf("the price quoted is %g, want %g", got, want)
					}
					for _, ref := range d.running {
						if got, want := d.pricer.Price(s.round.Job(ref)), scheme.price(s, s.round.Job(ref)); got != want {
							t.Fatalf("the price is %g, want %g", got, want)
						}
					}
				}
			})
		})
	}
}

// driver calls a scheme in the engine's order and keeps bills beside it.
type driver struct {
	*rapid.T
	*state
	pricer  policies.Pricer
	running []policies.Ref
	bills   []float64      // by Ref, since the last Open
	free    []policies.Ref // of jobs that have gone
	arrived int64
}

// pass lets time pass at the prices in force.
func (d *driver) pass(price func(*policies.Job) float64) {
	dt := events.Time(rapid.IntRange(0, 3_000_000).Draw(d.T, "dt"))
	for _, ref := range d.running {
		d.bills[ref] += price(d.round.Job(ref)) * dt.Seconds()
	}
	d.round.Now += dt
	d.pricer.Advance(d.round.Now)
}

func (d *driver) open(ref policies.Ref) {
	d.bills[ref] = 0
	d.pricer.Open(ref, d.round.Job(ref))
	d.running = append(d.running, ref)
}

func (d *driver) close(ref policies.Ref) {
	got, want := d.pricer.Close(ref, d.round.Job(ref)), d.bills[ref]
	if math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
		d.Fatalf("the bill is %g, the prices add up to %g", got, want)
	}
	d.running = slices.DeleteFunc(d.running, func(r policies.Ref) bool { return r == ref })
}

func (d *driver) some(name string) bool { return rapid.IntRange(0, 3).Draw(d.T, name) == 0 }

func (d *driver) bid() float64 { return float64(rapid.IntRange(0, 12).Draw(d.T, "bid")) / 4 }

// step is one instant: ends, new bids, arrivals, decisions, prices.
func (d *driver) step() {
	r := &d.round
	r.Started, r.Preempted, r.Arrived, r.Rebid, r.Ended = nil, nil, nil, nil, nil
	for _, ref := range slices.Clone(d.running) {
		if d.some("ends") {
			d.close(ref)
			r.Job(ref).State = policies.Gone
			r.Ended = append(r.Ended, ref)
		}
	}
	for ref := range policies.Ref(r.Jobs.Len()) {
		if r.Job(ref).State != policies.Gone && d.some("bids again") {
			d.rebid(ref)
		}
	}
	for range rapid.IntRange(0, 3).Draw(d.T, "arrivals") {
		d.arrive()
	}
	for ref := range policies.Ref(r.Jobs.Len()) {
		d.decide(ref)
	}
	r.Shared = nil
	for _, ref := range d.running {
		if d.some("rate") { // bills are per second at full rate: the engine accounts for the rest
			r.Job(ref).Rate = float64(rapid.IntRange(1, 4).Draw(d.T, "quarters")) / 4
			r.Shared = append(r.Shared, policies.Allocation{Ref: ref, Rate: r.Job(ref).Rate})
		}
	}
	d.free = append(d.free, r.Ended...)
	r.Total, r.Demand = policies.Amount{CPU: float64(r.Procs)}, policies.Amount{}
	for _, j := range d.unfinished() {
		r.Demand.CPU += float64(j.Procs)
	}
	d.pricer.Clear(r)
}

func (d *driver) rebid(ref policies.Ref) {
	j := d.round.Job(ref)
	if j.State == policies.Running {
		d.close(ref)
	}
	if j.Bid = d.bid(); j.State == policies.Running {
		d.open(ref)
	}
	d.round.Rebid = append(d.round.Rebid, ref)
}

// arrive adds a job, in the place of one that went in an earlier round if there is any.
func (d *driver) arrive() {
	var ref policies.Ref
	if n := len(d.free); n > 0 {
		ref, d.free = d.free[n-1], d.free[:n-1]
	} else {
		ref, d.bills = d.round.Jobs.Add(), append(d.bills, 0)
	}
	width := rapid.IntRange(1, 4).Draw(d.T, "width")
	*d.round.Job(ref) = policies.Job{Seq: d.arrived, Procs: int32(width), Size: float64(width), Bid: d.bid(),
		Run: events.Time(rapid.IntRange(0, 5).Draw(d.T, "run")) * events.Second, State: policies.Waiting}
	d.arrived++
	d.round.Arrived = append(d.round.Arrived, ref)
}

// decide starts or stops a job at random.
func (d *driver) decide(ref policies.Ref) {
	switch j := d.round.Job(ref); {
	case j.State == policies.Running && d.preempts && d.some("is preempted"):
		d.close(ref)
		j.State = policies.Waiting
		d.round.Preempted = append(d.round.Preempted, ref)
	case j.State == policies.Waiting && d.some("starts"):
		j.State, j.Rate = policies.Running, 1
		d.open(ref)
		d.round.Started = append(d.round.Started, ref)
	}
}
