package sweep

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/reports/run"
	"bourse/traces"
	"bourse/traces/tracetest"
	"bourse/traces/transform"
)

// lpc is study A's workload in memory.
func lpc(t testing.TB) (Settings, Input) {
	t.Helper()
	s := Settings{Base: scenario.Default(), Version: "test"}
	s.Base.Where, s.Base.Serial, s.Base.Nodes = "run >= 0 && !(status == 0 && run <= 1)", true, 105
	s.Base.Trace = tracetest.Shared(t, "data/swf/LPC-EGEE-2004-1.2-cln.swf.gz")
	src, err := s.Base.Open(scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Load(src, TraceRef{TraceRef: run.TraceRef{Name: "LPC"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, in
}

func axesOf(policies, payments, behaviours []string) []Axis {
	return []Axis{{Name: Trace, Values: []string{"LPC"}}, {Name: Nodes, Values: []string{"105"}},
		{Name: Load, Values: []string{"1"}},
		{Name: Policy, Values: policies}, {Name: Values, Values: []string{"bimodal"}}, {Name: Behaviour, Values: behaviours},
		{Name: Seed, Values: []string{"1"}}, {Name: Payment, Values: payments}}
}

// BenchmarkGame is the full game of study A, 42 cells, on one worker and on all,
// against one cell by itself.
func BenchmarkGame(b *testing.B) {
	settings, in := lpc(b)
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
					settings, Options{Workers: c.workers, Shard: Whole})
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
	settings, in := lpc(b)
	betas, err := Expand("srg(beta={.05,.25,.5,.6,.7,.8,.9})")
	if err != nil {
		b.Fatal(err)
	}
	cells := Cells(axesOf([]string{"hb", "nphb", "wspt"}, []string{"first", "kth"}, betas))
	for b.Loop() {
		for _, c := range cells {
			x, err := settings.scenario(c)
			if err != nil {
				b.Fatal(err)
			}
			p, err := x.PrepareOn(in.Hardware[x.Machine],
				func(o transform.Options) (traces.Source, error) { return scenario.Apply(in.Jobs.Source(), o) })
			if err != nil {
				b.Fatal(err)
			}
			if _, err := p.RunAll(context.Background(), discard{}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
