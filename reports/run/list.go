package run

import (
	"fmt"
	"io"
	"strings"

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
		{"segments", "one row per stretch of a job's running time under one bid (on request)",
			record.ColumnsOf(record.SegmentColumns)},
		{"series", "the state of the system at every change or on a grid (on request)",
			record.ColumnsOf(record.SeriesColumns)},
		{"series, resources", "further columns of series on a pool or machines of such resources",
			record.ColumnsOf(record.UseColumns(policies.Amount{Memory: 1, GPU: 1, Disk: 1}, true))},
		{"users", "one row per user (on request)", users},
		{"cells", "the table of a sweep: aggregates of each replay, in total, by band, by run-time group, by class, and by " +
			"all three; its axes come first", record.ColumnsOf(record.CellColumns)},
		{"demand", "who demands how much in which round of a trace (trace demand)", record.ColumnsOf(record.Demands)},
		{"shares", "what a sharing mechanism gives in each round (lend)", record.ColumnsOf(record.Shares)},
	}
}

// ListColumns prints the documentation of every column. It is what
// "bourse list columns" shows.
func ListColumns(w io.Writer) error {
	for i, set := range Datasets() {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s\n", set.Name, set.About)
		t := table.New(table.Headed(terminal.Words, "  column", "type", "unit", "meaning")...)
		for _, c := range set.Columns {
			kind := c.Kind.String()
			if c.Nullable {
				kind += "?"
			}
			meaning := c.Meaning
			if c.Source != "" {
				meaning += " [" + c.Source + "]"
			}
			t.Add("  "+c.Name, kind, c.Unit, meaning)
		}
		if err := table.Print(w, &table.Report{Tables: []*table.Table{t}}); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, "\n"+strings.TrimSpace(`
A type with ? may be null: unknown values are null (empty in CSV), never -1.
phi is the flow time, tau the run time, p the processors, w the value, b the bid.`))
	return err
}
