package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/traces"
)

// outcomes draws jobs with many ties in run time, out of trace order.
func outcomes(t *rapid.T) []engine.Outcome {
	n := rapid.IntRange(0, 200).Draw(t, "n")
	out := make([]engine.Outcome, n)
	for i := range out {
		o := &out[i]
		o.Seq, o.Row = int64(n-1-i), int64(n-1-i)
		o.Job = traces.Job{Procs: rapid.Int32Range(1, 8).Draw(t, "p"),
			Submit: events.Time(rapid.Int64Range(0, 1e9).Draw(t, "submit"))}
		o.Job.Run = events.Time(rapid.Int64Range(0, 20).Draw(t, "run")) * 30 * events.Second
		o.Start = o.Job.Submit + events.Time(rapid.Int64Range(0, 1e10).Draw(t, "wait"))
		o.End = o.Start + o.Job.Run
		o.Value = rapid.SampledFrom([]float64{0, 1, 60, 60.5, 119.9, 120, 180, 300}).Draw(t, "value")
		o.Payment = rapid.Float64Range(0, 1e6).Draw(t, "payment")
		o.Aggressive = rapid.Bool().Draw(t, "aggressive")
	}
	return out
}

// groupsOf is the definition: sort by run time, ties by trace, cut in three.
func groupsOf(all []engine.Outcome) map[int64]string {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b engine.Outcome) int {
		if a.Job.Run != b.Job.Run {
			return int(a.Job.Run - b.Job.Run)
		}
		return int(a.Seq - b.Seq)
	})
	groups := map[int64]string{}
	for rank, o := range sorted {
		groups[o.Seq] = string("ABC"[3*rank/len(sorted)])
	}
	return groups
}

// naive aggregates the jobs that belong, straight from the definitions.
func naive(all []engine.Outcome, belongs func(*engine.Outcome) bool) Aggregate {
	var a Aggregate
	var bounded, waits []float64
	for i := range all {
		o := &all[i]
		if !belongs(o) {
			continue
		}
		a.Jobs++
		bounded, waits = append(bounded, o.BoundedSlowdown()), append(waits, o.Wait().Seconds())
		a.MeanBoundedSlowdown += o.BoundedSlowdown()
		a.MeanBSD += o.BSD()
		a.MeanWait += o.Wait().Seconds()
		a.MeanFlow += o.Flow().Seconds()
		a.SumPayment += o.Payment
		a.SumUtility += o.Utility()
		a.TWFT += o.WeightedFlow()
		if o.Severe() {
			a.SSJ += 100
		}
	}
	if a.Jobs == 0 {
		return a
	}
	n := float64(a.Jobs)
	slices.Sort(bounded)
	slices.Sort(waits)
	a.P95BoundedSlowdown = bounded[int(math.Ceil(0.95*n))-1]
	a.MedianWait, a.P95Wait = waits[int(math.Ceil(0.5*n))-1], waits[int(math.Ceil(0.95*n))-1]
	for _, x := range []*float64{&a.MeanBSD, &a.MeanBoundedSlowdown, &a.MeanWait, &a.MeanFlow, &a.SSJ} {
		*x /= n
	}
	a.MeanPayment, a.MeanUtility = a.SumPayment/n, a.SumUtility/n
	return a
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

func same(t *rapid.T, what string, got, want Aggregate) {
	g := []float64{float64(got.Jobs), got.MeanBSD, got.P95BoundedSlowdown, got.MeanBoundedSlowdown, got.MedianWait,
		got.P95Wait, got.SSJ, got.MeanWait, got.MeanFlow, got.MeanPayment, got.SumPayment, got.MeanUtility, got.SumUtility,
		got.TWFT}
	w := []float64{float64(want.Jobs), want.MeanBSD, want.P95BoundedSlowdown, want.MeanBoundedSlowdown, want.MedianWait,
		want.P95Wait, want.SSJ, want.MeanWait, want.MeanFlow, want.MeanPayment, want.SumPayment, want.MeanUtility,
		want.SumUtility, want.TWFT}
	for i := range g {
		if !near(g[i], w[i]) {
			t.Fatalf("%s, figure %d: got %v, want %v", what, i, g[i], w[i])
		}
	}
}

func TestCollectorAgainstDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := outcomes(t)
		var c Collector
		for i := range all {
			c.Record(&all[i])
		}
		r := c.Result()
		groups := groupsOf(all)
		same(t, "total", r.Total, naive(all, func(*engine.Outcome) bool { return true }))
		jobs := int64(0)
		for _, set := range [][]Cell{r.Bands, r.Groups, r.Classes, r.Cells} {
			for _, x := range set {
				same(t, x.Band+x.Group+x.Class, x.Aggregate, naive(all, func(o *engine.Outcome) bool {
					return (x.Band == "" || x.Band == BandOf(o.Value).String()) && (x.Group == "" || x.Group == groups[o.Seq]) &&
						(x.Class == "" || (x.Class == "aggressive") == o.Aggressive)
				}))
				jobs += x.Jobs
			}
		}
		if jobs != 4*int64(len(all)) {
			t.Fatalf("the sets hold %d jobs, want each of %d four times", jobs, len(all))
		}
		risky := naive(all, func(o *engine.Outcome) bool { return o.Aggressive && groups[o.Seq] == "C" })
		if (r.AggressivePayoff != nil) != (risky.Jobs > 0) || risky.Jobs > 0 &&
			!near(*r.AggressivePayoff, risky.MeanUtility) {
			t.Fatalf("aggressive payoff %v, want %v", r.AggressivePayoff, risky.MeanUtility)
		}
	})
}

