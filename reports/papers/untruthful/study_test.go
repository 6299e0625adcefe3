package untruthful

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/reports/ask/game"
	"bourse/reports/papers"
	"bourse/reports/papers/claimtest"
	"bourse/reports/table"
	"bourse/traces/tracetest"
)

// TestLongLPC reproduces the tables and sentences from the real log with few seeds, and wants other
// verdicts of what is broken on purpose.
func TestLongLPC(t *testing.T) {
	tracetest.Long(t)
	log := tracetest.Shared(t, "data/swf/LPC-EGEE-2004-1.2-cln.swf.gz")
	w, err := prepare(log, LPC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if w.jobs.Len() != lpcJobs || math.Abs(w.meanRun()-lpcMeanRun) > 2 {
		t.Errorf("%d jobs of %.1f s, want %d of %d", w.jobs.Len(), w.meanRun(), lpcJobs, lpcMeanRun)
	}
	const seeds = 5
	replayed, err := replayAll(context.Background(), w, seeds, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	drawn := w.drawn(seeds, smallGroup, largeGroup)
	judged := func(r results, w *workload) *papers.Study {
		report, err := papers.NewStudy(table.Output{W: io.Discard}, "")
		if err != nil {
			t.Fatal(err)
		}
		st := &study{Study: report, options: Options{Seeds: seeds}, work: w, results: r, draws: drawn}
		w.tableI(st.Study, log)
		st.tables()
		st.marketClaims()
		st.drawClaims()
		st.textClaims()
		return st.Study
	}
	// again replays a setting as another, with another second payment.
	again := func(s, as setting, kth string) func(results) {
		return func(r results) {
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
	}
	type claim = claimtest.Claim
	var mutations []claimtest.Mutation
	// add names the claims that notice what is broken; sound is what is done before so that
	// they stand with few seeds, or with what differs from the paper.
	add := func(what string, sound, broken func(results), pairs ...string) {
		after := func(change func(results)) func() *papers.Study {
			return func() *papers.Study {
				r := maps.Clone(replayed)
				change(r)
				return judged(r, w)
			}
		}
		m := claimtest.Mutation{What: what, Broken: after(broken)}
		if sound != nil {
			m.Sound = after(sound)
		}
		for k := 0; k < len(pairs); k += 2 {
			m.Notice = append(m.Notice, claim{Where: pairs[k], Says: pairs[k+1]})
		}
		mutations = append(mutations, m)
	}
	standard := func(p string) setting { return setting{p, srg(".9")} }
	// points changes what the owners of a class have got in some bins of a setting.
	points := func(s setting, classes []int, in [2]int, change func(*point)) func(results) {
		return func(r results) {
			var out []*curve
			for _, c := range r[s] {
				c := *c
				for g := range c.points {
					for _, class := range classes {
						for b := in[0]; b < in[1]; b++ {
							change(&c.points[g][class][b])
						}
					}
				}
				out = append(out, &c)
			}
			r[s] = out
		}
	}
	all := func(changes ...func(results)) func(results) {
		return func(r results) {
			for _, change := range changes {
				change(r)
			}
		}
	}
	every, liars, whole := []int{0, 1}, []int{1}, [2]int{0, bins}
	// rows puts the rows of the game in others' places.
	rows := func(pairs ...string) func(results) {
		return func(r results) {
			was := maps.Clone(r)
			for k := 0; k < len(pairs); k += 2 {
				for _, b := range betas {
					r[setting{pairs[k], srg(b)}] = was[setting{pairs[k+1], srg(b)}]
				}
			}
		}
	}
	slower := func(by float64) func(*point) { return func(p *point) { p.bsd *= by } }
	// paid lets aggressive owners have so many times what all have under truth.
	paid := func(times float64) func(results) {
		return func(r results) {
			var out []*curve
			for seed, c := range r[aggressiveHB] {
				c := *c
				for _, in := range [][2]int{low, high} {
					for g := range c.points {
						truth := r[truthfulHB][seed].sumOfBins(g, g, everybody, in[0], in[1])
						for b := in[0]; b < in[1]; b++ {
							p := &c.points[g][1][b]
							p.utility[0] = times * float64(p.jobs) * truth.meanUtility(0)
						}
					}
				}
				out = append(out, &c)
			}
			r[aggressiveHB] = out
		}
	}
	kth := func(of func(p *point) float64) func(results) {
		change := func(p *point) { p.utility[1] = of(p) }
		return all(points(truthfulHB, every, whole, change), points(aggressiveHB, every, whole, change))
	}
	same := kth(func(p *point) float64 { return p.utility[0] })

	add("HB for WSPT", nil, rows("wspt", "hb"), "Table II", "the 42 payoffs printed", "Figure 4",
		"low values: WSPT before WSEPT")
	add("the k-th price uncapped", nil, again(setting{"wspt", srg(".5")}, setting{"wspt", srg(".5")}, "kth-uncapped"),
		"Table III", "the 42 payoffs printed", "Section IV", "Eq. 3: no job's utility is lower under the k-th price")
	add("HB and NPHB exchanged", nil, rows("hb", "nphb", "nphb", "hb"), "Section V",
		"equilibrium at the first price: HB with β = 50 %", "Section V",
		"equilibrium at the k-th price without WSPT: NPHB with β = 25 %")
	// With few seeds 80 % is better than 70 %.
	add("HB and WSPT exchanged", func(r results) { r[setting{"wspt", srg(".8")}] = r[setting{"wspt", srg(".7")}] }, rows("hb", "wspt", "wspt", "hb"), "Section V",
		"equilibrium at the k-th price: WSPT with β = 70 %")
	add("β = 5 % and 90 % exchanged", nil, func(r results) {
		r[setting{"hb", srg(".05")}], r[aggressiveHB] = r[aggressiveHB], r[setting{"hb", srg(".05")}]
	}, "Table III", "under HB the users' payoff is largest at β = 5 %")
	add("what the groups are", func(r results) {
		for s := range r {
			var out []*curve
			for _, c := range r[s] {
				c := *c
				c.sum, c.count = [3][2]float64{c.sum[2], c.sum[2], c.sum[2]}, [3][2]float64{c.count[2], c.count[2], c.count[2]}
				out = append(out, &c)
			}
			r[s] = out
		}
	}, func(results) {}, "Section V", "the tables of groups A and B are nearly identical")
	add("aggressive owners who tell the truth", nil, again(aggressiveHB, setting{"hb", srg("0")}, "kth"), "Figure 2",
		"underbidding slows low-value jobs down", "Figure 3", "more low-value jobs severely slowed",
		"Figure 6", "group B: underbidding harms low-value jobs", "Figure 7b",
		"group C: underbidding pays for high-value jobs under the first price")
	add("high values as slow as low ones", nil, points(aggressiveHB, liars, high, slower(100)), "Figure 2",
		"high-value jobs: almost no difference")
	add("twice as fast", points(aggressiveHB, liars, high, slower(2)), points(aggressiveHB, liars, high, slower(.5)),
		"Section III.A", "... a more careful comparison: high-value jobs are slower, too")
	add("nobody divided", func(r results) { r[divided] = r[aggressiveHB] }, func(r results) { r[divided] = r[truthfulHB] },
		"Section II", "80 % cautious with β = 20 %, the rest with 80 %: nearly identical")
	add("HB for WSEPT", nil, func(r results) { r[standard("wsept")] = r[aggressiveHB] }, "Figure 4",
		"low values: WSEPT before HB")
	var fast []func(results)
	for _, p := range compared {
		fast = append(fast, points(standard(p), every, high, slower(.01)))
	}
	add("high values as slow as low ones", all(fast...),
		all(append(fast, points(aggressiveHB, liars, high, slower(1e5)))...), "Figure 4",
		"high values: bounded slowdown becomes smaller under every algorithm")
	alike := func(mean float64) func(*point) { return func(p *point) { p.bsd = mean * float64(p.jobs) } }
	add("HB without preemption", all(points(aggressiveHB, every, whole, alike(1)),
		points(standard("nphb"), every, whole, alike(2)),
		points(aggressiveHB, every, whole, func(p *point) { p.severe = 0 })), func(r results) { r[aggressiveHB] = r[standard("nphb")] }, "Figure 4",
		"preemption: HB before NPHB for all bids", "Figure 5", "HB has fewer severe slowdowns than NPHB for almost all bids")
	for _, p := range compared[2:] {
		fewer := points(aggressiveHB, every, whole, func(p *point) { p.severe = 0 })
		add("HB is the other", all(fewer, points(standard(p), every, whole, func(p *point) { p.severe++ })),
			func(r results) { r[aggressiveHB] = r[standard(p)] },
			"Figure 5", fmt.Sprintf("HB has fewer severe slowdowns than %s for almost all bids", algorithm(p)))
	}
	add("costs for gains", paid(1.2), paid(.8), "Figure 6", "group A: underbidding harms low-value jobs", "Figure 6",
		"group A: underbidding harms high-value jobs",
		"Figure 6", "group B: underbidding harms low-value jobs", "Figure 6", "group B: underbidding harms high-value jobs",
		"Figure 7a", "group C: underbidding harms low-value jobs")
	add("the first price twice", nil, same, "Figure 7c", "the k-th price removes that gain", "Figure 8",
		"truthful owners: higher utility under the k-th price", "Figure 8",
		"aggressive owners: higher utility under the k-th price",
		"Section IV", "group B, truthful owners: almost the same, slightly higher under the k-th price", "Section IV",
		"group B, aggressive owners: almost the same, slightly higher under the k-th price")
	add("the first price twice", kth(func(p *point) float64 { return -100 * float64(p.jobs) }), same, "Figure 7c",
		"the curves of FT and SRG coincide under the k-th price")
	add("a tenth less to pay", nil, kth(func(p *point) float64 { return .9 * p.utility[0] }), "Section IV",
		"group A, truthful owners: the same utility under both payments", "Section IV",
		"group A, aggressive owners: the same utility under both payments")
	// Revenues differ here, so that the claim stands only where they are made equal.
	add("as NPHB and WSPT are", func(r results) {
		for _, policy := range []string{"nphb", "wspt"} {
			for _, b := range betas {
				var out []*curve
				for seed, c := range r[setting{policy, srg(b)}] {
					c := *c
					c.payment[0] = r[setting{"hb", srg(b)}][seed].payment[0]
					out = append(out, &c)
				}
				r[setting{policy, srg(b)}] = out
			}
		}
	}, func(results) {}, "Section V", "the total revenue under the first price is independent of the algorithm")
	add("two algorithms of the same payoffs", nil, rows("nphb", "hb"), "Section V",
		"there exists a unique pure Nash equilibrium", "Section V",
		"Highest-Bid has the best performance in terms of weighted flow time")
	mutations = append(mutations, claimtest.Mutation{What: "the groups of owners exchanged", Broken: func() *papers.Study {
		sound := drawn
		defer func() { drawn = sound }()
		drawn = w.drawn(seeds, largeGroup, smallGroup)
		return judged(replayed, w)
	}, Notice: []claim{{Where: "Section II", Says: "in SRG, the distribution of the bids is nearly identical to that of FT"},
		{Where: "Section II", Says: "80 % aggressive: a more exponential rather than bimodal distribution"}}})
	elsewhere := func(change func(*workload)) func() *papers.Study {
		x := *w
		change(&x)
		return func() *papers.Study { return judged(replayed, &x) }
	}
	mutations = append(mutations,
		claimtest.Mutation{What: "a node too many", Broken: elsewhere(func(x *workload) { x.nodes++ }),
			Notice: []claim{{Where: "Table I", Says: "219,704 jobs of 3,212 s on 105 nodes"}}},
		claimtest.Mutation{What: "another workload of which sentences differ",
			Broken: elsewhere(func(x *workload) { x.cluster.Name = "another" }),
			Notice: []claim{{Where: "Section II", Says: "the results of the other workloads are nearly identical"}}})
	claimtest.Run(t, judged(replayed, w), nil, mutations)
	games := replayed.games(seeds, groupC.from)
	designer, users := games[0].Means(nil)
	if e := game.Pure(designer, users); len(e) != 1 || e[0] != (game.Cell{Row: 0, Col: 2}) {
		t.Errorf("first-price equilibria %v, want HB with beta = 50 %%", e)
	}
}

// TestStandIn runs the whole study without the log.
func TestStandIn(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	o := Options{Trace: "synth:lublin?jobs=3000&procs=32&serial=1&load=0.9&estimates=5", Cluster: Other, Seeds: 2,
		Workers: 2}
	if err := made(&text, dir, o); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"this is not the paper's workload", "Table III", "Figure 7c", "41 claims"} {
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
	o.Workers = 1
	if err := made(&again, "", o); err != nil || again.String() != text.String() {
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
	all, aggr := c.sumOfBins(0, 2, everybody, 0, bins), c.sumOfBins(0, 2, aggressive, 0, bins)
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
		"1 0 -1 100 2 -1 -1 -1 -1 -1 1 1 1 -1 1 1 -1 -1\n2 5 -1 300 4 -1 -1 -1 -1 -1 1 1 1 -1 1 2 -1 -1\n3 9 -1 50 1 -1 -1 " +
		"-1 -1 -1 1 1 1 -1 1 2 -1 -1\n"
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
	if _, err := prepare("synth:lublin?jobs=5", REQUIN, 0); err == nil ||
		!strings.Contains(err.Error(), "no header line names the partition requin") {
		t.Errorf("a log without the partition: %v", err)
	}
}

func TestMissingEstimates(t *testing.T) {
	err := made(&strings.Builder{}, "", Options{Trace: "synth:lublin?jobs=50&procs=8",
		Seeds: 1, Workers: 1})
	if err == nil || !strings.Contains(err.Error(), "have no estimate, which WSEPT needs") {
		t.Errorf("a log without estimates: %v", err)
	}
}

// made makes the study with files in dir, if that is not empty.
func made(out io.Writer, dir string, o Options) error {
	return claimtest.Make(out, dir, func(s *papers.Study) error { return Run(context.Background(), s, o) })
}

// TestKolmogorov compares the distances with those of small samples, worked out by hand.
func TestKolmogorov(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4}, []float64{1, 2, 3, 4}, 0},
		{[]float64{1, 1, 1, 4}, []float64{1, 1, 4, 4}, .25},
		{[]float64{1, 2}, []float64{3, 4}, 1},
		{[]float64{3, 4}, []float64{1, 2}, 1},
	} {
		if got := apart(c.a, c.b); got != c.want {
			t.Errorf("%v and %v are %g apart, want %g", c.a, c.b, got, c.want)
		}
	}
	// Of one amount its mean is the amount, up to which an exponential distribution has 1 - 1/e.
	if got, want := fromExponential([]float64{7, 7, 7}), 1-1/math.E; math.Abs(got-want) > 1e-12 {
		t.Errorf("one amount is %g from exponential, want %g", got, want)
	}
}
