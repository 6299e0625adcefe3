package together

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/reports/ask/truth"
	"bourse/reports/papers"
	"bourse/reports/papers/claimtest"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/traces"
)

// TestStandings compares the sweep over instants with a look at every second.
func TestStandings(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		const capacity, horizon, users = 10.0, 60, 3
		var s fairnessTracker
		wants, holds := [users][horizon]float64{}, [users][horizon]float64{}
		for id := range 8 {
			user := draw.IntN(users)
			submit := draw.IntN(horizon / 2)
			start := submit + draw.IntN(10)
			end := start + 1 + draw.IntN(15)
			size, part := float64(1+draw.IntN(6)), float64(1+draw.IntN(4))/4
			job := traces.Job{ID: int64(id), User: traces.Label(user), Submit: events.Time(submit) * events.Second}
			if err := s.Record(&engine.Outcome{Job: job, Size: size, End: events.Time(end) * events.Second}); err != nil {
				t.Fatal(err)
			}
			if err := s.Segment(&engine.Segment{Job: &job, Size: size, Share: part, Start: events.Time(start) * events.Second,
				End: events.Time(end) * events.Second}); err != nil {
				t.Fatal(err)
			}
			for at := submit; at < end; at++ {
				wants[user][at] += size / capacity
				if at >= start {
					holds[user][at] += part * size / capacity
				}
			}
		}
		if got, want := s.result(capacity),
			slow(wants[:],
				holds[:], horizon); math.Abs(got.envy-want.envy)+math.Abs(got.short-want.short)+math.Abs(got.idle-want.idle) > 1e-9 {
			t.Fatalf("%+v, want %+v", got, want)
		}
	}
}

// slow looks at every second.
func slow[T ~[60]float64](wants, holds []T, horizon int) (f fairness) {
	var time, entitled, first, last float64 = 0, 0, math.Inf(1), 0
	for at := range horizon {
		n, free, unmet := 0.0, 1.0, 0.0
		for u := range wants {
			if wants[u][at] > tiny {
				n, first, last = n+1, min(first, float64(at)), float64(at+1)
			}
			free, unmet = free-holds[u][at], unmet+wants[u][at]-holds[u][at]
		}
		f.idle += max(0, min(free, unmet))
		for u := range wants {
			if wants[u][at] <= tiny {
				continue
			}
			time++
			equal := min(wants[u][at], 1/n)
			entitled, f.short = entitled+equal, f.short+max(0, equal-holds[u][at])
			for v := range wants {
				if holds[v][at] > holds[u][at]+tiny && wants[u][at] > holds[u][at]+tiny {
					f.envy++
					break
				}
			}
		}
	}
	return fairness{f.envy / time, f.short / entitled, f.idle / (last - first)}
}

