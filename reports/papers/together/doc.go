// Package together is a study of our own: the mechanisms of the four reproduced papers in
// one closed loop on the same logs. Each paper measures its own figures on its own
// workload, most of them in rounds in which jobs cannot pile up. Here a job that gets
// less runs later, waits longer and is still there the next hour; and every mechanism is
// measured by what all four papers ask for: the cost of waiting, revenue, slowdown,
// fairness among users, envy, what users get beside an equal share, and what lies about
// a job's value gain.
//
// It is no reproduction: its verdicts say how far what a paper says open loop, in
// rounds, holds in the closed one.
package together
