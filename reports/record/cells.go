package record

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"bourse/reports/stats"
	"bourse/traces"
)

// Replay is what the table of a sweep's cells says of one of them.
type Replay struct {
	// Setting returns the value on an axis.
	Setting     func(axis string) string
	Result      *stats.Result
	Nodes       int
	Utilisation float64
	Makespan    float64 // s
}

// CellRow is one row of that table.
type CellRow struct {
	*Replay
	Part string
	stats.Cell
}

// axisColumns are the columns of the axes of a sweep, in the order of CellColumns.
var axisColumns = []Field[CellRow]{
	axis("trace", "the log, by the name of its file"),
	{Column: Column{Name: "nodes", Kind: Int64, Unit: "1", Meaning: "processors, or machines of a pool", few: true},
		int64: func(r *CellRow) int64 { return int64(r.Nodes) }},
	axis("machines", "what jobs run on"),
	{Column: Column{Name: "load_factor", Kind: Float64, Unit: "1", Meaning: "what times between arrivals are divided by",
		few: true},
		float: func(r *CellRow) (float64, bool) {
			f, err := strconv.ParseFloat(r.Setting("load-factor"), 64)
			return f, err == nil
		}},
	axis("shake", "by how much submissions are moved at random"),
	axis("estimates", "the run times that policies are told"),
	axis("values", "model of private values"),
	{Column: Column{Name: "seed", Kind: Int64, Meaning: "of values, bids and other draws"},
		int64: func(r *CellRow) int64 { n, _ := strconv.ParseInt(r.Setting("seed"), 10, 64); return n }},
	axis("policy", "who runs when"),
	axis("preemption", "what becomes of a preempted job's work"),
	axis("behaviour", "how owners bid"),
	axis("payment", "what running jobs pay"),
}

// CellColumns is the table of columns of the dataset "cells": the aggregates of the
// replays of a sweep, for each the total, the parts by band, run-time group and class, and
// the cells of the three. Axes that a sweep may leave out have a column if it does not.
var CellColumns = append(slices.Clone(axisColumns),
	[]Field[CellRow]{
		word("part", "what the row is about: all, a band, a run_group, a class, or a cell of the three",
			func(r *CellRow) string { return r.Part }),
		cellName("band", "band of the private value", func(r *CellRow) string { return r.Band }),
		cellName("run_group", "tercile of the run time: A, B or C, the longest", func(r *CellRow) string { return r.Group }),
		cellName("class", "conservative or aggressive owners", func(r *CellRow) string { return r.Class }),
		{Column: Column{Name: "jobs", Kind: Int64, Unit: "1", Meaning: "number of jobs"},
			int64: func(r *CellRow) int64 { return r.Jobs }},
		number("mean_wait_s", "s", "mean of phi - tau", "", func(r *CellRow) float64 { return r.MeanWait }),
		number("median_wait_s", "s", "its median by nearest rank; of more than 4,096 jobs to within 0.4 %", "",
			func(r *CellRow) float64 { return r.MedianWait }),
		number("p95_wait_s", "s", "its 95th percentile, likewise", "", func(r *CellRow) float64 { return r.P95Wait }),
		number("max_wait_s", "s", "its largest value", "", func(r *CellRow) float64 { return r.MaxWait }),
		number("over_day_percent", "%", "share of jobs that waited for more than a day", "",
			func(r *CellRow) float64 { return r.OverDay }),
		number("mean_bounded_slowdown", "1", "mean of max(1, phi / max(tau, bound))", "",
			func(r *CellRow) float64 { return r.MeanBoundedSlowdown }),
		number("p95_bounded_slowdown", "1", "its 95th percentile by nearest rank; of more than 2^20 jobs to within 0.2 %", "",
			func(r *CellRow) float64 { return r.P95BoundedSlowdown }),
		number("mean_flow_s", "s", "mean of phi", "", func(r *CellRow) float64 { return r.MeanFlow }),
		number("mean_bsd", "1", "mean of phi / max(tau, 60 s)", "", func(r *CellRow) float64 { return r.MeanBSD }),
		number("ssj_percent", "%", "share of severely slowed jobs, BSD >= 5", "", func(r *CellRow) float64 { return r.SSJ }),
		number("mean_payment", "money", "mean bill", "", func(r *CellRow) float64 { return r.MeanPayment }),
		number("sum_payment", "money", "sum of bills", "", func(r *CellRow) float64 { return r.SumPayment }),
		number("mean_utility", "money", "mean of -w p phi - payment", "", func(r *CellRow) float64 { return r.MeanUtility }),
		number("sum_utility", "money", "its sum", "", func(r *CellRow) float64 { return r.SumUtility }),
		number("twft", "money", "total weighted flow time, sum of w p phi", "", func(r *CellRow) float64 { return r.TWFT }),
		{Column: Column{Name: "efficiency", Kind: Float64, Unit: "1", Nullable: true,
			Meaning: "lower bound on twft / twft; null for parts of the jobs, without a market, and on machines that come and " +
				"go"},
			float: func(r *CellRow) (float64, bool) {
				if r.Efficiency == nil {
					return 0, false
				}
				return *r.Efficiency, true
			}},
		number("utilisation", "1", "busy processor time / (processors x makespan) of the whole replay", "",
			func(r *CellRow) float64 { return r.Utilisation }),
		number("makespan_s", "s", "from the first submission to the last completion of the whole replay", "",
			func(r *CellRow) float64 { return r.Makespan }),
	}...)

// axis makes a column of an axis whose values are words.
func axis(name, meaning string) Field[CellRow] {
	return word(name, meaning, func(r *CellRow) string { return r.Setting(name) })
}

func word(name, meaning string, get func(*CellRow) string) Field[CellRow] {
	return Field[CellRow]{Column: Column{Name: name, Kind: Text, Meaning: meaning, few: true},
		text: func(r *CellRow, _ *traces.Names, buf []byte) []byte { return append(buf, get(r)...) }}
}

func cellName(name, meaning string, get func(*CellRow) string) Field[CellRow] {
	f := word(name, meaning+"; null for all", get)
	f.Nullable = true
	return f
}

// WriteCells writes the aggregates of replays as Parquet. each hands them over one after
// the other.
func WriteCells(w io.Writer, axes []string, version string, each func(add func(Replay) error) error) error {
	columns := slices.DeleteFunc(slices.Clone(axisColumns), func(f Field[CellRow]) bool {
		return !slices.Contains(axes, strings.ReplaceAll(f.Name, "_", "-"))
	})
	columns = append(columns, CellColumns[len(axisColumns):]...)
	d, err := openTable(w, "cells", "", version, "cells", columns)
	if err != nil {
		return err
	}
	defer d.Stop()
	err = each(func(r Replay) error {
		for _, row := range r.rows() {
			if err := d.Add(&row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return d.Finish()
}

func (r *Replay) rows() []CellRow {
	rows := []CellRow{{r, "all", stats.Cell{Aggregate: r.Result.Total}}}
	for _, more := range []struct {
		part  string
		cells []stats.Cell
	}{{"band", r.Result.Bands}, {"run_group", r.Result.Groups}, {"class", r.Result.Classes}, {"cell", r.Result.Cells}} {
		for _, c := range more.cells {
			rows = append(rows, CellRow{r, more.part, c})
		}
	}
	return rows
}
