package transform

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/rng"
	"bourse/traces/tracetest"
)

// TestTsafrirNumbers compares with the paper's own numbers: how many values are
// used, and the sizes of the popular ones (sections 4.1 and 4.3).
func TestTsafrirNumbers(t *testing.T) {
	for n, want := range map[int]int{0: 0, 20: 10, 200: 20, 10_000: 90, 118_567: 401, 219_704: 527, 466_177: 565} {
		if got := distinct(n); got != want {
			t.Errorf("%d jobs use %d values, want %d", n, got, want)
		}
	}
	want := []float64{21.73, 10.31, 8.71, 7.37, 6.25, 5.30, 4.52, 3.86, 3.31, 2.84, 2.46, 2.13, 1.86, 1.63, 1.44, 1.28,
		1.15, 1.04, .94, .87}
	for i, share := range want {
		if got := headSize(i + 1); math.Abs(got-share) > .006 {
			t.Errorf("the value of rank %d has %.3f %% of the jobs, want %.2f", i+1, got, share)
		}
	}
	want18 := []int64{18, 1, 2, 3, 4, 5, 6, 8, 10, 12, 13, 14, 15, 16, 17}
	if got := headTimes(18 * hour); len(got) != headValues || !cmp.Equal(got[1:6], []int64{300, 600, 900, 1200, 1800}) {
		t.Errorf("head times for 18 h: %v", got)
	} else {
		for i, h := range append(got[:1:1], got[6:]...) {
			if h != want18[i]*hour {
				t.Errorf("head times for 18 h: %v, want after the minutes %v h", got, want18)
				break
			}
		}
	}
	for _, m := range []int64{hour, 2 * hour, 36 * hour, 1000 * hour} {
		times := headTimes(m)
		unique := slices.Compact(slices.Sorted(slices.Values(times)))
		if len(unique) != headValues || times[0] != m || unique[headValues-1] != m {
			t.Errorf("head of a limit of %d h: %v", m/hour, times)
		}
	}
}

// TestHeadRanks wants every draw to give each rank once, the first to the limit.
func TestHeadRanks(t *testing.T) {
	seen := map[[headValues]int]bool{}
	for seed := range uint64(200) {
		ranks := headRanks(rng.New(seed, "test"))
		seen[ranks] = true
		sorted := slices.Sorted(slices.Values(ranks[:]))
		for i, rank := range sorted {
			if rank != i+1 || ranks[0] != 1 {
				t.Fatalf("seed %d: ranks %v", seed, ranks)
			}
		}
	}
	if len(seen) < 100 {
		t.Errorf("200 seeds give only %d rankings", len(seen))
	}
}

// TestModelEstimates wants the whole distribution: counts that add up, the
// popular share, the number of values, and no estimate below its run time.
func TestModelEstimates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := make([]traces.Job, rapid.IntRange(1000, 3000).Draw(t, "jobs"))
		r := rng.New(rapid.Uint64().Draw(t, "runs"), "runs")
		for i := range jobs {
			jobs[i] = traces.Job{ID: int64(i + 1), Submit: events.Time(i), Procs: 1, Pieces: 1, Estimate: events.Unknown,
				Run: min(events.Time(math.Exp(4+2*r.Norm())*1e6), 20*hour*events.Second)}
		}
		e := Estimates{Kind: FromModel, Seed: rapid.Uint64().Draw(t, "seed"), Max: 36 * hour}
		got := treatAll(t, jobs, Options{Estimates: e})
		counts := map[events.Time]int{}
		for i, j := range got {
			counts[j.Estimate]++
			if j.Estimate < j.Run || j.ID != jobs[i].ID || j.Run != jobs[i].Run {
				t.Fatalf("job %d of %v has estimate %v", j.ID, j.Run, j.Estimate)
			}
		}
		n := len(jobs)
		if k := distinct(n); len(counts) > k || len(counts) < k-3 {
			t.Fatalf("%d values for %d jobs, the model has %d", len(counts), n, k)
		}
		if top := float64(counts[36*hour*events.Second]) / float64(n); math.Abs(top-.2173) > .01 {
			t.Fatalf("%.2f %% of the jobs have the greatest estimate, want 21.73", 100*top)
		}
		if again := treatAll(t, jobs, Options{Estimates: e}); !cmp.Equal(again, got) {
			t.Fatal("the same seed gives other estimates")
		}
	})
}

func treatAll(t *rapid.T, jobs []traces.Job, by Options) []traces.Job {
	src, err := Apply(tracetest.NewSlice(jobs), by)
	if err != nil {
		t.Fatal(err)
	}
	m, err := traces.Load(src)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]traces.Job, m.Len())
	for i := range all {
		all[i] = m.Job(i)
	}
	return all
}

