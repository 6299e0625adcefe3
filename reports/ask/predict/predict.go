// Package predict answers when a job would start: it puts the job into a log at many comparable
// instants, each in a copy of one replay (package fork), and follows each copy until the job starts. The
// distribution of these waits is the answer; beside it are the waits for fewer processors or a shorter
// request at the same instants, and those of the log's own jobs like it.
//
// The answer holds for a job that comes in addition to the log's, under the policy and the rules of the site that are
// replayed: how well these reproduce the log is part of the report (package validate). A wait ends with the first start
// and so does not depend on how long the job then runs, but for policies that know run times.
package predict

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/policies"
	"bourse/reports/ask/fork"
	"bourse/reports/ask/validate"
	"bourse/traces"
)

// Config is a question.
type Config struct {
	Jobs *scenario.Loaded
	// Job is what is put in; its ID and Submit are set here. Its run time is taken to be what it asks for.
	Job traces.Job
	// Asked, if not nil, is the log's own job that Job is a copy of.
	Asked *traces.Job
	At    Instants
	// Most is how many instants there are at most.
	Most    int
	Workers int
	// Progress, if not nil, is called with how many of the instants have been passed.
	Progress func(done, of int)
}

// Variant is a job that is asked about: the one in question, or one that asks for less.
type Variant struct {
	Procs   int32
	Request events.Time
	// Waits are by instant.
	Waits []events.Time
}

// Result is an answer.
type Result struct {
	Config
	Times    []events.Time
	Variants []*Variant // the job in question first
	// Alike are the log's jobs from half to twice the processors and the requested time.
	Alike Alike
	// Own is what Asked waited in the replay.
	Own events.Time
	// Late counts the instants whose job started after the log's last submission, when no more came.
	Late int
	// Fit is how near the replay is to the log; nil where the log has no waits.
	Fit    *validate.Row
	Counts fork.Counts
}

// Alike are the waits of the log's jobs that are like the one in question.
type Alike struct{ Replayed, Recorded []events.Time }

// Run asks.
func Run(ctx context.Context, c Config) (*Result, error) {
	r := &Result{Config: c}
	var err error
	if r.Times, err = c.At.in(c.Jobs, c.Most); err != nil {
		return nil, err
	}
	all := c.Jobs.Memory
	for i := range all.Len() {
		r.Job.ID = max(r.Job.ID, all.Job(i).ID)
	}
	r.Job.ID++
	r.Variants = variants(&r.Job, len(r.Times))
	fit := make(chan error, 1)
	go func() { fit <- r.validate(ctx) }()
	last := all.Job(all.Len() - 1).Submit
	late := make([]bool, len(r.Times))
	r.Counts, err = fork.Each(ctx, fork.Config{Jobs: c.Jobs, At: r.Times, Workers: max(1, c.Workers-1), Sink: r,
		Progress: c.Progress},
		func(i int, b *fork.Branch) error {
			for _, v := range r.Variants {
				start, err := r.start(ctx, b, r.Times[i], v, fork.Override{})
				if err != nil {
					return err
				}
				v.Waits[i] = start - r.Times[i]
				late[i] = late[i] || v == r.Variants[0] && start > last
			}
			return nil
		})
	for _, is := range late {
		if is {
			r.Late++
		}
	}
	return r, errors.Join(err, <-fit)
}

// validate holds the replay against the log.
func (r *Result) validate(ctx context.Context) error {
	all, err := validate.Run(ctx, validate.Config{Jobs: r.Jobs, Policies: []string{r.Jobs.Scenario.Policy}, Workers: 1})
	if errors.Is(err, validate.ErrNoWaits) {
		return nil
	}
	if err == nil {
		r.Fit = &all[0].Row
	}
	return err
}

// variants are the job in question and those that ask for a half and a quarter of the processors or of the time.
func variants(j *traces.Job, instants int) (all []*Variant) {
	for _, of := range [][2]int64{{1, 1}, {2, 1}, {4, 1}, {1, 2}, {1, 4}} {
		v := &Variant{Procs: int32(int64(j.Procs) / of[0]), Request: j.Estimate, Waits: make([]events.Time, instants)}
		if of[1] > 1 { // whole seconds
			v.Request = j.Estimate / events.Time(of[1]) / events.Second * events.Second
		}
		if v.Procs > 0 && v.Request > 0 {
			all = append(all, v)
		}
	}
	return all
}

// start is when a variant that is put in at an instant starts for the first time.
func (r *Result) start(ctx context.Context, b *fork.Branch, at events.Time, v *Variant, but fork.Override) (
	events.Time, error) {
	copied, err := b.Fork(but, nothing{})
	if err != nil {
		return 0, err
	}
	defer copied.Close()
	put := r.Job
	put.Submit, put.Procs, put.Estimate, put.Run = at, v.Procs, v.Request, v.Request
	if err := copied.Submit(put); err != nil {
		return 0, err
	}
	var seen *policies.Job
	steps, err := fork.Steps(ctx, copied, func() (bool, error) {
		for j := range copied.Unfinished {
			if seen != nil || copied.Now() < at {
				break
			}
			if j.ID == put.ID {
				seen = j
			}
		}
		return seen != nil && seen.State == policies.Running, nil
	})
	b.Stepped(steps)
	if err == nil && (seen == nil || seen.State != policies.Running) {
		err = fmt.Errorf("%s never starts on this machine under %s", v, r.Jobs.Scenario.Policy)
	}
	return copied.Now(), err
}

type nothing struct{}

func (nothing) Record(*engine.Outcome) error { return nil }

// Record implements engine.Sink: it gathers what became of the log's own jobs.
func (r *Result) Record(o *engine.Outcome) error {
	if r.Asked != nil && o.Job.ID == r.Asked.ID {
		r.Own = o.Start - o.Job.Submit
	}
	within := func(x, y int64) bool { return 2*x >= y && x <= 2*y }
	if !within(int64(o.Job.Procs), int64(r.Job.Procs)) || !within(int64(o.Job.Estimate), int64(r.Job.Estimate)) {
		return nil
	}
	r.Alike.Replayed = append(r.Alike.Replayed, o.Start-o.Job.Submit)
	if wait, _, known := o.Recorded(); known {
		r.Alike.Recorded = append(r.Alike.Recorded, wait)
	}
	return nil
}

// Workers is how many copies are followed at a time where nothing is said.
func Workers() int { return runtime.NumCPU() }
