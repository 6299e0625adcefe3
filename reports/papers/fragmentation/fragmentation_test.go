package fragmentation

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/policies/gpus"
	"bourse/reports/papers"
	"bourse/reports/papers/claimtest"
	"bourse/reports/table"
	"bourse/traces/tracetest"
)

// small is a folder of two kinds of machines and a few pods.
func small(t *testing.T) string {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(nodeFile, "sn,cpu_milli,memory_mib,gpu,model\nb,8000,1000,2,T4\na,16000,1000,4,V100\n")
	write("openb_pod_list_default.csv", "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n"+
		"p3,1000,10,1,300,\np1,2000,10,2,1000,\np2,1000,10,0,0,T4\np4,4000,10,1,1000,T4|V100\n")
	return dir
}

func TestLoad(t *testing.T) {
	d, err := load(small(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.nodes) != 2 || len(d.nodes[0].Devices) != 4 || d.gpu != 6000 ||
		d.measured != (gpus.Scale{CPU: 16000, GPU: 4000}) {
		t.Errorf("machines %+v, %g GPUs, scale %+v: want those of a first", d.nodes, d.gpu, d.measured)
	}
	pods := d.workloads[0].pods
	if len(pods) != 4 || pods[0].name != "p1" || pods[1].ask.Models != 0 || pods[2].ask.Each != 300 ||
		pods[3].ask.Models != d.model("V100|T4") {
		t.Errorf("pods %+v", pods)
	}
}

// TestSequence wants the trace itself once, and then as many pods as 130 % allow.
func TestSequence(t *testing.T) {
	d, err := load(small(t))
	if err != nil {
		t.Fatal(err)
	}
	pods := d.workloads[0].pods
	for seed := range int64(50) {
		list, place := sequence(pods, d.gpu, 2, seed)
		seen, sum := map[string]bool{}, 0.0
		for i, p := range list {
			if sum += float64(p.ask.GPU()); i < len(pods) {
				seen[p.name] = true
			}
		}
		if len(seen) != len(pods) || sum < 5000 || sum > tuned*d.gpu+1000 || place[0]+place[1] != 1 {
			t.Fatalf("seed %d: %d of the pods first, %g asked for, order %v", seed, len(seen), sum, place)
		}
		if less, _ := sequence(pods, 2000, 2, seed); len(less) > len(pods) {
			t.Fatalf("seed %d: %d pods where the trace has too many", seed, len(less))
		}
	}
}

func TestFolders(t *testing.T) {
	if err := made(io.Discard, "", Options{Data: t.TempDir(), Seeds: 1}); err == nil {
		t.Error("a folder without machines")
	}
	dir := small(t)
	if err := os.Remove(filepath.Join(dir, "openb_pod_list_default.csv")); err != nil {
		t.Fatal(err)
	}
	if err := made(io.Discard, "", Options{Data: dir, Seeds: 1}); err == nil ||
		!strings.Contains(err.Error(), "no list of pods") {
		t.Errorf("a folder without pods: %v", err)
	}
	var out strings.Builder
	if err := made(&out, t.TempDir(), Options{Data: small(t), Seeds: 2}); err != nil ||
		!strings.Contains(out.String(), "nothing to compare with") {
		t.Errorf("without published results: %v\n%s", err, out.String())
	}
}

// TestLongClaims runs the study on the published data, and wants every claim to notice a fault.
func TestLongClaims(t *testing.T) {
	tracetest.Long(t)
	dir := tracetest.Shared(t, "data/gpu/openb")
	d, err := load(dir)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := readPublished(dir)
	if err != nil || printed == nil {
		t.Fatal(printed, err)
	}
	report, _ := papers.NewStudy(table.Output{W: io.Discard}, "")
	once := &study{Study: report, Options: Options{Seeds: 5}, ctx: context.Background(), data: d, printed: printed}
	if err := once.place(); err != nil {
		t.Fatal(err)
	}
	judgedWith := func(change func(*study)) func() *papers.Study {
		return func() *papers.Study {
			s := *once
			s.Study, _ = papers.NewStudy(table.Output{W: io.Discard}, "")
			s.results = nil
			for _, policies := range once.results {
				var copies [][]*Result
				for _, seeds := range policies {
					var list []*Result
					for _, r := range seeds {
						c := *r
						list = append(list, &c)
					}
					copies = append(copies, list)
				}
				s.results = append(s.results, copies)
			}
			change(&s)
			if err := s.Run(s.ctx, s.digits, s.outcomes, s.headline); err != nil {
				t.Fatal(err)
			}
			return s.Study
		}
	}
	whole := judgedWith(func(*study) {})()
	whole.Each(func(where, says string, v papers.Verdict) {
		if v != papers.Holds {
			t.Errorf("%s, %q: %s", where, says, v)
		}
	})
	const tables = "Published tables"
	claimtest.Run(t, whole, nil, []claimtest.Mutation{
		{What: "one value .01 off", Broken: judgedWith(func(s *study) { s.results[4][3][2].Fragments[77] += .01 }),
			Notice: []claimtest.Claim{{Where: tables, Says: "every percent of allocation, fragments and ratio, five policies " +
				"without random draws"}}},
		{What: "Random four points too good", Broken: judgedWith(func(s *study) {
			for _, r := range s.results[1][random] {
				r.Allocated[100] += 4
			}
		}), Notice: []claimtest.Claim{{Where: tables, Says: "the means of Random at 100 and 130 %"}}},
		{What: "FGD behind another policy once",
			Broken: judgedWith(func(s *study) { s.results[2][fgd][1].Allocated[130] = s.results[2][3][1].Allocated[130] }),
			Notice: []claimtest.Claim{{Where: tables, Says: "FGD allocates the most GPUs"}}},
		{What: "FGD places like BestFit", Broken: judgedWith(func(s *study) {
			for k := range s.Seeds {
				s.results[0][fgd][k] = s.data.run(&s.data.workloads[0], gpus.Best, FirstSeed+int64(k))
			}
		}), Notice: []claimtest.Claim{{Where: "Abstract",
			Says: "up to 49 % fewer GPUs unallocated than with packing policies"},
			{Where: "Abstract", Says: "290 more GPUs can be used"}}},
	})
}

// TestAnyList wants every list of the public set to be a workload, the study's own first.
func TestAnyList(t *testing.T) {
	dir := small(t)
	text, err := os.ReadFile(filepath.Join(dir, "openb_pod_list_default.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cpu050", "multigpu20", "cpu200", "gpushare100"} {
		if err := os.WriteFile(filepath.Join(dir, "openb_pod_list_"+name+".csv"), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"default cpu200 cpu050 gpushare100 multigpu20", "cpu200 cpu050 gpushare100 multigpu20"} {
		d, err := load(dir)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, w := range d.workloads {
			if names = append(names, w.name); len(w.pods) != 4 {
				t.Errorf("%s has %d pods", w.name, len(w.pods))
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("workloads %s, want %s", got, want)
		}
		_ = os.Remove(filepath.Join(dir, "openb_pod_list_default.csv"))
	}
	if err := made(io.Discard, t.TempDir(), Options{Data: dir, Seeds: 1, Workers: 1}); err != nil {
		t.Error(err)
	}
}

// made makes the study with files in dir, if that is not empty.
func made(out io.Writer, dir string, o Options) error {
	return claimtest.Make(out, dir, func(s *papers.Study) error { return Run(context.Background(), s, o) })
}
