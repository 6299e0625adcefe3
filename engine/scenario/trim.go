package scenario

import (
	"fmt"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Trim passes to a sink only the outcomes of jobs that are not at the edges of
// the trace. Whether a job is near the end is known when the trace has been read
// that much further, so outcomes wait here for a while: as many as are submitted
// in the cool-down. Finish passes on the rest.
type Trim struct {
	to     engine.Sink
	edges  traces.Edges
	span   *traces.Span
	held   events.Heap[int64, *engine.Outcome] // by place in the trace
	Passed int64                               // jobs counted
	Left   int64                               // jobs left out
}

// newTrim wraps a sink; span watches the source of the replay.
func newTrim(to engine.Sink, edges traces.Edges, span *traces.Span) *Trim {
	return &Trim{to: to, edges: edges, span: span}
}

// Record implements engine.Sink.
func (t *Trim) Record(o *engine.Outcome) error {
	at := o.Job.Submit
	switch {
	case at < t.span.First+t.edges.WarmUp:
		t.Left++
		return nil
	case t.certain(at):
		t.Passed++
		return t.to.Record(o)
	}
	kept := *o
	kept.Also = append([]float64(nil), o.Also...)
	if o.Causes != nil {
		causes := *o.Causes
		kept.Causes = &causes
	}
	t.held.Push(kept.Seq, 0, &kept)
	return t.release()
}

// certain reports whether a job submitted then is not in the cool-down.
func (t *Trim) certain(at events.Time) bool {
	return t.edges.CoolDown == 0 || at <= t.span.Last-t.edges.CoolDown
}

func (t *Trim) release() error {
	for t.held.Len() > 0 && t.certain((*t.held.Head()).Job.Submit) {
		t.Passed++
		if err := t.to.Record(t.held.Pop()); err != nil {
			return err
		}
	}
	return nil
}

// trimmedArrivals passes on the arrivals of jobs that are not at the edges.
type trimmedArrivals struct {
	trim *Trim
	to   engine.ArrivalSink
	held []arrival // submitted in the cool-down, if the trace ended here
}

type arrival struct {
	engine.Outcome
	share policies.Amount
}

// Arrive implements engine.ArrivalSink.
func (t *trimmedArrivals) Arrive(o *engine.Outcome, share policies.Amount) {
	if o.Job.Submit < t.trim.span.First+t.trim.edges.WarmUp {
		return
	}
	passed := 0
	for passed < len(t.held) && t.trim.certain(t.held[passed].Job.Submit) {
		t.to.Arrive(&t.held[passed].Outcome, t.held[passed].share)
		passed++
	}
	t.held = t.held[:copy(t.held, t.held[passed:])]
	if len(t.held) == 0 && t.trim.certain(o.Job.Submit) {
		t.to.Arrive(o, share)
		return
	}
	t.held = append(t.held, arrival{*o, share})
}

// Finish counts the remaining jobs, when the trace has been read to its end. That
// nothing was counted is an error.
func (t *Trim) Finish() error {
	err := t.release()
	t.Left += int64(t.held.Len())
	t.held.Clear()
	if err == nil && t.Passed == 0 && t.Left > 0 {
		err = fmt.Errorf("warm-up and cool-down leave none of the %d jobs to count", t.Left)
	}
	return err
}
