// Package rounds reproduces the simulated runs of Zheng et al., "Shockwave: Fair and Efficient Cluster Scheduling for
// Dynamic Adaptation in Machine Learning" (NSDI 2023): nine schedules in rounds of two minutes of 120 training jobs on 32
// GPUs, whose batch sizes, and with them their speeds, change while they run.
package rounds

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"bourse/engine/scenario"
	"bourse/reports/experiment"
	"bourse/reports/papers"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Options say how the study is run.
type Options struct {
	Runs, Jobs, Speeds string
	Workers            int
	Progress           func(done, of int, err error)
}

// Program is the study as a value.
func Program() papers.Program {
	o := Options{}
	return papers.Program{
		Name:  "rounds",
		Paper: "Zheng et al., Shockwave: Fair and Efficient Cluster Scheduling for Dynamic Adaptation in Machine Learning, NSDI 2023",
		Line:  "training jobs on GPUs in rounds of two minutes: the published schedules of nine runs replayed job by job",
		Example: "bourse reproduce rounds --runs results.json.gz --trace jobs.trace --speeds tacc_throughputs.json.gz " +
			"--out rounds",
		Options: []papers.Option{
			{Name: "runs", To: &o.Runs, Input: true, Line: "`FILE` in JSON, perhaps .gz: published runs by name, with the " +
				"schedule of every round and when jobs were complete"},
			{Name: "trace", To: &o.Jobs, Input: true, Line: "`FILE`: the jobs, a line each of twelve fields parted by tabs, as of " +
				"Gavel and Shockwave"},
			{Name: "speeds", To: &o.Speeds, Input: true, Line: "`FILE` in JSON, perhaps .gz: steps a second by type of device, model, batch " +
				"size and number of devices, as of Gavel"},
		},
		Workers: &o.Workers, Each: "runs",
		Check: func(func(string) bool) error {
			for _, x := range []struct{ option, file, what string }{{"runs", o.Runs, "the published runs"},
				{"trace", o.Jobs, "the jobs"}, {"speeds", o.Speeds, "how fast jobs are"}} {
				if x.file == "" {
					return &scenario.OptionError{Option: x.option, Err: errors.New("is missing: " + x.what)}
				}
			}
			return nil
		},
		Run: func(ctx context.Context, report *papers.Study, progress func(done, of int, err error)) error {
			o.Progress = progress
			return Run(ctx, report, o)
		},
	}
}

// study is a run of it.
type study struct {
	*papers.Study
	Options
	ctx    context.Context
	runs   map[string]*published
	names  []string
	jobs   []job
	speeds speeds
}

// Run makes the study.
func Run(ctx context.Context, report *papers.Study, o Options) error {
	s := &study{Study: report, Options: o, ctx: ctx}
	return s.Run(ctx, s.read, s.schedules)
}

func (s *study) read() (err error) {
	if s.runs, err = readRuns(s.Runs); err != nil {
		return err
	}
	s.names = slices.Sorted(maps.Keys(s.runs))
	if s.speeds, err = readSpeeds(s.Speeds, "v100"); err != nil {
		return err
	}
	var cut bool
	if s.jobs, cut, err = trace(s.Jobs); err != nil {
		return err
	}
	all := 0
	for _, name := range s.names {
		all = max(all, len(s.runs[name].Completions))
	}
	switch {
	case len(s.jobs) == 0 || len(s.jobs) > all:
		return fmt.Errorf("%s: %d jobs; the runs have %d", s.Jobs, len(s.jobs), all)
	case len(s.jobs) < all:
		why := ""
		if cut {
			why = ": its last line is cut off"
		}
		s.Printf("The file of the jobs has %d of the %d%s. Only those are replayed, on the devices that they had; a round then "+
			"ends with the last of them.\n\n", len(s.jobs), all, why)
	}
	return nil
}

// outcome is what became of a run.
type outcome struct {
	completions             []float64
	makespan, used, audited float64
	equal, compared         int
	largest                 float64 // difference of a completion time
	largestJob              int
}

// within is the difference below which two times are equal: a millionth of a second.
const within = 1e-6

func (s *study) follow(name string) (o outcome, err error) {
	p := s.runs[name]
	m, err := newRun(s.jobs, s.speeds)
	if err != nil {
		return o, err
	}
	var starts []float64
	var rounds [][]int
	for k, by := range p.Schedule {
		in := []int{}
		for text, held := range by {
			i, err := strconv.Atoi(text)
			if err != nil || i < 0 || i >= len(p.Completions) {
				return o, fmt.Errorf("%s: round %d has a job %q; want 0 to %d", name, k, text, len(p.Completions)-1)
			}
			if i >= len(m.jobs) {
				continue
			}
			if t := m.jobs[i]; !math.IsNaN(t.end) || !slices.Contains(m.active, i) || len(held) != t.devices {
				return o, fmt.Errorf("%s: in round %d job %d is on %d devices; it asks for %d, and is complete or not there",
					name, k, i, len(held), t.devices)
			}
			in = append(in, i)
		}
		slices.Sort(in)
		starts, rounds = append(starts, m.now), append(rounds, in)
		m.round(in)
	}
	return s.compare(name, m, starts, rounds)
}

