package untruthful

import (
	"context"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/reports/studies"
	"bourse/reports/studies/game"
	"bourse/traces/tracetest"
)

// TestLPC reproduces the tables and sentences from the real log with few seeds, and wants other
// verdicts of what is broken on purpose.
func TestLPC(t *testing.T) {
	log := tracetest.Shared(t, "data/swf/LPC-EGEE-2004-1.2-cln.swf.gz")
	w, err := prepare(log, LPC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if w.jobs.Len() != lpcJobs || math.Abs(w.meanRun()-lpcMeanRun) > 2 {
		t.Errorf("%d jobs of %.1f s, want %d of %d", w.jobs.Len(), w.meanRun(), lpcJobs, lpcMeanRun)
	}
	const seeds = 3
	tolerance = .02 // of three seeds, not ten
	sound, err := replayAll(context.Background(), w, seeds, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	judged := func(r results) *study {
		report, err := studies.NewStudy(io.Discard, "")
		if err != nil {
			t.Fatal(err)
		}
		st := &study{Study: report, options: Options{Seeds: seeds}, work: w, results: r}
		st.tables()
		st.textClaims()
		return st
	}
	// again replays a setting as another, with another second payment.
	again := func(r results, s, as setting, kth string) {
		was := w.kth
		w.kth = kth
		defer func() { w.kth = was }()
		r[s] = nil
		for seed := range uint64(seeds) {
			c, err := w.replay(context.Background(), as, seed+1)
			if err != nil {
				t.Fatal(err)
			}
			r[s] = append(r[s], c)
		}
	}
	whole := judged(sound)
	for _, c := range []struct {
		name   string
		notice map[string]string
		wreck  func(results)
	}{
		{"aggressive owners who tell the truth", map[string]string{"Figure 2": "underbidding slows low-value jobs down", "Figure 3": "more low-value jobs severely slowed", "Figure 6": "group B: underbidding harms low-value jobs", "Figure 7b": "group C: underbidding pays for high-value jobs under the first price"},
			func(r results) { again(r, aggressiveHB, setting{"hb", srg("0")}, "kth") }},
		{"HB without preemption", map[string]string{"Figure 4": "preemption: HB before NPHB for all bids", "Figure 5": "HB has fewer severe slowdowns than NPHB for almost all bids"},
			func(r results) { r[aggressiveHB] = r[setting{"nphb", srg(".9")}] }},
		{"HB for WSPT", map[string]string{"Figure 4": "low values: WSPT before WSEPT", "Table II": "the 42 payoffs printed"},
			func(r results) {
				for _, b := range betas {
					r[setting{"wspt", srg(b)}] = r[setting{"hb", srg(b)}]
				}
			}},
		{"the k-th price uncapped", map[string]string{"Table III": "the 42 payoffs printed", "Section IV": "Eq. 3: no job's utility is lower under the k-th price"},
			func(r results) { again(r, setting{"wspt", srg(".5")}, setting{"wspt", srg(".5")}, "kth-uncapped") }},
		{"the first price twice", map[string]string{"Figure 8": "truthful owners: higher utility under the k-th price", "Section IV": "group B, truthful owners: almost the same, slightly higher under the k-th price"},
			func(r results) { again(r, truthfulHB, truthfulHB, "first") }},
	} {
		r := maps.Clone(sound)
		c.wreck(r)
		broken := judged(r)
		for where, says := range c.notice {
			if a, b := whole.VerdictOf(where, says), broken.VerdictOf(where, says); a != studies.Holds || b == studies.Holds || b == "" {
				t.Errorf("%s: %s, %s: %q when sound and %q when broken", c.name, where, says, a, b)
			}
		}
	}
	games := sound.games(seeds, groupC.from)
	designer, users := games[0].Means(nil)
	if e := game.Pure(designer, users); len(e) != 1 || e[0] != (game.Cell{Row: 0, Col: 2}) {
		t.Errorf("first-price equilibria %v, want HB with beta = 50 %%", e)
	}
}

// TestStandIn runs the whole study without the log.
func TestStandIn(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	o := Options{Trace: "synth:lublin?jobs=3000&procs=32&serial=1&load=0.9&estimates=5", Cluster: Other, Seeds: 2, Workers: 2, Out: dir}
	if err := Run(context.Background(), &text, o); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"this is not the paper's workload", "Table III", "Figure 7c", "36 claims"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	for _, name := range []string{"tables.csv", "curves.csv", "figure1.svg", "figure6.png", "figure8.svg"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() < 500 {
			t.Errorf("%s: %v", name, err)
		}
	}
	again := strings.Builder{}
	o.Workers, o.Out = 1, ""
	if err := Run(context.Background(), &again, o); err != nil || again.String() != text.String() {
		t.Errorf("one worker gives another report: %v", err)
	}
}

// TestCurve compares the sums over scopes and bins with plain ones.
func TestCurve(t *testing.T) {
	w, err := prepare("synth:lublin?jobs=500&procs=8&serial=1&load=1.1&estimates=5", Other, 8)
	if err != nil {
		t.Fatal(err)
	}
	c, err := w.replay(context.Background(), setting{"hb", srg(".9")}, 1)
	if err != nil {
		t.Fatal(err)
	}
	all, aggr := c.over(0, 2, everybody, 0, bins), c.over(0, 2, aggressive, 0, bins)
	if all.jobs != 500 || aggr.jobs < 20 || aggr.jobs > 90 {
		t.Errorf("%d jobs, %d of them aggressive", all.jobs, aggr.jobs)
	}
	// -TWFT - payments is the sum of utilities.
	for i := range payments {
		if u := -c.weight - c.payment[i]; math.Abs(all.utility[i]-u) > 1e-9*math.Abs(u) {
			t.Errorf("%s: utilities add up to %v, want %v", payments[i], all.utility[i], u)
		}
	}
}

// TestRequin rebuilds a workload from a log of several partitions without
// estimates, as SHARCNET's is.
func TestRequin(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.swf")
	text := "; MaxProcs: 64\n; Partition: 1 bull (32 CPUs)\n; Partition: 2 Requin (32 CPUs)\n" +
		"1 0 -1 100 2 -1 -1 -1 -1 -1 1 1 1 -1 1 1 -1 -1\n2 5 -1 300 4 -1 -1 -1 -1 -1 1 1 1 -1 1 2 -1 -1\n3 9 -1 50 1 -1 -1 -1 -1 -1 1 1 1 -1 1 2 -1 -1\n"
	if err := os.WriteFile(log, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := prepare(log, REQUIN, 0)
	if err != nil {
		t.Fatal(err)
	}
	if w.jobs.Len() != 5 || w.meanRun() != 250 || w.nodes != 1536 || w.withoutEstimate() != 0 {
		t.Errorf("%d jobs of %g s on %d nodes, %d without estimate", w.jobs.Len(), w.meanRun(), w.nodes, w.withoutEstimate())
	}
	for i := range w.jobs.Len() {
		if j := w.jobs.Job(i); j.Estimate < j.Run {
			t.Errorf("job %d is estimated at %v and runs %v", j.ID, j.Estimate, j.Run)
		}
	}
	if _, err := prepare("synth:lublin?jobs=5", REQUIN, 0); err == nil || !strings.Contains(err.Error(), "no header line names the partition requin") {
		t.Errorf("a log without the partition: %v", err)
	}
}

func TestMissingEstimates(t *testing.T) {
	err := Run(context.Background(), &strings.Builder{}, Options{Trace: "synth:lublin?jobs=50&procs=8", Seeds: 1, Workers: 1})
	if err == nil || !strings.Contains(err.Error(), "have no estimate, which WSEPT needs") {
		t.Errorf("a log without estimates: %v", err)
	}
}
