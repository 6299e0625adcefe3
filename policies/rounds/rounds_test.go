package rounds_test

import (
	"cmp"
	"context"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"bourse/engine"
	"bourse/engine/policytest"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/rounds"
	"bourse/traces"
	"bourse/traces/rng"
)

// plain is the policy from its definition: each round goes over all jobs and all that they ever held.
type plain struct {
	rule   string
	every  events.Time
	origin events.Time
	begun  bool
	live   []policies.Ref
	past   []stretch
}

// stretch is what a job of a number held, to is -1 while it does.
type stretch struct {
	seq      int64
	from, to events.Time
	n        int
}

func (p *plain) Clone() policies.Policy { return nil }

func (p *plain) key(r *policies.Round, ref policies.Ref) (key float64) {
	j := r.Job(ref)
	if p.rule == rounds.Sum {
		least, _ := j.Range()
		return -j.On(least) / float64(least)
	}
	for _, s := range p.past {
		switch {
		case s.seq != j.Seq:
		case p.rule == rounds.LAS:
			key += float64(s.n) * (s.to - s.from).Seconds()
		default:
			key += j.On(s.n) * (s.to - s.from).Seconds()
		}
	}
	return key
}

func (p *plain) Plan(r *policies.Round) {
	p.live = append(p.live, r.Arrived...)
	p.live = slices.DeleteFunc(p.live, func(ref policies.Ref) bool { return slices.Contains(r.Ended, ref) })
	if !p.begun {
		p.begun, p.origin = true, r.Now
	}
	if len(p.live) == 0 {
		return
	}
	k := (r.Now - p.origin) / p.every
	r.Wake(p.origin + (k+1)*p.every)
	if p.origin+k*p.every != r.Now {
		return
	}
	for i := range p.past {
		if p.past[i].to < 0 {
			p.past[i].to = r.Now
		}
	}
	order := slices.Clone(p.live)
	slices.SortFunc(order, func(a, b policies.Ref) int {
		return cmp.Or(cmp.Compare(p.key(r, a), p.key(r, b)), cmp.Compare(r.Job(a).Seq, r.Job(b).Seq))
	})
	held, free := map[policies.Ref]int{}, r.Procs
	for _, ref := range order {
		n, _ := r.Job(ref).Range()
		if p.rule == rounds.LAS {
			n = int(r.Job(ref).Procs)
		}
		if n <= free {
			held[ref], free = n, free-n
		}
	}
	stuck := map[policies.Ref]bool{}
	for free > 0 && p.rule != rounds.LAS {
		best, found := 0., policies.Ref(-1)
		for _, ref := range p.live {
			j, n := r.Job(ref), held[ref]
			if _, most := j.Range(); n == 0 || n >= most || stuck[ref] {
				continue
			}
			key := j.On(n)
			if j.On(n+1) <= key {
				stuck[ref] = true
				continue
			}
			if p.rule == rounds.Sum {
				key -= j.On(n + 1)
			}
			if found < 0 || key < best || key == best && j.Seq < r.Job(found).Seq {
				best, found = key, ref
			}
		}
		if found < 0 {
			break
		}
		held[found]++
		free--
	}
	for _, ref := range p.live {
		j := r.Job(ref)
		r.Share(ref, float64(held[ref])/float64(j.Procs))
		if held[ref] > 0 {
			p.past = append(p.past, stretch{j.Seq, r.Now, -1, held[ref]})
		}
	}
}

// some gives most jobs a speed.
type some struct{}

func (some) SpeedOf(j *traces.Job) *policies.Speed {
	asked := float64(j.Procs)
	switch j.ID % 5 {
	case 0:
		return nil
	case 1:
		return policies.NewSpeed(policies.Amdahl(.125), asked, 1, 2*asked)
	case 2:
		return policies.NewSpeed(policies.Table{1, 2, 1.5, 4, 5}, asked, 2*asked/(asked+1), 5)
	case 3:
		return policies.NewSpeed(policies.Downey{A: 4, Sigma: 1}, asked, asked, 3*asked)
	}
	return policies.NewSpeed(policies.Linear(0), asked, 1, asked)
}

type outcomes []engine.Outcome

func (o *outcomes) Record(x *engine.Outcome) error {
	*o = append(*o, *x)
	return nil
}

func replay(t *testing.T, p policies.Policy, speeds policies.Speeds, procs int, jobs []traces.Job) outcomes {
	t.Helper()
	var got outcomes
	_, err := engine.Run(context.Background(), engine.Config{Machine: engine.Processors(procs), Policy: p, Speeds: speeds,
		Check: true}, traces.MemoryOf(jobs...).Source(), &got)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func draw(r *rng.Rand) (jobs []traces.Job) {
	now := events.Time(0)
	for i := range 1 + r.IntN(14) {
		j := traces.UnknownJob
		now += events.Time(r.IntN(4)) * events.Second / 2
		j.ID, j.Submit, j.Procs = int64(r.IntN(50)*20+i), now, int32(1+r.IntN(4))
		j.Run = events.Time(r.IntN(20)) * events.Second / 2
		jobs = append(jobs, j)
	}
	return jobs
}

// TestTwin compares the policy with its definition on random jobs, with and without speeds.
func TestTwin(t *testing.T) {
	r := rng.New(1, "rounds")
	for range 300 {
		jobs, procs := draw(r), 4+r.IntN(6)
		every := events.Time(1+r.IntN(4)) * events.Second
		for _, rule := range rounds.Rules {
			for _, speeds := range []policies.Speeds{nil, some{}} {
				got := replay(t, &rounds.Rounds{Rule: rule, Every: every}, speeds, procs, jobs)
				want := replay(t, &plain{rule: rule, every: every}, speeds, procs, jobs)
				if diff := gocmp.Diff(want, got); diff != "" {
					t.Fatalf("%s every %v on %d: %v\n%s", rule, every, procs, jobs, diff)
				}
			}
		}
	}
}

// TestContract wants the rules of every policy.
func TestContract(t *testing.T) {
	for _, rule := range rounds.Rules {
		policytest.Run(t, func() policies.Policy { return &rounds.Rounds{Rule: rule, Every: 120 * events.Second} },
			policytest.Expect{Preempts: true, KnowsUnits: true})
	}
}

// TestStretch: two linear jobs share four processors evenly; when one has ended, the other has all of them from the next
// round on.
func TestStretch(t *testing.T) {
	a, b := traces.UnknownJob, traces.UnknownJob
	a.ID, a.Procs, a.Run = 4, 1, 60*events.Second
	b.ID, b.Procs, b.Run = 9, 1, 10*events.Second
	got := replay(t, &rounds.Rounds{Rule: rounds.MaxMin, Every: 10 * events.Second}, stretching{}, 4, []traces.Job{a, b})
	if len(got) != 2 || got[0].End != 5*events.Second || got[1].End != 20*events.Second {
		t.Errorf("they end at %v", got)
	}
}

type stretching struct{}

func (stretching) SpeedOf(j *traces.Job) *policies.Speed {
	return policies.NewSpeed(policies.Linear(0), float64(j.Procs), 1, 4)
}
