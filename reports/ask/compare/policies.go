// Package compare sets replays side by side and says which is best by a measure, and which
// others may be as good: policies on the same jobs, finished runs of the same jobs, and the
// cells of a sweep, grouped by their settings and averaged over seeds.
package compare

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/reports/experiment"
	"bourse/reports/record"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/terminal"
	"bourse/traces"
)

// Candidate is one policy's part in a comparison.
type Candidate struct {
	Name   string // as given, with its payment
	Market scenario.Market
	Users  *run.Users
	Stats  stats.Collector
	scenario.Outcome

	log      *jobs
	value    func(*engine.Outcome) float64 // nil if the metric is no mean over jobs
	schedule *schedule
}

// Candidates reads names of policies, each with a payment behind a slash if it has one
// of its own, as in hb/kth.
func Candidates(names []string, market scenario.Market) ([]*Candidate, error) {
	list := make([]*Candidate, len(names))
	for i, name := range names {
		c := &Candidate{Name: name, Market: market, Users: run.NewUsers(nil)}
		var payment string
		if c.Market.Policy, payment = splitPayment(name); payment != "" {
			c.Market.Payment = payment
		}
		if _, err := catalog.Policies.Make(c.Market.Policy); err != nil {
			return nil, &scenario.OptionError{Err: err}
		}
		c.Market = c.Market.Settled()
		list[i] = c
	}
	return list, nil
}

// splitPayment splits POLICY/PAYMENT. A policy's name may hold a slash, as tperiod:R/2
// does: what follows the last one is a payment if it is the name of one.
func splitPayment(name string) (policy, payment string) {
	if i := strings.LastIndexByte(name, '/'); i > 0 {
		if _, err := catalog.Payments.Make(name[i+1:]); err == nil {
			return name[:i], name[i+1:]
		}
	}
	return name, ""
}

// Record implements engine.Sink.
func (c *Candidate) Record(o *engine.Outcome) error {
	if c.value != nil {
		c.schedule.record(o, c.value(o))
	}
	if !c.counts(o) {
		return nil
	}
	if err := c.Users.Record(o); err != nil {
		return err
	}
	return c.Stats.Record(o)
}

// Arrive implements engine.ArrivalSink.
func (c *Candidate) Arrive(o *engine.Outcome, share policies.Amount) {
	if c.counts(o) {
		c.Stats.Bound.Arrive(o, share)
	}
}

// counts reports whether a job is none at the edges.
func (c *Candidate) counts(o *engine.Outcome) bool {
	return o.Row >= int64(c.log.from) && o.Row < int64(c.log.until)
}

