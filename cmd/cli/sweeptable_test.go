package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bourse/reports/ask/sweep"
	"bourse/reports/record"
	"bourse/reports/run"
	"bourse/traces/table"
)

// TestSweepTable wants a sweep's directory to be a data frame: what readers of one do not
// pass by, names that begin with a full stop or an underscore, is one table whose totals
// are those of the summaries.
func TestSweepTable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cells")
	done(t, "sweep", file(t, "log.swf", smallSWF(200)), "--policy", "hb,easy(order=sjf)", "--payment", "kth",
		"--estimates", "log,exact", "--load-factor", "1,1.5", "--seeds", "2", "--records", "--out", dir)
	entries, err := os.ReadDir(dir)
	must(t, err)
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "_") })
	if len(entries) != 1 || entries[0].Name() != run.CellsFile {
		t.Fatalf("beside the table there are %v", entries)
	}
	rows, err := table.OpenRows(filepath.Join(dir, run.CellsFile), nil, "part", "trace", "estimates", "policy",
		"payment", "load_factor", "seed", "nodes", "jobs", "mean_wait_s", "p95_bounded_slowdown", "utilisation",
		"makespan_s")
	must(t, err)
	defer rows.Close()
	var got []string
	for err = rows.Next(); err == nil; err = rows.Next() {
		var words []string
		for i := range 13 {
			if i < 5 {
				w, err := rows.Word(i)
				must(t, err)
				words = append(words, string(w))
				continue
			}
			x, err := rows.Float(i)
			must(t, err)
			words = append(words, fmt.Sprint(x))
		}
		if words[0] == "all" {
			got = append(got, strings.Join(words, " "))
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	d, err := sweep.Read(dir)
	must(t, err)
	var want []string
	for i, c := range d.Cells {
		s := d.Summaries[i]
		all := s.Jobs.Total
		want = append(want, fmt.Sprint("all ", c.Get("trace"), " ", c.Get("estimates"), " ", c.Get("policy"), " ",
			c.Get("payment"), " ", c.Get("load-factor"), " ", c.Get("seed"), " ",
			s.Machine.Procs, " ", all.Jobs, " ", all.MeanWait, " ", all.P95BoundedSlowdown, " ", s.Machine.Utilisation,
			" ", s.Machine.MakespanS))
	}
	if len(want) != 16 || !slices.Equal(got, want) {
		t.Errorf("the table has\n%s\nthe summaries\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestAxesHaveColumns wants a column for every axis of a sweep, in their order.
func TestAxesHaveColumns(t *testing.T) {
	for i, k := range sweep.Kinds {
		if name := strings.ReplaceAll(k.Name, "-", "_"); record.CellColumns[i].Name != name {
			t.Errorf("column %d is %s, want %s", i+1, record.CellColumns[i].Name, name)
		}
	}
}
