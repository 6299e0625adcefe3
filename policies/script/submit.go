package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Submit is what the owner of a job does when the time of its submission has come: submit(job, offer) is True, the second until
// which the job is put off, when it is asked again, or a text, why it leaves.
type Submit struct {
	m      *module
	submit *starlark.Function
}

// Offer is what an owner sees before a submission: the price in force, and the wait that is to be expected.
type Offer struct {
	Now   events.Time
	Price float64
	Wait  events.Time
}

var offerAttributes = map[string]func(*Offer) starlark.Value{
	"now":   func(o *Offer) starlark.Value { return starlark.Float(o.Now.Seconds()) },
	"price": func(o *Offer) starlark.Value { return starlark.Float(o.Price) },
	"wait":  func(o *Offer) starlark.Value { return starlark.Float(o.Wait.Seconds()) },
}

// NewSubmit starts the script as such a behaviour; nil if it has no function submit.
func NewSubmit(f *File) (*Submit, error) {
	m, err := f.start()
	if err != nil {
		return nil, err
	}
	s := &Submit{m, m.function("submit")}
	if s.submit == nil {
		return nil, nil
	}
	return s, m.checkParams(s.submit, "job", "offer")
}

// Decide returns whether the job is submitted, else until when it is put off, or why it leaves.
func (s *Submit) Decide(j *policies.Job, truth *traces.Job, o Offer) (yes bool, until events.Time, leave string) {
	where := func() string { return fmt.Sprintf("submitting job %d at %v", j.ID, o.Now) }
	seen := &job{Job: *j, now: o.Now, site: s.m.site}
	seen.Run, seen.Left = truth.Run, truth.Run // owners know their jobs
	v := s.m.call(where, s.submit, seen, &record[*Offer]{"offer", offerAttributes, &o})
	if s.m.err != nil || v == starlark.True {
		return true, 0, ""
	}
	if until, ok := later(v, o.Now); ok {
		return false, until, ""
	}
	if why, ok := starlark.AsString(v); ok && why != "" {
		return false, 0, printable(why)
	}
	s.m.err = fmt.Errorf("%v: submit gives %s (%s); want True, a second after this one, or a text that says why the job leaves "+
		"(%s)", s.submit.Position(), brief(v), v.Type(), where())
	return true, 0, ""
}

// Err implements policies.Failer.
func (s *Submit) Err() error { return s.m.err }

// ReadSite implements policies.SiteReader.
func (s *Submit) ReadSite(n traces.Names, size float64) { s.m.readSite(n, size) }

// ReadCalendar implements policies.CalendarReader.
func (s *Submit) ReadCalendar(c *events.Calendar) (needs string) { return s.m.readCalendar(c) }

// ReadSeries implements policies.SeriesReader.
func (s *Submit) ReadSeries(all []policies.Series) error { return s.m.readSeries(all) }

// Clone returns an independent copy.
func (s *Submit) Clone() *Submit {
	m := s.m.clone(map[starlark.Value]starlark.Value{})
	return &Submit{m, m.function("submit")}
}