// written is a log of four users on a machine that is too small for them at times.
func written(t *testing.T) string {
	draw := rand.New(rand.NewPCG(3, 4))
	text := "; MaxProcs: 64\n"
	at := 0
	for id := 1; id <= 300; id++ {
		at += draw.IntN(600)
		if id%30 == 0 {
			at += 7 * 86400 // so that there are weeks to draw from
		}
		run, procs := 1+draw.IntN(3600), 1+draw.IntN(16)
		text += fmt.Sprintf("%d %d 0 %d %d -1 -1 %d %d -1 1 %d 1 -1 1 -1 -1 -1\n", id, at, run, procs, procs, 2*run,
			1+draw.IntN(4))
	}
	path := filepath.Join(t.TempDir(), "four.swf")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRun makes the study of a small log: figures that follow from definitions, the same
// bytes for any number of workers, and nothing of the clock in what is kept.
func TestRun(t *testing.T) {
	log := written(t)
	run := func(workers int) (string, string) {
		var out bytes.Buffer
		o := Options{Logs: []string{log}, Replicas: 3, Asked: 10, Seed: 1, Workers: workers}
		dir := filepath.Join(t.TempDir(), "out")
		if err := made(&out, dir, o); err != nil {
			t.Fatal(err)
		}
		table, err := os.ReadFile(filepath.Join(dir, "together.csv"))
		if err != nil {
			t.Fatal(err)
		}
		report, err := os.ReadFile(filepath.Join(dir, "report.txt"))
		if err != nil {
			t.Fatal(err)
		}
		return string(table), string(report)
	}
	table, report := run(1)
	if again, same := run(3); table != again || report != same {
		t.Error("another number of workers makes other tables")
	}
	if strings.Contains(report, "an instant at which") {
		t.Error("what is kept speaks of processor time")
	}
	for _, want := range []string{
		",drf,,short,0,", // drf gives everybody an equal share or what it wants
		",hb(fit=skip),critical:1,gain_by_lying,0,0,0,", // truth is best
	} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
}

// TestClaims exchanges what mechanisms cost and what lies gain: each claim must notice.
func TestClaims(t *testing.T) {
	costs := map[string]float64{"lend:smm": 1, "lend:fl": 1.05, "lend:static": 2, "price-anticipating": 1, "unb": 1,
		"drf": 1.5}
	// judged are the findings where one row is as another.
	judged := func(what, as string) func() *papers.Study {
		return func() *papers.Study {
			report, err := papers.NewStudy(table.Output{W: io.Discard}, "")
			if err != nil {
				t.Fatal(err)
			}
			s := &study{Study: report}
			for name, all := range map[string][]mechanism{"log": onProcessors, "pool": onPool} {
				w := &logCase{name: name}
				for _, m := range all {
					cost := costs[m.policy] // of hb and others none is judged
					revenue := []float64{.3, .1, .2}
					r := &row{mechanism: m, itself: measures{cost: cost, revenue: revenue}}
					for k := range stats.LeastReplicas {
						// Replicas differ more than policies do, and policies a little from replica to replica.
						noise := 1 + .01*math.Sin(float64(k*len(w.rows)))
						r.figures = append(r.figures, measures{cost: cost * float64(1+k) * noise, revenue: revenue})
					}
					if len(m.payments) == len(prices) {
						for k, gain := range []float64{.5, .1, .2, 0} {
							r.asked = append(r.asked, truth.Row{Payment: prices[k], Liars: stats.Exactly(gain)})
						}
					}
					w.rows = append(w.rows, r)
				}
				if at, from := w.row(what), w.row(as); at != nil && from != nil {
					at.figures = from.figures
				}
				if hb := w.row(market); what == "kth" {
					hb.asked[1].Liars = hb.asked[0].Liars
				}
				s.worlds = append(s.worlds, w)
			}
			if err := s.findings(); err != nil {
				t.Fatal(err)
			}
			return s.Study
		}
	}
	type claim = claimtest.Claim
	const fewer = "fewer owners gain by a lie under the k-th price than under the first"
	claimtest.Run(t, judged("", "")(), nil, []claimtest.Mutation{
		{What: "the first price twice", Broken: judged("kth", "first"),
			Notice: []claim{{Where: "untruthful bids, log", Says: fewer}, {Where: "untruthful bids, pool", Says: fewer}}},
		{What: "fl that does not lend", Broken: judged("lend:fl", "lend:static"),
			Notice: []claim{{Where: "dynamic sharing, log", Says: "fl is better than static"},
				{Where: "dynamic sharing, log", Says: "fl's welfare is close to smm's"}}},
		{What: "static shares for a market", Broken: judged("price-anticipating", "lend:static"),
			Notice: []claim{{Where: "price-anticipating, log",
				Says: "a market of budgets is more efficient than equal shares"}}},
		{What: "drf for unb", Broken: judged("unb", "drf"),
			Notice: []claim{{Where: "multi-resource, pool", Says: "unb's welfare is above drf's"}}},
	})
}

// made makes the study with files in dir, if that is not empty.
func made(out io.Writer, dir string, o Options) error {
	return claimtest.Make(out, dir, func(s *papers.Study) error { return Run(context.Background(), s, o) })
}
