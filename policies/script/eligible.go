package script

import (
	"fmt"
	"math"

	"go.starlark.net/starlark"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Eligible is a script's rule of which jobs may start, around any policy: eligible(job, now) is True, False, or the second
// from which on the answer may be another. What is refused is asked for again whenever a job stops, and every so many seconds, by
// default at every full hour; what is refused until a second is not before. Functions started(job, now) and ended(job, now) are called for each job that
// starts, and that stops, for which reason ever.
type Eligible struct {
	m                        *module
	eligible, started, ended *starlark.Function
	every, zero              events.Time // zero is one of the times at which it is asked again
	running                  int
	last                     events.Time // when a job started or stopped
}

// NewEligible starts the script as such a rule.
func NewEligible(f *File) (*Eligible, error) {
	m, err := f.start()
	if err != nil {
		return nil, err
	}
	k := &Eligible{m: m}
	if _, err = m.requireFunc("eligible", "a rule of which jobs may start"); err != nil {
		return nil, err
	}
	k.bind()
	if k.every, err = m.duration("every"); k.every == 0 {
		k.every = 3600 * events.Second
	}
	for _, f := range []*starlark.Function{k.eligible, k.started, k.ended} {
		if err == nil {
			err = m.checkParams(f, "job", "now")
		}
	}
	return k, err
}

func (k *Eligible) bind() {
	k.eligible, k.started, k.ended = k.m.function("eligible"), k.m.function("started"), k.m.function("ended")
}

// Path is the script's file.
func (k *Eligible) Path() string { return k.m.file.path }

// asks is a job as such rules see it: with its true run time, if the script declares that it looks at that.
func (m *module) asks(j *policies.Job, truth *traces.Job, now events.Time) *job {
	seen := &job{Job: *j, now: now, site: m.site}
	if m.flag("clairvoyant") {
		seen.Run, seen.Left = truth.Run, truth.Run
	}
	return seen
}

// Ask returns whether the job may start, else when to ask again, and whether an earlier stop of another job may help.
func (k *Eligible) Ask(now events.Time, j *policies.Job, truth *traces.Job) (yes bool, until events.Time, sooner bool) {
	where := func() string { return fmt.Sprintf("asking for job %d at %v", j.ID, now) }
	v := k.m.call(where, k.eligible, k.m.asks(j, truth, now), starlark.Float(now.Seconds()))
	if k.m.err != nil || v == starlark.True {
		return true, 0, false
	}
	if until, ok := later(v, now); ok {
		return false, until, false
	}
	if v != starlark.False {
		k.m.err = fmt.Errorf("%v: eligible gives %s (%s); want True, False, or a second after this one (%s)",
			k.eligible.Position(), brief(v), v.Type(), where())
	}
	if k.running == 0 && now-max(k.last, j.Submit) > longestIdle {
		k.m.err = fmt.Errorf("%v: eligible lets no job start: for a year nothing has run (%s)", k.eligible.Position(), where())
	}
	return false, now + k.every - (now-k.zero)%k.every, true
}

// longestIdle is for how long a rule may keep the machine idle.
const longestIdle = 366 * 24 * 3600 * events.Second

// later reads a second after now.
func later(v starlark.Value, now events.Time) (events.Time, bool) {
	x, number := starlark.AsFloat(v)
	if !number || math.IsNaN(x) {
		return 0, false
	}
	at, fine := events.FromSeconds(x)
	return at, fine && at > now
}

// Started keeps account of a job that starts.
func (k *Eligible) Started(now events.Time, j *policies.Job, truth *traces.Job) {
	k.running++
	k.tell(k.started, now, j, truth)
}

// Stopped keeps account of one that stops.
func (k *Eligible) Stopped(now events.Time, j *policies.Job, truth *traces.Job) {
	k.running--
	k.tell(k.ended, now, j, truth)
}

func (k *Eligible) tell(f *starlark.Function, now events.Time, j *policies.Job, truth *traces.Job) {
	if k.last = now; f != nil {
		k.m.call(func() string { return fmt.Sprintf("job %d at %v", j.ID, now) }, f, k.m.asks(j, truth, now),
			starlark.Float(now.Seconds()))
	}
}

// Err implements policies.Failer.
func (k *Eligible) Err() error { return k.m.err }

// ReadSite implements policies.SiteReader.
func (k *Eligible) ReadSite(n traces.Names, size float64) { k.m.readSite(n, size) }

// ReadCalendar implements policies.CalendarReader.
func (k *Eligible) ReadCalendar(c *events.Calendar) (needs string) {
	if c != nil { // full hours are those of clocks
		k.zero = -(events.Time(c.At(0).Unix()) * events.Second) % k.every
	}
	return k.m.readCalendar(c)
}

// ReadSeries implements policies.SeriesReader.
func (k *Eligible) ReadSeries(all []policies.Series) error { return k.m.readSeries(all) }

// Clone returns an independent copy.
func (k *Eligible) Clone() *Eligible {
	c := *k
	c.m = k.m.clone(map[starlark.Value]starlark.Value{})
	c.bind()
	return &c
}
