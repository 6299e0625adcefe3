package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"bourse/events"
	"bourse/reports/run"
	"bourse/reports/terminal"
	"bourse/traces"
)

// foretell reads the treated trace and says what a replay would do, without doing
// it: what is read and left out, the load offered, the rules, the files.
func (r *replayFlags) foretell(a *app, src traces.Source, machine hardware) error {
	var j traces.Job
	var n int64
	var first, last events.Time
	work := 0.0
	for {
		err := src.Next(&j)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && n%4096 == 0 {
			err = a.ctx.Err()
		}
		if err != nil {
			return r.trace.advise(err)
		}
		if n == 0 {
			first = j.Submit
		}
		n, last = n+1, j.Submit
		work += float64(j.Procs) * j.Run.Seconds()
	}
	ledger := src.Header().Ledger
	if n == 0 {
		return fmt.Errorf("none of the %d records of %s is left to replay: %s", ledger.Read, src.Header().Name, dropped(ledger))
	}
	t := terminal.NewTable("a dry run", "")
	t.Left(1)
	t.Row("trace", fmt.Sprintf("%s (%s)", src.Header().Name, src.Header().Format))
	t.Row("records", fmt.Sprintf("%s read, %s left out", terminal.Thousands(ledger.Read), terminal.Thousands(ledger.DroppedTotal())))
	t.Row("to replay", fmt.Sprintf("%s jobs, submitted within %s", terminal.Thousands(n), (last-first).Short()))
	t.Row("machine", machine.String())
	if machine.pool == nil && machine.list == nil && last > first {
		t.Row("load", fmt.Sprintf("%.1f%% of the machine over the submissions", 100*work/(float64(machine.procs)*(last-first).Seconds())))
	}
	t.Row("policy", r.market.Policy)
	t.Row("payment", r.market.Payment)
	if r.bids != "" {
		t.Row("values, bids", r.bids)
	} else {
		t.Row("values", r.market.Values)
		t.Row("behaviour", r.market.Behaviour)
	}
	t.Row("seed", fmt.Sprint(r.market.Seed))
	for _, file := range r.files() {
		t.Row("would write", file)
	}
	if err := t.Write(a.stdout); err != nil {
		return err
	}
	return skipped(a.stderr, ledger)
}

// unread is a trace of which nothing is read.
type unread struct{ traces.Source }

// Next implements traces.Source.
func (unread) Next(*traces.Job) error { return io.EOF }

// files lists what a replay would write, and says where an earlier run stands in the
// way.
func (r *replayFlags) files() (names []string) {
	if r.out == "-" {
		names = append(names, "the records, to standard output")
	} else if r.out != "" {
		format := r.format
		if format == "" {
			format = "parquet"
		}
		names = append(names, filepath.Join(r.out, "jobs."+format))
		if r.segments {
			names = append(names, filepath.Join(r.out, "segments."+format))
		}
		if r.series != "" {
			names = append(names, filepath.Join(r.out, "series."+format))
		}
		names = append(names, filepath.Join(r.out, run.SummaryFile), filepath.Join(r.out, run.ManifestFile))
	}
	for _, file := range []string{r.swf, r.users} {
		if file != "" {
			names = append(names, file)
		}
	}
	for i, name := range names {
		if _, err := os.Stat(name); err == nil && !r.overwrite {
			names[i] += "  (is there already: the replay would refuse without --overwrite)"
		}
	}
	return names
}
