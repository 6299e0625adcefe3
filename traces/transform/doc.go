// Package transform changes a stream of jobs on its way from a reader to a replay:
// filters, time windows, estimates, resampling, shaking, load, limits of queues,
// serial pieces (Apply, in a stated order), and feedback, which makes users wait for
// their own jobs. What it leaves out it counts in the trace's ledger.
package transform
