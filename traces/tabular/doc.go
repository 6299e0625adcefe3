// Package tabular turns tables with one row per job into jobs. Columns have roles (job,
// submit, run, procs ...), found by their usual names or given in the trace's
// specification. It serves CSV, Parquet, the Philly trace and, with readers of its
// own lines, the accounting logs.
package tabular
