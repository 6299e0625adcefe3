package engine_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// alike divides the machine into equal parts, one for each live job, up to its most.
type alike struct{ live []policies.Ref }

func (p *alike) Clone() policies.Policy { return &alike{slices.Clone(p.live)} }

func (p *alike) Plan(r *policies.Round) {
	for _, ref := range r.Ended {
		p.live = slices.DeleteFunc(p.live, func(o policies.Ref) bool { return o == ref })
	}
	p.live = append(p.live, r.Arrived...)
	for _, ref := range p.live {
		j := r.Job(ref)
		r.Share(ref, min(j.Speed.MostRate(), float64(r.Procs)/float64(len(p.live))/float64(j.Procs)))
	}
}

// lawful gives every job the law of its number, and at most three times what it asks for.
type lawful []policies.Law

func (l lawful) SpeedOf(j *traces.Job) *policies.Speed {
	law := l[int(j.ID)%len(l)]
	if law == nil {
		return nil
	}
	return policies.NewSpeed(law, float64(j.Procs), 1, float64(3*j.Procs))
}

var laws = lawful{nil, policies.Linear(0), policies.Amdahl(.3), policies.Amdahl(0), policies.Downey{A: 4, Sigma: .5},
	policies.Downey{A: 3, Sigma: 2}, policies.Table{1, 1.5, 1.2, 4, 5, 5, 6, 6.5, 7, 7, 7, 7.5, 8}}

// stretched works out when each job ends under alike, in floating seconds.
func stretched(n *naive) []float64 {
	left, end := make([]float64, len(n.jobs)), make([]float64, len(n.jobs))
	for i, j := range n.jobs {
		left[i], end[i] = j.job.Run.Seconds(), math.Inf(1)
	}
	for now := 0.0; ; {
		live, next := 0.0, math.Inf(1)
		for i, j := range n.jobs {
			switch at := j.job.Submit.Seconds(); {
			case at > now+1e-12:
				next = min(next, at)
			case math.IsInf(end[i], 1) && left[i] <= 1e-12:
				end[i] = now
			case math.IsInf(end[i], 1):
				live++
			}
		}
		pace := func(i int) float64 {
			j, held := n.jobs[i].job, float64(n.procs)/live
			asked := float64(j.Procs)
			law := laws[int(j.ID)%len(laws)]
			if law == nil {
				return min(asked, held) / asked
			}
			most := 3 * asked
			if all := law.Most(); all > 0 {
				most = max(asked, min(most, all))
			}
			return law.At(min(most, held)) / law.At(asked)
		}
		for i, j := range n.jobs {
			if math.IsInf(end[i], 1) && j.job.Submit.Seconds() <= now+1e-12 {
				next = min(next, now+left[i]/pace(i))
			}
		}
		if math.IsInf(next, 1) {
			return end
		}
		for i, j := range n.jobs {
			if math.IsInf(end[i], 1) && j.job.Submit.Seconds() <= now+1e-12 {
				left[i] -= pace(i) * (next - now)
			}
		}
		now = next
	}
}

// TestSpeedsAgainstFluid compares completions of jobs that run faster on more than they asked for with the fluid model,
// under the audit.
func TestSpeedsAgainstFluid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawWorkload(t)
		for i := range n.jobs {
			n.jobs[i].rebids = nil
		}
		got := history{charges: map[int64]float64{}, held: map[int64]events.Time{}}
		if _, err := engine.Run(context.Background(), engine.Config{Machine: engine.Processors(n.procs), Policy: &alike{},
			Speeds: laws, Check: true}, &asSource{n: n}, &got); err != nil {
			t.Fatal(err)
		}
		want := stretched(n)
		for _, o := range got.outcomes {
			if late := o.End.Seconds() - want[o.Seq]; math.Abs(late) > 1e-4*float64(len(n.jobs)) {
				t.Fatalf("job %d ends at %v, in the fluid model at %v", o.Job.ID, o.End, want[o.Seq])
			}
		}
	})
}

// TestNoGain: jobs that are as fast as their share, and get no more than they ask for, are rigid ones, but for what
// rounding the share of a share costs.
func TestNoGain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawWorkload(t)
		run := func(speeds policies.Speeds) []engine.Outcome {
			got := history{charges: map[int64]float64{}, held: map[int64]events.Time{}}
			if _, err := engine.Run(context.Background(), engine.Config{Machine: engine.Processors(n.procs), Policy: &equal{},
				Speeds: speeds, Check: true}, &asSource{n: n}, &got); err != nil {
				t.Fatal(err)
			}
			return got.outcomes
		}
		rigid, elastic := run(nil), run(lawful{policies.Amdahl(0)})
		sameEnd := cmp.Comparer(func(a, b events.Time) bool { return max(a-b, b-a) <= events.Time(10*len(n.jobs)) })
		if diff := cmp.Diff(rigid, elastic, sameEnd); diff != "" {
			t.Fatal(diff)
		}
	})
}

// dead is a policy that shares with a rate at which a job does not run, or beyond its most.
type dead float64

func (p dead) Clone() policies.Policy { return p }

func (p dead) Plan(r *policies.Round) {
	for _, ref := range r.Arrived {
		r.Share(ref, float64(p))
	}
}

// TestIllegalSpeeds: a rate beyond the table, and one at which the job would never end, are refused.
func TestIllegalSpeeds(t *testing.T) {
	job := traces.UnknownJob
	job.ID, job.Procs, job.Run = 1, 2, events.Second
	for rate, want := range map[float64]string{
		1.5: "the policy at 0s shares with job 1, but at a rate of 1.5 it would never end",
		2.5: "the policy at 0s shares with job 1, but a rate of 2.5 is not from 0 to 2",
	} {
		_, err := engine.Run(context.Background(), engine.Config{Machine: engine.Processors(8), Policy: dead(rate),
			Speeds: lawful{policies.Table{1, 2, 0, 4}}}, traces.MemoryOf(job).Source(), nil)
		if err == nil || err.Error() != want {
			t.Errorf("rate %g: %v; want %q", rate, err, want)
		}
	}
	_, err := engine.New(engine.Config{Machine: engine.Processors(8), Policy: dead(1), Speeds: laws, Causes: noCauses{}},
		traces.MemoryOf(job).Source(), nil)
	if !errors.Is(err, engine.ErrSpeedCauses) {
		t.Errorf("causes of waits with speeds: %v", err)
	}
}

type noCauses struct{ engine.Accountant }
