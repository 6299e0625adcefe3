package dynamicsharing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"bourse/events"
	"bourse/reports/studies"
	"bourse/reports/studies/parallel"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/demand"
	"bourse/traces/formats"
	"bourse/traces/rng"
	"bourse/traces/transform"
)

// Options say how a reproduction is run.
type Options struct {
	// Instances is the number of random instances; 100 in the paper.
	Instances int
	// Lies is the number of small instances searched for lies that pay.
	Lies int
	Seed uint64
	// Google is the directory of the cluster data of 2011; empty leaves it out.
	Google string
	// Logs are traces of parallel machines that are compared as well.
	Logs    []string
	Out     string // the directory for tables and figures; empty writes none
	Workers int    // 0: all processors
}

// lengths are those of a round; the first is that of the main tables. The paper
// publishes none.
var lengths = []events.Time{5 * 60 * events.Second, 15 * 60 * events.Second, 60 * 60 * events.Second}

// study is a run of the reproduction.
type study struct {
	*studies.Study
	Options
	ctx context.Context
	// traces holds the instances of each trace, one for each length.
	traces [][]*instance
	// main are what the mechanisms made of the traces at the first length, under
	// the first rule.
	main []outcome
	// random are the outcomes of the random instances.
	random []outcome
}

// Run reproduces the paper, printing to out.
func Run(ctx context.Context, out io.Writer, o Options) error {
	if o.Instances < 2 {
		return fmt.Errorf("%d random instances: 2 or more are needed for an interval", o.Instances)
	}
	report, err := studies.NewStudy(out, o.Out)
	if err != nil {
		return err
	}
	s := &study{Study: report, Options: o, ctx: ctx}
	return s.Run(ctx, s.read, s.figure2, s.figure3, s.lies, s.sensitivity, s.unwanted)
}

// hasGoogle is true if the first trace is Google's.
func (s *study) hasGoogle() bool { return s.Google != "" }

// googles is the number of traces that are Google's: all tasks, and those that end
// within the parts.
func (s *study) googles() int {
	if s.hasGoogle() {
		return 2
	}
	return 0
}

// read reads the traces and prints what they hold.
func (s *study) read() error {
	s.Heading("The demands")
	t := terminal.NewTable("trace", "agents", "rounds of 5 min", "of 15 min", "of 60 min", "mean demand a round")
	if s.hasGoogle() {
		all, g, err := readGoogle(s.ctx, s.Google, lengths, false)
		if err != nil {
			return err
		}
		ended, err := readLog(s.ctx, s.Google)
		if err != nil {
			return err
		}
		for _, x := range ended {
			x.name = "Google, ended"
		}
		s.traces = append(s.traces, all, ended)
		s.Printf("Google: %d parts of task events, %s submissions, %s of them without a CPU request, %s tasks first seen later in their lives.\nCPU is in parts of the largest machine. The paper does not say which rounds, endowments and demands it used;\nhere an agent is a user, its demand what its tasks request that are submitted and not ended, its endowment the\nmean of that. The parts cover %.1f hours of the trace's 29 days: an agent that hardly changes its demand in that time has\nlittle to lend, and sharing indices of bursts are bounded by the number of rounds.\n\"Google, ended\" are the tasks whose last attempt ends within the parts, from the submission before it: the\nservices that run all the time are not among them. This reading was added because the first is far from the\npublished numbers; that it is closer does not show which one the paper used.\n\n",
			g.parts, terminal.Thousands(int64(g.submits)), terminal.Thousands(int64(g.without)), terminal.Thousands(int64(g.unseen)), g.now.Seconds()/3600)
	} else {
		s.Printf(`Google's trace is left out, not being given: a directory with
task_events/part-*.csv.gz of clusterdata-2011-2 (CC-BY, bucket of that name on
Google Cloud Storage; see the cluster-data project of Google on GitHub). A few of
the 500 parts will do.

`)
	}
	for _, path := range s.Logs {
		all, err := readLog(s.ctx, path)
		if err != nil {
			return err
		}
		s.traces = append(s.traces, all)
	}
	for _, all := range s.traces {
		row := []string{all[0].name, fmt.Sprint(all[0].agents)}
		for _, x := range all {
			row = append(row, terminal.Thousands(int64(len(x.rounds))))
		}
		sum := 0.0
		for _, e := range all[0].meanDemand() {
			sum += e
		}
		t.Row(append(row, fmt.Sprintf("%.2f", sum))...)
	}
	t.Row(fmt.Sprintf("random (%d)", s.Instances), "2 to 100", "10 to 1,000")
	s.Table(t)
	return nil
}

// readLog returns an instance of a log for each length of a round: processors of
// submitted and unfinished jobs by user.
func readLog(ctx context.Context, path string) ([]*instance, error) {
	var out []*instance
	for _, every := range lengths {
		x := &instance{name: logName(path)}
		if err := x.readLog(ctx, path, every); err != nil {
			return nil, err
		}
		if err := x.trim(path, every); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func (x *instance) readLog(ctx context.Context, path string, every events.Time) (err error) {
	src, err := formats.Open(path, traces.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, traces.Close(src)) }()
	source, err := transform.Apply(src, transform.Options{})
	if err != nil {
		return err
	}
	o := demand.Options{Every: every, By: "user", Resource: "cpu"}
	_, err = demand.Run(source, o, func(r *demand.Round, _ func(int) string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return x.add(r)
	})
	return err
}

// logName is a file's name without what all logs' names end in.
func logName(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".swf")
	return strings.TrimSuffix(name, ".parquet")
}

// randomOutcomes draws and runs the random instances, each from its own key.
func (s *study) randomOutcomes() error {
	s.random = make([]outcome, s.Instances)
	return parallel.Do(s.ctx, s.Workers, s.Instances, func(k int) error {
		x := random(rng.Stream(s.Seed, "dynamic-sharing random", uint64(k)))
		for _, m := range mechanisms {
			account, err := x.run(m, rules[0])
			if err != nil {
				return err
			}
			s.random[k] = append(s.random[k], account)
		}
		return nil
	})
}
