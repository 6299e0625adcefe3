// Package compare sets replays side by side: policies on the same jobs, job paired
// with job, and the cells of a sweep, grouped by their settings and averaged over
// seeds.
package compare

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/policies/catalog"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/studies/parallel"
)

// Contender is one policy's part in a comparison.
type Contender struct {
	Name   string // as given, with its payment
	Market scenario.Market
	Users  *run.Users
	Stats  stats.Collector
	scenario.Outcome

	from  int64     // the first job counted, by its row in the trace, and
	until int64     // the first one after that is not
	waits []float64 // seconds, from the first job counted on
}

// Contenders reads names of policies, each with a payment behind a slash if it has one
// of its own, as in hb/kth.
func Contenders(names []string, market scenario.Market) ([]*Contender, error) {
	list := make([]*Contender, len(names))
	for i, name := range names {
		c := &Contender{Name: name, Market: market, Users: run.NewUsers(nil)}
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
func (c *Contender) Record(o *engine.Outcome) error {
	at := o.Row - c.from
	if at < 0 || o.Row >= c.until {
		return nil
	}
	for int(at) >= len(c.waits) {
		c.waits = append(c.waits, 0)
	}
	c.waits[at] = o.Wait().Seconds()
	if err := c.Users.Record(o); err != nil {
		return err
	}
	return c.Stats.Record(o)
}

// LongerWait is the mean of the paired differences of waits to another contender, in
// seconds, with an interval from the means of twenty batches of consecutive jobs: waits
// of neighbours depend on each other, and an interval from single jobs would be far too
// narrow.
func (c *Contender) LongerWait(than *Contender) stats.Estimate {
	return stats.PairedBatches(than.waits, c.waits)
}

// Policies replays the jobs for each contender, some at a time. Each writes to its own
// place; done, if not nil, is called with how many of how many have ended.
func Policies(ctx context.Context, jobs *scenario.Loaded, contenders []*Contender, workers int, done func(done, of int, err error)) error {
	edges := jobs.Scenario.Edges()
	from, until := edges.Counted(jobs.Memory.Len(), func(i int) events.Time { return jobs.Memory.Job(i).Submit })
	if from >= until {
		return fmt.Errorf("warm-up and cool-down leave none of the %d jobs to count", jobs.Memory.Len())
	}
	ended := 0
	errs := parallel.Each(ctx, workers, len(contenders), func(i int) error {
		c := contenders[i]
		c.from, c.until = int64(from), int64(until)
		p, err := jobs.Replay(c.Market)
		if err == nil {
			c.Outcome, err = p.RunAll(ctx, c)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		return nil
	}, func(_ int, err error) {
		if ended++; done != nil {
			done(ended, len(contenders), err)
		}
	})
	return cmp.Or(errs...)
}
