package fragmentation

import (
	"context"
	"io"
	"time"

	"bourse/policies/gpus"
	"bourse/reports/experiment"
	"bourse/reports/papers"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Options say how the reproduction is run.
type Options struct {
	// Data is the folder with the lists of machines and pods, and the published results
	// if they are there.
	Data string
	// Seeds is the number of runs of each policy and workload, from FirstSeed on.
	Seeds   int
	Out     string
	Workers int
	// ClosedLoop lets pods leave and wait instead, on every so-manieth machine; there are
	// no published results of that.
	ClosedLoop bool
	Every      int
	// Progress is told of runs done.
	Progress func(done, of int, err error)
}

// FirstSeed is the first of the study's ten.
const FirstSeed = 42

// Workloads are the study's workloads that were published with their results.
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

// Run reproduces the study, printing to out.
func Run(ctx context.Context, out io.Writer, o Options) error {
	report, err := papers.NewStudy(out, o.Out)
	if err != nil {
		return err
	}
	s := &study{Study: report, Options: o, ctx: ctx}
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
	s.Aside("%d runs took %.3g s, %.2g s each by the clock; the study's took 10 minutes each on two processors.\n",
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
