package untruthful

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/papers"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
)

// Cluster is one row of Table I and how to rebuild it.
type Cluster struct {
	// Name is the paper's.
	Name string
	// nodes, jobs and meanRun (s) are the published row; zeros if there is none.
	nodes, jobs int
	meanRun     float64
	where       string
	// partition is the machine's part, by its name in the header.
	partition string
	// generated: the log has no usable estimates, they are drawn from Tsafrir's
	// model.
	generated bool
	// note says what to keep in mind.
	note string
}

// The workloads that can be asked for. LPC is rebuilt job for job.
var (
	LPC = Cluster{Name: "LPC", nodes: 105, jobs: lpcJobs, meanRun: lpcMeanRun, where: lpcWhere}
	// DAS2 is one of the five clusters of that name. fs1 is at hand and is not the
	// one: its jobs split into 329,778.
	DAS2 = Cluster{Name: "DAS2", nodes: 48, jobs: 118_567, meanRun: 2236,
		note: "the paper does not say which of the clusters fs0 to fs4 it used; fs1 stands in for it"}
	REQUIN = Cluster{Name: "REQUIN", nodes: 1536, jobs: 466_177, meanRun: 45_674, partition: "requin", generated: true,
		note: "estimates are drawn from Tsafrir's model; the paper does not state its largest estimate"}
	// Other is any other log, prepared alike.
	Other = Cluster{Name: "another workload", note: "this is not the paper's workload; compare directions, not numbers"}
)

// standIn replaces the log where it is not at hand: serial jobs on a machine that
// is busy at times.
const standIn = "synth:lublin?jobs=60000&procs=105&serial=1&load=0.8&seed=1&estimates=5"

// workload is a trace in memory with its machine.
type workload struct {
	cluster Cluster
	loaded  *scenario.Loaded
	jobs    *traces.Memory
	groups  stats.Groups
	nodes   int
	kth     string // the second payment
}

// Scenario is how the log at spec is replayed: its jobs split into serial ones, on the
// machine of so many nodes, or of the paper's, or of the log's.
func (c Cluster) Scenario(spec string, nodes int) scenario.Scenario {
	s := scenario.Default()
	s.Trace, s.Where, s.Serial, s.Nodes, s.Estimates = spec, c.where, true, cmp.Or(nodes, c.nodes), "recorded"
	if c.generated {
		s.Estimates = "tsafrir"
	}
	return s
}

// prepare reads a workload.
func prepare(spec string, c Cluster, nodes int) (w *workload, err error) {
	s := c.Scenario(spec, nodes)
	src, err := s.Open(scenario.Env{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, traces.Close(src)) }()
	if c.partition != "" {
		if s.Where, err = inPartition(src.Header(), c.partition); err != nil {
			return nil, err
		}
	}
	loaded, err := s.Load(src)
	if err != nil {
		return nil, err
	}
	procs, ok := loaded.Hardware.Machine.(engine.Processors)
	if !ok {
		return nil, fmt.Errorf("%s is of %s; the study is about processors", spec, loaded.Hardware)
	}
	jobs := loaded.Memory
	runs := make([]events.Time, jobs.Len())
	for i := range runs {
		runs[i] = jobs.Job(i).Run
	}
	return &workload{c, loaded, jobs, stats.GroupsOf(runs), int(procs), payments[1]}, nil
}

// inPartition makes the filter for a partition that the header names, as in
// "Partition: 8 requin (1536 CPUs)".
func inPartition(h *traces.Header, name string) (string, error) {
	for _, f := range h.Fields {
		number, text, _ := strings.Cut(strings.TrimSpace(f.Text), " ")
		n, err := strconv.Atoi(strings.TrimSuffix(number, ":"))
		if f.Label == "Partition" && err == nil && strings.Contains(strings.ToLower(text), name) {
			return fmt.Sprintf("partition == %d", n), nil
		}
	}
	return "", fmt.Errorf("%s: no header line names the partition %s (\"; Partition: N %s\"); this should be the log "+
		"SHARCNET-2005-2", h.Name, name, name)
}

// meanRun returns the mean run time in seconds.
func (w *workload) meanRun() float64 {
	sum := 0.0
	for i := range w.jobs.Len() {
		sum += w.jobs.Job(i).Run.Seconds()
	}
	return sum / float64(w.jobs.Len())
}

// withoutEstimate counts the jobs that WSEPT could not rank.
func (w *workload) withoutEstimate() int {
	n := 0
	for i := range w.jobs.Len() {
		if !w.jobs.Job(i).Estimate.Known() {
			n++
		}
	}
	return n
}

// tableI compares the workload with its row of Table I, LPC's if it has none.
func (w *workload) tableI(s *papers.Study, spec string) {
	s.Heading("Table I: the workload")
	paper := w.cluster
	if paper.jobs == 0 {
		paper = LPC
	}
	t := table.New(table.Headed(terminal.Number, "workload", "the paper's "+paper.Name, "here", "difference")...)
	difference := func(here, paper float64) string { return fmt.Sprintf("%+.2f %%", 100*(here/paper-1)) }
	n, mean := w.jobs.Len(), w.meanRun()
	row := func(what string, published, here float64) {
		t.Add(what, published, here, difference(here, published))
	}
	row("nodes", float64(paper.nodes), float64(w.nodes))
	row("serial jobs", float64(paper.jobs), float64(n))
	row("mean run time (s)", paper.meanRun, mean)
	s.Show(t)
	s.Printf("\ntrace: %s\n", spec[strings.LastIndexAny(spec, `/\`)+1:]) // wherever it is
	if w.cluster.note != "" {
		s.Printf("note: %s\n", w.cluster.note)
	}
	s.Claim("Table I", fmt.Sprintf("%s jobs of %s s on %d nodes", terminal.Thousands(int64(paper.jobs)),
		terminal.Thousands(int64(paper.meanRun)), paper.nodes),
		papers.Judge(n == paper.jobs && w.nodes == paper.nodes && math.Abs(mean/paper.meanRun-1) < .001),
		"%s jobs of %.1f s (%s) on %d nodes", terminal.Thousands(int64(n)), mean, difference(mean, paper.meanRun), w.nodes)
}
