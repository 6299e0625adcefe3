package inspect

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bourse/events"
	"bourse/reports/table"
	"bourse/traces"
	"bourse/traces/accounting"
	"bourse/traces/formats"
	"bourse/traces/tracetest"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

// TestHistogram compares with sorted values: quantiles are low by less than 1 %.
func TestHistogram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 300), rapid.Int64Range(0, math.MaxInt64/4)), 1, 300).Draw(t,
			"values")
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
		{"LLNL-Thunder-2007-1.1-cln.swf.gz", func(in *Inspection) bool {
			return in.Header.Procs == 4008 &&
				in.NoWait == in.Jobs
		},
			"submit time unknown on a job that never ran, placed after the record before it: 1,190 times"},
		{"NASA-iPSC-1993-3.swf", func(in *Inspection) bool { return in.Jobs == 228 && in.NoEstimate == 228 },
			"the header claims MaxJobs 42,264, the records show 228 (the file may be cut short"},
		{"METACENTRUM-2009-2.swf.gz", func(in *Inspection) bool { return in.Header.Procs == 0 },
			"the header gives no machine size"},
		{"theta_argonne.swf.gz", func(in *Inspection) bool { e, ok := in.Epoch(); return e == 0 && ok },
			"submit times count from 1970"},
	} {
		src, err := formats.Open(tracetest.Shared(t, "data/swf/"+c.file), traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		src = traces.Ahead(src)
		in, err := Inspect(src)
		if err != nil {
			t.Fatal(err)
		}
		traces.Close(src)
		var text bytes.Buffer
		if err := table.Print(&text, in.Report()); err != nil {
			t.Fatal(err)
		}
		if !c.check(in) || !strings.Contains(text.String(), c.says) {
			t.Errorf("%s: want %q in\n%s", c.file, c.says, text.String())
		}
	}
}

// inspectSmall inspects the small log.
func inspectSmall(t *testing.T) *Inspection {
	t.Helper()
	src, err := formats.Open("../../traces/formats/testdata/small.swf", traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := Inspect(src)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestInspectGolden is what trace inspect says of the small log.
func TestInspectGolden(t *testing.T) {
	in := inspectSmall(t)
	var got bytes.Buffer
	if err := table.Print(&got, in.Report()); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "small.inspect.txt")
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("(-want +got; -update rewrites)\n%s", diff)
	}
}

// TestOtherLogs: the two real logs of other formats. The figures were counted by
// a script that shares nothing with the readers.
func TestOtherLogs(t *testing.T) {
	for _, c := range []struct {
		file      string
		read      int64
		work      float64
		start     int64
		last      events.Time
		cancelled int64
		odd       map[string]int64
	}{
		{"data/other/IU-Mason-Oct-Dec-AcctFiles.tbz", 16221, 1842920507, 1502833902,
			(1514776678 - 1502833902) * events.Second, 266,
			map[string]int64{accounting.OddDeleted: 1493, "records of type R (run again) ignored": 43}},
		{"data/other/philly.csv.gz", 82247, 3521082502, 1504521041, 9408690 * events.Second, 0, nil},
	} {
		src, err := formats.Open(tracetest.Shared(t, c.file), traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, err := Inspect(src)
		if err != nil {
			t.Fatal(err)
		}
		l := in.Header.Ledger
		if l.Read != c.read || in.Jobs != c.read || in.Work != c.work || in.Header.Start != c.start || in.Last != c.last ||
			in.Statuses[5] != c.cancelled {
			t.Errorf("%s: read %d, jobs %d, work %.0f, start %d, last %v, %d cancelled", c.file, l.Read, in.Jobs, in.Work,
				in.Header.Start, in.Last, in.Statuses[5])
		}
		for what, n := range c.odd {
			if l.Oddities[what] != n {
				t.Errorf("%s: %s %d times, want %d", c.file, what, l.Oddities[what], n)
			}
		}
	}
}

// TestReport wants the figures of the small log where programs look for them.
func TestReport(t *testing.T) {
	in := inspectSmall(t)
	var text bytes.Buffer
	if err := (&table.Output{W: &text, Format: "json"}).Write(in.Report()); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Log []struct {
			Format string
			Jobs   int64
			Last   float64 `json:"last_submit_s"`
		}
		Quantiles []struct {
			Quantity string
			Most     float64
		}
		RunTimes []struct{ Least, Jobs float64 } `json:"run_times"`
	}
	if err := json.Unmarshal(text.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	jobs := 0.0
	for _, b := range got.RunTimes {
		jobs += b.Jobs
	}
	if l := got.Log[0]; l.Format != "swf" || l.Jobs != in.Jobs || l.Last != in.Last.Seconds() ||
		got.Quantiles[0].Quantity != "run time" || got.Quantiles[0].Most != float64(in.run.max)/1e6 ||
		math.Abs(jobs-1) > 1e-9 {
		t.Errorf("%+v", got)
	}
	text.Reset()
	if err := (&table.Output{W: &text, Format: "csv"}).Write(in.Report()); err != nil ||
		!strings.HasPrefix(text.String(), "quantity,least,p10,median,p90,p99,most,mean\nrun time,") {
		t.Errorf("%v: %s", err, text.String())
	}
}
