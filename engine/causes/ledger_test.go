package causes_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/engine/causes"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/policies/placed"
	"bourse/policies/placement"
	"bourse/traces"
)

// seen is a job after a round.
type seen struct {
	id      int64
	seq     int64
	need    policies.Amount
	running bool
	evicted bool
	began   bool
	key     float64
	rate    float64
	given   float64 // by how much its rate rose
	machine int32
}

// snapshot is all there is after a round.
type snapshot struct {
	at       events.Time
	free     policies.Amount
	total    policies.Amount
	shared   bool
	machines []policies.Machine
	jobs     map[int64]seen // by seq
	started  []seen
}

// plain keeps every round whole, and works out causes by their definition.
type plain struct {
	market policies.Market
	outbid bool
	rounds []snapshot
	shared bool
	got    []engine.Outcome
}

func (p *plain) Record(o *engine.Outcome) error {
	kept := *o
	sums := *o.Causes
	kept.Causes = &sums
	p.got = append(p.got, kept)
	return nil
}

func (p *plain) Round(r *policies.Round) error {
	s := snapshot{at: r.Now, free: r.Total, total: r.Total, jobs: map[int64]seen{}}
	s.machines = append(s.machines, r.Machines...)
	p.shared = p.shared || len(r.Shared) > 0
	s.shared = p.shared
	var last map[int64]seen
	if n := len(p.rounds); n > 0 {
		last = p.rounds[n-1].jobs
	}
	for ref := range policies.Ref(r.Jobs.Len()) {
		j := r.Job(ref)
		if j.State == policies.Gone {
			continue
		}
		x := seen{id: j.ID, seq: j.Seq, need: j.Need, running: j.State == policies.Running, key: causes.Key(p.market, j),
			machine: -1, rate: j.Rate}
		for _, e := range r.Evicted {
			x.evicted = x.evicted || e == ref
		}
		if x.running {
			s.free = s.free.Minus(j.Need.Times(j.Rate))
		}
		x.began = x.running && (!last[j.Seq].running || x.evicted)
		if x.given = x.rate - last[j.Seq].rate; x.began {
			x.given = x.rate
		}
		for i, e := range r.Started {
			if e == ref && i < len(r.Placed) {
				x.machine = r.Placed[i].Machine
			}
		}
		s.jobs[j.Seq] = x
		if x.began {
			s.started = append(s.started, x)
		}
	}
	p.rounds = append(p.rounds, s)
	return nil
}

func (s *snapshot) enough(need, amount policies.Amount) bool {
	if s.shared {
		amount = amount.Plus(s.total.Times(1e-9))
	}
	return need.Fits(amount)
}

// fits reports whether a need is free: in all, and on one machine.
func (s *snapshot) fits(need policies.Amount) (inAll, onOne bool) {
	inAll = s.enough(need, s.free)
	if s.machines == nil {
		return inAll, inAll
	}
	for _, m := range s.machines {
		onOne = onOne || m.Up && need.Fits(m.Free)
	}
	return inAll, onOne
}

// overtaken reports whether a need fits into what is free and what the others take.
func (s *snapshot) overtaken(need policies.Amount) bool {
	if s.machines != nil {
		for i := range s.machines {
			room := s.machines[i].Free
			there := false
			for _, x := range s.started {
				if int(x.machine) == i {
					room, there = room.Plus(x.need), true
				}
			}
			if there && need.Fits(room) {
				return true
			}
		}
		return false
	}
	room, given := s.free, false
	for seq := range int64(1000) {
		if x := s.jobs[seq]; x.given > 0 {
			room, given = room.Plus(x.need.Times(x.given)), true
		}
	}
	return given && s.enough(need, room)
}

func (p *plain) ahead(a, b seen) bool { return a.key > b.key || a.key == b.key && a.seq < b.seq }