// Folding must keep totals, bands, classes and the sizes of the groups.
// TestKnownGroups wants a collector that is told the groups to report what one
// that finds them does.
func TestKnownGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := outcomes(t)
		runs := make([]events.Time, len(all))
		for i := range all {
			runs[all[i].Seq] = all[i].Job.Run
		}
		told, finds := Collector{Groups: GroupsOf(runs)}, Collector{}
		for i := range all {
			told.Record(&all[i])
			finds.Record(&all[i])
		}
		opt := cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) <= 1e-12*max(math.Abs(x), math.Abs(y)) })
		if diff := cmp.Diff(finds.Result(), told.Result(), opt); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestFoldedCollectorKeepsTotals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := outcomes(t)
		c := Collector{limit: 32}
		for i := range all {
			c.Record(&all[i])
		}
		if c.rows.n > 32 {
			t.Fatalf("%d rows kept", c.rows.n)
		}
		r := c.Result()
		same(t, "total", r.Total, naive(all, func(*engine.Outcome) bool { return true }))
		for _, x := range append(r.Bands, r.Classes...) {
			same(t, x.Band+x.Class, x.Aggregate, naive(all, func(o *engine.Outcome) bool {
				return (x.Band == "" || x.Band == BandOf(o.Value).String()) &&
					(x.Class == "" || (x.Class == "aggressive") == o.Aggressive)
			}))
		}
		for g, x := range r.Groups {
			n := int64(len(all))
			want := ((int64(g)+1)*n+2)/3 - (int64(g)*n+2)/3
			if len(r.Groups) == 3 && x.Jobs != want {
				t.Fatalf("group %s has %d jobs, want %d", x.Group, x.Jobs, want)
			}
		}
	})
}

func TestHistogramError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Histogram
		var all []float64
		scale := rapid.Float64Range(0.01, 1e6).Draw(t, "scale")
		for i := range 2 * exactValues {
			x := scale * float64((i*7919)%8192+1)
			all = append(all, x)
			h.Add(x, 1)
		}
		slices.Sort(all)
		for _, q := range []float64{0.01, 0.5, 0.95, 1} {
			want := all[int(math.Ceil(q*float64(len(all))))-1]
			if got := h.Quantile(q); math.Abs(got-want) > 0.003*want {
				t.Fatalf("quantile %v: got %v, want %v", q, got, want)
			}
		}
	})
}

