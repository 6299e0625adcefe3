// Package calibrate says why the jobs of a log waited, and fits a model of its site to the log: how many processors
// there were, when which jobs might start, how many of a user's jobs were considered, in which order, with how many
// reservations. What a model is worth is judged on weeks that it was not fitted to.
package calibrate

import "errors"

// ErrNoWaits says that there is nothing to learn from.
var ErrNoWaits = errors.New("the log records no waits, so it does not say how its site schedules")

// ErrNever says that no job is seen to wait.
var ErrNever = errors.New("no job waits at a full hour of the recorded schedule, so it does not say why jobs wait")

// ErrMachine says that jobs may have waited for more than processors.
var ErrMachine = errors.New("why jobs waited can be said of a machine of processors only")
