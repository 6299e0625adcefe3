// Package causes divides every job's wait (time from submission to end, less its run time)
// into parts with a cause each, which add up to it exactly, under any policy: it looks at
// rounds alone, at what was free and who started, and asks no policy why.
//
// The state after a round holds until the next one. In it a waiting job fits if what it
// needs is free, on a cluster on one machine. At a round a waiting job is overtaken if
// others start, or get a larger share, and it would have fit into what they are given and
// what is still free, on a cluster on the machine of one of them. A job is ahead of another if it was submitted
// before it or, where the policy starts jobs in order of bid, if its bid is better. The
// bids that count are those at the starts of the two.
//
// The wait before the first start is cut at the last round, before the one of that start,
// at which a job ahead started or the job was overtaken; if there was none, at the
// submission. Then
//
//   - engine.Held is the time in which the job fits: the policy does not start it, to keep
//     a reservation for another job or to keep an order;
//   - engine.Behind is the time before the cut in which it does not fit: others are first;
//   - engine.Scattered is the time after the cut in which it fits into what all machines of
//     a cluster have free together, and into none;
//   - engine.Room is the rest after the cut: no job ahead of it is left, and too
//     little is free. Under policies that preempt for better bids it is counted as
//     Behind, as it is better bids that run.
//
// Later waits are engine.Preempted, Evicted or Resubmitted as a whole, by what began them.
// What remains of the wait is spent running: engine.Lost is Outcome.Lost, and
// engine.Slowed the time that shares below 1 cost (and the microseconds that rounding
// shares costs).
//
// Whether a job is first is known once it has started: that is why the cut looks back.
// A definition by the jobs that are in the queue at an instant would say of every short
// job under shortest-job-first that it waits behind older ones, which never delay it.
//
// A round costs time in proportion to the jobs that arrive, start, stop and end in it, and
// to the different needs among waiting jobs that the room of the round is enough for, not to
// the jobs that wait: those of equal need fit, or do not, and are overtaken together
// (class), and the last start of a job ahead is found in a stack (starts).
package causes
