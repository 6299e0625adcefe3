package validate

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/reports/table"
	"bourse/traces"
	"bourse/traces/tracetest"
)

// validated replays a log under policies.
func validated(t *testing.T, log string, policies ...string) ([]*Schedule, *scenario.Loaded) {
	t.Helper()
	s := scenario.Default()
	s.Trace, s.Policy = log, policies[0]
	src, err := s.Open(scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	defer traces.Close(src)
	jobs, err := s.Load(src, policies...)
	if err != nil {
		t.Fatal(err)
	}
	all, err := Run(context.Background(), Config{Jobs: jobs, Policies: policies})
	if err != nil {
		t.Fatal(err)
	}
	return all, jobs
}

// near wants two figures to be equal but for the order in which they are summed.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// TestPublicLogs compares with figures that a program of its own in another language has
// worked out from the logs and from the job files of replays under EASY.
func TestPublicLogs(t *testing.T) {
	for _, c := range []struct {
		file                                 string
		jobs                                 int
		recorded, simulated, off, guess, rho float64
		use, worst                           float64
		week                                 int
		quantiles                            [5]float64
		by, part                             string
		ofJobs, ofError                      float64
	}{
		{"KTH-SP2-1996-2.1-cln", 28475, 15296.395153643547, 6900.594135206321, 15779.07181738367, 15239.859244951713,
			0.247573205742908,
			0.04664276578957703, 0.33403636363636363, 0, [5]float64{-67306, -3180, -60, 1149, 22731}, byQueue, "", 0, 0},
		{"CTC-SP2-1996-3.1-cln", 77222, 25539.98269923079, 15497.477674755899, 23822.573372873016, 25259.388775219497,
			0.4254806084731065,
			0.047142440039319944, 0.19538544699602392, 48, [5]float64{-79877, -8432, -19, 4396, 39844}, byQueue, "3", .0401,
			.1192},
		{"SDSC-BLUE-2000-4.2-cln", 232562, 31170.239359826628, 7857.878410918379, 31228.029175015694, 31158.931149542917,
			0.2506215425671846,
			0.06293239219027268, 0.3944600372942387, 94, [5]float64{-163943, -3496, -3, 1101, 23347}, byQueue, "3", .2080,
			.5211},
	} {
		t.Run(c.file, func(t *testing.T) {
			all, _ := validated(t, tracetest.Shared(t, "data/swf/"+c.file+".swf.gz"), "easy")
			r := &all[0].Row
			if r.Jobs != c.jobs || r.WorstWeek != c.week {
				t.Errorf("%d jobs, worst in week %d", r.Jobs, r.WorstWeek)
			}
			near(t, "recorded mean wait", r.Recorded, c.recorded)
			near(t, "simulated mean wait", r.Simulated, c.simulated)
			near(t, "mean error", r.Error, c.off)
			near(t, "error of the median", r.Guess, c.guess)
			near(t, "rank correlation", *r.Rank, c.rho)
			near(t, "error of use", r.Use, c.use)
			near(t, "worst error of use", r.Worst, c.worst)
			for i, q := range []float64{r.P5, r.P25, r.Median, r.P75, r.P95} {
				near(t, fmt.Sprint("quantile ", i), q, c.quantiles[i])
			}
			p := all[0].worstPart(c.by)
			if (p == nil) != (c.part == "") || p != nil && (p.Part != c.part || math.Abs(p.OfJobs-c.ofJobs) > 1e-4 ||
				math.Abs(p.OfError-c.ofError) > 1e-4) {
				t.Errorf("of the queues most comes from %+v, want %s", p, c.part)
			}
		})
	}
}

// small is a log of 60 jobs on 4 processors in two queues, a third of them without a wait.
func small(t *testing.T, waits bool) string {
	var b strings.Builder
	b.WriteString("; MaxProcs: 4\n")
	for i := 1; i <= 60; i++ {
		wait := i * 7 % 40 * 1000
		if !waits || i%3 == 0 {
			wait = -1
		}
		run, procs := 20_000+i*311%9000, 1+i%4
		fmt.Fprintf(&b, "%d %d %d %d %d -1 -1 %d %d -1 1 1 1 1 %d 1 -1 -1\n", i, i*15_000, wait, run, procs, procs, 2*run,
			1+i%2)
	}
	path := filepath.Join(t.TempDir(), "small.swf")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// bySecond is what the use of the machine and the ranks are from their definitions.
type bySecond struct {
	recorded, simulated [2_000_000]int8 // processors in use at each second
	waits               [][2]float64    // in order of submission
	submits             []int
	seqs                []int64
}

func (d *bySecond) Record(o *engine.Outcome) error {
	wait, _, known := o.Recorded()
	if !known {
		return nil
	}
	second := func(t interface{ Seconds() float64 }) int { return int(t.Seconds()) }
	for s := range second(o.Job.Run) {
		d.recorded[second(o.Job.Submit)+second(wait)+s] += int8(o.Job.Procs)
		d.simulated[second(o.Start)+s] += int8(o.Job.Procs)
	}
	d.waits = append(d.waits, [2]float64{wait.Seconds(), (o.Start - o.Job.Submit).Seconds()})
	d.submits, d.seqs = append(d.submits, second(o.Job.Submit)), append(d.seqs, o.Seq)
	return nil
}

// TestDefinitions compares a small log's figures with their definitions, second by second and
// pair by pair.
func TestDefinitions(t *testing.T) {
	for _, policy := range []string{"fcfs", "easy", "recorded"} {
		all, jobs := validated(t, small(t, true), policy)
		s := all[0]
		if s.Row.Jobs != 40 || s.Row.Unknown != 20 {
			t.Fatalf("%d jobs, %d without a wait", s.Row.Jobs, s.Row.Unknown)
		}
		d := &bySecond{}
		p, err := jobs.Replay(scenario.Market{Policy: policy}.Settled())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Run(context.Background(), d); err != nil {
			t.Fatal(err)
		}
		// Spearman's correlation, each rank found by counting.
		rank := func(i, of int) (r float64) {
			for _, w := range d.waits {
				switch {
				case w[of] < d.waits[i][of]:
					r++
				case w[of] == d.waits[i][of]:
					r += .5
				}
			}
			return r
		}
		var xy, xx, yy, off float64
		for i, w := range d.waits {
			x, y := rank(i, 0)-20, rank(i, 1)-20
			xy, xx, yy, off = xy+x*y, xx+x*x, yy+y*y, off+math.Abs(w[1]-w[0])/40
		}
		near(t, policy+": rank correlation", *s.Row.Rank, xy/math.Sqrt(xx*yy))
		near(t, policy+": mean error", s.Row.Error, off)
		const week = 7 * 24 * 3600
		last := slices.Max(d.submits) / week
		if len(s.Weeks) != last+1 {
			t.Fatalf("%d weeks, want %d", len(s.Weeks), last+1)
		}
		jobsSeen := 0
		for w := range s.Weeks {
			var use [2]float64
			for at := w * week; at < (w+1)*week; at++ {
				use[0] += float64(d.recorded[at])
				use[1] += float64(d.simulated[at])
			}
			span := float64(4 * ((w+1)*week - max(w*week, 15_000)))
			near(t, "recorded use", s.Weeks[w].Recorded, use[0]/span)
			near(t, "simulated use", s.Weeks[w].Simulated, use[1]/span)
			jobsSeen += s.Weeks[w].Jobs
		}
		if jobsSeen != 40 {
			t.Errorf("%d jobs in weeks", jobsSeen)
		}
		for _, by := range []string{byQueue, byWidth, byWeeks} {
			var ofJobs, ofError float64
			for _, p := range s.Parts {
				if p.By == by {
					ofJobs, ofError = ofJobs+p.OfJobs, ofError+p.OfError
				}
			}
			near(t, by+": shares of the jobs", ofJobs, 1)
			near(t, by+": shares of the error", ofError, 1)
		}
	}
}

// TestOnlyUnknown refuses a log that has no waits, once.
func TestOnlyUnknown(t *testing.T) {
	s := scenario.Default()
	s.Trace = small(t, false)
	src, err := s.Open(scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := s.Load(src, "fcfs", "easy")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = Run(context.Background(), Config{Jobs: jobs, Policies: []string{"fcfs", "easy"}}); !errors.Is(err,
		ErrNoWaits) || strings.Count(err.Error(), "waits") != 1 {
		t.Errorf("%v", err)
	}
}

// TestReport wants the answer in words, and the same rows as CSV and JSON for any number of
// workers.
func TestReport(t *testing.T) {
	all, jobs := validated(t, small(t, true), "recorded", "easy", "fcfs")
	one, err := Run(context.Background(), Config{Jobs: jobs, Policies: []string{"recorded", "easy", "fcfs"}, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "csv", "json", "markdown", "latex"} {
		var a, b bytes.Buffer
		if err := cmp.Or(write(&a, format, all), write(&b, format, one)); err != nil || a.String() != b.String() {
			t.Fatalf("%s: %v, or it depends on the workers", format, err)
		}
		text := a.String()
		switch format {
		case "text":
			for _, want := range []string{"the nearest to the log is ", "recorded: the log itself on this machine",
				"20 jobs were replayed whose waits are unknown", "Logs do not have priorities, reservations"} {
				if !strings.Contains(text, want) {
					t.Errorf("%q is missing in\n%s", want, text)
				}
			}
			if strings.Contains(text, "is recorded, the furthest") {
				t.Error("the log is said to be nearest to itself")
			}
		case "csv":
			if rows, err := csv.NewReader(&a).ReadAll(); err != nil || len(rows) != 4 || rows[2][0] != "easy" {
				t.Errorf("%v: %q", err, rows)
			}
		case "json":
			var told struct{ Rows []Row }
			if err := json.Unmarshal(a.Bytes(), &told); err != nil || len(told.Rows) != 3 ||
				told.Rows[1].Error != all[1].Row.Error {
				t.Errorf("%v: %s", err, text)
			}
		}
	}
}

func write(w io.Writer, format string, all []*Schedule) error {
	return (&table.Output{W: w, Format: format}).Write(Report(all, nil))
}
