// Package record turns records of a replay (jobs, segments, samples of the system,
// aggregates) into columns and encodes them as Parquet, Arrow or CSV, on a goroutine
// of their own beside the replay, and the columns of Parquet on several.
//
// One table per dataset (JobColumns, SegmentColumns, SeriesColumns) defines each
// column once: name, type, unit, meaning and how to get it. Schemas, CSV headers and
// the documentation printed by "bourse list columns" come from it, so a new column is
// one new entry. The package computes no measure of its own: formulas live on
// engine.Outcome, aggregates in reports/stats.
package record
