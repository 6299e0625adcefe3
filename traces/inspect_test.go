package traces

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"bourse/traces/tracetest"

	"pgregory.net/rapid"
)

// TestHistogram compares with sorted values: quantiles are low by less than 1 %.
func TestHistogram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 300), rapid.Int64Range(0, math.MaxInt64/4)), 1, 300).Draw(t, "values")
		var h histogram
		for _, v := range values {
			h.add(v)
		}
		slices.Sort(values)
		if h.min != values[0] || h.max != values[len(values)-1] || h.count != int64(len(values)) {
			t.Fatalf("least %d, most %d, count %d", h.min, h.max, h.count)
		}
		for _, q := range []float64{0.01, 0.1, 0.25, 0.5, 0.9, 0.99, 1} {
			exact := values[max(0, int(math.Ceil(q*float64(len(values))-1e-6))-1)]
			got := h.quantile(q)
			if got > exact || float64(exact-got) > 0.008*float64(exact) || !slices.Contains(values, got) {
				t.Fatalf("quantile %v is %d, exactly %d", q, got, exact)
			}
		}
	})
}

// TestTimeline: no arrival is lost when the bins widen, each is where it belongs.
func TestTimeline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.SliceOfN(rapid.Int64Range(0, 1<<uint(rapid.IntRange(1, 40).Draw(t, "bits"))), 1, 200).Draw(t, "at")
		slices.Sort(at)
		var line timeline
		for _, v := range at {
			line.add(v)
		}
		var want [timelineBins]int64
		for _, v := range at {
			want[(v-at[0])/line.width]++
		}
		if line.bins != want {
			t.Fatalf("width %d: %v, want %v", line.width, line.bins, want)
		}
	})
}

// TestInspectCounts looks at facts of real logs that their documentation gives.
func TestInspectCounts(t *testing.T) {
	for _, c := range []struct {
		file  string
		check func(*Inspection) bool
		says  string
	}{
		{"LPC-EGEE-2004-1.2-cln.swf.gz", func(in *Inspection) bool {
			return in.NeverStarted == 14194 && in.Serial == in.Jobs && in.Queues == 6 && in.Partitions == 3 && in.TooLarge == 0
		}, "2004-09-14 22:38 to 2005-05-11 14:07 UTC"},
		{"LLNL-Thunder-2007-1.1-cln.swf.gz", func(in *Inspection) bool { return in.Header.Procs == 4008 && in.NoWait == in.Jobs },
			"submit time unknown on a job that never ran, placed after its forerunner: 1,190 times"},
		{"NASA-iPSC-1993-3.swf", func(in *Inspection) bool { return in.Jobs == 228 && in.NoEstimate == 228 },
			"the header claims MaxJobs 42,264, the records show 228 (the file may be cut short"},
		{"METACENTRUM-2009-2.swf.gz", func(in *Inspection) bool { return in.Header.Procs == 0 }, "the header tells no machine size"},
		{"theta_argonne.swf.gz", func(in *Inspection) bool { e, ok := in.Epoch(); return e == 0 && ok }, "submit times count from 1970"},
	} {
		src, err := Open(tracetest.Shared(t, "data/swf/"+c.file), Options{})
		if err != nil {
			t.Fatal(err)
		}
		src = Ahead(src)
		in, err := Inspect(src)
		if err != nil {
			t.Fatal(err)
		}
		Close(src)
		var text bytes.Buffer
		if err := in.Print(&text); err != nil {
			t.Fatal(err)
		}
		if !c.check(in) || !strings.Contains(text.String(), c.says) {
			t.Errorf("%s: want %q in\n%s", c.file, c.says, text.String())
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", -999: "-999", 1234567: "1,234,567"} {
		if got := thousands(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
}
