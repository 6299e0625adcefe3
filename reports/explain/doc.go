// Package explain describes what became of one job of a replay: which jobs it waited for
// and why, when it ran and at which prices, which job stopped it, what its bill is made
// of, and what other price schemes would have charged for the same schedule.
//
// A Tracker observes a replay and keeps what concerns that job alone, a History; causes of
// waits are those of a ledger of all jobs, and the stretches of the job add up to them. An
// Explanation is the facts of a History as plain values, explanation.tmpl their words. The
// package reads no traces, knows no names of policies or schemes, and changes nothing.
package explain
