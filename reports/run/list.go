package run

import (
	"bourse/policies"
	"bourse/reports/record"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
)

// Dataset is one table that a run can write, with its columns.
type Dataset struct {
	Name, About string
	Columns     []record.Column
}

// Datasets lists every dataset, in the order of a run's files.
func Datasets() []Dataset {
	return []Dataset{
		{"jobs", "one row per replayed job, in order of completion", record.ColumnsOf(record.JobColumns)},
		{"jobs, resources", "further columns of jobs, those that jobs of the trace ask for",
			record.ColumnsOf(record.AskedColumns(traces.Asks{GPU: true, Disk: true, Model: true}))},
		{"jobs, causes", "further columns of jobs, which add up to wait_s (on request)",
			record.ColumnsOf(record.CauseColumns())},
		{"jobs, power", "further columns of jobs with --power", record.ColumnsOf(record.EnergyColumns)},
		{"jobs, charges", "further columns of jobs with --series-in", record.ColumnsOf(record.ChargeColumns[:])},
		{"segments", "one row per stretch of a job's running time under one bid (on request)",
			record.ColumnsOf(record.SegmentColumns)},
		{"series", "the state of the system at every change or on a grid (on request)",
			record.ColumnsOf(record.SeriesColumns)},
		{"series, resources", "further columns of series on a pool or machines of such resources",
			record.ColumnsOf(record.UseColumns(policies.Amount{Memory: 1, GPU: 1, Disk: 1}, true))},
		{"series, power", "further columns of series with --power", record.ColumnsOf(record.PowerColumns)},
		{"series, outages", "further columns of series with outages or a cap on power", record.ColumnsOf(record.AwayColumns)},
		{"users", "one row per user (on request)", users},
		{"cells", "the table of a sweep: aggregates of each replay, in total, by band, by run-time group, by class, and by " +
			"all three; its axes come first", record.ColumnsOf(record.CellColumns)},
		{"demand", "who demands how much in which round of a trace (trace demand)", record.ColumnsOf(record.Demands)},
		{"shares", "what a sharing mechanism gives in each round (lend)", record.ColumnsOf(record.Shares)},
	}
}

// ColumnTables documents every column: a table for each dataset, and all of them for programs.
func ColumnTables() *table.Report {
	r := &table.Report{Data: table.Data("dataset", "column", "type", "nullable", "unit", "meaning", "source")}
	for _, set := range Datasets() {
		t := table.New(table.Headed(terminal.Words, "column", "type", "unit", "meaning")...)
		t.Columns[0].Key, t.Title = true, set.Name+": "+set.About
		for _, c := range set.Columns {
			r.Data.Add(set.Name, c.Name, c.Kind.String(), table.Truth(c.Nullable), c.Unit, c.Meaning, c.Source)
			kind, meaning := c.Kind.String(), c.Meaning
			if c.Nullable {
				kind += "?"
			}
			if c.Source != "" {
				meaning += " [" + c.Source + "]"
			}
			t.Add(c.Name, kind, c.Unit, meaning)
		}
		r.Tables = append(r.Tables, t)
	}
	r.Tables[len(r.Tables)-1].Notes = []string{
		"A type with ? may be null: unknown values are null (empty in CSV), never -1.",
		"phi is the flow time, tau the run time, p the processors, w the value, b the bid."}
	return r
}
