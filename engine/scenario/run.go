package scenario

import (
	"context"
	"fmt"
	"io"

	"bourse/engine"
	"bourse/policies"
	"bourse/traces"
)

// Outcome is the result of a replay apart from its records.
type Outcome struct {
	Summary engine.Summary
	// Notes are the anomalies that the policy counted, and with no count the settings that
	// changed nothing.
	Notes []traces.Note
	// Uncounted is how many jobs were left out at the edges.
	Uncounted int64
	// Strict is the policy's: a waiting job that does not fit keeps those behind it waiting.
	Strict bool
}

// Run replays the jobs. Records of those that are counted go to counted, all of them
// to the sinks in all.
func (p *Prepared) Run(ctx context.Context, counted engine.Sink, all ...engine.Sink) (Outcome, error) {
	var trim *Trim
	if edges := p.Scenario.Edges(); edges != (traces.Edges{}) {
		trim = newTrim(counted, edges, p.Span)
		counted = trim
		if p.Config.Arrivals != nil {
			p.Config.Arrivals = &trimmedArrivals{trim: trim, to: p.Config.Arrivals}
		}
	}
	sink := counted
	if len(all) > 0 {
		sink = engine.Tee(append([]engine.Sink{counted}, all...)...)
	}
	out, err := p.RunAll(ctx, sink)
	if trim != nil && err == nil {
		err = trim.Finish()
		out.Uncounted = trim.Left
	}
	return out, err
}

// Stays reports whether the machine is the same all the time: those of a cluster come and
// go, and outages take parts of it.
func (p *Prepared) Stays() bool {
	return !p.Places() && p.Config.Outages == nil && p.Config.Capacity == nil
}

// Places reports whether jobs are placed on single machines.
func (p *Prepared) Places() bool {
	_, cluster := p.Hardware.Machine.(engine.Cluster)
	return cluster
}

// RunAll replays the jobs without regard to the edges.
func (p *Prepared) RunAll(ctx context.Context, sink engine.Sink) (out Outcome, err error) {
	if out.Summary, err = engine.Run(ctx, p.Config, p.Source, sink); err != nil {
		return out, err
	}
	out.Strict = policies.TraitsOf(p.Config.Policy).Strict
	out.Notes = append(policies.NotesOf(p.Config.Policy), p.Unused(&out.Summary)...)
	out.Notes = append(out.Notes, p.seriesNotes(&out.Summary)...)
	if n := out.Summary.Stretched; n > 0 {
		out.Notes = append(out.Notes, traces.Note{What: "times that a job was put on more or fewer processors than it asks for; its run " +
			"time is that on what it asks for, and one that was faster has not waited", Count: n})
	}
	if n := out.Summary.BudgetsUsed; n > 0 {
		out.Notes = append(out.Notes, traces.Note{What: "budgets used up before their period was over", Count: n})
	}
	return out, p.accounted(out.Summary.Jobs)
}

// NothingLeftError says that no record of a trace is left to replay.
type NothingLeftError struct{ *traces.Header }

func (e *NothingLeftError) Error() string {
	text := fmt.Sprintf("none of the %d records of %s is left to replay: %s", e.Ledger.Read, e.Name, e.Ledger.DroppedText())
	if l := e.Ledger; l.Dropped[traces.OutsideWindow] > 0 {
		text += fmt.Sprintf(", submitted from %s to %s", e.When(l.Outside[0]), e.When(l.Outside[1]))
	}
	return text
}

// accounted wants every record of the trace and every bid of a table to have found its
// place.
func (p *Prepared) accounted(jobs int64) error {
	h := p.Source.Header()
	if jobs == 0 {
		return &NothingLeftError{h}
	}
	if replayed := h.Ledger.Replayed(); !p.Scenario.Serial && jobs != replayed {
		return fmt.Errorf("%d records were to be replayed and %d were; this is a bug in bourse", replayed, jobs)
	}
	listed, ok := p.Config.Bidder.(policies.Listed)
	if !ok {
		return nil
	}
	ids, ok := traces.As[traces.JobLookup](p.Source)
	if !ok {
		return nil
	}
	n, err := listed.Unmatched(ids.HasJob)
	if n > 0 && p.Scenario.OnError == "skip" {
		return nil
	}
	return err
}

// Refuses returns the error with which the replay would end before its first job.
func (p *Prepared) Refuses() error {
	_, err := engine.New(p.Config, empty{p.Source}, nil)
	return err
}

// empty is a trace of which nothing is read.
type empty struct{ traces.Source }

// Next implements traces.Source.
func (empty) Next(*traces.Job) error { return io.EOF }
