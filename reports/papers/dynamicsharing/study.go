package dynamicsharing

import (
	"context"
	"errors"
	"fmt"

	"bourse/events"
	"bourse/reports/ask/sweep"
	"bourse/reports/experiment"
	"bourse/reports/papers"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/demand"
	"bourse/traces/formats"
	"bourse/traces/google"
	"bourse/traces/rng"
	"bourse/traces/transform"
)

// Options say how a reproduction is run.
type Options struct {
	Instances int // 100 in the paper
	Lies      int
	Seed      uint64
	Google    string
	Jobs      string
	Logs      []string
	Workers   int
}

// Program is the reproduction as a value.
func Program() papers.Program {
	o := Options{Instances: 100, Lies: 10_000, Seed: 1}
	return papers.Program{
		Name:  "dynamic-sharing",
		Paper: "Freeman, Zahedi, Conitzer and Lee, Dynamic Proportional Sharing: A Game-Theoretic Approach",
		Line:  "lending resources over time: welfare, sharing indices and lies on Google, random and log demands",
		Example: "bourse reproduce dynamic-sharing --google clusterdata-2011-2 --logs a.swf.gz,b.swf.gz --out " +
			"dynamic-sharing",
		Options: []papers.Option{
			{Name: "google", To: &o.Google, Input: true, Part: true,
				Line: "`DIR` with task_events of the Google trace of 2011"},
			{Name: "jobs", To: &o.Jobs, Input: true, Part: true, Line: "job_events of the Google trace of 2011: one " +
				"`FILE`, or DIR with the parts; all 29 days of it if you have them"},
			{Name: "logs", To: &o.Logs, Input: true,
				Line: "logs of parallel machines to compare as well, any traces of jobs"},
			{Name: "instances", To: &o.Instances, Least: 2, Why: papers.ForInterval, Line: "random instances"},
			{Name: "lies", To: &o.Lies, Why: papers.ZeroOrMore,
				Line: "small random instances searched for lies that pay (0: none)"},
		},
		Workers: &o.Workers, Seed: &o.Seed, Each: "instances",
		Run: func(ctx context.Context, report *papers.Study, _ func(done, of int, err error)) error {
			return Run(ctx, report, o)
		},
	}
}

// lengths are those of a round; the first is that of the main tables. The paper
// publishes none.
var lengths = []events.Time{5 * 60 * events.Second, 15 * 60 * events.Second, 60 * 60 * events.Second}

// study is a run of the reproduction.
type study struct {
	*papers.Study
	Options
	ctx context.Context
	// traces holds the instances of each trace, one for each length.
	traces [][]*instance
	// main are what the mechanisms made of the traces at the first length, under
	// the first rule.
	main []outcome
	// settings are the ways tried to take demands from traces.
	settings []setting
	// random are the outcomes of the random instances.
	random []outcome
}

// Run reproduces the paper.
func Run(ctx context.Context, report *papers.Study, o Options) error {
	s := &study{Study: report, Options: o, ctx: ctx}
	return s.Run(ctx, s.read, s.figure2, s.asymptotics, s.figure3, s.lies, s.sensitivity, s.unwanted)
}

// The names of Google's traces: all tasks, and those that end within the parts.
const googleAll, googleEnded = "Google", "Google, ended"

// read reads the traces and prints what they hold.
func (s *study) read() error {
	s.Heading("The demands")
	t := table.New(table.Headed(terminal.Number, "trace", "agents", "rounds of 5 min", "of 15 min", "of 60 min",
		"mean demand a round")...)
	if s.Google == "" {
		s.Printf(`Google's trace is left out, not being given: a directory with
task_events/part-*.csv.gz of clusterdata-2011-2 (CC-BY, bucket of that name on
Google Cloud Storage; see the cluster-data project of Google on GitHub). A few of
the 500 parts will do.

`)
	} else if err := s.window(); err != nil {
		return err
	}
	for _, path := range s.Logs {
		all, err := readLog(s.ctx, path, false)
		if err != nil {
			return err
		}
		s.traces = append(s.traces, all)
	}
	for _, all := range s.traces {
		row := []any{all[0].name, all[0].agents}
		for _, x := range all {
			row = append(row, len(x.rounds))
		}
		t.Add(append(row, fmt.Sprintf("%.2f", all[0].mean()))...)
	}
	t.Add(fmt.Sprintf("random (%d)", s.Instances), "2 to 100", "10 to 1,000")
	s.Show(t)
	return nil
}

// window reads the parts of task_events: the first hours of the trace, in which most of
// what is demanded runs all the time.
func (s *study) window() error {
	if _, err := google.Parts(s.Google, google.TaskTable); err != nil {
		return err
	}
	var mean [2]float64
	for k, name := range []string{googleAll, googleEnded} {
		all, err := readLog(s.ctx, s.Google, k == 0)
		if err != nil {
			return err
		}
		for _, x := range all {
			x.name = name
		}
		s.traces = append(s.traces, all)
		mean[k] = all[0].mean()
	}
	hours := (events.Time(len(s.traces[0][0].rounds)) * lengths[0]).Seconds() / 3600
	s.Printf("Google: an agent is a user, its demand the CPU that its tasks request from each submission to its end, in "+
		"parts of\nthe largest machine, its endowment the mean of that. The parts cover %.1f hours of the trace's 29 days. "+
		"\"%s\" are the\ntasks whose last attempt ends within the parts, from the submission before it.\n\n", hours,
		googleEnded)
	s.Found("Figure 2, Google", "a window of hours has little to lend",
		"of %.0f CPU demanded in %.1f hours only %.0f belong to tasks that end in them; the rest hardly moves", mean[0],
		hours, mean[1])
	return nil
}

// readLog returns an instance of a log for each length of a round: processors of
// submitted and unfinished jobs by user. censored jobs are those that do not end in the
// log; if they are wanted, the last round is not whole and left out.
func readLog(ctx context.Context, path string, censored bool) ([]*instance, error) {
	var out []*instance
	for _, every := range lengths {
		x := &instance{name: sweep.Label(path)}
		if err := x.readLog(ctx, path, every, censored); err != nil {
			return nil, err
		}
		if censored && len(x.rounds) > 0 {
			x.rounds = x.rounds[:len(x.rounds)-1]
		}
		if err := x.trim(path, every); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func (x *instance) readLog(ctx context.Context, path string, every events.Time, censored bool) (err error) {
	o := traces.Options{Censored: censored}
	if censored {
		o.Attempts = traces.AllAttempts
	}
	src, err := formats.Open(path, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, traces.Close(src)) }()
	source, err := transform.Apply(src, transform.Options{})
	if err != nil {
		return err
	}
	_, err = demand.Run(source, demand.Options{Every: every, By: "user", Resource: "cpu"},
		func(r *demand.Round, _ func(int) string) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return x.add(r)
		})
	return err
}

// randomOutcomes draws and runs the random instances, each from its own key.
func (s *study) randomOutcomes() error {
	s.random = make([]outcome, s.Instances)
	return experiment.Do(s.ctx, s.Workers, s.Instances, func(k int) error {
		x := random(rng.Stream(s.Seed, "dynamic-sharing random", uint64(k)), laws[0].draw, 0)
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
