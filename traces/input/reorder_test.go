package input_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/input"
	"bourse/traces/tracetest"
)

// TestReorder compares with a stable sort. Windows that are too small must be
// refused, and the window that the refusal names must do.
func TestReorder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 2000).Draw(t, "n")
		reach := rapid.IntRange(0, 600).Draw(t, "reach")
		seed := rapid.Uint64().Draw(t, "seed")
		jobs := make([]traces.Job, n)
		for i := range jobs {
			seed = seed*6364136223846793005 + 1442695040888963407
			jobs[i] = traces.Job{ID: int64(i), Line: int64(i + 1), Submit: events.Time(i + int(seed>>33)%(reach+1))}
		}
		want := slices.Clone(jobs)
		slices.SortStableFunc(want, func(a, b traces.Job) int { return int(a.Submit - b.Submit) })
		window := rapid.IntRange(1, 800).Draw(t, "window")
		got, err := tracetest.Rest(input.Reorder(tracetest.NewSlice(jobs), traces.Options{SortWindow: window}))
		if err != nil {
			m := regexp.MustCompile(`holding back (\d+) records is enough`).FindStringSubmatch(err.Error())
			if m == nil {
				t.Fatalf("no advice: %v", err)
			}
			enough, _ := strconv.Atoi(m[1])
			if enough <= window {
				t.Fatalf("window %d failed, %d is advised", window, enough)
			}
			got, err = tracetest.Rest(input.Reorder(tracetest.NewSlice(jobs), traces.Options{SortWindow: enough}))
			if err != nil {
				t.Fatalf("window %d: %v", enough, err)
			}
		} else if window > reach && err != nil {
			t.Fatalf("window %d for disorder of %d: %v", window, reach, err)
		}
		if !slices.Equal(got, want) {
			t.Fatal("not the stable order")
		}
	})
}

// TestReorderSkips: with Skip a record beyond the window is dropped and reported.
func TestReorderSkips(t *testing.T) {
	text := tracetest.SWFLine(5) + tracetest.SWFLine(6) + tracetest.SWFLine(7) + tracetest.SWFLine(1) +
		tracetest.SWFLine(8)
	var faults []string
	src, err := formats.Open("-", traces.Options{Stdin: strings.NewReader(text), SortWindow: 2, Skip: true,
		OnError: func(e error) { faults = append(faults, e.Error()) }})
	if err != nil {
		t.Fatal(err)
	}
	if n := tracetest.Drain(t, src); n != 4 || src.Header().Ledger.Dropped[traces.Malformed] != 1 {
		t.Errorf("%d jobs, %+v", n, src.Header().Ledger)
	}
	want := "stdin:4: job 1, submitted at 10s, is out of order beyond the window: jobs of 60s have been passed on"
	if len(faults) != 1 || faults[0] != want {
		t.Errorf("reported %q", faults)
	}
}

// TestThetaWindow: the log that is most out of order, with windows around what
// it needs, which was counted independently as 6,548 places.
func TestThetaWindow(t *testing.T) {
	path := tracetest.Shared(t, "data/swf/theta_argonne.swf.gz")
	if _, err := tracetest.All(formats.Open, path, traces.Options{SortWindow: 6549}); err != nil {
		t.Error(err)
	}
	_, err := tracetest.All(formats.Open, path, traces.Options{SortWindow: 1000})
	m := regexp.MustCompile(`theta_argonne.swf.gz:\d+: job \d+, submitted at .*: holding back (\d+) records is enough for this trace$`).FindStringSubmatch(fmt.Sprint(err))
	if m == nil {
		t.Fatal(err)
	}
	if n, _ := strconv.Atoi(m[1]); n < 6548 || n > 6548+2*256+5500 {
		t.Errorf("advised %s", m[1])
	}
	if _, err := tracetest.All(formats.Open, path, traces.Options{SortWindow: -1}); err == nil {
		t.Error("out of order and not refused")
	}
}
