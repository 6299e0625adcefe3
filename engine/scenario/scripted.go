package scenario

import (
	"errors"
	"strings"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/script"
)

// scriptPrefix begins a rule that is a script.
const scriptPrefix = "script:"

// newEligible makes a rule of a script, eligible(job, now).
func newEligible(text string) (engine.Limit, error) {
	f, err := script.Load(strings.TrimPrefix(text, scriptPrefix))
	if err != nil {
		return nil, err
	}
	k, err := script.NewEligible(f)
	if err != nil {
		return nil, err
	}
	return &eligible{k}, nil
}

// eligible is a script's rule of which jobs start, an engine.Limit.
type eligible struct{ *script.Eligible }

// Keys of the jobs that are held back: those that an end of another one may help, and those that wait for a second.
const (
	untilStop int64 = iota
	untilThen
)

// Admits implements engine.Limit.
func (l *eligible) Admits(s *engine.Start) (engine.Hold, bool) {
	yes, until, sooner := l.Ask(s.Now, s.Known, s.Job)
	h := engine.Hold{Until: until, Key: untilThen, Why: "script " + l.Path()}
	if sooner {
		h.Key = untilStop
	}
	return h, yes
}

// Started implements engine.Limit.
func (l *eligible) Started(s *engine.Start) { l.Eligible.Started(s.Now, s.Known, s.Job) }

// Stopped implements engine.Limit.
func (l *eligible) Stopped(s *engine.Start) int64 {
	l.Eligible.Stopped(s.Now, s.Known, s.Job)
	return untilStop
}

// Clone implements engine.Limit.
func (l *eligible) Clone() engine.Limit { return &eligible{l.Eligible.Clone()} }

// submission makes the owners of a behaviour that is a script decide when, and whether, they submit; nil if they do not.
func (s *Scenario) submission(h Hardware) (engine.Limit, error) {
	spec, err := policies.ParseSpec(s.Behaviour)
	if err != nil || spec.Name != "script" || len(spec.Args) == 0 {
		return nil, nil // as is found elsewhere
	}
	f, err := script.Load(strings.TrimPrefix(s.Behaviour, scriptPrefix))
	if err != nil {
		return nil, &OptionError{"behaviour", err}
	}
	submit, err := script.NewSubmit(f)
	if err == nil && submit != nil && s.ResubmitKilled {
		err = errors.New("a job that is submitted again would be asked again whether it leaves")
	}
	if err != nil || submit == nil {
		return nil, err
	}
	return &submission{Submit: submit, machine: h.Processors()}, nil
}

// submission holds jobs back that their owners put off, and lets go of those that they drop, an engine.Quoted. What they
// expect to wait is, with a job that waits before them or no room,
//
//	(sum of estimates x processors of what waits + sum of max(0, expected end - now) x processors of what runs) / machine
//
// where the second sum takes the ends of running jobs together. Jobs that wait after a preemption do not count.
type submission struct {
	*script.Submit
	machine     float64
	waiting     int
	work        float64 // of what waits
	procs, ends float64 // of what runs: their sum, and the sum of processors x end
}

// Quoted implements engine.Quoted.
func (*submission) Quoted() {}

// Admits implements engine.Limit.
func (l *submission) Admits(s *engine.Start) (engine.Hold, bool) {
	o := script.Offer{Now: s.Now, Price: s.Price}
	if l.waiting > 0 || l.procs+s.Need.CPU > l.machine {
		left := max(0, l.ends-float64(l.procs*s.Now.Seconds()))
		o.Wait, _ = events.FromSeconds((l.work + left) / l.machine)
	}
	yes, until, leave := l.Decide(s.Known, s.Job, o)
	return engine.Hold{Until: until, Key: untilThen, Why: "decision of its owner", Leave: leave}, yes
}

func area(s *engine.Start) float64 { return float64((s.End - s.Now).Seconds() * s.Need.CPU) }

// Considered implements engine.Considering.
func (l *submission) Considered(s *engine.Start) {
	l.waiting++
	l.work += area(s)
}

// Began implements engine.Considering.
func (l *submission) Began(s *engine.Start) int64 {
	if l.waiting--; l.waiting == 0 {
		l.work = 0 // with what rounding has left
	} else {
		l.work -= area(s)
	}
	return untilStop
}

// Started implements engine.Limit.
func (l *submission) Started(s *engine.Start) {
	l.procs += s.Need.CPU
	l.ends += float64(s.Need.CPU * s.End.Seconds())
}

// Stopped implements engine.Limit.
func (l *submission) Stopped(s *engine.Start) int64 {
	l.procs -= s.Need.CPU
	l.ends -= float64(s.Need.CPU * s.End.Seconds())
	return untilStop
}

// Clone implements engine.Limit.
func (l *submission) Clone() engine.Limit {
	c := *l
	c.Submit = l.Submit.Clone()
	return &c
}
