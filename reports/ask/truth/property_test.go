package truth

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/traces"
	"bourse/traces/tracetest"
)

// grid are lies fine enough to pass nearly every other bid of a tiny instance.
var grid = []float64{.07, .12, .2, .3, .4, .55, .7, .85, 1, 1.15, 1.4, 1.7, 2.1, 2.6, 3.3, 4.5, 6, 9.5}

// shares are of jobs that gain by a lie, and of what they gain, over many instances.
func shares(t *testing.T, n int, policy, payment string, draw func(*rand.Rand) instance) (gain, of float64) {
	r := rand.New(rand.NewPCG(7, 8))
	jobs, gained, gains, sizes := 0., 0., 0., 0.
	for range n {
		res := draw(r).asked(t, policy, payment, grid)
		truth := slices.Index(res.Factors, 1)
		for _, a := range res.Answers {
			u := a.Utility[0]
			jobs++
			if g := slices.Max(u) - u[truth]; g > 1e-9*max(1, math.Abs(u[truth])) {
				gained, gains = gained+1, gains+g
			}
			sizes += math.Abs(u[truth])
		}
	}
	return gained / jobs, gains / sizes
}

func overTime(r *rand.Rand) instance { return drawn(r, 1+r.IntN(3), 1) }

// atOnce has all jobs at 0 on one processor.
func atOnce(r *rand.Rand) instance {
	x := drawn(r, 1, 1)
	for i := range x.jobs {
		x.jobs[i].r = 0
	}
	return x
}

// units are jobs of one second at whole times.
func units(r *rand.Rand) instance {
	x := drawn(r, 1+r.IntN(3), 1)
	for i := range x.jobs {
		x.jobs[i].tau = 1
	}
	return x
}

// TestNobodyGains wants no lie to gain where critical payments are proved to be truthful,
// and a good share of jobs to gain elsewhere: about as many as in an independent search.
func TestNobodyGains(t *testing.T) {
	for _, c := range []struct {
		policy, payment string
		draw            func(*rand.Rand) instance
		gain, of        float64 // the independent search's; 0 is none at all
	}{
		{"hb", "critical:0", overTime, 0, 0},
		{"nphb", "critical:0", overTime, 0, 0},
		{"wspt", "critical:0", overTime, 0, 0},
		{"wsept", "critical:1", overTime, 0, 0},
		{"hb", "critical:3", overTime, 0, 0},
		{"wspt", "clarke", atOnce, 0, 0},
		{"hb", "clarke", units, 0, 0},
		{"hb", "first:0", overTime, .7, .22},
		{"hb", "kth:0", overTime, .146, .063},
		{"nphb", "kth:0", overTime, .245, .072},
		{"wspt", "kth:0", overTime, .21, .058},
		{"wspt", "kth:0", atOnce, .28, .077},
		{"hb", "kth:0", atOnce, .485, .199},
		{"hb", "clarke", overTime, .134, .047},
		{"hb", "clarke", atOnce, .417, .1},
	} {
		t.Run(c.policy+" "+c.payment, func(t *testing.T) {
			t.Parallel()
			n := 300
			if c.gain > 0 {
				n = 150
			}
			gain, of := shares(t, n, c.policy, c.payment, c.draw)
			if c.gain == 0 && gain > 0 || math.Abs(gain-c.gain) > .08 || math.Abs(of-c.of) > .05 {
				t.Errorf("%.3f gain, %.3f of utilities; want %.3f, %.3f", gain, of, c.gain, c.of)
			}
		})
	}
}

// TestClarkeIsCritical wants both payments to be equal where theory says so: unit jobs at
// whole times under hb, all at once on one processor under wspt.
func TestClarkeIsCritical(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 250 {
		for policy, draw := range map[string]func(*rand.Rand) instance{"hb": units, "wspt": atOnce} {
			x := draw(r)
			res := x.asked(t, policy, "critical:0,clarke", nil)
			a, b := res.paid("critical:0"), res.paid("clarke")
			for i := range a {
				if !close(a[i], b[i]) {
					t.Fatalf("%s %+v: job %d pays %g critical and %g Clarke", policy, x, i+1, a[i], b[i])
				}
			}
		}
	}
}