// TestP95OfManyJobs wants the nearest rank of the records where there are more jobs than
// a histogram holds by itself, in every set, whether groups are known in advance or not.
func TestP95OfManyJobs(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	all := make([]engine.Outcome, 30_000)
	runs := make([]events.Time, len(all))
	for i := range all {
		o := &all[i]
		o.Seq, o.Row, o.Job.Procs = int64(i), int64(i), 1
		o.Job.Run = events.Time(math.Exp(6+2*rng.NormFloat64())) * events.Second
		runs[i] = o.Job.Run
		o.End = o.Job.Run + events.Time(math.Exp(8+3*rng.NormFloat64()))*events.Second
		o.Value, o.Aggressive = 180*rng.Float64(), rng.IntN(3) == 0
	}
	group := groupsOf(all)
	for _, known := range []Groups{nil, GroupsOf(runs)} {
		c := Collector{Groups: known}
		for i := range all {
			c.Record(&all[i])
		}
		r := c.Result()
		for _, x := range slices.Concat([]Cell{{Aggregate: r.Total}}, r.Bands, r.Groups, r.Classes, r.Cells) {
			want := naive(all, func(o *engine.Outcome) bool {
				class := classNames[0]
				if o.Aggressive {
					class = classNames[1]
				}
				return (x.Band == "" || x.Band == BandOf(o.Value).String()) && (x.Group == "" || x.Group == group[o.Seq]) &&
					(x.Class == "" || x.Class == class)
			})
			if x.P95BoundedSlowdown != want.P95BoundedSlowdown || x.Jobs != want.Jobs {
				t.Errorf("groups known %v, %s %s %s: p95 of %d jobs is %v, want %v", known != nil, x.Band, x.Group, x.Class, x.Jobs,
					x.P95BoundedSlowdown, want.P95BoundedSlowdown)
			}
		}
	}
}

func BenchmarkRecord(b *testing.B) {
	var c Collector
	o := engine.Outcome{Job: traces.Job{Procs: 1, Run: 100 * events.Second}, End: 500 * events.Second, Value: 50}
	b.ReportAllocs()
	for i := range b.N {
		o.Seq, o.Row = int64(i), int64(i)
		o.Job.Run = events.Time(i*7919%100003) * events.Second
		o.End = o.Job.Run * 3
		c.Record(&o)
	}
}

// TestSteps compares the distribution at the edges of bins with counting, before
// and after the histogram has spilled.
func TestSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 50, 3 * exactValues} {
		var h Histogram
		values := make([]float64, n)
		for i := range values {
			values[i] = math.Exp(8 * rng.NormFloat64())
			h.Add(values[i], 1)
		}
		steps := h.Steps(4)
		for i, s := range steps {
			below := int64(0)
			for _, x := range values {
				// All below 2^-20 share the lowest bin, all from 2^44 on the highest.
				if min(max(x, 0x1p-20), 0x1p44-1) < s.X {
					below++
				}
			}
			if s.N != below || i > 0 && s.X <= steps[i-1].X {
				t.Fatalf("%d values: %d are below %g, counted %d", n, below, s.X, s.N)
			}
		}
		if n > 0 && steps[len(steps)-1].N != int64(n) {
			t.Errorf("%d values end at %d", n, steps[len(steps)-1].N)
		}
	}
}

// TestRecorded wants what the log says of the jobs whose wait it has, and nothing where
// that was not asked for.
func TestRecorded(t *testing.T) {
	c := Collector{AsRecorded: true}
	for i, wait := range []events.Time{0, 30 * events.Second, 90 * events.Second, events.Unknown} {
		o := engine.Outcome{Job: traces.Job{Run: events.Time(1+9*i) * events.Second, Wait: wait}, End: 500 * events.Second}
		c.Record(&o)
	}
	want := Times{Jobs: 3, MeanWait: 40, MedianWait: 30, P95Wait: 90, MaxWait: 90, MeanBoundedSlowdown: (1 + 4 + 109./19) / 3,
		P95BoundedSlowdown: 109. / 19}
	if got := c.Result().Recorded; got == nil || *got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	var plain Collector
	plain.Record(&engine.Outcome{})
	if got := plain.Result().Recorded; got != nil {
		t.Errorf("%+v was not asked for", got)
	}
}
