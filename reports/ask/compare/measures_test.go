package compare

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/reports/run"
	"bourse/reports/stats"
)

// added adds up what jobs add to measures.
type added struct {
	jobs float64
	sums []float64
}

// Record implements engine.Sink.
func (a *added) Record(o *engine.Outcome) error {
	a.jobs++
	for i, m := range run.Measures {
		if value := valueOf(m); m.Column != "" && value != nil {
			a.sums[i] += value(o)
		}
	}
	return nil
}

// TestParts wants what jobs add to a measure to come to what the summary says of it: a verdict is
// about the first, a table shows the second.
func TestParts(t *testing.T) {
	s := scenario.Default()
	s.Trace, s.Policy, s.Payment = "synth:lublin?jobs=500&procs=32&load=1.2&seed=3", "hb(fit=skip)", "kth"
	series := filepath.Join(t.TempDir(), "series.csv")
	if err := os.WriteFile(series, []byte("time,value\n0,100\n3600,300\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Power, s.SeriesIn = "idle=60,busy=200", "carbon="+series+"(extend=repeat); tariff="+series+"(extend=repeat)"
	log, err := s.Open(scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Prepare(log)
	if err != nil {
		t.Fatal(err)
	}
	var c stats.Collector
	a := &added{sums: make([]float64, len(run.Measures))}
	if _, err := p.Run(context.Background(), &c, a); err != nil {
		t.Fatal(err)
	}
	figures := run.Figures{Aggregate: &c.Result().Total}
	for i, m := range run.Measures {
		if m.Column == "" {
			continue
		}
		got := a.sums[i]
		if !m.Sum {
			got /= a.jobs
		}
		if want := m.Of(figures); want == 0 || math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("%s: jobs add up to %g, the summary has %g", m.Name, got, want)
		}
	}
}
