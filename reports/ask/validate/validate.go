package validate

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/policies"
	"bourse/reports/experiment"
	"bourse/traces"
)

// Config says what to validate.
type Config struct {
	Jobs     *scenario.Loaded
	Policies []string
	Workers  int
	Progress func(done, of int, err error)
}

// Week is the length of the spans over which the use of the machine is compared.
const Week = 7 * 24 * 3600 * events.Second

// job is what became of a job whose wait the log records, times in seconds.
type job struct {
	seq                 int64
	submit              events.Time
	recorded, simulated float64 // waits
	queue               traces.Label
	procs               int32
}

func (j *job) difference() float64 { return j.simulated - j.recorded }

// Schedule is a policy's schedule of a log next to the recorded one.
type Schedule struct {
	Policy string
	scenario.Outcome
	Row   Row
	Weeks []WeekRow
	Parts []PartRow

	log      bool // it is the log's own
	names    traces.Names
	capacity float64
	jobs     []job
	unknown  int
	weeks    []use
	first    events.Time
}

// use is the processor-seconds used in a week: as recorded, as simulated.
type use struct{ recorded, simulated float64 }

// ErrNoWaits says that there is nothing to hold a simulation against.
var ErrNoWaits = errors.New("the log records no waits, so there is nothing to hold a simulation against")

// Run replays the jobs under each policy.
func Run(ctx context.Context, c Config) ([]*Schedule, error) {
	all := make([]*Schedule, len(c.Policies))
	errs := experiment.Each(ctx, c.Workers, len(all), func(i int) (err error) {
		all[i], err = c.one(ctx, c.Policies[i])
		return err
	}, c.Progress)
	return all, cmp.Or(errs...) // one is enough: where one finds no waits, none does
}

func (c *Config) one(ctx context.Context, policy string) (*Schedule, error) {
	market := c.Jobs.Scenario.Market
	market.Policy = policy
	p, err := c.Jobs.Replay(market.Settled())
	if err != nil {
		return nil, err
	}
	s := &Schedule{Policy: policy, log: policies.NeedsOf(p.Config.Policy).RecordedWaits,
		names: c.Jobs.Memory.Header().Names}
	if s.Outcome, err = p.Run(ctx, s); err != nil {
		return nil, err
	}
	if len(s.jobs) == 0 {
		return nil, ErrNoWaits
	}
	s.capacity, s.first = float64(s.Summary.Machines), s.Summary.First
	slices.SortFunc(s.jobs, func(a, b job) int { return cmp.Compare(a.seq, b.seq) })
	s.conclude()
	return s, nil
}

// Record implements engine.Sink.
func (s *Schedule) Record(o *engine.Outcome) error {
	wait, _, known := o.Recorded()
	if !known {
		s.unknown++
		return nil
	}
	s.jobs = append(s.jobs, job{seq: o.Seq, submit: o.Job.Submit, recorded: wait.Seconds(), simulated: o.Wait().Seconds(),
		queue: o.Job.Queue, procs: o.Job.Procs})
	begin := o.Job.Submit + wait
	s.occupy(begin, begin+o.Job.Run, o.Job.Run, o.Size, func(u *use) *float64 { return &u.recorded })
	if o.WhyLeft == "" {
		s.occupy(o.Start, o.End, o.Job.Run, o.Size, func(u *use) *float64 { return &u.simulated })
	}
	return nil
}

// occupy spreads a job's work evenly over the time from its start to its end.
func (s *Schedule) occupy(from, until, run events.Time, size float64, of func(*use) *float64) {
	if until <= from || run == 0 {
		return
	}
	rate := size * (run.Seconds() / (until - from).Seconds())
	for at := from; at < until; {
		w := int(at / Week)
		for len(s.weeks) <= w {
			s.weeks = append(s.weeks, use{})
		}
		end := min(until, events.Time(w+1)*Week)
		*of(&s.weeks[w]) += float64(rate * (end - at).Seconds())
		at = end
	}
}