// causes puts the wait of a job down to causes.
func (p *plain) causes(o *engine.Outcome) (sum engine.Causes) {
	if o.WhyLeft != "" {
		sum[engine.Held] = o.Wait()
		return sum
	}
	first, waits, ran := true, false, events.Time(0)
	why := engine.Behind
	from := 0
	seq := int64(-1)
	for i := range p.rounds {
		s := &p.rounds[i]
		var x seen
		there := false
		for _, y := range s.jobs {
			if y.id == o.Job.ID {
				x, there = y, true
			}
		}
		if !there {
			continue
		}
		switch {
		case seq < 0:
			waits, from = true, i
		case x.seq != seq:
			why, waits, from = engine.Resubmitted, true, i
		case x.evicted:
			why, waits, from = engine.Evicted, true, i
		case !waits && !x.running:
			why, waits, from = engine.Preempted, true, i
		}
		seq = x.seq
		if waits && x.running {
			if why == engine.Behind && first {
				p.divide(x, from, i, &sum)
			} else {
				sum[why] += s.at - p.rounds[from].at
			}
			waits, first = false, false
		}
		if x.running {
			until := o.End
			if i+1 < len(p.rounds) {
				until = p.rounds[i+1].at
			}
			ran += until - s.at
		}
	}
	sum[engine.Lost] = o.Lost
	sum[engine.Slowed] = ran - o.Lost - o.Job.Run
	return sum
}

// divide walks the rounds of the wait before the first start.
func (p *plain) divide(x seen, from, to int, sum *engine.Causes) {
	cut := from
	for i := from + 1; i < to; i++ {
		s := &p.rounds[i]
		comes := s.overtaken(x.need)
		for _, y := range s.started {
			comes = comes || p.ahead(y, x)
		}
		if comes {
			cut = i
		}
	}
	for i := from; i < to; i++ {
		dt := p.rounds[i+1].at - p.rounds[i].at
		inAll, onOne := p.rounds[i].fits(x.need)
		switch {
		case onOne:
			sum[engine.Held] += dt
		case i < cut:
			sum[engine.Behind] += dt
		case inAll:
			sum[engine.Scattered] += dt
		case p.outbid:
			sum[engine.Behind] += dt
		default:
			sum[engine.Room] += dt
		}
	}
}

// offers are bids that change while jobs live.
type offers struct {
	bids   []float64
	rebids [][]policies.Rebid
}

func (o *offers) Bid(j *traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: o.bids[j.ID], Bid: o.bids[j.ID]}, nil
}

func (o *offers) Rebids(j *traces.Job) []policies.Rebid { return o.rebids[j.ID] }

// draw makes a workload full of ties, queues and jobs with nothing to run.
func draw(t *rapid.T, widest int) ([]traces.Job, *offers) {
	n := rapid.IntRange(1, 24).Draw(t, "jobs")
	jobs, bids := make([]traces.Job, n), &offers{bids: make([]float64, n), rebids: make([][]policies.Rebid, n)}
	at := events.Time(0)
	for i := range jobs {
		at += events.Time(rapid.IntRange(0, 9).Draw(t, "gap")) * events.Second
		run := events.Time(rapid.IntRange(0, 40).Draw(t, "run")) * events.Second
		jobs[i] = traces.Job{
			ID: int64(i), Submit: at, Run: run, Estimate: max(0, run+events.Second*events.Time(rapid.IntRange(-9, 30).Draw(t,
				"slack"))),
			Procs: int32(rapid.IntRange(1, widest).Draw(t, "procs")), Pieces: 1,
			User:   traces.Label(rapid.IntRange(0, 2).Draw(t, "user")),
			Memory: float64(rapid.IntRange(0, 4).Draw(t, "memory")) / 4, CPU: float64(rapid.IntRange(1, 4).Draw(t, "cpu")) / 4,
			Priority: int32(rapid.IntRange(-1, 2).Draw(t, "priority")), Class: -1,
		}
		bids.bids[i] = float64(rapid.IntRange(0, 9).Draw(t, "bid"))
		if rapid.IntRange(0, 3).Draw(t, "again") == 0 {
			bids.rebids[i] = []policies.Rebid{{At: at + events.Second*events.Time(rapid.IntRange(1, 50).Draw(t, "later")),
				Bid: float64(rapid.IntRange(0, 9).Draw(t, "rebid"))}}
		}
	}
	return jobs, bids
}

