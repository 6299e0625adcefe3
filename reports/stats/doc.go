// Package stats aggregates the outcomes of a replay as they arrive: in
// total, by value band, by run-time group, by class of user, and by all three.
//
// It keeps a bounded amount of memory whatever the length of the trace. It
// reads outcomes and prints nothing; formulas of the measures themselves are
// engine.Outcome's.
package stats
