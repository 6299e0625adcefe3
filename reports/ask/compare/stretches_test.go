package compare

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/run"
	"bourse/traces/tracetest"
)

// TestStretches holds where stretches begin against the state of both schedules at every
// submission, and what they add against the jobs.
func TestStretches(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	seen := 0
	for range 500 {
		n := 1 + r.IntN(30)
		l := &jobs{until: n, names: []string{"even", "odd"}}
		a, b := newSchedule(n), newSchedule(n)
		now := events.Time(0)
		for i := range n {
			now += events.Time(r.IntN(6))
			l.submit, l.group = append(l.submit, now), append(l.group, int32(i%2))
			run := events.Time(r.IntN(8))
			for _, s := range []*schedule{a, b} {
				start := now + events.Time(max(0, r.IntN(8)-5))
				end := start + run + events.Time(max(0, r.IntN(12)-10))
				s.set(i, start, end, run, r.IntN(20) == 0, float64(r.IntN(3)))
			}
		}
		l.from, l.until = r.IntN(n), n-r.IntN(2)
		agreed := func(i int) bool { // by definition, of the jobs before i
			for k := range i {
				waits := func(s *schedule) bool { return s.start[k] > l.submit[i] }
				runs := func(s *schedule) bool { return s.end[k] > l.submit[i] }
				alike := a.start[k] == b.start[k] && a.start[k] != broken
				if waits(a) || waits(b) || (runs(a) || runs(b)) && !alike {
					return false
				}
			}
			return true
		}
		begin := l.cut(a, b)
		for i := range n {
			if got := slices.Contains(begin, i); got != agreed(i) {
				t.Fatalf("job %d begins a stretch: %t, want %t", i, got, agreed(i))
			}
		}
		for g, list := range append(l.differences(a, b, true), l.differences(a, b, false)[0]) {
			sums := map[int]float64{}
			for i := l.from; i < l.until; i++ {
				at, found := slices.BinarySearch(begin, i)
				if !found {
					at--
				}
				if g == 2 || i%2 == g {
					sums[begin[at]] += b.x[i] - a.x[i]
				}
			}
			for _, s := range list {
				if seen++; s.sum == 0 || s.sum != sums[s.first] || s.jobs < 1 {
					t.Fatalf("stretch %+v, want a sum of %g", s, sums[s.first])
				}
				delete(sums, s.first)
			}
			for first, sum := range sums {
				if sum != 0 {
					t.Fatalf("the stretch from job %d is not there", first)
				}
			}
		}
	}
	if seen < 1000 {
		t.Errorf("only %d stretches", seen)
	}
}

// TestMerge keeps sums where there are more stretches than are kept apart.
func TestMerge(t *testing.T) {
	list := make([]stretch, 2*mostStretches+1)
	for i := range list {
		list[i] = stretch{i, i + 1, 1, float64(i)}
	}
	out := merge(list)
	sum, n := 0.0, int64(0)
	for _, s := range out {
		sum, n = sum+s.sum, n+s.jobs
	}
	if len(out) > mostStretches || n != int64(len(list)) || sum != float64(len(list)*(len(list)-1)/2) ||
		out[0].first != 0 || out[len(out)-1].next != len(list) {
		t.Errorf("%d stretches with %d jobs and %g", len(out), n, sum)
	}
}

// equals are two policies or more that are alike: an order by a hash of the job's number and
// a salt.
func equals(t *testing.T, form string, n, log int) (names []string) {
	script := filepath.Join(t.TempDir(), "salted.star")
	if err := os.WriteFile(script, []byte(`salt = param("salt", 1.0, "which of the orders")
def rank(job, now):
    x = (job.id * 2654435761 + int(salt) * 40503 * 7919) % 4294967296
    x = (x ^ (x >> 15)) * 2246822519 % 4294967296
    x = (x ^ (x >> 13)) * 3266489917 % 4294967296
    return float(x ^ (x >> 16))
`), 0o666); err != nil {
		t.Fatal(err)
	}
	for k := range n {
		names = append(names, fmt.Sprintf(form, fmt.Sprintf("script:%s(salt=%d)", script, 1000*log+k+1)))
	}
	return names
}

