package engine

import "bourse/events"

// Cause is a cause of waiting. Package engine/causes defines each and finds
// out which it is.
type Cause uint8

// The causes. The first four divide the time from submission to the first start, the
// next three are the pauses of jobs that ran before, and the last two are times in which a
// job held processors without getting on with its own work.
const (
	Behind Cause = iota
	Room
	Scattered
	Held
	Preempted
	Evicted
	Resubmitted
	Lost
	Slowed
	causes
)

// AllCauses describes the causes, in order: the name, the words of a sentence ("waited 3h
// ..."), and what it means.
var AllCauses = [causes]struct{ Name, Words, Meaning string }{
	Behind: {"behind", "behind other jobs",
		"behind others: jobs submitted before it, or better bids, or jobs that took room in which it would have fit, " +
			"started first"},
	Room: {"room", "for room", "for room: it did not fit into what was free, and no job ahead of it started any " +
		"more"},
	Scattered: {"scattered", "for room on one machine",
		"for room on one machine: it would have fit into what all machines of a cluster had free together, and fit into " +
			"none"},
	Held: {"held", "held back", "held back: it fit into what was free, and the policy did not start it, to keep " +
		"a reservation or an order; or a rule of the site, such as a planned outage, kept it from starting"},
	Preempted:   {"preempted", "preempted", "preempted, until it ran again"},
	Evicted:     {"evicted", "evicted", "evicted, as its machine went or an outage began, until it ran again"},
	Resubmitted: {"resubmitted", "submitted again", "in the queue again, after its estimate had ended it"},
	Lost:        {"lost", "doing work that was lost", "the work that stops cost it: done again, or spent on resuming"},
	Slowed: {"slowed", "slowed down by sharing",
		"running on less than it asked for: the time beyond that of its work"},
}

// Causes is a job's wait by cause; the sum is Outcome.Wait, to the microsecond.
type Causes [causes]events.Time

// Sum returns the whole.
func (c *Causes) Sum() (sum events.Time) {
	for _, t := range c {
		sum += t
	}
	return sum
}

// Accountant puts waits down to causes: it sees every round, and closes a job's account
// (Outcome.Causes) when that ends, before the record is handed over.
type Accountant interface {
	RoundSink
	Close(*Outcome)
}
