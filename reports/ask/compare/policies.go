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

	from, until int64 // the first job counted, by its row in the trace, and the first one after that is not
	value       func(*engine.Outcome) float64
	parts       []*partition // all jobs, and those of each user, queue ...
	sums        []sums
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
	if o.Row < c.from || o.Row >= c.until {
		return nil
	}
	for i, p := range c.parts {
		p.add(c.sums[i], int(o.Row-c.from), c.value(o))
	}
	if err := c.Users.Record(o); err != nil {
		return err
	}
	return c.Stats.Record(o)
}

// Arrive implements engine.ArrivalSink.
func (c *Candidate) Arrive(o *engine.Outcome, share policies.Amount) {
	if o.Row >= c.from && o.Row < c.until {
		c.Stats.Bound.Arrive(o, share)
	}
}

// Policies replays the jobs for each contender, some at a time, and makes a table of them.
// by is what jobs are grouped by, too, or empty. Each contender writes to its own place;
// done, if not nil, is called with how many of how many have ended.
func Policies(ctx context.Context, jobs *scenario.Loaded, contenders []*Candidate, metric run.Measure, by string,
	workers int, done func(done, of int, err error)) (*Ranking, error) {
	edges := jobs.Scenario.Edges()
	from, until := edges.Counted(jobs.Memory.Len(), func(i int) events.Time { return jobs.Memory.Job(i).Submit })
	if from >= until {
		return nil, fmt.Errorf("warm-up and cool-down leave none of the %d jobs to count", jobs.Memory.Len())
	}
	t := &Ranking{Keys: []string{"policy"}, Metric: metric, by: by}
	var parts []*partition
	if metric.Column != "" {
		parts = []*partition{whole(until - from)}
		if by != "" {
			names := jobs.Memory.Header().Names
			t.who = newPartition(until-from, func(i int) string {
				j := jobs.Memory.Job(from + i)
				return groupOf(&j, &names, by)
			})
			parts = append(parts, t.who)
		}
	}
	market := slices.ContainsFunc(contenders, func(c *Candidate) bool { return c.Market.Asked() })
	bounded := market || metric.Name == "efficiency"
	errs := experiment.Each(ctx, workers, len(contenders), func(i int) error {
		c := contenders[i]
		c.from, c.until, c.value, c.parts = int64(from), int64(until), valueOf(metric), parts
		for _, p := range parts {
			c.sums = append(c.sums, p.newSums())
		}
		c.Stats.AsRecorded = jobs.Scenario.KeepsTimes()
		p, err := jobs.Replay(c.Market)
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
		t.Entries = append(t.Entries, c.entry(t, market))
	}
	t.More = []run.Measure{{Name: "preemptions", Heading: "preempted"},
		{Name: "lost_percent", Heading: "lost %", Unit: terminal.Percent}}
	if market {
		t.More = []run.Measure{{Name: "fairness", Heading: "fairness", Unit: terminal.Ratio, High: true}}
	}
	if slices.ContainsFunc(contenders, func(c *Candidate) bool { return c.Summary.Left > 0 }) {
		t.More = append(t.More, run.Measure{Name: "left_percent", Heading: "left %", Unit: terminal.Percent})
	}
	return t, nil
}

// entry is the contender's place in a table.
func (c *Candidate) entry(t *Ranking, market bool) *Entry {
	machine, result := run.NewMachine(&c.Summary), c.Stats.Result()
	e := &Entry{Settings: []string{c.Name}, Name: c.Name, Market: market, Recorded: result.Recorded,
		Cells: []run.Figures{{Aggregate: &result.Total, Machine: &machine}},
		More: map[string]float64{"preemptions": float64(c.Summary.Preemptions),
			"lost_percent": 100 * c.Summary.Lost / max(c.Summary.Work, 1e-9),
			"fairness":     c.Users.Fairness(), "left_percent": 100 * float64(c.Summary.Left) / float64(max(1, c.Summary.Jobs))}}
	if len(c.parts) > 0 {
		t.sample(e, c.parts[0], c.sums[0])
	} else {
		t.Unsure = unsureOf(t.Metric)
	}
	if len(c.parts) > 1 {
		e.groups = c.sums[1]
	}
	return e
}

// sample takes the means of batches as an entry's samples.
func (t *Ranking) sample(e *Entry, all *partition, s sums) {
	if e.Samples = all.means(s, 0); e.Samples == nil {
		t.Unsure = fmt.Sprintf("%d jobs are too few for %s", all.jobs(0), batchesOf)
		return
	}
	t.Samples = batchesOf
	for k := range e.Samples {
		e.Samples[k] *= t.factor(all.jobs(0))
	}
}

// factor makes a mean over jobs the measure.
func (t *Ranking) factor(jobs int64) float64 {
	if t.Metric.Sum {
		return float64(jobs)
	}
	return 1
}

// unsureOf says why one replay of each does not do for a measure.
func unsureOf(m run.Measure) string {
	return m.Words() + " is no mean over jobs, and only replicas of the log show how it varies"
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
func groupOf(j *traces.Job, names *traces.Names, by string) (name string) {
	switch by {
	case "user":
		name, _ = names.Users.Text(j.User)
	case "group":
		name, _ = names.Groups.Text(j.Group)
	case "queue":
		name, _ = names.Queues.Text(j.Queue)
	default:
		name = stats.SizeName(stats.SizeClass(float64(j.Procs)))
	}
	return name
}
