package engine

import (
	"errors"
	"fmt"
	"io"

	"bourse/traces"
)

// arrive admits the next job of the source and reads the one after it.
func (e *Replay) arrive() error {
	e.sum.Events++
	if err := e.admit(); err != nil {
		return err
	}
	return e.fetch()
}

// fetch reads the next arrival from the source.
func (e *Replay) fetch() error {
	before := e.next.Submit
	switch err := e.src.Next(&e.next); {
	case err == nil:
	case errors.Is(err, io.EOF), errors.Is(err, traces.ErrHeld):
		e.more = false
		return nil
	default:
		return err
	}
	if e.more && e.next.Submit < before {
		return fmt.Errorf("job %d was submitted at %v, before the job read last (%v): the source is not in order", e.next.ID,
			e.next.Submit, before)
	}
	e.more = true
	return nil
}

// row is the place in the trace of the job read last.
func (e *Replay) row() int64 {
	if e.reactive == nil {
		return e.seq
	}
	return e.reactive.Row()
}

// react tells a reactive source that a job has ended. If that lets others come,
// the next arrival may be an earlier one than the one read already.
func (e *Replay) react(job *traces.Job) error {
	if e.reactive == nil || !e.reactive.Ended(job.ID, e.now) {
		return nil
	}
	if e.more {
		e.reactive.Unread()
		e.more = false
	}
	return e.fetch()
}
