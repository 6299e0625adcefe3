package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bourse/engine"
	"bourse/events"
	"bourse/traces"
	"bourse/traces/suggest"
	"bourse/traces/transform"
)

// limits makes the rules that keep jobs from starting.
func (s Site) limits(log *traces.Header) (list []engine.Limit, err error) {
	for _, part := range parts(s.Windows) {
		if strings.HasPrefix(part, scriptPrefix) {
			l, err := newEligible(part)
			if err != nil {
				return nil, &OptionError{"windows", err}
			}
			list = append(list, l)
			continue
		}
		w, err := newWindow(part, log, log.Calendar())
		if err != nil {
			return nil, &OptionError{"windows", err}
		}
		list = append(list, w)
	}
	for _, part := range parts(s.RunningLimits) {
		l, err := newRunningLimit(part, log.Names)
		if err != nil {
			return nil, &OptionError{"running-limits", err}
		}
		list = append(list, l...)
	}
	return list, nil
}

// newWindow makes a rule of a condition, a colon and times of the week.
func newWindow(text string, log *traces.Header, calendar *events.Calendar) (_ engine.Limit, err error) {
	w := &window{calendar: calendar, text: text}
	condition, times, _ := strings.Cut(text, ":")
	if w.jobs, err = transform.NewCondition(strings.TrimSpace(condition), log); err == nil {
		w.weekly, err = events.ParseWeekly(times)
	}
	return w, err
}

// newRunningLimit makes the rules of what runs and of what is considered.
func newRunningLimit(text string, names traces.Names) (list []engine.Limit, err error) {
	l, err := parseRunningLimit(text)
	if err != nil {
		return nil, err
	}
	if l.names = names; l.considered > 0 {
		list = append(list, &consideredLimit{l.labelled, l.considered, l.text, map[int64]int64{}})
	}
	if l.jobs+l.procs > 0 {
		list = append(list, l)
	}
	return list, nil
}

// timesOfWindows are those windows that are not scripts.
func timesOfWindows(text string) string {
	return strings.Join(slices.DeleteFunc(parts(text), func(p string) bool { return strings.HasPrefix(p, scriptPrefix) }), "; ")
}

// parts divides a list of rules.
func parts(text string) (list []string) {
	for _, part := range strings.Split(text, ";") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// checkWindows wants each rule to have a condition and times; what the condition says depends on the log.
func checkWindows(text string) error {
	for _, part := range parts(text) {
		if strings.HasPrefix(part, scriptPrefix) {
			continue
		}
		condition, times, ok := strings.Cut(part, ":")
		if !ok || strings.TrimSpace(condition) == "" {
			return fmt.Errorf("%q: want a condition, a colon and times of the week, as in 'estimate > 14400: mon-fri 17:00-08:00, sat-sun', or "+
				"script:FILE", part)
		}
		if _, err := events.ParseWeekly(times); err != nil {
			return err
		}
	}
	return nil
}

// window is a rule by which some jobs start at some times of the week only, an engine.Limit.
type window struct {
	jobs     *transform.Condition
	weekly   *events.Weekly
	calendar *events.Calendar
	text     string
	err      error
}

// Admits implements engine.Limit.
func (w *window) Admits(s *engine.Start) (engine.Hold, bool) {
	if w.weekly.Contains(w.calendar, s.Now) {
		return engine.Hold{}, true
	}
	holds, err := w.jobs.Holds(s.Job)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("windows: the condition fails on job %d: %w", s.Job.ID, err)
	}
	if !holds {
		return engine.Hold{}, true
	}
	from, _ := w.weekly.Next(w.calendar, s.Now)
	return engine.Hold{Until: from, Why: "window " + w.text}, false
}

// Started implements engine.Limit.
func (*window) Started(*engine.Start) {}

// Stopped implements engine.Limit: no job makes room for another.
func (*window) Stopped(*engine.Start) int64 { return -1 }

// Check implements engine.Checking.
func (w *window) Check(now events.Time, running []engine.Start) error {
	for i := range running {
		s := &running[i]
		if holds, err := w.jobs.Holds(s.Job); s.Now == now && err == nil && holds && !w.weekly.Contains(w.calendar, now) {
			return fmt.Errorf("job %d starts outside of the window %s", s.Job.ID, w.text)
		}
	}
	return nil
}

// Clone implements engine.Limit.
func (w *window) Clone() engine.Limit {
	c := *w
	c.jobs = w.jobs.Clone()
	return &c
}

// Err is the first fault of the condition.
func (w *window) Err() error { return w.err }

// runningLimit bounds the running jobs and processors of each user, group, queue or partition, or of one, an
// engine.Limit.
type runningLimit struct {
	labelled
	text        string
	jobs, procs int64 // 0 for any number
	considered  int64 // of a consideredLimit
	running     map[int64]runningSum
	err         error
}

// labelled is whose jobs a limit is for.
type labelled struct {
	by    string
	only  string // its name, "" for all
	names traces.Names
}

// consideredLimit bounds the waiting jobs of each user, group, queue or partition, or of one, that the scheduler looks
// at: the others are as if they were not there. It is an engine.Considering.
type consideredLimit struct {
	labelled
	most  int64
	text  string
	shown map[int64]int64
}

