// Package reports turns what a replay tells into files and tables for people:
// one row per job, per running segment and per sample of the system, in
// Parquet, Arrow or CSV, beside a summary and a manifest in JSON.
//
// One table per dataset (Jobs, Segments, Series) defines each column once:
// name, type, unit, meaning and how to get it. Schemas, CSV headers and the
// documentation printed by "bourse list columns" come from it, so a new column
// is one new entry.
//
// The package neither replays nor decides anything, and computes no measure of
// its own: formulas live on engine.Outcome, aggregates in reports/stats.
package reports