// TestParticipation wants nobody to do worse with the truth than with a bid of 0, and no
// Clarke payment to be negative under hb, where leaving delays nobody.
func TestParticipation(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 150 {
		for _, policy := range []string{"hb", "nphb", "wspt"} {
			x := overTime(r)
			res := x.asked(t, policy, "critical:0,clarke", nil)
			for i, a := range res.Answers {
				last, _ := x.flow(t, policy, int64(i+1), 0)
				if least := -a.Value * last; a.Utility[0][0] < least-1e-9*math.Abs(least) {
					t.Fatalf("%s %+v: job %d has utility %g, bidding 0 %g", policy, x, i+1, a.Utility[0][0], least)
				}
				if a.Paid[0][0] < -1e-9 || policy == "hb" && a.Paid[1][0] < -1e-9 {
					t.Fatalf("%s %+v: job %d pays %g and %g", policy, x, i+1, a.Paid[0][0], a.Paid[1][0])
				}
			}
		}
	}
}

// busy is a loaded log.
func busy(t testing.TB, change func(*scenario.Scenario)) *scenario.Loaded {
	t.Helper()
	s := scenario.Default()
	s.Trace, s.Policy = "synth:lublin?jobs=400&procs=16&seed=3&load=1.1&estimates=3", "hb"
	change(&s)
	src, err := s.Open(scenario.Env{})
	must(t, err)
	jobs, err := s.Load(src)
	must(t, err)
	return jobs
}

// TestLongEnclosure wants a payment from few forks to be no further from the exact one than it
// says, and any number of workers to print the same.
func TestLongEnclosure(t *testing.T) {
	tracetest.Long(t)
	jobs := busy(t, func(s *scenario.Scenario) { s.Serial = true })
	all, err := ParsePayments([]string{"first", "critical", "clarke"})
	must(t, err)
	ask := func(forks, workers int, policies ...string) []*Result {
		r, err := Run(context.Background(), Config{Jobs: jobs, Policies: policies, Payments: all, Factors: grid, Sample: 40,
			Forks: forks, Workers: workers})
		must(t, err)
		return r
	}
	few, many := ask(4, 1, "hb", "nphb"), ask(10_000, 2, "hb", "nphb")
	truth := slices.Index(few[0].Factors, 1)
	for k, r := range few {
		for i, a := range r.Answers {
			for _, p := range []int{1, 2} {
				b := many[k].Answers[i]
				off := math.Abs(a.Paid[p][truth] - b.Paid[p][truth])
				if off > a.Half[p][truth]+b.Half[p][truth]+1e-6 {
					t.Errorf("%s: job %d pays %g ± %g, exactly %g ± %g", r.Policy, a.Job.ID, a.Paid[p][truth], a.Half[p][truth],
						b.Paid[p][truth], b.Half[p][truth])
				}
				if b.Half[p][truth] > Precision*(math.Abs(b.Paid[p][truth])+b.Waiting) {
					t.Errorf("%s: job %d is off by %g of %g though there is no end of forks", r.Policy, b.Job.ID, b.Half[p][truth],
						b.Paid[p][truth])
				}
			}
		}
	}
	var a, b bytes.Buffer
	for w, r := range map[*bytes.Buffer][]*Result{&a: ask(8, 1, "hb", "wspt"), &b: ask(8, 3, "hb", "wspt")} {
		must(t, (&table.Output{W: w, Format: "json"}).Write(Report(append(r[0].Rows(), r[1].Rows()...))))
	}
	if a.String() != b.String() {
		t.Error("the number of workers changes what is printed")
	}
}

// TestBidsPlayNoPart wants jobs to pay nothing critical where bids change no schedule.
func TestBidsPlayNoPart(t *testing.T) {
	x := instance{2, []job{{0, 3, 1, 5}, {0, 4, 2, 3}, {1, 2, 1, 9}}}
	for _, policy := range []string{"fcfs", "easy", "srpt", "drf"} {
		r := x.asked(t, policy, "critical", nil)
		if got := append(r.paid("critical:0"), r.paid("critical:1")...); slices.Max(got) != 0 || slices.Min(got) != 0 {
			t.Errorf("%s: jobs pay %v", policy, got)
		}
	}
}

