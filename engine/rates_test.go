package engine_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
)

// equal shares the machine out evenly: everybody gets the same fraction of what
// it asks for, as large as fits.
type equal struct{ live []policies.Ref }

func (p *equal) Clone() policies.Policy { return &equal{slices.Clone(p.live)} }

func (p *equal) Plan(r *policies.Round) {
	for _, ref := range r.Ended {
		for i := range p.live {
			if p.live[i] == ref {
				p.live = append(p.live[:i], p.live[i+1:]...)
				break
			}
		}
	}
	p.live = append(p.live, r.Arrived...)
	asked := 0.0
	for _, ref := range p.live {
		asked += float64(r.Job(ref).Procs)
	}
	for _, ref := range p.live {
		r.Share(ref, min(1, float64(r.Procs)/asked))
	}
}

// fluid works out when each job ends under equal, in floating seconds.
func fluid(n *naive) []float64 {
	left, end := make([]float64, len(n.jobs)), make([]float64, len(n.jobs))
	for i, j := range n.jobs {
		left[i], end[i] = j.job.Run.Seconds(), math.Inf(1)
	}
	for now := 0.0; ; {
		asked, next := 0.0, math.Inf(1)
		for i, j := range n.jobs {
			at := j.job.Submit.Seconds()
			switch {
			case at > now+1e-12:
				next = min(next, at)
			case math.IsInf(end[i], 1) && left[i] <= 1e-12:
				end[i] = now
			case math.IsInf(end[i], 1):
				asked += float64(j.job.Procs)
			}
		}
		rate := min(1, float64(n.procs)/asked)
		for i, j := range n.jobs {
			if math.IsInf(end[i], 1) && j.job.Submit.Seconds() <= now+1e-12 {
				next = min(next, now+left[i]/rate)
			}
		}
		if math.IsInf(next, 1) {
			return end
		}
		for i, j := range n.jobs {
			if math.IsInf(end[i], 1) && j.job.Submit.Seconds() <= now+1e-12 {
				left[i] -= rate * (next - now)
			}
		}
		now = next
	}
}

// TestSharesAgainstFluid compares completions under processor sharing with the
// fluid model, to the microseconds that rounding may cost, and bills with the
// work done: at a posted price each user pays for what it got, no matter with whom it shared
// with.
func TestSharesAgainstFluid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawWorkload(t)
		offers := asBidder{}
		for _, j := range n.jobs {
			j.rebids = nil
			offers[j.job.ID] = j
		}
		got := history{charges: map[int64]float64{}, held: map[int64]events.Time{}}
		_, err := engine.Run(context.Background(),
			engine.Config{Machine: engine.Processors(n.procs), Policy: &equal{}, Pricer: payment.NewPosted(2), Bidder: offers,
				Check: true, Segments: &got, Samples: &got}, &asSource{n: n}, &got)
		if err != nil {
			t.Fatal(err)
		}
		want := fluid(n)
		asked := 1.0
		for _, j := range n.jobs {
			asked += float64(j.job.Procs) / float64(n.procs)
		}
		// A microsecond of work for each arrival and completion, at the least rate.
		tolerance := 2e-6 * float64(len(n.jobs)) * asked
		for _, o := range got.outcomes {
			if late := o.End.Seconds() - want[o.Seq]; math.Abs(late) > tolerance {
				t.Fatalf("job %d ends at %v, in the fluid model at %v", o.Job.ID, o.End, want[o.Seq])
			}
			bill := 2 * float64(o.Job.Procs) * o.Job.Run.Seconds()
			if math.Abs(o.Payment-bill) > 1e-4*float64(o.Job.Procs) || !close(got.charges[o.Job.ID], o.Payment) {
				t.Fatalf("job %d pays %v, segments %v, for work worth %v", o.Job.ID, o.Payment, got.charges[o.Job.ID], bill)
			}
		}
		for _, s := range got.samples {
			if s.Use.CPU > s.Capacity.CPU*(1+1e-9) {
				t.Fatalf("%g of %g processors in use at %v", s.Use.CPU, s.Capacity.CPU, s.Time)
			}
		}
	})
}

func TestIllegalShares(t *testing.T) {
	for want, rate := range map[string]float64{"a rate of 1.5 is not from 0 to 1": 1.5, "a rate of NaN": math.NaN(),
		"a rate of -1": -1} {
		p := plan(func(r *policies.Round) { r.Share(r.Arrived[0], rate) })
		cfg := engine.Config{Machine: engine.Processors(2), Policy: p, Pricer: payment.NewPosted(0), Bidder: flat(1)}
		_, err := engine.Run(context.Background(), cfg, &slice{{ID: 1, Run: sec(1), Procs: 1}}, &history{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("rate %g: %v", rate, err)
		}
	}
	p := plan(func(r *policies.Round) {
		for _, ref := range r.Arrived {
			r.Share(ref, .9)
		}
	})
	cfg := engine.Config{Machine: engine.Processors(1), Policy: p, Pricer: payment.NewPosted(0), Bidder: flat(1)}
	_, err := engine.Run(context.Background(), cfg, &slice{{ID: 1, Run: sec(1), Procs: 1}, {ID: 2, Run: sec(1), Procs: 1}},
		&history{})
	if err == nil || !strings.Contains(err.Error(), "allocates 1.8 processors, the machine has 1") {
		t.Errorf("too much shared: %v", err)
	}
}
