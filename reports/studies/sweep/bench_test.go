package sweep

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"

	"bourse/engine"
	"bourse/reports/run"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/tracetest"
	"bourse/traces/transform"
)

// lpc is study A's workload in memory.
func lpc(t testing.TB) Input {
	t.Helper()
	src, err := formats.Open(tracetest.Shared(t, "data/swf/LPC-EGEE-2004-1.2-cln.swf.gz"), traces.Options{})
	if err == nil {
		src, err = transform.Apply(src, transform.Options{Where: "run >= 0 && !(status == 0 && run <= 1)", Serial: true})
	}
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := traces.Load(src)
	if err != nil {
		t.Fatal(err)
	}
	return Input{Ref: run.TraceRef{Name: "LPC"}, Jobs: jobs, Label: "LPC"}
}

func axesOf(policies, payments, behaviours []string) []Axis {
	return []Axis{{Name: Trace, Values: []string{"LPC"}}, {Name: Nodes, Values: []string{"105"}}, {Name: Load, Values: []string{"1"}},
		{Name: Policy, Values: policies}, {Name: Values, Values: []string{"bimodal"}}, {Name: Behaviour, Values: behaviours},
		{Name: Seed, Values: []string{"1"}}, {Name: Payment, Values: payments}}
}

// BenchmarkGame is the full game of study A, 42 cells, on one worker and on all,
// against one cell by itself.
func BenchmarkGame(b *testing.B) {
	in := lpc(b)
	betas, err := Expand("srg(beta={.05,.25,.5,.6,.7,.8,.9})")
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		axes    []Axis
		workers int
	}{
		{"one cell", axesOf([]string{"hb"}, []string{"kth"}, betas[:1]), 1},
		{"one schedule", axesOf([]string{"hb"}, []string{"kth", "first"}, betas[:1]), 1},
		{"42 cells/1 worker", axesOf([]string{"hb", "nphb", "wspt"}, []string{"first", "kth"}, betas), 1},
		{"42 cells/all workers", axesOf([]string{"hb", "nphb", "wspt"}, []string{"first", "kth"}, betas), runtime.NumCPU()},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				out, err := Run(context.Background(), filepath.Join(b.TempDir(), "cells"), c.axes, []Input{in},
					Settings{Serial: true, Version: "test"}, Options{Workers: c.workers, Shard: Whole})
				if err != nil || len(out.Failures) > 0 {
					b.Fatal(err, out.Failures)
				}
			}
		})
	}
}

type discard struct{}

func (discard) Record(*engine.Outcome) error { return nil }

// BenchmarkSingly is the engine alone on the cells of the game one by one, without
// aggregates or files: what 42 replays by themselves would cost.
func BenchmarkSingly(b *testing.B) {
	in := lpc(b)
	betas, err := Expand("srg(beta={.05,.25,.5,.6,.7,.8,.9})")
	if err != nil {
		b.Fatal(err)
	}
	cells := Cells(axesOf([]string{"hb", "nphb", "wspt"}, []string{"first", "kth"}, betas))
	for b.Loop() {
		for _, c := range cells {
			cfg, err := configure(group{[]Cell{c}, &in})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := engine.Run(context.Background(), cfg, in.Jobs.Source(), discard{}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
