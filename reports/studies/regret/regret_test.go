package regret

import (
	"context"
	"math"
	"strings"
	"testing"

	"bourse/engine"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/traces"
	"bourse/traces/formats"
)

// log is a synthetic workload in memory, on a machine it keeps busy.
func log(t testing.TB, spec string) *traces.Memory {
	t.Helper()
	src, err := formats.Open(spec, traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := traces.Load(src)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// lies replaces one job's bid in a whole replay.
type lies struct {
	policies.Bidder
	id     int64
	factor float64
}

func (l lies) Bid(j *traces.Job) (policies.Offer, error) {
	o, err := l.Bidder.Bid(j)
	if j.ID == l.id {
		o.Bid = l.factor * o.Value
	}
	return o, err
}

// utilityOf replays everything for one lie: the slow, obvious way.
func utilityOf(t *testing.T, jobs *traces.Memory, cfg Config, payment string, id int64, factor float64) float64 {
	t.Helper()
	market := cfg.Market
	market.Payment = payment
	policy, pricer, bidder, err := market.Build()
	if err != nil {
		t.Fatal(err)
	}
	var got utility
	got.id = id
	e := engine.Config{Machine: cfg.Machine.Machine, Policy: policy, Pricer: pricer, Bidder: lies{bidder, id, factor}}
	if _, err := engine.Run(context.Background(), e, jobs.Source(), &got); err != nil {
		t.Fatal(err)
	}
	return got.sum
}

type utility struct {
	id  int64
	sum float64
}

func (u *utility) Record(o *engine.Outcome) error {
	if o.Job.ID == u.id {
		u.sum += o.Utility()
	}
	return nil
}

// TestAgainstWholeReplays compares every fork's answer with a whole replay.
func TestAgainstWholeReplays(t *testing.T) {
	jobs := log(t, "synth:lublin?jobs=300&procs=16&seed=3&load=1.2&estimates=3")
	for _, policy := range []string{"hb", "nphb", "wspt", "wsept", "fcfs"} {
		market := catalog.Defaults
		market.Policy, market.Behaviour = policy, "srg"
		cfg := Config{Machine: engine.Config{Machine: engine.Processors(16)}, Market: market, Payments: []string{"first", "kth"}, Factors: []float64{.5, 1.5}, Jobs: 12, Workers: 2}
		r, err := Run(context.Background(), cfg, func() (traces.Source, error) { return jobs.Source(), nil })
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Answers) != 12 || len(r.Factors) != 3 || r.Forks != 36 {
			t.Fatalf("%d answers, factors %v, %d forks", len(r.Answers), r.Factors, r.Forks)
		}
		for _, a := range r.Answers {
			for p, payment := range r.Payments {
				for f, factor := range r.Factors {
					want := utilityOf(t, jobs, cfg, payment, a.Job.ID, factor)
					if got := a.Utility[p][f]; math.Abs(got-want) > 1e-9*math.Abs(want) {
						t.Errorf("%s/%s: job %d bidding %g of its value has utility %v, in a whole replay %v", policy, payment, a.Job.ID, factor, got, want)
					}
				}
			}
		}
	}
}

func TestGains(t *testing.T) {
	r := &Result{Payments: []string{"p"}, Factors: []float64{.5, 1, 2}, Answers: []Answer{
		{Utility: [][]float64{{-80, -100, -100}}},  // gains a fifth by half the value
		{Utility: [][]float64{{-100, -100, -90}}},  // gains a tenth by twice the value
		{Utility: [][]float64{{-200, -100, -100}}}, // the truth is as good as anything
		{Utility: [][]float64{{-7, -7, -7}}},       // nothing matters
	}}
	g := r.Gains()[0]
	if g.Exposed != .75 || math.Abs(g.Better-2./3) > 1e-12 || g.Median != .1 || g.P90 != .2 || math.Abs(g.Mean-.1) > 1e-12 || g.Factor != 1 {
		t.Errorf("gains %+v", g)
	}
	if g.Shade[0] != 0 || g.Shade[1] != 0 || g.Shade[2] != 0 {
		t.Errorf("median changes %v", g.Shade)
	}
	var text strings.Builder
	if err := r.Print(&text); err != nil || !strings.Contains(text.String(), "66.7 %") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

// BenchmarkRegret shows what forking saves: ask is the price of one answer,
// replay that of one whole replay.
func BenchmarkRegret(b *testing.B) {
	jobs := log(b, "synth:lublin?jobs=20000&procs=128&seed=1&load=0.9")
	cfg := Config{Machine: engine.Config{Machine: engine.Processors(128)}, Market: catalog.Defaults, Payments: []string{"kth"}, Factors: []float64{.5}, Jobs: 100, Workers: 1}
	b.Run("100 jobs x 2 bids", func(b *testing.B) {
		for b.Loop() {
			r, err := Run(context.Background(), cfg, func() (traces.Source, error) { return jobs.Source(), nil })
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(r.Instants*r.Forks)/float64(r.Stepped), "instants-saved-x")
		}
	})
	b.Run("one replay", func(b *testing.B) {
		for b.Loop() {
			e, err := cfg.build()
			if err != nil {
				b.Fatal(err)
			}
			if _, err := engine.Run(context.Background(), e, jobs.Source(), nothing{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