// Admits implements engine.Limit.
func (l *consideredLimit) Admits(s *engine.Start) (engine.Hold, bool) {
	key, counts := l.key(s.Job)
	if counts && l.shown[key] >= l.most {
		return engine.Hold{Until: events.Never, Key: key, Why: "limit " + l.text}, false
	}
	return engine.Hold{}, true
}

// Started and Stopped implement engine.Limit: what runs does not count.
func (*consideredLimit) Started(*engine.Start)       {}
func (*consideredLimit) Stopped(*engine.Start) int64 { return -1 }

// Considered implements engine.Considering.
func (l *consideredLimit) Considered(s *engine.Start) {
	if key, counts := l.key(s.Job); counts {
		l.shown[key]++
	}
}

// Began implements engine.Considering.
func (l *consideredLimit) Began(s *engine.Start) int64 {
	key, counts := l.key(s.Job)
	if !counts {
		return -1
	}
	l.shown[key]--
	return key
}

// Clone implements engine.Limit.
func (l *consideredLimit) Clone() engine.Limit {
	c := *l
	c.shown = maps.Clone(l.shown)
	return &c
}

type runningSum struct{ jobs, procs int64 }

// labels are what jobs may be limited by.
var labels = []string{"user", "group", "queue", "partition"}

// parseRunningLimit reads 'user: jobs <= 4, procs <= 64' or 'queue batch: procs <= 32'.
func parseRunningLimit(text string) (*runningLimit, error) {
	l := &runningLimit{text: text, running: map[int64]runningSum{}}
	who, most, ok := strings.Cut(text, ":")
	l.by, l.only, _ = strings.Cut(strings.TrimSpace(who), " ")
	l.only = strings.TrimSpace(l.only)
	if !ok || !slices.Contains(labels, l.by) {
		return nil, fmt.Errorf("%q: want user, group, queue or partition, perhaps the name of one, a colon and limits, as in "+
			"'user: jobs <= 4, procs <= 64; queue debug: procs <= 8'%s", text, suggest.DidYouMean(l.by, labels))
	}
	for _, part := range strings.Split(most, ",") {
		name, number, ok := strings.Cut(part, "<=")
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 32)
		to, known := map[string]*int64{"jobs": &l.jobs, "procs": &l.procs, "considered": &l.considered}[strings.TrimSpace(name)]
		if !ok || err != nil || n < 1 || !known || *to != 0 {
			return nil, fmt.Errorf("%q: want jobs <= N, procs <= N or considered <= N, or several of them, N at least 1", text)
		}
		*to = n
	}
	return l, nil
}

func checkRunningLimits(text string) error {
	for _, part := range parts(text) {
		if _, err := parseRunningLimit(part); err != nil {
			return err
		}
	}
	return nil
}

// key is the label that a job counts under; false if the limit is not for it.
func (l *labelled) key(j *traces.Job) (int64, bool) {
	label, words := j.User, l.names.Users
	switch l.by {
	case "group":
		label, words = j.Group, l.names.Groups
	case "queue":
		label, words = j.Queue, l.names.Queues
	case "partition":
		label, words = j.Partition, l.names.Partitions
	}
	name, named := words.Text(label)
	return int64(label), named && (l.only == "" || l.only == name)
}

// Admits implements engine.Limit.
func (l *runningLimit) Admits(s *engine.Start) (engine.Hold, bool) {
	key, counts := l.key(s.Job)
	if !counts {
		return engine.Hold{}, true
	}
	sum, procs := l.running[key], int64(s.Job.Procs)
	if l.procs > 0 && procs > l.procs && l.err == nil {
		l.err = fmt.Errorf("running limits: job %d asks for %d processors, and %s never lets it start; leave such jobs out (where)",
			s.Job.ID, procs, l.text)
	}
	if l.jobs > 0 && sum.jobs+1 > l.jobs || l.procs > 0 && sum.procs+procs > l.procs {
		return engine.Hold{Until: events.Never, Key: key, Why: "limit " + l.text}, false
	}
	return engine.Hold{}, true
}

// Started implements engine.Limit.
func (l *runningLimit) Started(s *engine.Start) { l.add(s, 1) }

// Stopped implements engine.Limit.
func (l *runningLimit) Stopped(s *engine.Start) int64 { return l.add(s, -1) }

func (l *runningLimit) add(s *engine.Start, n int64) int64 {
	key, counts := l.key(s.Job)
	if !counts {
		return -1
	}
	sum := l.running[key]
	sum.jobs, sum.procs = sum.jobs+n, sum.procs+n*int64(s.Job.Procs)
	l.running[key] = sum
	return key
}

// Check implements engine.Checking.
func (l *runningLimit) Check(_ events.Time, running []engine.Start) error {
	sums := map[int64]runningSum{}
	for i := range running {
		key, counts := l.key(running[i].Job)
		if x := sums[key]; counts {
			sums[key] = runningSum{x.jobs + 1, x.procs + int64(running[i].Job.Procs)}
		}
		if x := sums[key]; l.jobs > 0 && x.jobs > l.jobs || l.procs > 0 && x.procs > l.procs {
			return fmt.Errorf("%d jobs of %d processors run under one label, beyond the limit %s", x.jobs, x.procs, l.text)
		}
	}
	return nil
}

// Clone implements engine.Limit.
func (l *runningLimit) Clone() engine.Limit {
	c := *l
	c.running = maps.Clone(l.running)
	return &c
}

// Err is the first job that could never start.
func (l *runningLimit) Err() error { return l.err }
