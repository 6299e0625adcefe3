package run

import (
	"fmt"

	"bourse/engine"
	"bourse/events"
	"bourse/reports/terminal"
	"bourse/traces"
)

// Warning says why a result may not be what it seems. Name is one of larger-jobs,
// strict-order, backlog and above-recorded.
type Warning struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// From when on something is worth a warning.
const (
	muchBlocked = 0.05                      // of the makespan
	longDrain   = 0.02                      // of the time of submissions
	leastDrain  = 24 * 3600 * events.Second // and at least
	manyTimes   = 10                        // the recorded mean wait
	muchLonger  = 3600                      // seconds above it
)

// Conclude says what is to be said of a result as a whole: whether it is of a market,
// and the warnings. strict means that the policy starts jobs in its order up to the
// first that does not fit.
func (s *Summary) Conclude(sum *engine.Summary, strict, market bool) {
	s.Market = market || s.Jobs.Total.SumPayment != 0
	warn := func(name, format string, args ...any) {
		s.Warnings = append(s.Warnings, Warning{name, fmt.Sprintf(format, args...)})
	}
	if n := s.Counts.DroppedAs(traces.TooLarge.String()); n > 0 {
		has := "the machine has"
		if sum.Capped > 0 {
			has += ", or may use under its power cap,"
		}
		warn("larger-jobs", "%s of %s records (%s) need more than "+has+" and are left out: the load is not the log's",
			terminal.Thousands(n), terminal.Thousands(s.Counts.Read), terminal.PercentOf(float64(n), float64(s.Counts.Read)))
	}
	span := sum.Last - sum.First
	if blocked := sum.Blocked.Seconds() / max(1, span.Seconds()); strict && blocked > muchBlocked {
		warn("strict-order", "fit=skip (of hb, nphb and fcfs) or easy would let jobs pass one that does not fit, which blocks "+
			"them here: for %.0f %% of the makespan jobs waited while a tenth of the machine or more was idle",
			100*blocked)
	}
	if drain := sum.Drained - sum.Submitted; sum.Backlog > 0 && drain > leastDrain &&
		drain.Seconds() > longDrain*(sum.Submitted-sum.First).Seconds() {
		warn("backlog", "the queue has not drained: at the last submission %s had not begun, and the last of them began %s "+
			"later; the mean wait depends on the length of the log",
			terminal.Count(int(sum.Backlog), "job", "jobs"), drain.Short())
	}
	if r, now := s.Recorded, s.Jobs.Total.MeanWait; r != nil && now > manyTimes*r.MeanWait && now > r.MeanWait+muchLonger {
		times := "the log records none"
		if r.MeanWait > 0 {
			times = fmt.Sprintf("%s times what the log records", terminal.Whole(now/r.MeanWait))
		}
		warn("above-recorded", "the mean wait of %s is %s", terminal.Duration(now).Short(), times)
	}
}
