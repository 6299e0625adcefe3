package page

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/policies/catalog"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/traces"
)

// made says which run a test wants.
type made struct {
	policy, payment  string
	jobs             int
	segments, series bool
	waits            []run.Wait
	format           string
	trace, hash      string
}

// make replays a synthetic workload into a folder as the command does.
func (m made) make(t testing.TB) string {
	t.Helper()
	if m.policy == "" {
		m.policy = "hb"
	}
	if m.payment == "" {
		m.payment = "kth"
	}
	if m.trace == "" {
		m.trace = "log.swf"
	}
	dir := filepath.Join(t.TempDir(), "run")
	market := catalog.Defaults
	market.Policy, market.Payment = m.policy, m.payment
	policy, pricer, bidder, err := market.Build()
	check(t, err)
	out, err := run.Create(dir, run.Options{Segments: m.segments, Series: m.series, Version: "test", Format: m.format})
	check(t, err)
	defer out.Abort()
	all := &stats.Collector{}
	cfg := engine.Config{Machine: engine.Processors(4), Policy: policy, Pricer: pricer, Bidder: bidder, Segments: out,
		Samples: out}
	source := &ramp{n: m.jobs}
	sum, err := engine.Run(context.Background(), cfg, source, engine.Tee(all, out))
	check(t, err)
	manifest := &run.Manifest{Seed: 1, Trace: run.TraceRef{Name: m.trace, Format: "swf", SHA256: m.hash},
		Scenario: json.RawMessage(fmt.Sprintf(`{"policy": %q, "payment": %q, "where": ""}`, m.policy, m.payment))}
	if m.series {
		manifest.Written.Series = "changes"
	}
	summary := run.NewSummary(&traces.Ledger{Read: int64(m.jobs)}, nil, run.NewMachine(&sum), all.Result())
	summary.Market, summary.Waits = m.payment != "none", m.waits
	check(t, out.Commit(summary, manifest))
	return dir
}

// ramp is a trace of jobs that come faster and faster.
type ramp struct{ n, at int }

func (r *ramp) Header() *traces.Header { return &traces.Header{Ledger: &traces.Ledger{}} }

func (r *ramp) Next(j *traces.Job) error {
	if r.at == r.n {
		return io.EOF
	}
	i := r.at
	r.at++
	*j = traces.Job{ID: int64(i + 1), Submit: events.Time(20*i+i%7) * events.Second,
		Run:   events.Time(i*37%90) * events.Second,
		Procs: int32(1 + i%3), Estimate: events.Unknown, User: traces.NoLabel, Group: traces.NoLabel, Queue: traces.NoLabel,
		Partition: traces.NoLabel}
	return nil
}

// synthetic writes a run of n records that no replay made, quickly.
func synthetic(t testing.TB, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	out, err := run.Create(dir, run.Options{Version: "test"})
	check(t, err)
	defer out.Abort()
	all := &stats.Collector{}
	for i := range n {
		x := float64(i*2_654_435_761%1_000_003) / 1_000_003
		submit := events.Time(i*60) * events.Second
		wait, run := events.Time(math.Pow(10, 6*x)*1e5), events.Time(math.Pow(10, 5*math.Mod(7*x, 1))*1e6)
		o := engine.Outcome{Job: traces.Job{ID: int64(i), Submit: submit, Run: run, Procs: int32(1 + i%64),
			Estimate: events.Unknown, User: traces.Label(i % 500)},
			Seq: int64(i), Size: float64(1 + i%64), Start: submit + wait, End: submit + wait + run, Value: 180 * x, Bid: 170 * x,
			PreemptedBy: engine.NoJob}
		o.Payment = o.Bid * o.Size * run.Seconds() * math.Mod(13*x, 1)
		check(t, all.Record(&o))
		check(t, out.Record(&o))
	}
	m := &run.Manifest{Trace: run.TraceRef{Name: "many.swf"}, Scenario: json.RawMessage(`{"policy": "easy"}`)}
	check(t, out.Commit(run.NewSummary(&traces.Ledger{Read: int64(n)}, nil, run.Machine{Procs: 4096}, all.Result()), m))
	return dir
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// edit changes a text of a file, which must hold it.
func edit(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	text, err := os.ReadFile(path)
	check(t, err)
	check(t, os.WriteFile(path, change(text), 0o644))
}
