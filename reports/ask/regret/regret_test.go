package regret

import (
	"context"
	"math"
	"strings"
	"testing"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/policies"
	"bourse/reports/ask/truth"
	"bourse/reports/table"
	"bourse/traces"
)

// jobsOf is a synthetic workload in memory, on a machine it keeps busy.
func jobsOf(t testing.TB, spec string) *scenario.Loaded {
	t.Helper()
	s := scenario.Default()
	s.Trace, s.Behaviour = spec, "srg"
	src, err := s.Open(scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := s.Load(src, "wsept")
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
func utilityOf(t *testing.T, jobs *scenario.Loaded, payment string, id int64, factor float64) float64 {
	t.Helper()
	market := jobs.Scenario.Market
	market.Payment = payment
	p, err := jobs.Replay(market)
	if err != nil {
		t.Fatal(err)
	}
	got := utility{id: id}
	p.Config.Bidder = lies{p.Config.Bidder, id, factor}
	if _, err := p.RunAll(context.Background(), &got); err != nil {
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

// TestAgainstWholeReplays compares every fork's answer with a whole replay, also where
// users wait for their jobs and preempted jobs begin again.
func TestAgainstWholeReplays(t *testing.T) {
	jobs := jobsOf(t, "synth:lublin?jobs=300&procs=16&seed=3&load=1.2&estimates=3")
	for _, policy := range []string{"hb", "nphb", "hb(fit=skip)", "nphb(fit=skip)", "wspt", "wsept", "fcfs", "drf",
		"restart", "feedback"} {
		x := *jobs
		payments := []string{"first", "kth"}
		switch x.Scenario.Policy = policy; policy {
		case "drf":
			payments[1] = "posted:3"
		case "restart":
			x.Scenario.Policy, x.Scenario.Preempted, x.Scenario.MigrationCost = "hb", "restart",
				scenario.Duration(30*events.Second)
		case "feedback":
			x.Scenario.Policy, x.Scenario.Feedback, x.Memory = "hb", true, followers(jobs.Memory)
		}
		r, err := Run(context.Background(), truth.Config{Jobs: &x, Payments: truth.Billed(payments),
			Factors: []float64{.5, 1.5}, Sample: 12, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Answers) != 12 || len(r.Factors) != 3 || r.Forks != 36 {
			t.Fatalf("%d answers, factors %v, %d forks", len(r.Answers), r.Factors, r.Forks)
		}
		for _, a := range r.Answers {
			for p, payment := range payments {
				for f, factor := range r.Factors {
					want := utilityOf(t, &x, payment, a.Job.ID, factor)
					if got := a.Utility[p][f]; math.Abs(got-want) > 1e-9*math.Abs(want) {
						t.Errorf("%s/%s: job %d bidding %g of its value has utility %v, in a whole replay %v", policy, payment, a.Job.ID,
							factor, got, want)
					}
				}
			}
		}
	}
}

// followers makes every third job follow the one two before it.
func followers(m *traces.Memory) *traces.Memory {
	var jobs []traces.Job
	for i := range m.Len() {
		j := m.Job(i)
		if i%3 == 2 {
			j.Prev, j.Think = m.Job(i-2).ID, 5*events.Second
		}
		jobs = append(jobs, j)
	}
	return traces.MemoryOf(jobs...)
}

func TestGains(t *testing.T) {
	r := &Result{&truth.Result{
		Payments: truth.Billed([]string{"p"}), Factors: []float64{.5, 1, 2},
		Answers: []truth.Answer{
			{Utility: [][]float64{{-80, -100, -100}}},  // gains a fifth by half the value
			{Utility: [][]float64{{-100, -100, -90}}},  // gains a tenth by twice the value
			{Utility: [][]float64{{-200, -100, -100}}}, // the truth is as good as anything
			{Utility: [][]float64{{-7, -7, -7}}},       // nothing matters
		}}}
	g := r.Gains()[0]
	if g.Exposed != .75 || math.Abs(g.Better-2./3) > 1e-12 || g.Median != .1 || g.P90 != .2 ||
		math.Abs(g.Mean-.1) > 1e-12 || g.Factor != 1 {
		t.Errorf("gains %+v", g)
	}
	if g.Shade[0] != 0 || g.Shade[1] != 0 || g.Shade[2] != 0 {
		t.Errorf("median changes %v", g.Shade)
	}
	var text strings.Builder
	if err := table.Print(&text, r.Report()); err != nil || !strings.Contains(text.String(), "66.7") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

// BenchmarkRegret shows what forking saves: ask is the price of one answer,
// replay that of one whole replay.
func BenchmarkRegret(b *testing.B) {
	cfg := truth.Config{Jobs: jobsOf(b, "synth:lublin?jobs=20000&procs=128&seed=1&load=0.9"),
		Payments: truth.Billed([]string{"kth"}), Factors: []float64{.5}, Sample: 100, Workers: 1}
	b.Run("100 jobs x 2 bids", func(b *testing.B) {
		for b.Loop() {
			r, err := Run(context.Background(), cfg)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(r.Instants*r.Forks)/float64(r.Stepped), "instants-saved-x")
		}
	})
	b.Run("one replay", func(b *testing.B) {
		for b.Loop() {
			p, err := cfg.Jobs.Replay(cfg.Jobs.Scenario.Market)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := p.RunAll(context.Background(), &utility{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