// cluster makes machines, all but the first of which may go.
func cluster(t *rapid.T) (list engine.Cluster) {
	n := rapid.IntRange(1, 4).Draw(t, "machines")
	for i := range n {
		list = append(list, traces.MachineEvent{Machine: int64(i), CPU: 1, Memory: 1})
	}
	at := events.Time(0)
	for i := rapid.IntRange(0, 6).Draw(t, "changes"); i > 0 && n > 1; i-- {
		at += events.Time(rapid.IntRange(0, 20).Draw(t, "when")) * events.Second
		list = append(list, traces.MachineEvent{At: at, Machine: int64(rapid.IntRange(1, n-1).Draw(t, "machine")),
			Gone: rapid.Bool().Draw(t, "gone"),
			CPU:  float64(rapid.IntRange(1, 4).Draw(t, "has")) / 4, Memory: float64(rapid.IntRange(1, 4).Draw(t, "memory")) / 4})
	}
	return list
}

// check replays a workload and compares the ledger of every job with the definition.
func check(t *rapid.T, name string, met *engine.Causes) {
	policy, err := catalog.Policies.Make(name)
	if err != nil {
		t.Fatal(err)
	}
	traits := policies.TraitsOf(policy)
	widest := 4
	var machine engine.Machine = engine.Processors(4)
	placed, err := placed.New(policy, placement.Fit(rapid.IntRange(0, 3).Draw(t, "fit")))
	switch {
	case err == nil && rapid.Bool().Draw(t, "cluster"):
		policy, machine, widest = placed, cluster(t), 1
	case traits.Resources > 1 || traits.Packs && rapid.Bool().Draw(t, "pool"):
		machine = engine.Pool{CPU: 4, Memory: 4, Machines: 4}
	}
	if traits.Serial {
		widest = 1
	}
	jobs, bids := draw(t, widest)
	free, _ := catalog.Payments.Make("none")
	none, _ := free(policy)
	p := &plain{}
	if policies.TraitsOf(policy).RanksByBid {
		p.market, _ = policies.As[policies.Market](policy)
		p.outbid = p.market.Preempts()
	}
	cfg := engine.Config{Machine: machine, Policy: policy, Pricer: none, Bidder: bids,
		Restart:        rapid.Bool().Draw(t, "restart"),
		ResubmitKilled: rapid.Bool().Draw(t, "resubmit") && !traits.Leaves,
		MigrationCost:  events.Time(rapid.IntRange(0, 2).Draw(t, "cost")) * events.Second,
		Check:          true, Rounds: p, Causes: causes.New(policy)}
	sum, err := engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), p)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.got) != len(jobs) {
		t.Fatalf("%d of %d jobs ended", len(p.got), len(jobs))
	}
	for i := range p.got {
		o := &p.got[i]
		if o.Causes.Sum() != o.Wait() {
			t.Fatalf("job %d waited %v, its causes add up to %v: %v", o.Job.ID, o.Wait(), o.Causes.Sum(), *o.Causes)
		}
		for c, part := range o.Causes {
			if part < 0 {
				t.Fatalf("job %d: %v", o.Job.ID, *o.Causes)
			}
			met[c] += part
		}
		if want := p.causes(o); *o.Causes != want {
			t.Fatalf("job %d of %d under %s on %T: causes are %v, by definition %v (wait %v)", o.Job.ID, sum.Jobs, name, machine,
				*o.Causes, want, o.Wait())
		}
	}
}

// TestLedger wants the waits of all jobs, under every policy and on every kind of machine, to
// be divided as the definition says, and the parts to add up to them.
func TestLedger(t *testing.T) {
	var met engine.Causes
	for _, entry := range catalog.Policies.Entries {
		if entry.Yours {
			continue
		}
		name := entry.Text()
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { check(t, name, &met) })
		})
	}
	for c, time := range met {
		if time == 0 {
			t.Errorf("no job waited %s: the test is too weak", engine.AllCauses[c].Words)
		}
	}
}
