// Package explain tells what became of one job of a replay: behind whom it waited,
// when it ran and at which prices, who stopped it, what its bill is made of, and
// what other price schemes would have charged for the same schedule.
//
// A Tracker listens to a replay and keeps what concerns that job alone, so it costs
// next to nothing beside the replay. The package reads no traces and knows no names
// of policies or schemes; it decides nothing and changes nothing.
package explain
