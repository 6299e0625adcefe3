package calibrate

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/traces/rng"
)

// loaded reads a log for EASY.
func loaded(t testing.TB, log string) *scenario.Loaded {
	t.Helper()
	s := scenario.Default()
	s.Trace = log
	src, err := s.Open(scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := s.Load(src, "easy")
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// written writes a log in SWF; waits may be nil.
func written(t testing.TB, head string, rows [][7]int64, waits map[int64]int64) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(head)
	for i, r := range rows { // submit, run, procs, request, user, queue
		wait := int64(-1)
		if waits != nil {
			wait = waits[int64(i)]
		}
		fmt.Fprintf(&b, "%d %d %d %d %d -1 -1 %d %d -1 1 %d 1 1 %d 1 -1 "+
			"-1\n", i+1, r[0], wait, r[1], r[2], r[2], r[3], r[4], r[5])
	}
	path := filepath.Join(t.TempDir(), "log.swf")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

const plantedHead = "; UnixStartTime: 852508800\n; TimeZoneString: UTC\n; MaxProcs: 64\n" // a Monday, 1997-01-06

// workload is jobs of forty users over so many weeks, more of them by day.
func workload(weeks, seed uint64) (rows [][7]int64) {
	draw := rng.New(seed, "planted")
	requests := []int64{600, 1800, 3600, 7200, 4 * 3600, 8 * 3600, 12 * 3600, 20 * 3600}
	for at := int64(0); at < int64(weeks)*7*86400; {
		gap := 1500.0
		if h := at / 3600 % 24; h < 7 || h > 20 {
			gap = 5000
		}
		at += 1 + int64(-gap*rng.Log(1-draw.Float64()))
		request := requests[draw.IntN(len(requests))]
		run := max(30, int64(float64(request)*(.2+.8*draw.Float64())))
		rows = append(rows, [7]int64{at, run, int64(1) << draw.IntN(5), request, int64(1 + draw.IntN(40)), 1})
	}
	return rows
}

// sink keeps waits by place.
type sink map[int64]int64

func (s sink) Record(o *engine.Outcome) error {
	s[o.Seq] = int64(o.Wait() / events.Second)
	return nil
}

// scheduled is a workload as a site would have scheduled it.
func scheduled(t testing.TB, rows [][7]int64, m *scenario.SiteModel) string {
	t.Helper()
	jobs := loaded(t, written(t, plantedHead, rows, nil))
	l, err := jobs.Under(m, jobs.Memory)
	if err != nil {
		t.Fatal(err)
	}
	market := l.Scenario.Market
	market.Policy = m.Scheduler.Rule
	p, err := l.Replay(market)
	if err != nil {
		t.Fatal(err)
	}
	waits := sink{}
	if _, err := p.RunAll(context.Background(), waits); err != nil {
		t.Fatal(err)
	}
	return written(t, plantedHead, rows, waits)
}

// TestPlanted finds the rules of model logs again, and none that are not there.
func TestPlanted(t *testing.T) {
	rule := func(text string) scenario.SiteRule { return scenario.SiteRule{Rule: text} }
	windows := []scenario.SiteRule{rule("estimate > 14400: mon-fri 00:00-08:00, mon-fri 17:00-24:00, sat, sun")}
	half := &scenario.SiteCapacity{Hours: "300 32\n340 64\n1000 24\n1060 64\n2200 40\n2240 64\n"}
	for _, c := range []struct {
		name  string
		model scenario.SiteModel
	}{
		{"no rules", scenario.SiteModel{Scheduler: rule("easy")}},
		{"windows", scenario.SiteModel{Scheduler: rule("easy"), Windows: windows}},
		{"capacity", scenario.SiteModel{Scheduler: rule("easy"), Capacity: half}},
		{"considered", scenario.SiteModel{Scheduler: rule("easy"), Limits: []scenario.SiteRule{rule("user: considered <= 1")}}},
		{"running", scenario.SiteModel{Scheduler: rule("easy"), Limits: []scenario.SiteRule{rule("user: jobs <= 2")}}},
		{"windows, capacity, order", scenario.SiteModel{Scheduler: rule("easy(order=expr(submit+86400*log2(estimate+36)))"), Windows: windows,
			Capacity: half}},
	} {
		t.Run(c.name, func(t *testing.T) {
			jobs := loaded(t, scheduled(t, workload(20, 1), &c.model))
			r, err := Run(context.Background(), Config{Jobs: jobs, Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.eras) > 1 {
				t.Errorf("a change of rules on day %v that never were", r.eras[1].from/day)
			}
			checkWindows(t, &r.eras[0].closed, c.model.Windows != nil)
			if (len(r.Model.Windows) > 0) != (c.model.Windows != nil) || len(r.Model.Limits) != len(c.model.Limits) {
				t.Errorf("%d windows and %d limits are found", len(r.Model.Windows), len(r.Model.Limits))
			}
			if c.model.Limits != nil && len(r.Model.Limits) > 0 && r.Model.Limits[0].Rule != c.model.Limits[0].Rule {
				t.Errorf("the limit found is %s", r.Model.Limits[0].Rule)
			}
			site, plain := &r.Judged[0], &r.Judged[1]
			if c.name == "no rules" && r.Model.Scheduler.Rule != "easy" {
				t.Errorf("the scheduler found is %s", r.Model.Scheduler.Rule)
			}
			if c.name != "no rules" && (site.LogError > plain.LogError || site.Rank < plain.Rank) {
				t.Errorf("the model is no closer than EASY: %+v, %+v", site, plain)
			}
		})
	}
}

// TestBound replays every choice to its end and up to the bound: of those that are given up none is better.
func TestBound(t *testing.T) {
	m := &scenario.SiteModel{Scheduler: scenario.SiteRule{Rule: "easy"},
		Limits: []scenario.SiteRule{{Rule: "user: considered <= 1"}}}
	r, err := newRecord(loaded(t, scheduled(t, workload(20, 3), m)))
	if err != nil {
		t.Fatal(err)
	}
	c := &calibration{jobs: loaded(t, scheduled(t, workload(20, 3), m)), record: r}
	s, err := c.stretch(r.first+4*week, r.first+16*week)
	if err != nil {
		t.Fatal(err)
	}
	ctx, ended := context.Background(), 0
	f := &fit{s: s, jobs: c.judged(s)}
	plain, err := c.try(ctx, f, choice{reservations: 1}, nil)
	for _, st := range c.steps(s.from, s.until, r.eras()) {
		for _, o := range st.options {
			x := choice{reservations: 1}
			o.apply(&x)
			whole, _ := c.try(ctx, f, x, nil)
			for _, raised := range []float64{0, -.2, -.5} { // scores that are harder to beat
				than := plain
				than.logError, than.halves[0], than.halves[1] = than.logError+raised, than.halves[0]+raised, than.halves[1]+raised
				cut, err := c.try(ctx, f, x, than.toBeat(f.jobs))
				switch {
				case err != nil:
					t.Fatal(err)
				case math.IsInf(cut.logError, 1):
					if ended++; whole.better(than) {
						t.Errorf("%s %s is given up, and better: %+v than %+v", st.part, o.text, whole, than)
					}
				case cut != whole:
					t.Errorf("%s %s: up to its end %+v, without a bound %+v", st.part, o.text, cut, whole)
				}
			}
		}
	}
	if ended == 0 || err != nil {
		t.Errorf("no replay is given up (%v)", err)
	}
}

// TestPlantedChange finds the week in which windows are given up, and the windows before it.
func TestPlantedChange(t *testing.T) {
	const weeks, until = 30, 18
	m := &scenario.SiteModel{Scheduler: scenario.SiteRule{Rule: "easy"}, Windows: []scenario.SiteRule{
		{Rule: fmt.Sprintf("submit < %d && estimate > 14400: mon-fri 00:00-08:00, mon-fri 17:00-24:00, sat, "+
			"sun", until*7*86400)}}}
	r, err := newRecord(loaded(t, scheduled(t, workload(weeks, 2), m)))
	if err != nil {
		t.Fatal(err)
	}
	eras := r.eras()
	if len(eras) != 2 || eras[0].until < (until-1)*week || eras[0].until > (until+1)*week {
		t.Fatalf("%d eras, the first until week %v, want %d", len(eras), eras[0].until/week, until)
	}
	checkWindows(t, &eras[0].closed, true)
	checkWindows(t, &eras[1].closed, false)
	if rules := windowRules(eras); len(rules) == 0 || !strings.HasPrefix(rules[0].Rule, "submit < ") {
		t.Errorf("the rules are %v", rules)
	}
}

// checkWindows wants what is closed to be what was planted, or nothing.
func checkWindows(t *testing.T, x *closed, planted bool) {
	t.Helper()
	for c := range x {
		for k := range x[c] {
			for h, shut := range x[c][k] {
				may := planted && c > 3 && k <= friday && h >= 8 && h < 17
				if shut && !may {
					t.Errorf("class %d is closed on kind of day %d at %d and should be open", c, k, h)
				}
				if may && !shut && h > 8 { // on Fridays few wait at 8
					t.Errorf("class %d is open on kind of day %d at %d and should be closed", c, k, h)
				}
			}
		}
	}
}
