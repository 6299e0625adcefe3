//go:build !js

package cli

import (
	"cmp"
	"fmt"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/ask/predict"
	"bourse/reports/figures"
	"bourse/traces"
	"bourse/traces/files"
)

// predictFlags are the flags of `bourse predict`.
type predictFlags struct {
	scenario.Scenario
	cfg         predict.Config
	procs       int
	request     durationFlag
	job         int64
	user, queue string
	at, figure  string
	out         outFile
	tableFormat
}

func (p *predictFlags) define(f *flags) {
	p.Scenario = scenario.Default()
	f.IntVar(&p.procs, "procs", 0, "processors that the job asks for")
	f.Var(&p.request, "run", "`TIME` that the job asks for (30m, 2h)")
	f.Int64Var(&p.job, "job", 0, "a job like this one of the log, by its number, instead of --procs and --run")
	f.StringVar(&p.user, "user", "", "user whose job it is, as the log calls him (default: one who is not in the log)")
	f.StringVar(&p.queue, "queue", "", "queue that it is submitted to")
	f.StringVar(&p.at, "at", "", "when it is submitted: 'mon 09:00', 'mon-fri 09:00-17:00' or a date (default: whenever "+
		"jobs of the log were)")
	f.IntVar(&p.cfg.Most, "instants", 200, "instants at which it is put in, at most")
	f.IntVar(&p.cfg.Workers, "workers", predict.Workers(), "copies of the replay followed at a time")
	f.StringVar(&p.figure, "figure", "", "also draw the share that has started by wait as `FILE`.svg, .pdf and .png")
	p.tableFormat.define(f)
	defineScenario(f, &p.Scenario, "payment", "values", "behaviour", "bids", "budget", "resample", "shake", "feedback",
		"serial", "load-factor", "check")
	p.out.flags(f, "also write each wait "+alsoLine)
	f.atLeast("instants", &p.cfg.Most, 1, "want 1 or more")
	f.check(func() error { return p.validate(f) })
}

// validate settles what the flags say, before any time is spent.
func (p *predictFlags) validate(f *flags) (err error) {
	given := f.Changed("procs") || f.Changed("run")
	switch {
	case f.Changed("job") && given:
		return usagef("--job asks for what that job asks for; leave out --procs and --run")
	case !f.Changed("job") && (p.procs < 1 || p.request < durationFlag(events.Second)):
		return usagef("what job? want --procs N and --run TIME, or --job of the log")
	}
	if p.cfg.At, err = predict.ParseInstants(p.at); err != nil {
		return usagef("--at %w", err)
	}
	if p.figure != "" {
		if err := checkFigure(p.figure, p.out.overwrite); err != nil || p.out.path == "" {
			return err
		}
	}
	return p.out.check()
}

// settle makes the job that is asked about.
func (p *predictFlags) settle() error {
	log := p.cfg.Jobs.Memory
	names := log.Header().Names
	j := traces.Job{Procs: int32(p.procs), Estimate: events.Time(p.request), Pieces: 1, Wait: -1, Status: -1, Memory: -1,
		CPU: -1, GPU: -1, Disk: -1, Priority: -1, Class: -1, User: traces.NoLabel, Group: traces.NoLabel,
		Queue: traces.NoLabel, Partition: traces.NoLabel, Model: traces.NoLabel}
	if p.job != 0 {
		for i := range log.Len() {
			if k := log.Job(i); k.ID == p.job {
				j, p.cfg.Asked = k, &k
			}
		}
		if p.cfg.Asked == nil {
			return fmt.Errorf("job %d is not among the jobs that are replayed", p.job)
		}
		if j.Estimate <= 0 {
			j.Estimate = j.Run
		}
	}
	for _, label := range []struct {
		flag, text string
		words      *traces.Words
		of         func(*traces.Job) *traces.Label
	}{
		{"user", p.user, names.Users, func(j *traces.Job) *traces.Label { return &j.User }},
		{"queue", p.queue, names.Queues, func(j *traces.Job) *traces.Label { return &j.Queue }},
	} {
		if label.text == "" {
			continue
		}
		to := label.of(&j)
		*to = (&traces.Words{}).Label([]byte(label.text))
		found := false
		for i := 0; i < log.Len() && !found; i++ {
			k := log.Job(i)
			text, _ := label.words.Text(*label.of(&k))
			if found = text == label.text; found {
				*to = *label.of(&k)
			}
		}
		if !found {
			return usagef("--%s %s: no job of the log has that %s", label.flag, label.text, label.flag)
		}
	}
	p.cfg.Job = j
	return p.fits(&j)
}

// fits refuses a job that the machine cannot run, or the site does not let in.
func (p *predictFlags) fits(j *traces.Job) error {
	most := p.cfg.Jobs.Hardware.Processors()
	if float64(j.Procs) > most {
		return usagef("--procs %d: the machine has %g", j.Procs, most)
	}
	if longest, _, _ := scenario.ParseLimit(p.Limit); longest > 0 && j.Estimate > longest {
		return usagef("--run %s is more than --limit %s lets jobs ask for", events.FormatDuration(j.Estimate), p.Limit)
	}
	return nil
}

// predictWait puts a job into the log.
func predictWait(a *app, f *flags) action {
	var p predictFlags
	p.define(f)
	a.quietFlag(f)
	return func() (err error) {
		p.Trace = f.Arg(0)
		if p.cfg.Jobs, err = a.load(&p.Scenario); err != nil {
			return err
		}
		if err := p.settle(); err != nil {
			return err
		}
		line := a.cells()
		p.cfg.Progress = line.done
		r, err := predict.Run(a.ctx, p.cfg)
		line.end()
		if err != nil {
			return err
		}
		err = files.Together(func(set *files.Set) error {
			if err := p.out.add(a, set, p.out.path, r.Waits()); err != nil || p.figure == "" {
				return err
			}
			return figures.Save(set, p.figure, r.Figure())
		})
		return a.skipped(cmp.Or(err, p.print(a, r.Report())), p.cfg.Jobs.Memory.Header().Ledger)
	}
}
