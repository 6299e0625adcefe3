package main

import (
	"fmt"
	"os"
	"path/filepath"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/run"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
)

// dryRun reads the jobs and says what a replay would do, without doing it: what is
// read and left out, the load offered, the rules, the files.
func (r *replayFlags) dryRun(a *app, p *scenario.Prepared) error {
	o, err := offered(a, p.Source)
	if err != nil {
		return err
	}
	h := p.Source.Header()
	if o.jobs == 0 {
		return &scenario.NothingLeftError{Trace: h.Name, Ledger: h.Ledger}
	}
	t := table.New(table.KeyCol("what", "a dry run"), table.Col("value", " ", terminal.Words))
	t.Add("trace", fmt.Sprintf("%s (%s)", h.Name, h.Format))
	t.Add("records", fmt.Sprintf("%s read, %s left out", terminal.Thousands(h.Ledger.Read),
		terminal.Thousands(h.Ledger.DroppedTotal())))
	t.Add("to replay", fmt.Sprintf("%s jobs, submitted within %s", terminal.Thousands(o.jobs),
		(o.last-o.first).Short()))
	t.Add("machine", p.Hardware.String())
	if procs, ok := p.Hardware.Machine.(engine.Processors); ok && o.last > o.first {
		t.Add("load", fmt.Sprintf("%.1f%% of the machine over the submissions",
			100*o.work/(float64(procs)*(o.last-o.first).Seconds())))
	}
	t.Add("policy", r.Policy)
	t.Add("payment", r.Payment)
	if r.Bids != "" {
		t.Add("values, bids", r.Bids)
	} else {
		t.Add("values", r.Values)
		t.Add("behaviour", r.Behaviour)
	}
	t.Add("seed", fmt.Sprint(r.Seed))
	for _, file := range r.files() {
		t.Add("would write", file)
	}
	return a.skipped((&tableFormat{format: r.answerFormat(r.out != "")}).print(a,
		&table.Report{Tables: []*table.Table{t}}), h.Ledger)
}

// offer is what the jobs of a trace ask for.
type offer struct {
	jobs        int64
	first, last events.Time // submissions
	work        float64     // processor-seconds
}

// offered reads a trace to its end.
func offered(a *app, src traces.Source) (d offer, err error) {
	err = traces.Each(interruptible{src, a}, func(j *traces.Job) error {
		if d.jobs == 0 {
			d.first = j.Submit
		}
		d.jobs, d.last = d.jobs+1, j.Submit
		d.work += float64(float64(j.Procs) * j.Run.Seconds())
		return nil
	})
	return d, err
}

// files lists what a replay would write, and which of it is there from an earlier
// run.
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