// compare sets a run that the model went through against the published, and lets the engine replay it.
func (s *study) compare(name string, m *run, starts []float64, rounds [][]int) (o outcome, err error) {
	p := s.runs[name]
	got, sum, err := replay(s.ctx, m, starts, rounds)
	if err != nil {
		return o, fmt.Errorf("%s: %w", name, err)
	}
	held := 0.0
	for i, t := range m.jobs {
		if math.IsNaN(t.end) {
			return o, fmt.Errorf("%s: job %d is not complete after its last round", name, i)
		}
		flow := t.end - t.submit
		o.completions = append(o.completions, flow)
		o.makespan = max(o.makespan, t.end)
		o.audited = max(o.audited, math.Abs(t.end-got[i]))
		held += float64(t.held * float64(t.devices))
		o.compared++
		d := math.Abs(flow - p.Completions[i])
		if d <= within {
			o.equal++
		}
		if d > o.largest {
			o.largest, o.largestJob = d, i
		}
	}
	if sum.Jobs != int64(len(m.jobs)) {
		return o, fmt.Errorf("%s: %d of %d jobs ended in the replay", name, sum.Jobs, len(m.jobs))
	}
	o.used = held / (devices * o.makespan)
	return o, nil
}

// titles are the runs' schedulers as the paper calls them.
var titles = map[string]string{"allox": "AlloX", "finish_time_fairness": "Themis", "gandiva_fair": "Gandiva-Fair",
	"max_min_fairness": "Gavel", "max_sum_throughput_perf": "MST", "min_total_duration": "OSSP", "shockwave": "Shockwave",
	"new_orig_hyperparam_shockwave": "Shockwave, first parameters", "old_shockwave": "Shockwave, older"}

func title(name string) string {
	_, after, _ := strings.Cut(name, "__")
	short := strings.TrimSuffix(after, "_simulation")
	if t, ok := titles[short]; ok {
		return t
	}
	return name
}

// schedules replays the published schedules.
func (s *study) schedules() error {
	results, err := experiment.Run(s.ctx, s.Workers, s.names, 1, func(name string, _ int) (outcome, error) {
		return s.follow(name)
	}, s.Progress)
	if err != nil {
		return err
	}
	whole, one := terminal.Fixed(0), terminal.Fixed(1)
	all := len(s.jobs) == len(s.runs[s.names[0]].Completions)
	s.Heading("The published schedules: %d runs of %d jobs on %d GPUs in rounds of %d s", len(s.names), len(s.jobs), devices,
		roundLength)
	t := table.New(table.KeyCol("run", "scheduler"), table.Col("makespan", "makespan", one),
		table.Col("published_makespan", "published", one),
		table.Col("completion", "mean completion", one), table.Col("published_completion", "published", one),
		table.Col("equal", "equal jobs", whole), table.Col("largest", "largest difference", terminal.Fixed(6)),
		table.Col("used", "GPUs used", terminal.Fixed(4)), table.Col("published_used", "published", terminal.Fixed(4)),
		table.Col("unfair", "worst fairness, published", terminal.Fixed(2)))
	largest, equal, compared, engine := 0.0, 0, 0, 0.0
	for _, name := range s.names {
		o, p := results[name][0], s.runs[name]
		n := float64(o.compared)
		t.Add(title(name), o.makespan, p.Makespan, stats.Total(o.completions)/n, stats.Total(p.Completions[:o.compared])/n,
			float64(o.equal), o.largest, o.used, p.Utilisation, slices.Max(p.Fairness))
		largest, equal, compared, engine = max(largest, o.largest), equal+o.equal, compared+o.compared, max(engine, o.audited)
		found := fmt.Sprintf("%d of %d jobs to a microsecond, the largest difference %.6f s", o.equal, o.compared, o.largest)
		if o.equal < o.compared {
			found += fmt.Sprintf(" (job %d)", o.largestJob)
		}
		verdict := papers.Judge(o.equal == o.compared)
		if !all {
			verdict = papers.Unclear
		}
		c := s.Claim("schedules", title(name)+": every completion time as published", verdict, "%s", found)
		if !all {
			c.Read("when a round ends depends on all jobs in it, of which the file of the jobs has a part")
		}
		if all {
			s.Hold("schedules", fmt.Sprintf("%s: makespan %.0f s", title(name), p.Makespan), math.Abs(o.makespan-p.Makespan) <= within,
				"%.6f s", o.makespan)
		}
	}
	s.Show(t)
	s.Printf("\ncompletion: after submission, in seconds. GPUs used: time at work over all of it up to the last completion; the " +
		"20 s that a job loses which was not in the round before are no work.\n\n")
	s.Printf("%d of %d completion times are the published ones to a microsecond; the largest difference is %.6f s.\n", equal,
		compared, largest)
	s.Printf("As the paper's simulator has it, and no other setting was tried: a round lasts for the whole steps that 120 s have " +
		"room for; a change of batch size waits for the end of the job's next round, and counts an epoch that has begun as " +
		"done; a job is ended after 1.5 times its planned time on GPUs, and after five rounds in a row without a step, as one is " +
		"whose batch size changes in its last epoch.\n")
	s.Check("the engine", "every completion of its replay of these schedules, under its audit, is the model's within 1 ms",
		engine < 1e-3, "the largest difference is %.6f s", engine)
	return s.Keep("schedules", t)
}
