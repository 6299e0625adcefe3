package atlas

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/reports/papers"
	"bourse/reports/papers/claimtest"
	"bourse/reports/stats"
	"bourse/reports/terminal"
	"bourse/traces/tracetest"
)

// TestKept makes the atlas from the figures in the program: it is whole, and its files are
// those it was made of.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	if err := claimtest.Make(&out, dir, func(s *papers.Study) error {
		return Run(context.Background(), s, Options{})
	}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{"figures.csv": keptFigures, "logs.csv": keptLogs} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the program has of it (%v)", name, err)
		}
	}
	for _, part := range []string{"Ranks by bounded slowdown", "Ranks by mean wait", "Kendall's W", "Findings",
		"turn around from log to log"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("the report has no %q", part)
		}
	}
}

// small are logs of which the figures are worked out anew in every test, for some replicas.
var small = []string{"NASA-iPSC-1993-3.1-cln.swf.gz", "KTH-SP2-1996-2.1-cln.swf.gz", "OSC-Clust-2000-3.1-cln.swf.gz"}

func TestLongSmallLogs(t *testing.T) {
	tracetest.Long(t)
	const replicas = 2
	o := Options{Replicas: replicas, Seed: 1}
	for _, name := range small {
		o.Logs = append(o.Logs, tracetest.Shared(t, "data/swf/"+name))
	}
	got, err := replayed(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	want, err := kept()
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]figure{}
	for _, f := range want.figures {
		of[key(f)] = f
	}
	logs := map[string]log{}
	for _, l := range want.logs {
		logs[l.name] = l
	}
	for _, l := range got.logs {
		if logs[l.name] != l {
			t.Errorf("log %+v, in the atlas %+v", l, logs[l.name])
		}
	}
	for _, f := range got.figures {
		if of[key(f)] != f {
			t.Errorf("%s: %v, in the atlas %v", key(f), f.values, of[key(f)].values)
		}
	}
	if n := len(small) * len(policies) * (replicas + 1); len(got.figures) != n {
		t.Errorf("%d figures, want %d", len(got.figures), n)
	}
}

func key(f figure) string {
	return f.log + " " + f.policy + " " + terminal.Significant(digits).Text(float64(f.replica))
}

func TestDifference(t *testing.T) {
	for _, c := range []struct {
		x, y []float64
		sign float64 // of a difference beyond chance, else 0
	}{
		{[]float64{1, 2, 3}, []float64{4.1, 6.2, 8.1}, -1},
		{[]float64{4.1, 6.2, 8.1}, []float64{1, 2, 3}, 1},
		{[]float64{1, 9, 2}, []float64{9, 1, 2.1}, 0},
		{[]float64{5, 5}, []float64{5, 5}, 0},
		{[]float64{5}, []float64{9}, 0}, // the log alone proves nothing
	} {
		mean, p := difference(c.x, c.y, 1)
		if beyond := p < alpha; beyond != (c.sign != 0) || beyond && mean*c.sign <= 0 {
			t.Errorf("%v and %v: %g, p %g; want %g", c.x, c.y, mean, p, c.sign)
		}
	}
}

// TestConcordance: logs that agree have 1, and two that rank the other way round 0.
func TestConcordance(t *testing.T) {
	of := func(ranks ...[]float64) (all []standing) {
		for _, r := range ranks {
			all = append(all, standing{rank: stats.EstimateOf(r).Mean, ranks: r})
		}
		return all
	}
	if w := concordance(of([]float64{1, 1}, []float64{2, 2}, []float64{3, 3})); math.Abs(w-1) > 1e-12 {
		t.Errorf("W is %g, want 1", w)
	}
	if w := concordance(of([]float64{1, 3}, []float64{2, 2}, []float64{3, 1})); w != 0 {
		t.Errorf("W is %g, want 0", w)
	}
}

// TestTurns: a pair that one log proves and another disproves is said to turn around.
func TestTurns(t *testing.T) {
	a := &atlas{logs: []log{{name: "one"}, {name: "other"}}}
	for _, l := range a.logs {
		for i, p := range policies {
			for replica := range 6 {
				x := 10 + float64(i) + float64(replica)*.01
				if l.name == "other" && i < 2 {
					x = 11 - float64(i) + float64(replica)*.013
				}
				a.figures = append(a.figures, figure{l.name, p.name, replica, [3]float64{x + float64(replica*i)*1e-3, x, x}})
			}
		}
	}
	c := a.compare(0)
	if p := c.pair(0, 1); p.better != 1 || p.worse != 1 || len(p.turns) != 2 || p.turns[0] != "one" ||
		p.turns[1] != "other" {
		t.Errorf("pair %+v", p)
	}
	if p := c.pair(2, 3); p.better != 2 || p.turns != nil || p.lower != 2 {
		t.Errorf("pair %+v", p)
	}
	if all := c.standings(); all[0].rank != 1.5 || all[2].name != policies[2].name {
		t.Errorf("standings begin with %+v", all[:3])
	}
}
