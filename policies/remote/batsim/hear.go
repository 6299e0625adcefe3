//go:build !js

package batsim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bourse/events"
	"bourse/policies/remote"
)

type reply struct {
	Now    *float64 `json:"now"`
	Events []heard  `json:"events"`
}

type heard struct {
	Timestamp *float64        `json:"timestamp"`
	Type      string          `json:"type"`
	Data      json.RawMessage `json:"data"`
}

// refused are the events of the protocol that there is nothing here to do for.
var refused = map[string]string{
	"REJECT_JOB":         "every job has to run; leave out with the log's filters what is not to be scheduled",
	"KILL_JOB":           "a job ends by itself, or at its estimate if the replay kills there",
	"REGISTER_JOB":       "jobs come from the log only, dynamic registration is not supported",
	"REGISTER_PROFILE":   "jobs come from the log only, dynamic registration is not supported",
	"SUBMIT_JOB":         "jobs come from the log only, dynamic registration is not supported",
	"SUBMIT_PROFILE":     "jobs come from the log only, dynamic registration is not supported",
	"SET_RESOURCE_STATE": "energy and states of resources are not supported",
	"QUERY":              "energy and other measures are not supported",
	"ANSWER":             "nothing was asked",
	"TO_JOB_MSG":         "messages to jobs are not supported",
	"CHANGE_JOB_STATE":   "a job's state follows from what it does",
	"SET_JOB_METADATA":   "metadata of jobs are not kept",
	"RESOURCES_ADDED":    "the machine does not change",
	"RESOURCES_REMOVED":  "the machine does not change",
}

// hear takes an answer apart; what is due later waits.
func (b *Batsim) hear(text []byte) error {
	var a reply
	if err := json.Unmarshal(text, &a); err != nil {
		return fmt.Errorf("it answered %q, which is no message of Batsim's protocol: %v", remote.Short(text), err)
	}
	if a.Now == nil || a.Events == nil {
		return fmt.Errorf("it answered %q; want an object with now and events", remote.Short(text))
	}
	last := b.now
	for i := range a.Events {
		e := &a.Events[i]
		if e.Timestamp == nil {
			return fmt.Errorf("its %s has no timestamp", e.Type)
		}
		at, err := moment(*e.Timestamp, last)
		if err != nil {
			return fmt.Errorf("its %s %w", e.Type, err)
		}
		last = at
		if err := b.obey(at, e); err != nil {
			return err
		}
	}
	var err error
	if b.busy, err = moment(*a.Now, last); err != nil {
		return fmt.Errorf("its answer %w", err)
	}
	return nil
}

// moment is a time that must not lie before another.
func moment(s float64, before events.Time) (events.Time, error) {
	at, ok := events.FromSeconds(s)
	if !ok || at < before {
		return 0, fmt.Errorf("is of %g; want seconds in order, and none before %g", s, before.Seconds())
	}
	return at, nil
}

func (b *Batsim) obey(at events.Time, e *heard) error {
	switch e.Type {
	case "EXECUTE_JOB":
		return b.execute(at, e)
	case "CALL_ME_LATER":
		return b.callLater(at, e)
	case "NOTIFY":
		return notified(e)
	}
	if why, ok := refused[e.Type]; ok {
		return fmt.Errorf("it asks for %s: %s", e.Type, why)
	}
	return fmt.Errorf("it asks for %q, which is no event of Batsim's protocol that a scheduler sends", e.Type)
}

func (b *Batsim) execute(at events.Time, e *heard) error {
	var d struct {
		Job     string          `json:"job_id"`
		Alloc   string          `json:"alloc"`
		Mapping json.RawMessage `json:"mapping"`
		Storage json.RawMessage `json:"storage_mapping"`
		IO      json.RawMessage `json:"additional_io_job"`
	}
	if err := data(e, &d); err != nil {
		return err
	}
	for _, no := range []struct {
		field json.RawMessage
		what  string
	}{{d.Mapping, "mapping: executors other than one on each resource"}, {d.Storage, "storage_mapping: storage"},
		{d.IO, "additional_io_job: I/O jobs"}} {
		if no.field != nil && !bytes.Equal(no.field, []byte("null")) {
			return fmt.Errorf("it executes %s with %s are not supported", d.Job, no.what)
		}
	}
	digits, ok := strings.CutPrefix(d.Job, workload+"!")
	job, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || name(job) != d.Job {
		return fmt.Errorf("it executes job %q; want a name as in %s", d.Job, name(0))
	}
	if !b.waiting[job] {
		return fmt.Errorf("it executes %s, which does not wait", d.Job)
	}
	on, err := parseAlloc(d.Alloc, len(b.holder))
	if err != nil {
		return fmt.Errorf("it executes %s: %w", d.Job, err)
	}
	delete(b.waiting, job)
	b.orders = append(b.orders, order{at, job, on})
	return nil
}

func (b *Batsim) callLater(now events.Time, e *heard) error {
	var d struct{ Timestamp *float64 }
	if err := data(e, &d); err != nil {
		return err
	}
	if d.Timestamp == nil {
		return errors.New("its CALL_ME_LATER has no timestamp in its data")
	}
	at, ok := events.FromSeconds(*d.Timestamp)
	if !ok || at <= now {
		return fmt.Errorf("it wants to be called at %g; want seconds after %g", *d.Timestamp, now.Seconds())
	}
	place, _ := slices.BinarySearch(b.calls, at+1) // behind what is asked for that time already
	b.calls = slices.Insert(b.calls, place, at)
	return nil
}

// notified takes note that the scheduler has no own jobs to register.
func notified(e *heard) error {
	var d struct{ Type string }
	if err := data(e, &d); err != nil {
		return err
	}
	if d.Type != "registration_finished" {
		return fmt.Errorf("it sends NOTIFY %s: %s", d.Type, refused["REGISTER_JOB"])
	}
	return nil
}

func data(e *heard, into any) error {
	if err := json.Unmarshal(e.Data, into); err != nil {
		return fmt.Errorf("its %s has data %q: %v", e.Type, remote.Short(e.Data), err)
	}
	return nil
}
