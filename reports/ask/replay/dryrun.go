package replay

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

// DryRun reads the jobs of src and says what a replay would do, without doing it: what is
// read and left out, the load offered, the rules, the files.
func DryRun(options Options, p *scenario.Prepared, src traces.Source) (*table.Report, error) {
	o, err := offered(src)
	if err != nil {
		return nil, err
	}
	h, r := p.Source.Header(), &p.Scenario
	if o.jobs == 0 {
		return nil, &scenario.NothingLeftError{Header: h}
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
	} else if r.Asked() {
		t.Add("values", r.Values)
		t.Add("behaviour", r.Behaviour)
	}
	if r.Budget != "" {
		t.Add("budget", r.Budget)
	}
	t.Add("seed", fmt.Sprint(r.Seed))
	for _, file := range options.names() {
		t.Add("would write", file)
	}
	return &table.Report{Tables: []*table.Table{t}}, nil
}

// offer is what the jobs of a trace ask for.
type offer struct {
	jobs        int64
	first, last events.Time // submissions
	work        float64     // processor-seconds
}

// offered reads a trace to its end.
func offered(src traces.Source) (d offer, err error) {
	err = traces.Each(src, func(j *traces.Job) error {
		if d.jobs == 0 {
			d.first = j.Submit
		}
		d.jobs, d.last = d.jobs+1, j.Submit
		d.work += float64(float64(j.Procs) * j.Run.Seconds())
		return nil
	})
	return d, err
}

// names lists what a replay would write, and which of it is there from an earlier run.
func (o *Options) names() (names []string) {
	if o.Out == Stream {
		names = append(names, "the records, to standard output")
	} else if o.Out != "" {
		format := o.Format
		if format == "" {
			format = "parquet"
		}
		names = append(names, filepath.Join(o.Out, "jobs."+format))
		if o.Segments {
			names = append(names, filepath.Join(o.Out, "segments."+format))
		}
		if o.Series != "" {
			names = append(names, filepath.Join(o.Out, "series."+format))
		}
		names = append(names, filepath.Join(o.Out, run.SummaryFile), filepath.Join(o.Out, run.ManifestFile))
	}
	for _, file := range []string{o.SWF, o.Users} {
		if file != "" {
			names = append(names, file)
		}
	}
	for i, name := range names {
		if _, err := os.Stat(name); err == nil && !o.Overwrite {
			names[i] += "  (is there already: the replay would refuse without --overwrite)"
		}
	}
	return names
}
