package scenario

import (
	"fmt"

	"bourse/engine"
	"bourse/events"
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

// NewTrim wraps a sink; span watches the source of the replay.
func NewTrim(to engine.Sink, edges traces.Edges, span *traces.Span) *Trim {
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

// Finish counts what is left, when the trace has been read to its end. That
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
