package fair_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine/policytest"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/fair"
	"bourse/policies/share"
	"bourse/traces"
)

func TestFinishConformance(t *testing.T) {
	for _, estimate := range []bool{false, true} {
		policytest.Run(t, func() policies.Policy { return fair.NewFinish(5*events.Second, estimate) },
			policytest.Expect{Preempts: true, KnowsUnits: true})
	}
}

// remembering works everything out afresh at each round: what is left from the jobs, and the
// shadows from all that has happened since a user came.
type remembering struct {
	policies.Policy // the one that decides
	t               *rapid.T
	total           float64
	rounds          []moment
}

// moment is a round: who was there then, and what they needed from then on.
type moment struct {
	at    events.Time
	users []traces.Label
	needs map[traces.Label]float64
	came  map[traces.Label]float64 // work that arrived
	fresh map[traces.Label]bool    // users that had none before
}

func (p *remembering) Unwrap() policies.Policy { return p.Policy }

func (p *remembering) Plan(r *policies.Round) {
	p.Policy.Plan(r)
	m := moment{at: r.Now, needs: map[traces.Label]float64{}, came: map[traces.Label]float64{},
		fresh: map[traces.Label]bool{}}
	left, holds := map[traces.Label]float64{}, map[traces.Label]float64{}
	rates := map[policies.Ref]float64{}
	for _, a := range r.Shared {
		rates[a.Ref] = a.Rate
	}
	for ref := range policies.Ref(r.Jobs.Len()) {
		j := r.Job(ref)
		if j.State == policies.Gone {
			continue
		}
		if !slices.Contains(m.users, j.User) {
			m.users = append(m.users, j.User)
		}
		done, rate := events.Time(0), j.Rate
		if j.State == policies.Running {
			done = events.Time(j.Rate * float64(r.Now-j.Since))
		} else {
			rate = 0
		}
		if x, set := rates[ref]; set {
			rate = x
		}
		m.needs[j.User] += float64(j.Procs)
		left[j.User] += (j.Left - done).Seconds() * float64(j.Procs)
		holds[j.User] += rate * float64(j.Procs)
	}
	for _, ref := range r.Arrived {
		m.came[r.Job(ref).User] += r.Job(ref).Run.Seconds() * float64(r.Job(ref).Procs)
	}
	for _, u := range m.users {
		m.fresh[u] = m.came[u] > 0 && m.came[u] >= left[u]-1e-3 &&
			(len(p.rounds) == 0 || !slices.Contains(p.rounds[len(p.rounds)-1].users, u) || p.emptied(r, u))
	}
	p.rounds = append(p.rounds, m)
	var agents []share.Finishing
	for _, u := range m.users {
		a := p.history(u)
		a.Left, a.Need = max(left[u], 1e-6*m.needs[u]), m.needs[u]
		agents = append(agents, a)
	}
	x := make([]float64, len(agents))
	share.FinishTimes(p.total, agents, x)
	for i, u := range m.users {
		if math.Abs(x[i]-holds[u]) > 1e-3*p.total {
			p.t.Fatalf("at %v user %d holds %g, reckoned anew %g of %v", r.Now, u, holds[u], x[i], agents)
		}
	}
}

// emptied reports whether all jobs of a user that were there before have ended.
func (p *remembering) emptied(r *policies.Round, u traces.Label) bool {
	for ref := range policies.Ref(r.Jobs.Len()) {
		if j := r.Job(ref); j.State != policies.Gone && j.User == u && j.Submit < r.Now {
			return false
		}
	}
	return true
}

// history replays a user's shadow since they came.
func (p *remembering) history(u traces.Label) (a share.Finishing) {
	from := len(p.rounds) - 1
	for !p.rounds[from].fresh[u] {
		from--
	}
	begin, now, work, alone := p.rounds[from].at, p.rounds[len(p.rounds)-1].at, 0.0, 0.0
	rate := 0.0
	for k := from; k < len(p.rounds); k++ {
		m := p.rounds[k]
		work += m.came[u]
		rate = min(m.needs[u], p.total/float64(len(m.users)))
		if k+1 == len(p.rounds) || work == 0 {
			continue
		}
		dt := (p.rounds[k+1].at - m.at).Seconds()
		if alone = (m.at - begin).Seconds() + work/rate; work > rate*dt {
			work -= rate * dt
		} else {
			work = 0
		}
	}
	a.Elapsed = (now - begin).Seconds()
	if a.Alone = alone; work > 0 {
		a.Alone = a.Elapsed + work/rate
	}
	a.Alone = max(a.Alone, 1e-6)
	return a
}

// TestFinishTwin wants what users hold to be what finish-time fairness gives them, worked out
// again at each round.
func TestFinishTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawWorkload(t)
		for i := range c.jobs {
			c.jobs[i].Run += events.Second
		}
		p := &remembering{Policy: fair.NewFinish(7*events.Second, false), t: t, total: 8}
		if err := c.replay(p, false); err != nil {
			t.Fatal(err)
		}
	})
}

// TestFinishTogether: users that start together and stay are each done no later than alone.
func TestFinishTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &workload{}
		users := rapid.IntRange(1, 4).Draw(t, "users")
		work := make([]float64, users)
		for u := range users {
			for range rapid.IntRange(1, 4).Draw(t, "jobs") {
				j := traces.Job{ID: int64(len(c.jobs) + 1), User: traces.Label(u),
					Run: events.Time(rapid.IntRange(1, 30).Draw(t, "run")) * events.Second, Procs: 8, Pieces: 1,
					Estimate: events.Unknown}
				work[u] += j.Run.Seconds() * 8
				c.jobs = append(c.jobs, j)
			}
		}
		if err := c.replay(fair.NewFinish(5*events.Second, false), false); err != nil {
			t.Fatal(err)
		}
		last := make([]events.Time, users)
		for _, j := range c.jobs {
			last[j.User] = max(last[j.User], c.done[j.ID])
		}
		for u := range users {
			if alone := work[u] * float64(users) / 8; last[u].Seconds() > alone+.01 {
				t.Fatalf("user %d ends at %v, alone with an equal part at %g s", u, last[u], alone)
			}
		}
	})
}
