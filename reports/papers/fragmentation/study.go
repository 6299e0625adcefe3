package fragmentation

import (
	"context"
	"errors"
	"time"

	"bourse/engine/scenario"
	"bourse/policies/gpus"
	"bourse/reports/experiment"
	"bourse/reports/papers"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Options say how the reproduction is run.
type Options struct {
	Data       string
	Seeds      int // from FirstSeed on
	Workers    int
	ClosedLoop bool // there are no published results of that
	Every      int
	// Progress is told of runs done.
	Progress func(done, of int, err error)
}

// Program is the reproduction as a value.
func Program() papers.Program {
	o := Options{Seeds: 10, Every: 4}
	return papers.Program{
		Name: "fragmentation",
		Paper: "Weng et al., Beware of Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation " +
			"Gradient Descent",
		Line: "GPU placement policies on 1,213 machines: allocation and fragmentation by load, digit by " +
			"digit; with --closed-loop also who waits",
		Example: "bourse reproduce fragmentation --data openb --out fragmentation",
		Options: []papers.Option{
			{Name: "data", To: &o.Data, Input: true, Line: "`DIR` with openb_node_list_gpu_node.csv, lists of pods " +
				"(openb_pod_list_NAME.csv) and, to compare with, published_allo.csv and its like"},
			{Name: "seeds", To: &o.Seeds, Least: 1, Why: papers.AtLeastOne,
				Line: "runs of each policy and workload, 5 by default in a closed loop; intervals are over them"},
			{Name: "closed-loop", To: &o.ClosedLoop,
				Line: "our own study instead: pods that leave, wait, have priorities and bid"},
			{Name: "every", To: &o.Every, Needs: "closed-loop", Least: 1, Why: papers.OneOrMore,
				Line: "in a closed loop: use every `K`-th machine only (1: all of them)"},
		},
		Workers: &o.Workers, Each: "runs",
		Check: func(given func(string) bool) error {
			switch {
			case o.Data == "":
				return &scenario.OptionError{Option: "data",
					Err: errors.New("is missing: the machines and pods of Alibaba's GPU trace of 2023")}
			case o.ClosedLoop && o.Seeds == 1:
				return &scenario.OptionError{Option: "seeds", Err: errors.New("1: " + papers.ForInterval)}
			case o.ClosedLoop && !given("seeds"):
				o.Seeds = 5
			}
			return nil
		},
		Run: func(ctx context.Context, report *papers.Study, progress func(done, of int, err error)) error {
			o.Progress = progress
			return Run(ctx, report, o)
		},
	}
}

// FirstSeed is the first of the study's ten.
const FirstSeed = 42

// Workloads are the study's workloads that were published with their results, in the order of
// tables.
var Workloads = []string{"default", "gpushare40", "gpuspec33", "multigpu50", "cpu200"}

// compared are the study's policies: what it calls them and its tables do, and our rule.
var compared = []struct {
	name, table string
	rule        gpus.Rule
}{
	{"Random", "01-Random", gpus.Random},
	{"DotProd", "02-DotProd", gpus.LeastDot},
	{"GpuClustering", "03-GpuClustering", gpus.Clustering},
	{"GpuPacking", "04-GpuPacking", gpus.Packing},
	{"BestFit", "05-BestFit", gpus.Best},
	{"FGD", "06-FGD", gpus.Gradient},
}

// random and fgd are places in compared.
const random, fgd = 0, 5

// study is a run of the reproduction.
type study struct {
	*papers.Study
	Options
	ctx     context.Context
	data    *data
	results [][][]*Result // by workload, policy and seed
	printed published
}

// Run reproduces the study.
func Run(ctx context.Context, report *papers.Study, o Options) error {
	s := &study{Study: report, Options: o, ctx: ctx}
	var err error
	if s.data, err = load(o.Data); err != nil {
		return err
	}
	if s.ClosedLoop {
		c, err := newClosed(s)
		if err != nil {
			return err
		}
		return s.Run(ctx, c.runAll, c.tables, c.draw, c.findings)
	}
	if s.printed, err = readPublished(o.Data); err != nil {
		return err
	}
	if err := s.place(); err != nil {
		return err
	}
	return s.Run(ctx, s.inputs, s.digits, s.outcomes, s.figures, s.headline)
}

// place runs every policy on every workload, once a seed.
func (s *study) place() error {
	type key struct{ workload, policy int }
	var keys []key
	for w := range s.data.workloads {
		for p := range compared {
			keys = append(keys, key{w, p})
		}
	}
	begun := time.Now()
	results, err := experiment.Run(s.ctx, s.Workers, keys, s.Seeds, func(k key, seed int) (*Result, error) {
		return s.data.run(&s.data.workloads[k.workload], compared[k.policy].rule, FirstSeed+int64(seed)), nil
	}, s.Progress)
	if err != nil {
		return err
	}
	for w := range s.data.workloads {
		s.results = append(s.results, make([][]*Result, len(compared)))
		for p := range compared {
			s.results[w][p] = results[key{w, p}]
		}
	}
	took := time.Since(begun).Seconds()
	s.Aside("%d runs took %.3g s, %.2g s each by the clock; the study's took 10 minutes each on two processors.",
		len(keys)*s.Seeds, took, took/float64(len(keys)*s.Seeds))
	return nil
}

// inputs says what is placed where.
func (s *study) inputs() error {
	s.Heading("Machines and pods")
	s.Printf("%d machines with %g GPUs. A pod asks for CPU, memory and GPUs: none, a share of one, or whole ones, "+
		"perhaps of\ncertain models. Pods arrive until they have asked for %.0f %% of all GPUs; none ever leaves; what "+
		"fits nowhere is dropped.\n\n",
		len(s.data.nodes), s.data.gpu/gpus.Whole, 100*tuned)
	t := table.New(table.Headed(terminal.Number, "workload", "pods", "no GPU", "a share", "1", "2 and more",
		"of certain models", "asked / all GPUs", "kinds in the mix")...)
	t.Columns[7].Unit = terminal.Fixed(4)
	for _, w := range s.data.workloads {
		var none, share, one, more, models, asked int
		for _, p := range w.pods {
			a := &p.ask
			asked += int(a.GPU())
			switch {
			case a.Devices == 0:
				none++
			case a.Each < gpus.Whole:
				share++
			case a.Devices == 1:
				one++
			default:
				more++
			}
			if a.Models != 0 {
				models++
			}
		}
		t.Add(w.name, len(w.pods), none, share, one, more, models, float64(asked)/s.data.gpu, len(w.mix))
	}
	s.Show(t)
	return nil
}
