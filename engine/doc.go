// Package engine replays a stream of jobs through a policy, a price scheme and
// a model of bids, and gives one record per job to a sink.
//
// It is a deterministic state machine driven by events: no files, clocks,
// goroutines or randomness inside. It imports the contracts of package
// policies, never an implementation, and knows nothing of columns or files.
package engine
