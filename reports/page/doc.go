// Package page makes one self-contained HTML file of one or several finished
// replays: what was run, what became of the records, the tables of the summary,
// and charts. The page makes no network requests and runs nothing but the
// scripts in it.
//
// A page is made in three steps. Open reads the folders and refuses what does not
// belong on one page. Gather reads the records once or twice, in memory that
// does not grow with them, and keeps counts in bins. Write lays out tables and
// charts; a chart is a Vega-Lite specification in JSON with its binned data, or a
// long series for uPlot.
//
// The package computes no measure: numbers in tables are those of summary.json,
// distributions those of the columns of jobs.
package page
