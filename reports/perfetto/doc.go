// Package perfetto writes a replay as a timeline for ui.perfetto.dev and its trace
// processor: a file of TrackEvent packets (protobuf). What ran is shown on tracks by
// processor or machine and on tracks by user, the state of the system as counters, and an
// arrow leads from the start of a job to the job that it preempted.
//
// The Trace is the sink of everything a replay gives out; it keeps the preemptions of one
// instant and the ends of tracks, not jobs. It does not open files and knows no columns.
package perfetto