// TestPieces wants the pieces of a job to be one agent, who is last when it bids nothing.
func TestPieces(t *testing.T) {
	jobs := busy(t, func(s *scenario.Scenario) { s.Serial = true })
	list, err := ParsePayments([]string{"critical:0"})
	must(t, err)
	all, err := Run(context.Background(), Config{Jobs: jobs, Policies: []string{"hb"}, Payments: list,
		Factors: []float64{.5, 2}, Sample: 60, Forks: 100, Workers: 2})
	must(t, err)
	pieces := 0
	for _, a := range all[0].Answers {
		pieces = max(pieces, int(a.Job.Pieces))
		for f := range all[0].Factors {
			if a.Utility[0][f] > a.Utility[0][1]+1e-6*math.Abs(a.Utility[0][1]) {
				t.Errorf("job %d of %d pieces gains by bidding %g w", a.Job.ID, a.Job.Pieces, all[0].Factors[f])
			}
		}
	}
	if pieces < 2 || all[0].Rows()[0].Rises > 0 {
		t.Errorf("%d pieces at most, %d rises", pieces, all[0].Rows()[0].Rises)
	}
}

// TestRefusals wants one sentence where a payment has no meaning.
func TestRefusals(t *testing.T) {
	for names, want := range map[string]string{
		"criticl":               `"criticl" is unknown; did you mean "critical"?`,
		"critical(from=-1)":     "from",
		"clarke:3":              "clarke",
		"critical critical:0":   "given twice",
		"kth(reserve=x)":        "reserve",
		"critical(upto=4)":      "upto",
		"critical(from=1,from)": "from",
	} {
		if _, err := ParsePayments(strings.Fields(names)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", names, err, want)
		}
	}
	x := instance{2, []job{{0, 3, 1, 5}, {0, 4, 1, 3}}}
	s := scenario.Default()
	s.Feedback = true
	list, _ := ParsePayments([]string{"clarke"})
	jobs := &scenario.Loaded{Scenario: s, Hardware: scenario.Hardware{Machine: engine.Processors(2)},
		Memory: traces.MemoryOf(x.rows()...)}
	ask := func(policy string) error {
		_, err := Run(context.Background(), Config{Jobs: jobs, Policies: []string{policy}, Payments: list, Sample: 2,
			Workers: 1})
		return err
	}
	if err := ask("hb"); err == nil || !strings.Contains(err.Error(), "with feedback others come because of it") {
		t.Error(err)
	}
	if err := ask("price-anticipating"); err == nil || !strings.Contains(err.Error(), "users spend a budget") {
		t.Error(err)
	}
}

// TestRatio compares the interval with that of a jackknife.
func TestRatio(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	var a, b []float64
	for range 400 {
		x := r.ExpFloat64()
		a, b = append(a, x*(1+r.Float64())), append(b, x+.1)
	}
	got := stats.RatioOf(a, b)
	var left []float64
	for i := range a {
		left = append(left, (stats.Total(a)-a[i])/(stats.Total(b)-b[i]))
	}
	e := stats.EstimateOf(left)
	if want := e.Half * float64(len(a)-1); math.Abs(got.Half-want) > .02*want ||
		math.Abs(got.Mean-stats.Total(a)/stats.Total(b)) > 1e-12 {
		t.Errorf("%v, by a jackknife ± %g", got, want)
	}
}

// TestOver sums two replicas up.
func TestOver(t *testing.T) {
	a := Row{Policy: "hb", Payment: "kth", Jobs: 10, Gainers: 2, Over: 1, Factor: 2, Liars: stats.Exactly(.2),
		Revenue: stats.Exactly(1)}
	b := a
	a.From, b.From = "20 draws, too skewed", everyJob
	b.Jobs, b.Gainers, b.Over, b.Factor, b.Liars, b.Revenue = 20, 6, 6, 4, stats.Exactly(.3), stats.Exactly(3)
	r := Over([][]Row{{a}, {b}})[0]
	if r.Jobs != 30 || r.Gainers != 8 || r.Over != 7 || r.Factor != 2 || !close(r.Liars.Mean, .25) ||
		r.Revenue != stats.EstimateOf([]float64{1, 3}) || r.Replicas != 2 || r.From != "every job or draws" {
		t.Errorf("%+v", r)
	}
}
