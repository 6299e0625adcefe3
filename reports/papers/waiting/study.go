// Package waiting reproduces Hanafy et al., "Going Green for Less Green" (GAIA, ASPLOS 2024): how much carbon jobs save
// that wait for it. Starts are chosen by the policy defer, in replays on a machine without a queue. A part of ours
// asks what waiting costs on logs of parallel machines, where jobs
// wait for each other as well.
package waiting

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/sched"
	"bourse/reports/papers"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
	intable "bourse/traces/table"
)

// Options say how the study is run.
type Options struct {
	Data     string
	Logs     []string
	Replicas int
	Seed     uint64
	Workers  int
	Progress func(done, of int, err error)
}

// The files of the data.
const (
	jobsFile   = "pai_1k.csv.gz"
	carbonFile = "AU-SA-2022-hourly.csv.gz"
)

// Program is the study as a value.
func Program() papers.Program {
	o := Options{Replicas: 5, Seed: 1}
	return papers.Program{
		Name: "waiting",
		Paper: "Hanafy et al., Going Green for Less Green: Optimizing the Cost of Reducing Cloud Carbon Emissions " +
			"(GAIA), ASPLOS 2024",
		Line: "carbon saved by jobs that wait for it, digit by digit, its price in capacity, and on logs with a queue " +
			"what that costs",
		Example: "bourse reproduce waiting --data gaia --logs KTH-SP2-1996-2.1-cln.swf.gz --out waiting",
		Options: []papers.Option{
			{Name: "data", To: &o.Data, Input: true, Line: "`DIR` with " + jobsFile + " of the artifact and " + carbonFile +
				", hour_of_2022 and grams per kWh"},
			{Name: "logs", To: &o.Logs, Input: true, Part: true, Line: "logs of parallel machines, on which jobs wait for " +
				"carbon and for each other"},
			{Name: "replicas", To: &o.Replicas, Needs: "logs", Least: 2, Why: papers.ForInterval,
				Line: "replicas of each log, of blocks of four weeks"},
		},
		Workers: &o.Workers, Seed: &o.Seed, Each: "replays",
		Check: func(func(string) bool) error {
			if o.Data == "" {
				return &scenario.OptionError{Option: "data", Err: errors.New("is missing: the study's jobs and carbon intensity")}
			}
			return nil
		},
		Run: func(ctx context.Context, report *papers.Study, progress func(done, of int, err error)) error {
			o.Progress = progress
			return Run(ctx, report, o)
		},
	}
}

// The study's series are 30 days from this hour of the year on.
const firstHour, hours = 7000, 720

// study is a run of it.
type study struct {
	*papers.Study
	Options
	ctx     context.Context
	jobs    []job
	carbon  *intensity
	logs    map[string][]*scenario.Loaded // their replicas
	now     float64                       // the carbon without waiting
	saving  *waits                        // under Carbon-Time
	low     float64                       // the carbon under Ecovisor, as a part, and the wait
	lowWait float64
	length  [2]int // the mean of a class
}

// Run makes the study.
func Run(ctx context.Context, report *papers.Study, o Options) error {
	s := &study{Study: report, Options: o, ctx: ctx}
	return s.Run(ctx, s.read, s.figure8, s.capacities, s.queues, s.lies)
}

