package cli

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"

	"bourse/engine"
	"bourse/policies/catalog"
	"bourse/reports/run"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/tracetest"
	"bourse/traces/transform"
)

const lpcWhere = "run >= 0 && !(status == 0 && run <= 1)"

// openLPC opens study A's workload as the replay does.
func openLPC(b *testing.B) traces.Source {
	b.Helper()
	src, err := formats.Open(tracetest.Shared(b, "data/swf/LPC-EGEE-2004-1.2-cln.swf.gz"), traces.Options{})
	if err == nil {
		src, err = transform.Apply(src, transform.Options{Where: lpcWhere, Serial: true})
	}
	if err != nil {
		b.Fatal(err)
	}
	return src
}

func drain(b *testing.B, src traces.Source) []traces.Job {
	b.Helper()
	var jobs []traces.Job
	for {
		var j traces.Job
		err := src.Next(&j)
		if errors.Is(err, io.EOF) {
			return jobs
		}
		if err != nil {
			b.Fatal(err)
		}
		jobs = append(jobs, j)
	}
}

type discard struct{}

func (discard) Record(*engine.Outcome) error { return nil }

// keep keeps all outcomes.
type keep []engine.Outcome

func (k *keep) Record(o *engine.Outcome) error {
	*k = append(*k, *o)
	return nil
}

func runLPC(b *testing.B, jobs []traces.Job, sink engine.Sink) engine.Summary {
	b.Helper()
	market := catalog.Defaults
	market.Behaviour = "srg"
	policy, pricer, bidder, err := market.Build()
	if err != nil {
		b.Fatal(err)
	}
	sum, err := engine.Run(context.Background(), engine.Config{Machine: engine.Processors(105), Policy: policy,
		Pricer: pricer, Bidder: bidder}, tracetest.NewSlice(jobs), sink)
	if err != nil {
		b.Fatal(err)
	}
	return sum
}

// BenchmarkLPC shows the parts of a replay of LPC-EGEE under hb with the k-th
// price: reading and parsing, the engine alone, writing the records alone, and
// the whole command. The aim is whole <= 2.5 (read + write).
func BenchmarkLPC(b *testing.B) {
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			src, n := openLPC(b), 0
			err := errors.Join(traces.Each(src, func(*traces.Job) error { n++; return nil }), traces.Close(src))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(n), "jobs")
		}
	})
	b.Run("engine", func(b *testing.B) {
		jobs := drain(b, openLPC(b))
		b.ResetTimer()
		events := int64(0)
		for b.Loop() {
			sum := runLPC(b, jobs, discard{})
			events += sum.Events
		}
		b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
	})
	b.Run("write", func(b *testing.B) {
		var records keep
		runLPC(b, drain(b, openLPC(b)), &records)
		b.ResetTimer()
		for b.Loop() {
			out, err := run.Create(filepath.Join(b.TempDir(), "out"), run.Options{Version: Version})
			if err != nil {
				b.Fatal(err)
			}
			for i := range records {
				if err := out.Record(&records[i]); err != nil {
					b.Fatal(err)
				}
			}
			if err := out.Commit(nil, &run.Manifest{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("whole", func(b *testing.B) {
		log := tracetest.Shared(b, "data/swf/LPC-EGEE-2004-1.2-cln.swf.gz")
		for b.Loop() {
			code, _, stderr := bourse(b, "replay", log, "--nodes", "105", "--serial", "--where", lpcWhere,
				"--behaviour", "srg", "--out", filepath.Join(b.TempDir(), "out"))
			if code != 0 {
				b.Fatal(stderr)
			}
		}
	})
}
