// Package reports holds what is made of replays, in packages of its own: record (the
// columns and encoders of job records), run (a run's directory), stats, terminal,
// inspect (a trace before it is replayed), explain (one job), figures, page (HTML),
// and studies, the programs that drive many replays.
//
// All but studies only report: they start no replay and decide nothing.
package reports