// replayed compares policies on a log.
func replayed(t *testing.T, s scenario.Scenario, names []string, metric string) *Ranking {
	all, err := Candidates(names, s.Market)
	if err != nil {
		t.Fatal(err)
	}
	src, err := s.Open(scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := s.Load(src, names...)
	if err != nil {
		t.Fatal(err)
	}
	m, err := run.FindMeasure(metric)
	if err != nil {
		t.Fatal(err)
	}
	ranking, err := Policies(context.Background(), loaded, all, m, "", 2, nil)
	if err == nil {
		err = ranking.Judge("")
	}
	if err != nil {
		t.Fatal(err)
	}
	return ranking
}

// nulls are logs on which equal policies are compared: unloaded, loaded and overloaded.
var nulls = []struct {
	name, trace, load, metric, form string
	policies, logs                  int
}{
	{"as it is", "synth:lublin?jobs=3000&procs=128&seed=%d", "1", "bounded_slowdown", "easy(order=%s)", 2, 240},
	{"load 1.5", "synth:lublin?jobs=3000&procs=128&seed=%d", "1.5", "wait", "easy(order=%s)", 2, 240},
	{"load 1.5, 10,000 jobs", "synth:lublin?jobs=10000&procs=128&seed=%d", "1.5", "wait", "easy(order=%s)", 2, 120},
	{"load 1.5, four", "synth:lublin?jobs=3000&procs=128&seed=%d", "1.5", "wait", "easy(order=%s)", 4, 240},
	{"a list, overloaded", "synth:lublin?jobs=3000&procs=128&seed=%d", "1.3", "wait", "%s", 2, 240},
}

// falsePositives is how many of the logs call any of the equal policies worse.
func falsePositives(t *testing.T, i, logs int) (called int) {
	x := &nulls[i]
	for k := range logs {
		s := scenario.Default()
		s.Trace = fmt.Sprintf(x.trace, 1000+k)
		s.LoadFactor = map[string]float64{"1": 1, "1.3": 1.3, "1.5": 1.5}[x.load]
		ranking := replayed(t, s, equals(t, x.form, x.policies, k), x.metric)
		if slices.ContainsFunc(ranking.Entries, func(e *Entry) bool { return e.Verdict == Worse }) {
			called++
		}
	}
	return called
}

// TestEqualPolicies wants equal policies to be called different as rarely as promised, on few logs.
func TestEqualPolicies(t *testing.T) {
	for _, i := range []int{0, 4} {
		if n := falsePositives(t, i, 20); n > 3 { // 3 of 20 or fewer in 98 % of cases at 5 %
			t.Errorf("%s: %d of 20", nulls[i].name, n)
		}
	}
}

// TestLongEqualPolicies is TestEqualPolicies with the promise itself: 6 % of 240 logs.
func TestLongEqualPolicies(t *testing.T) {
	tracetest.Long(t)
	for i, x := range nulls {
		n := falsePositives(t, i, x.logs)
		if t.Logf("%s: %d of %d", x.name, n, x.logs); 100*n > 6*x.logs {
			t.Errorf("%s: %d of %d logs call equal policies different", x.name, n, x.logs)
		}
	}
}

// TestPower wants what differs on a real log to be told apart, as three orders from EASY on KTH.
func TestPower(t *testing.T) {
	s := scenario.Default()
	s.Trace = tracetest.Shared(t, "data/swf/KTH-SP2-1996-2.1-cln.swf.gz")
	for _, other := range []string{"easy(order=sjf)", "conservative", "easy(backfill=sjf)"} {
		ranking := replayed(t, s, []string{"easy", other}, "wait")
		if e := ranking.Entries[1]; e.Verdict != Worse || e.Difference.Low() <= 0 || e.Evidence.Effective < 2 {
			t.Errorf("%s and %s: %s, p = %g, %+v", ranking.Entries[0].Name, e.Name, e.Verdict, e.P, e.Difference)
		}
	}
}

// TestAgreeWithInterval wants no verdict next to an interval that says something else.
func TestAgreeWithInterval(t *testing.T) {
	for seed := range 12 {
		s := scenario.Default()
		s.Trace = fmt.Sprintf("synth:lublin?jobs=1500&procs=64&seed=%d", seed+1)
		ranking := replayed(t, s, []string{"easy", "easy(order=sjf)", "fcfs", "conservative", "easy(backfill=sjf)"}, "wait")
		for _, e := range ranking.Entries[1:] {
			d := e.Difference
			if excludes := d.Known() && d.Low() > 0; (e.Verdict == Worse) != excludes || math.IsNaN(e.P) != (e.Verdict == Equal) {
				t.Errorf("%s is %s with p = %g and %g to %g", e.Name, e.Verdict, e.P, d.Low(), d.High())
			}
		}
	}
}