// read reads jobs and carbon; times and lengths are cut to ticks, and jobs of none are left out.
func (s *study) read() error {
	rows, err := intable.OpenRows(filepath.Join(s.Data, jobsFile), nil, "arrival_time", "length", "cpus")
	if err != nil {
		return err
	}
	err = rows.Each(func() error {
		var x [3]float64
		if err := rows.Floats(x[:]); err != nil {
			return err
		}
		if j := (job{int(x[0] / tick), int(x[1] / tick), int(x[2]), x[1] <= 7200}); j.length > 0 {
			s.jobs = append(s.jobs, j)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var sum, count [2]int
	for i := range s.jobs {
		k := s.jobs[i].class()
		sum[k], count[k] = sum[k]+s.jobs[i].length, count[k]+1
	}
	for k := range sum {
		s.length[k] = sum[k] / max(1, count[k])
	}
	if rows, err = intable.OpenRows(filepath.Join(s.Data, carbonFile), nil, "carbon_intensity_avg"); err != nil {
		return err
	}
	var year []float64
	err = rows.Each(func() error {
		x, err := rows.Float(0)
		year = append(year, x/1000)
		return err
	})
	if err == nil && len(year) < firstHour+hours {
		err = fmt.Errorf("%s has %d hours; want %d or more", carbonFile, len(year), firstHour+hours)
	}
	if err != nil {
		return err
	}
	s.carbon = newIntensity(year[firstHour : firstHour+hours])
	return nil
}

// replay runs the jobs on a machine with room for all, under a rule of the policy defer, "" for none. Carbon is in the
// study's unit, a value x CPU x hour.
func (s *study) replay(rule string) (carbon float64, w *waits, err error) {
	var at []events.Time
	for h := range s.carbon.hours {
		at = append(at, events.Time(h)*3600*events.Second)
	}
	series := events.NewSteps(at, s.carbon.hours, events.OnAndOn)
	jobs, procs := make([]traces.Job, len(s.jobs)), 0
	for i, j := range s.jobs {
		length := events.Time(j.length*tick) * events.Second
		jobs[i] = traces.Job{ID: int64(i), Submit: events.Time(j.submit*tick) * events.Second, Run: length,
			Estimate: length, Procs: int32(j.cpus), Pieces: 1,
			Prev: -1, CPU: -1, Memory: -1, GPU: -1, Disk: -1}
		procs += j.cpus
	}
	var policy policies.Policy = sched.NewFirstFit()
	if rule != "" {
		d := &sched.Defer{Policy: policy, Rule: rule, By: "carbon", Border: ticks(border)}
		for k := range d.Slack {
			if d.Slack[k] = ticks(slack[k]); rule == "window" || rule == "saving" {
				d.Length[k] = ticks(s.length[k])
			}
		}
		policy = d
	}
	w = &waits{start: make([]events.Time, len(jobs)), times: make([]int, len(jobs))}
	cfg := engine.Config{Machine: engine.Processors(procs), Policy: policy, Segments: w,
		Series: []policies.Series{{Name: "carbon",
			Values: series}}}
	cfg.Charges[engine.Carbon] = &engine.Charge{Steps: series.Scaled(1. / 3600)}
	sum, err := engine.Run(s.ctx, cfg, traces.MemoryOf(jobs...).Source(), w)
	return sum.JobCharged[engine.Carbon], w, err
}

func ticks(n int) events.Time { return events.Time(n*tick) * events.Second }

// waits adds up how long after its submission a piece of a job starts, in seconds, and keeps the jobs' starts.
type waits struct {
	sum, pieces float64
	start       []events.Time // by job
	times       []int         // that a job starts
}

// Segment implements engine.SegmentSink.
func (w *waits) Segment(s *engine.Segment) error {
	w.sum, w.pieces = w.sum+(s.Start-s.Job.Submit).Seconds(), w.pieces+1
	w.times[s.Job.ID]++
	return nil
}

// Record implements engine.Sink.
func (w *waits) Record(o *engine.Outcome) error { w.start[o.Job.ID] = o.Start; return nil }

// hours is the mean.
func (w *waits) hours() float64 { return w.sum / w.pieces / 3600 }

// published are the rows of Figure 8: carbon as a part of that without waiting.
var published = []struct {
	name, rule, says string
	printed          float64
}{
	{"lowest slot", "slot", "the least value within the slack", .780037},
	{"lowest window", "window", "the least mean over a window of the class's mean length", .683704},
	{"Carbon-Time", "saving", "the most saving for each second until the expected end", .724888},
	{"Ecovisor", "threshold", "runs below the 30th percentile of the next 24 h until the slack is used up", .639105},
	{"Wait Awhile", "pieces", "the ticks of least value within length and slack", .607509},
}

// figure8 compares the savings with the printed ones.
func (s *study) figure8() error {
	s.Heading("Figure 8: carbon of 1,000 jobs by how they wait for it, as a part of that of jobs that do not")
	now, _, err := s.replay("")
	if err != nil {
		return err
	}
	parts := map[string]float64{}
	waited := map[string]*waits{}
	for _, p := range published {
		carbon, w, err := s.replay(p.rule)
		if err != nil {
			return err
		}
		parts[p.name], waited[p.rule] = carbon/now, w
	}
	hours, fault := waited["saving"].hours(), parts["Wait Awhile"]
	for i, w := 0, waited["pieces"]; i < len(s.jobs); i++ {
		if j := &s.jobs[i]; w.times[i] == 1 {
			at := int(w.start[i] / ticks(1))
			wrong := max(j.submit, at-j.submit)
			more := s.carbon.over(wrong, wrong+j.length) - s.carbon.over(at, at+j.length)
			fault += float64(more * float64(j.cpus) / hour / now)
		}
	}
	six := terminal.Fixed(6)
	t := table.New(table.KeyCol("rule", "rule"), table.Col("carbon", "ours", six), table.Col("printed", "printed", six),
		table.Col("what", "what it does", terminal.Words))
	t.Add("now", 1., 1., "no job waits")
	for _, p := range published {
		t.Add(p.name, parts[p.name], p.printed, p.says)
		c := s.Hold("Figure 8, "+p.name, fmt.Sprintf("%.6f of the carbon without waiting", p.printed),
			math.Abs(parts[p.name]-p.printed) < 5e-7, "%.6f", parts[p.name])
		if p.name == "Wait Awhile" {
			s.Check("Figure 8, Wait Awhile", "with the artifact's fault it is the printed number",
				math.Abs(fault-p.printed) < 5e-7, "%.6f", fault)
			c.Read("the printed number is of an artifact with a fault, mended later (commit 0d474d3): a job whose ticks are "+
				"one piece starts at the later of now and its place, but counts the place from the trace's zero and not from "+
				"its submission, so that nearly all of them start at once. With that it is %.6f here, the printed number", fault)
		}
	}
	s.Show(t)
	s.Printf("\nWithout waiting the carbon is %.4f (grams / 1000 per kWh x CPUs x hours). Under Carbon-Time jobs wait "+
		"for %.3f hours on average.\n", now, hours)
	s.Hold("section 6", "the base of Figure 8 is 562.1713", math.Abs(now-562.1713) < 5e-5, "%.4f", now)
	s.Hold("section 6", "Carbon-Time waits for 4.729 h on average", math.Abs(hours-4.729) < 5e-4, "%.3f h", hours)
	s.Found("Figure 8", "jobs that may be stopped save most", "%.1f %% in pieces, %.1f %% as a whole in the lowest "+
		"window", 100*(1-parts["Wait Awhile"]),
		100*(1-parts["lowest window"]))
	s.now, s.saving, s.low, s.lowWait = now, waited["saving"], parts["Ecovisor"], waited["threshold"].hours()
	return s.Keep("figure8", t)
}
