// Package script runs policies, orders, prices and behaviours that a user wrote in
// Starlark: Python's syntax without its surprises. A script has no files, no clock and
// no chance, so that a replay with one is as repeatable as any other; it has bounded
// steps, and an error names its line, the job and the instant.
//
// A script sees what policies see (policies.Job, policies.Round) and no more: run times
// only where it declares itself clairvoyant. It knows nothing of the engine, which checks
// its decisions as it does all.
package script
