package dynamicsharing

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/events"
	"bourse/policies/lending"
	"bourse/policies/share"
	"bourse/reports/papers"
	"bourse/reports/papers/claimtest"
	"bourse/reports/table"
	"bourse/traces/rng"
	"bourse/traces/tracetest"
)

// trace is a small trace of tasks: 40 of three users, one every ten minutes, most of which
// end half an hour after they began.
func trace(t *testing.T) string {
	var rows []string
	for i := range 40 {
		for _, kind := range []int{0, 1} {
			rows = append(rows, fmt.Sprintf("%d %d 0 %d", 600+i*600, i, kind))
		}
		if i >= 3 {
			rows = append(rows, fmt.Sprintf("%d %d 0 4", 600+i*600, i-3))
		}
	}
	return tracetest.GoogleTrace(t, "", tracetest.GoogleEvents(rows...))
}

// jobEvents writes a file of job_events: second, job, event, user.
func jobEvents(t *testing.T, rows ...string) string {
	t.Helper()
	var text strings.Builder
	for _, row := range rows {
		f := strings.Fields(row)
		var at int
		fmt.Sscan(f[0], &at)
		fmt.Fprintf(&text, "%d,,%s,%s,%s,3,,x\n", at*1_000_000, f[1], f[2], f[3])
	}
	path := filepath.Join(t.TempDir(), "jobs.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestReadings: job 1 was there before and never ends, job 2 lives from 50 s to 250 s,
// job 3 of another user from 150 s on.
func TestReadings(t *testing.T) {
	g, err := readJobs(context.Background(), jobEvents(t, "0 1 0 u", "650 2 0 v", "651 2 1 v", "750 3 0 w", "850 2 4 v",
		"850 9 5 v", "905 4 0 v", "905 4 5 v"))
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []string{
		"[[{0 1} {1 0.5}] [{0 1} {1 1} {2 0.5}] [{0 1} {1 0.5} {2 1}]]",
		"",
		"[[{0 1}] [{1 1}] []]",
		"[[{0 1}] [{1 1}] []]",
	} {
		x, err := g.instance(readings[k], 100*events.Second, day)
		if want == "" { // v alone has a job that ends
			if err == nil || !strings.Contains(err.Error(), "inside: 1 users in 3 rounds of 100s; want at least 2 users") {
				t.Errorf("%s: %v", readings[k].name, err)
			}
			continue
		}
		if err != nil || fmt.Sprint(x.rounds) != want {
			t.Errorf("%s: %v, %v, want %s", readings[k].name, x, err, want)
		}
	}
	of := readings[3]
	if of.active = .5; true {
		if _, err := g.instance(of, 100*events.Second, day); err == nil {
			t.Error("users of one round in three count as active in half of them")
		}
	}
	for rows, want := range map[string]string{"700 1 0 u\n650 2 0 u": "csv:2: time 650000000 follows 700000000",
		"700 1 9 u": "csv:1: a job event that cannot be read", "": "no job is submitted"} {
		var lines []string
		if rows != "" {
			lines = strings.Split(rows, "\n")
		}
		if _, err := readJobs(context.Background(), jobEvents(t, lines...)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", rows, err, want)
		}
	}
}

func TestRules(t *testing.T) {
	x := &instance{agents: 3, rounds: [][]entry{{{0, 4}, {2, 1}}, {{0, 2}}}}
	x.trim("demands", events.Second) // nobody is agent 1
	for k, want := range [][]float64{{3, .5}, {1.75, 1.75}, {3, 1}} {
		if got := rules[k].endow(x); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", rules[k].name, got, want)
		}
	}
}

// TestRandomInstances wants the drawn demands to have the endowments as means.
func TestRandomInstances(t *testing.T) {
	stream := rng.New(1, "test")
	ratio, n := 0.0, 0.0
	for k := range 20 {
		stream.Key(uint64(k))
		x := random(stream, laws[k%3].draw, 0)
		if x.agents < 2 || x.agents > 100 || len(x.rounds) < 10 || len(x.rounds) > 1000 {
			t.Errorf("%d agents, %d rounds", x.agents, len(x.rounds))
		}
		for i, m := range x.meanDemand() {
			ratio += m / x.endow[i] * float64(len(x.rounds))
			n += float64(len(x.rounds))
		}
	}
	if math.Abs(ratio/n-1) > .01 {
		t.Errorf("demands are %.3f of the endowments on average", ratio/n)
	}
}

// TestStudyOfWorkers wants the same report from any number of workers, without
// traces and with small ones.
func TestStudyOfWorkers(t *testing.T) {
	var rows []string
	for i := range 60 {
		rows = append(rows, fmt.Sprintf("%d %d 0 u%d", 600+i*1800, i, i%3))
		if i > 1 {
			rows = append(rows, fmt.Sprintf("%d %d 4 u%d", 600+i*1800, i-1-i%2, (i-1-i%2)%3))
		}
	}
	for _, o := range []Options{{}, {Google: trace(t), Jobs: jobEvents(t, rows...)}} {
		var reports [2]bytes.Buffer
		for k := range reports {
			o.Instances, o.Lies, o.Seed, o.Workers = 3, 20, 1, k+1
			if err := made(&reports[k], "", o); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(reports[0].Bytes(), reports[1].Bytes()) {
			t.Error("one worker and two report different things")
		}
		claims := "20 claims: "
		if o.Google != "" {
			claims = "27 claims: "
		}
		if !strings.Contains(reports[0].String(), claims) || strings.Contains(reports[0].String(), string(papers.Fails)) {
			t.Errorf("the report should have %s\n%s", claims, &reports[0])
		}
	}
	for _, o := range []Options{{Logs: []string{"none.swf"}}, {Jobs: "none"}, {Jobs: t.TempDir()}, {Google: t.TempDir()}} {
		if o.Instances = 2; made(io.Discard, "", o) == nil {
			t.Errorf("%+v: a missing trace should be told", o)
		}
	}
}

// hoard gives all to the last agent.
type hoard struct{ endow []float64 }

func (h hoard) Round(_, alloc []float64) {
	clear(alloc)
	alloc[len(alloc)-1] = share.Welfare(h.endow)
}

// newStudy is a study of few instances without files.
func newStudy(t *testing.T) *study {
	t.Helper()
	report, err := papers.NewStudy(table.Output{W: io.Discard}, "")
	if err != nil {
		t.Fatal(err)
	}
	return &study{Study: report, Options: Options{Instances: 15, Lies: 100, Seed: 1}, ctx: context.Background()}
}

// bursts is an instance in which each agent wants all there is in a round of its own.
func bursts(n int) *instance {
	x := &instance{agents: n}
	for i := range n {
		x.rounds = append(x.rounds, []entry{{int32(i), float64(n)}})
	}
	return x
}

// TestClaims breaks one mechanism at a time; the claims that rest on it must not stand.
func TestClaims(t *testing.T) {
	type claim = claimtest.Claim
	kept := append([]mechanism(nil), mechanisms...)
	outs, err := runAll(context.Background(), 0, []*instance{random(rng.Stream(1, "test", 0), laws[0].draw, 200),
		bursts(40)}, rules[0])
	if err != nil {
		t.Fatal(err)
	}
	// google judges the settings of Google's jobs in each of which the mechanism k is as another.
	google := func(settings []outcome, k, as int) func() *papers.Study {
		return func() *papers.Study {
			s := newStudy(t)
			for _, o := range settings {
				o = append(outcome(nil), o...)
				o[k] = o[as]
				s.settings = append(s.settings, setting{trace: googleJobs, outcome: o})
			}
			s.googleClaims()
			return s.Study
		}
	}
	hoards := plain(func(e []float64) hoard { return hoard{e} })
	// far is a setting at the other end of each range.
	far := append(outcome(nil), outs[0]...)
	far[halfPeriod] = far[staticMaxMin]
	if far[flexible], err = random(rng.Stream(1, "test", 0), laws[0].draw, 200).run(mechanism{make: hoards},
		rules[0]); err != nil {
		t.Fatal(err)
	}
	wide, usual := append(outs, far), outs[:1]
	var mutations []claimtest.Mutation
	broken := func(what string, replace func() (restore func()), parts func(*study) []func() error, where string,
		says ...string) {
		m := claimtest.Mutation{What: what, Broken: func() *papers.Study {
			s := newStudy(t)
			defer replace()()
			for _, part := range parts(s) {
				if err := part(); err != nil {
					t.Fatal(err)
				}
			}
			return s.Study
		}}
		for _, x := range says {
			m.Notice = append(m.Notice, claim{Where: where, Says: x})
		}
		mutations = append(mutations, m)
	}
	judged := func(what string, sound, broken func() *papers.Study, where, says string) {
		mutations = append(mutations, claimtest.Mutation{What: what, Sound: sound, Broken: broken,
			Notice: []claim{{Where: where, Says: says}}})
	}
	as := func(k int, by func([]float64, int) (lending.Lender, error)) func() func() {
		return func() func() { mechanisms[k].make = by; return func() { copy(mechanisms, kept) } }
	}
	welfare := func(s *study) []func() error { return []func() error{s.figure2} }
	index := func(s *study) []func() error { return []func() error{s.figure2, s.figure3} }
	lying := func(s *study) []func() error { return []func() error{s.lies} }
	limit := func(s *study) []func() error { return []func() error{s.asymptotics} }

	lends := func(e []float64, _ int) (lending.Lender, error) { return lending.NewKarma(e, .5, karmaCredits) }
	smm, fl, dmm, fixed, two, half := kept[staticMaxMin].make, kept[flexible].make, kept[dynamicMaxMin].make,
		kept[static].make, kept[twoPeriod].make, kept[halfPeriod].make
	const random, section2, section3 = "Figure 2, random", "Section 2", "Section 3"
	broken("FL without tokens", as(flexible, smm), welfare, random, "FL achieves 98 % of SMM's welfare")
	broken("FL without tokens", as(flexible, smm), welfare, section3, "FL allocates exactly R e_i to each agent")
	broken("FL without tokens", as(flexible, dmm), lying, section3, "FL is strategy-proof")
	broken("FL that lends only to pay back", as(flexible, half), limit, "Section 5",
		"FL is fully efficient in the limit of many rounds")
	broken("FL that hoards", as(flexible, hoards), index, section3, "FL guarantees every agent half of the static utility")
	broken("FL that hoards", as(flexible, hoards), index, "Abstract",
		"on synthetic data no agent has less than .98 of its static utility")
	broken("2-Period without pay-back", as(twoPeriod, dmm), lying, section3, "T-Period is strategy-proof for T = 2")
	broken("1-Period without pay-back", as(onePeriod, dmm), lying, section3, "T-Period is strategy-proof for T = 1")
	broken("2-Period that hoards", as(twoPeriod, hoards), index, section3, "T-Period has sharing incentives for T <= 2")
	broken("2-Period that does not lend", as(twoPeriod, fixed), welfare, random, "2-Period is slightly above 1-Period")
	broken("1-Period that lends longer", as(onePeriod, two), welfare, random, "1-Period has the lowest welfare")
	broken("1-Period that hoards", as(onePeriod, hoards), welfare, "Figure 2",
		"1-Period and 2-Period outperform static shares")
	broken("DMM with tokens", as(dynamicMaxMin, fl), welfare, "Figure 2", "DMM and SMM produce the same, highest welfare")
	broken("DMM that is static", as(dynamicMaxMin, fixed), lying, section2, "DMM is not strategy-proof",
		"DMM violates sharing incentives")
	broken("SMM that is static", as(staticMaxMin, fixed), lying, section2, "SMM is not strategy-proof",
		"SMM violates sharing incentives")
	broken("static shares that leave units idle", as(static, lends), welfare, section2, "all resources are allocated")
	broken("R/2-Period that is static", func() func() {
		old := threePeriod
		threePeriod.make = fixed
		return func() { threePeriod = old }
	}, lying, "Section 4", "R/2-Period is not strategy-proof")
	broken("units beyond the demand without worth", func() func() {
		old := lowWorth
		lowWorth = 0
		return func() { lowWorth = old }
	}, lying, section2, "no mechanism is efficient and has sharing incentives",
		"no mechanism is efficient and strategy-proof")
	judged("FL without tokens", google(wide, static, static), google(wide, flexible, staticMaxMin), "Figure 2, Google",
		"FL achieves 97 % of SMM's welfare")
	judged("R/2-Period without pay-back", google(wide, static, static), google(wide, halfPeriod, staticMaxMin),
		"Figure 2, Google", "R/2-Period achieves 87 % of SMM's welfare")
	for _, says := range []string{"the least sharing index is 0.98", "agents receive 15x on average",
		"the overwhelming majority benefit substantially"} {
		judged("FL that is static", google(wide, static, static), google(wide, flexible, static), "Figure 3, Google", says)
	}
	judged("2-Period that does not lend", google(usual, static, static), google(usual, twoPeriod, static),
		"Figure 2, Google", "2-Period is slightly above 1-Period")
	judged("1-Period that lends longer", google(usual, static, static), google(usual, onePeriod, twoPeriod),
		"Figure 2, Google", "1-Period has the lowest welfare")

	whole := newStudy(t)
	for _, part := range []func() error{whole.figure2, whole.asymptotics, whole.figure3, whole.lies} {
		if err := part(); err != nil {
			t.Fatal(err)
		}
	}
	whole.settings = []setting{{trace: googleJobs, outcome: outs[0]}}
	whole.googleClaims()
	claimtest.Run(t, whole.Study, nil, mutations)
}

// TestLongRealGoogle keeps the measured comparisons: on the first 14 parts users' demands
// hardly change, so that there is less to lend than in the paper; over the month the jobs
// that start and end in it come near it, as an independent program found.
func TestLongRealGoogle(t *testing.T) {
	tracetest.Long(t)
	window := &instance{name: googleAll}
	if err := window.readLog(context.Background(), tracetest.Shared(t, "data/google2011"), lengths[0], true); err != nil {
		t.Fatal(err)
	}
	window.rounds = window.rounds[:len(window.rounds)-1] // it is not whole
	g, err := readJobs(context.Background(), tracetest.Shared(t, "data/google2011/job_events_month.csv.zst"))
	if err != nil {
		t.Fatal(err)
	}
	inside, err := g.instance(readings[1], 15*minute, 29*day)
	if err != nil {
		t.Fatal(err)
	}
	active, err := g.instance(readings[3], 240*minute, 29*day)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x      *instance
		agents int
		rounds int
		want   [4]float64 // FL and R/2 in parts of SMM, least and mean index
	}{
		{window, 556, 233, [4]float64{.993, .989, .997, 3.697}},
		{inside, 638, 2783, [4]float64{.977, .877, .985, 111.037}},
		{active, 510, 173, [4]float64{.969, .877, .978, 15.234}},
	} {
		outs, err := runAll(context.Background(), 0, []*instance{c.x}, rules[0])
		if err != nil {
			t.Fatal(err)
		}
		x := outs[0].indices(flexible)
		for k, v := range []float64{outs[0].ofSMM(flexible), outs[0].ofSMM(halfPeriod), x.least(), x.mean} {
			if math.Abs(v-c.want[k]) > .0006 {
				t.Errorf("%s: quantity %d is %.4f, want %.3f", c.x.name, k, v, c.want[k])
			}
		}
		if c.x.agents != c.agents || len(c.x.rounds) != c.rounds {
			t.Errorf("%s: %d agents, %d rounds", c.x.name, c.x.agents, len(c.x.rounds))
		}
	}
}

// made makes the study with files in dir, if that is not empty.
func made(out io.Writer, dir string, o Options) error {
	return claimtest.Make(out, dir, func(s *papers.Study) error { return Run(context.Background(), s, o) })
}