// Policies replays the jobs for each contender, some at a time, and makes a table of them.
// by is what jobs are grouped by, too, or empty. Each contender writes to its own place;
// done, if not nil, is called with how many of how many have ended.
func Policies(ctx context.Context, loaded *scenario.Loaded, contenders []*Candidate, metric run.Measure, by string,
	workers int, done func(done, of int, err error)) (*Ranking, error) {
	log, err := jobsOf(loaded)
	if err != nil {
		return nil, err
	}
	t := &Ranking{Keys: []string{"policy"}, Metric: metric, by: by, log: log}
	if t.Unsure = unsureOf(metric, loaded.Scenario.Feedback && follows(loaded.Memory)); t.Unsure == "" {
		t.Samples = samplesOfLog
		if by != "" {
			names, dates := loaded.Memory.Header().Names, loaded.Memory.Header().Calendar()
			log.groupBy(func(i int) string {
				j := loaded.Memory.Job(i)
				return groupOf(&j, &names, dates, by)
			})
		}
	}
	market := slices.ContainsFunc(contenders, func(c *Candidate) bool { return c.Market.Asked() })
	bounded := market || metric.Name == "efficiency"
	errs := experiment.Each(ctx, workers, len(contenders), func(i int) error {
		c := contenders[i]
		if c.log = log; t.Unsure == "" {
			c.value, c.schedule = valueOf(metric), newSchedule(len(log.submit))
		}
		c.Stats.AsRecorded = loaded.Scenario.KeepsTimes()
		p, err := loaded.Replay(c.Market)
		if err == nil {
			if bounded && p.Stays() {
				c.Stats.Bound, p.Config.Arrivals = &stats.Bound{}, c
			}
			c.Outcome, err = p.RunAll(ctx, c)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		return nil
	}, done)
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	for _, c := range contenders {
		t.Entries = append(t.Entries, c.entry(market))
	}
	t.More = []run.Measure{{Name: "preemptions", Heading: "preempted"},
		{Name: "lost_percent", Heading: "lost %", Unit: terminal.Percent}}
	if market {
		t.More = run.MeasuresNamed("fairness")
	}
	if slices.ContainsFunc(contenders, func(c *Candidate) bool { return c.Summary.Left > 0 }) {
		t.More = append(t.More, run.Measure{Name: "left_percent", Heading: "left %", Unit: terminal.Percent})
	}
	return t, nil
}

// entry is the contender's place in a table.
func (c *Candidate) entry(market bool) *Entry {
	machine, result, fairness := run.NewMachine(&c.Summary), c.Stats.Result(), c.Users.Fairness()
	result.Total.Fairness = &fairness
	return &Entry{Settings: []string{c.Name}, Name: c.Name, Market: market, Recorded: result.Recorded,
		schedule: c.schedule,
		Cells:    []run.Figures{{Aggregate: &result.Total, Machine: &machine}},
		More: map[string]float64{"preemptions": float64(c.Summary.Preemptions),
			"lost_percent": 100 * c.Summary.Lost / max(c.Summary.Work, 1e-9),
			"left_percent": 100 * float64(c.Summary.Left) / float64(max(1, c.Summary.Jobs))}}
}

// jobsOf are the jobs of a loaded trace.
func jobsOf(loaded *scenario.Loaded) (*jobs, error) {
	l := &jobs{zero: loaded.Memory.Header().Start}
	for i := range loaded.Memory.Len() {
		l.submit = append(l.submit, loaded.Memory.Job(i).Submit)
	}
	edges := loaded.Scenario.Edges()
	l.from, l.until = edges.Counted(len(l.submit), func(i int) events.Time { return l.submit[i] })
	if l.from >= l.until {
		return nil, fmt.Errorf("warm-up and cool-down leave none of the %d jobs to count", len(l.submit))
	}
	return l, nil
}

// follows reports whether any job is submitted when another one has ended.
func follows(log *traces.Memory) bool {
	for i := range log.Len() {
		if j := log.Job(i); j.Prev > 0 {
			return true
		}
	}
	return false
}

// samplesOfLog is what a comparison on one log rests on.
const samplesOfLog = "independent stretches of the log"

// unsureOf says why one replay of each does not do for a measure, "" if it does.
func unsureOf(m run.Measure, feedback bool) string {
	switch {
	case m.Column == "":
		return m.Words() + " is no mean over jobs, and only replicas of the log show how it varies"
	case feedback:
		return "with feedback every difference moves what is submitted later, and only replicas of the log show how " +
			"much is chance"
	}
	return ""
}

// valueOf is how much a job adds to a measure; nil if it is no mean or sum over jobs.
func valueOf(m run.Measure) func(*engine.Outcome) float64 {
	of := record.JobNumber(m.Column)
	if m.Part == nil {
		return of
	}
	return func(o *engine.Outcome) float64 { return m.Part(of(o)) }
}

// groupOf names the group of a job.
func groupOf(j *traces.Job, names *traces.Names, dates *events.Calendar, by string) (name string) {
	switch by {
	case "user":
		name, _ = names.Users.Text(j.User)
	case "group":
		name, _ = names.Groups.Text(j.Group)
	case "queue":
		name, _ = names.Queues.Text(j.Queue)
	case "hour": // of the day at which it was submitted
		name = stats.HourText(stats.Hour(j.Submit, dates))
	default:
		name = stats.SizeName(stats.SizeClass(float64(j.Procs)))
	}
	return name
}
