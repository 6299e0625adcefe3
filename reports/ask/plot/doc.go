// Package plot makes figures for papers of finished sweeps and runs: a measure against any
// axis of a sweep, with intervals over its seeds, or how a column of the records is
// distributed. Each figure is written as SVG, PDF and PNG, with its data as CSV and a
// LaTeX snippet that includes it and says what it shows.
//
// It draws nothing itself (see reports/figures) and computes no measure.
package plot