// TestEstimatesOfKTH deals the model's estimates to a real log.
func TestEstimatesOfKTH(t *testing.T) {
	src, err := formats.Open(tracetest.Shared(t, "data/swf/KTH-SP2-1996-2.1-cln.swf.gz"), traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer traces.Close(src)
	if src, err = Apply(src, Options{Estimates: Estimates{Kind: FromModel, Seed: 1}}); err != nil {
		t.Fatal(err)
	}
	m, err := traces.Load(src)
	if err != nil {
		t.Fatal(err)
	}
	values, longest := map[events.Time]bool{}, events.Time(0)
	for i := range m.Len() {
		values[m.Job(i).Estimate] = true
		longest = max(longest, m.Job(i).Estimate)
		if m.Job(i).Estimate < m.Job(i).Run {
			t.Fatalf("job %d", m.Job(i).ID)
		}
	}
	if k := distinct(m.Len()); len(values) > k || len(values) < k-15 || longest != 72*hour*events.Second {
		t.Errorf("%d values up to %v, the model has %d for %d jobs", len(values), longest, k, m.Len())
	}
}

func TestInfeasibleModel(t *testing.T) {
	jobs := make([]traces.Job, 100)
	for i := range jobs {
		jobs[i] = traces.Job{ID: int64(i), Run: 2 * hour * events.Second, Procs: 1, Pieces: 1}
	}
	src, err := Apply(tracetest.NewSlice(jobs), Options{Estimates: Estimates{Kind: FromModel, Max: 2 * hour}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = traces.Load(src); err == nil || !strings.Contains(err.Error(), "as in tsafrir:14400") {
		t.Errorf("a hundred runs as long as the limit: %v", err)
	}
}

func TestEstimateTreatments(t *testing.T) {
	s := events.Second
	jobs := []traces.Job{
		{ID: 1, Run: 10 * s, Estimate: 20 * s, Procs: 1, Pieces: 1},
		{ID: 2, Run: 10 * s, Estimate: 5 * s, Procs: 2, Pieces: 1},
		{ID: 3, Run: 10 * s, Estimate: events.Unknown, Procs: 1, Pieces: 1},
		{ID: 4, Run: 10 * s, Estimate: 0, Procs: 1, Pieces: 1},
	}
	for _, c := range []struct {
		text            string
		kill            bool
		runs, estimates []float64
		odd             map[string]int64
	}{
		{"recorded", false, []float64{10, 10, 10, 10}, []float64{20, 5, -1e-6, 0}, nil},
		{"recorded", true, []float64{10, 5, 10, 0}, []float64{20, 5, -1e-6, 0}, map[string]int64{OddKilled: 2}},
		{"log", false, []float64{10, 10, 10, 10}, []float64{20, 5, 10, 10},
			map[string]int64{OddNoEstimate: 2, OddOverrun: 1}},
		{"log", true, []float64{10, 5, 10, 10}, []float64{20, 5, 10, 10}, map[string]int64{OddNoEstimate: 2, OddKilled: 1}},
		{"log:2", false, []float64{10, 10, 10, 10}, []float64{40, 10, 20, 20}, map[string]int64{OddNoEstimate: 2}},
		{"exact", false, []float64{10, 10, 10, 10}, []float64{10, 10, 10, 10}, nil},
		{"scale:.5", true, []float64{5, 5, 5, 5}, []float64{5, 5, 5, 5}, map[string]int64{OddKilled: 4}},
	} {
		e, err := ParseEstimates(c.text, 1)
		if err != nil {
			t.Fatal(err)
		}
		src, err := Apply(tracetest.NewSlice(jobs), Options{Estimates: e, KillAtEstimate: c.kill})
		if err != nil {
			t.Fatal(err)
		}
		m, err := traces.Load(src)
		if err != nil {
			t.Fatal(err)
		}
		var runs, estimates []float64
		for i := range m.Len() {
			j := m.Job(i)
			runs, estimates = append(runs, j.Run.Seconds()), append(estimates, j.Estimate.Seconds())
		}
		if !cmp.Equal(runs, c.runs) || !cmp.Equal(estimates, c.estimates) || !cmp.Equal(m.Header().Ledger.Oddities, c.odd) {
			t.Errorf("%s, kill %v: runs %v, estimates %v, %v", c.text, c.kill, runs, estimates, m.Header().Ledger.Oddities)
		}
	}
	for _, refuse := range []bool{false, true} { // job 1 asks for 20 s, 2 for 5 s, the others for nothing
		src, err := Apply(tracetest.NewSlice(jobs), Options{Limit: 8 * s, Refuse: refuse})
		if err != nil {
			t.Fatal(err)
		}
		m, err := traces.Load(src)
		if err != nil {
			t.Fatal(err)
		}
		l := m.Header().Ledger
		if refuse {
			if m.Len() != 2 || m.Job(0).ID != 2 || m.Job(1).ID != 4 || l.Dropped[traces.TooLong] != 2 || l.Oddities[OddCapped] > 0 {
				t.Errorf("%d jobs within the limit, ledger %+v", m.Len(), l)
			}
			continue
		}
		for i, want := range []events.Time{8 * s, 5 * s, events.Unknown, 0} {
			if j := m.Job(i); j.Run != 8*s || j.Estimate != want {
				t.Errorf("job %d runs %v and asks for %v, want 8s and %v", j.ID, j.Run, j.Estimate, want)
			}
		}
		if !cmp.Equal(l.Oddities, map[string]int64{OddCapped: 1, OddLimited: 4, OddOverrun: 2}) {
			t.Errorf("%v", l.Oddities)
		}
	}
	for text, want := range map[string]string{
		"lgo": "did you mean", "scale": "as in scale:2", "scale:0": "a factor above 0", "tsafrir:60": "at least 3600",
		"exact:2": "takes no value",
	} {
		if _, err := ParseEstimates(text, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
