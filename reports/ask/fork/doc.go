// Package fork asks what would have been if from some instant on somebody had bid
// otherwise, or had not come. Nothing is different before that instant, so a replay in
// progress is copied there and the copy is followed as long as the question needs,
// instead of replaying the whole trace for every question.
//
// Each replays a trace once and stops at instants that the caller names; at each a worker
// gets a Point, of which it makes as many copies as it likes, each under a Change. One
// goroutine replays, others follow copies, and no more than a Point for each of them is
// alive at a time. What a Point answers depends on nothing but the trace, so that results
// are the same for any number of workers.
package fork
