package record

import (
	"io"

	"bourse/reports/stats"
	"bourse/traces"
)

// CellColumns is the table of columns of the dataset "cells": the aggregates of one
// replay, one row per band x group x class and per marginal, null meaning all.
var CellColumns = []Field[stats.Cell]{
	cellName("band", "band of the private value", func(c *stats.Cell) string { return c.Band }),
	cellName("run_group", "tercile of the run time: A, B or C, the longest", func(c *stats.Cell) string { return c.Group }),
	cellName("class", "conservative or aggressive owners", func(c *stats.Cell) string { return c.Class }),
	{Column: Column{Name: "jobs", Kind: Int64, Unit: "1", Meaning: "number of jobs"},
		int64: func(c *stats.Cell) int64 { return c.Jobs }},
	number("mean_wait_s", "s", "mean of phi - tau", "", func(c *stats.Cell) float64 { return c.MeanWait }),
	number("median_wait_s", "s", "its median by nearest rank; of more than 4,096 jobs to within 0.4 %", "", func(c *stats.Cell) float64 { return c.MedianWait }),
	number("p95_wait_s", "s", "its 95th percentile, likewise", "", func(c *stats.Cell) float64 { return c.P95Wait }),
	number("mean_bounded_slowdown", "1", "mean of max(1, phi / max(tau, bound))", "", func(c *stats.Cell) float64 { return c.MeanBoundedSlowdown }),
	number("p95_bounded_slowdown", "1", "its 95th percentile by nearest rank; of more than 2^20 jobs to within 0.2 %", "", func(c *stats.Cell) float64 { return c.P95BoundedSlowdown }),
	number("mean_flow_s", "s", "mean of phi", "", func(c *stats.Cell) float64 { return c.MeanFlow }),
	number("mean_bsd", "1", "mean of phi / max(tau, 60 s)", "", func(c *stats.Cell) float64 { return c.MeanBSD }),
	number("ssj_percent", "%", "share of severely slowed jobs, BSD >= 5", "", func(c *stats.Cell) float64 { return c.SSJ }),
	number("mean_payment", "money", "mean bill", "", func(c *stats.Cell) float64 { return c.MeanPayment }),
	number("sum_payment", "money", "sum of bills", "", func(c *stats.Cell) float64 { return c.SumPayment }),
	number("mean_utility", "money", "mean of -w p phi - payment", "", func(c *stats.Cell) float64 { return c.MeanUtility }),
	number("sum_utility", "money", "its sum", "", func(c *stats.Cell) float64 { return c.SumUtility }),
	number("twft", "money", "total weighted flow time, sum of w p phi", "", func(c *stats.Cell) float64 { return c.TWFT }),
}

func cellName(name, meaning string, get func(*stats.Cell) string) Field[stats.Cell] {
	return Field[stats.Cell]{Column: Column{Name: name, Kind: Text, Nullable: true, Meaning: meaning + "; null for all", few: true},
		text: func(c *stats.Cell, _ *traces.Names, buf []byte) []byte { return append(buf, get(c)...) }}
}

// WriteCells writes the aggregates of one replay as Parquet: the total, then the
// marginals by band, group and class, then the cells.
func WriteCells(w io.Writer, r *stats.Result, version string) error {
	d, err := NewStream(w, "cells", &formats[0], CellColumns, &traces.Names{}, NotesOf("cells", version, ColumnsOf(CellColumns)))
	if err != nil {
		return err
	}
	defer d.Stop()
	rows := []stats.Cell{{Aggregate: r.Total}}
	for _, more := range [][]stats.Cell{r.Bands, r.Groups, r.Classes, r.Cells} {
		rows = append(rows, more...)
	}
	for i := range rows {
		if err := d.Add(&rows[i]); err != nil {
			return err
		}
	}
	return d.Finish()
}
