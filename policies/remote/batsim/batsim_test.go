package batsim

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bourse/events"
	"bourse/policies"

	"github.com/go-zeromq/zmq4"
)

// scheduler is a fake scheduler at a socket of its own, as pybatsim's is: it binds, hears a
// message, and answers as it is told by its place in order. A "" is not answered.
func scheduler(t *testing.T, answers ...string) (endpoint string, heard chan string) {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	rep := zmq4.NewRep(ctx)
	if err := rep.Listen("tcp://127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(); _ = rep.Close() })
	heard = make(chan string, 100)
	go func() {
		for _, a := range answers {
			m, err := rep.Recv()
			if err != nil {
				return
			}
			heard <- string(m.Bytes())
			if a == "" {
				<-ctx.Done()
				return
			}
			if rep.Send(zmq4.NewMsgString(a)) != nil {
				return
			}
		}
	}()
	return "tcp://" + rep.Addr().String(), heard
}

// connected is a policy of a fake scheduler that has nothing to say to the beginning.
func connected(t *testing.T, answers ...string) (*Batsim, chan string) {
	t.Helper()
	endpoint, heard := scheduler(t, append([]string{`{"now":5,"events":[]}`}, answers...)...)
	b, err := New(Options{Endpoint: endpoint, Timeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b, heard
}

// round is an instant of a machine of 4 processors.
func round(now events.Time) *policies.Round {
	return &policies.Round{Now: now * events.Second, Procs: 4, Free: 4, WakeAt: events.Never}
}

// told is the instant 5 s, in which jobs arrive that ask for so many processors.
func told(procs ...int32) *policies.Round {
	r := round(5)
	for i, p := range procs {
		ref := r.Jobs.Add()
		*r.Jobs.At(ref) = policies.Job{Seq: int64(i), Procs: p, Submit: r.Now, Estimate: 60 * events.Second,
			Run: 30 * events.Second, State: policies.Waiting}
		r.Arrived = append(r.Arrived, ref)
	}
	return r
}

// does is an answer at 5 s with one event.
func does(kind, data string) string {
	return fmt.Sprintf(`{"now":5,"events":[{"timestamp":5,"type":%q,"data":%s}]}`, kind, data)
}

// TestConversation checks every message from the beginning to the end.
func TestConversation(t *testing.T) {
	b, heard := connected(t,
		`{"now":7,"events":[{"timestamp":5,"type":"EXECUTE_JOB","data":{"job_id":"w0!1","alloc":"3"}},
			{"timestamp":5.5,"type":"NOTIFY","data":{"type":"registration_finished"}},
			{"timestamp":6,"type":"EXECUTE_JOB","data":{"job_id":"w0!0","alloc":"0,2"}},
			{"timestamp":6,"type":"CALL_ME_LATER","data":{"timestamp":9}}]}`,
		`{"now":8,"events":[]}`, `{"now":9,"events":[]}`, `{"now":9,"events":[]}`)
	r := told(2, 1)
	b.Plan(r)
	if b.Err() != nil || !slices.Equal(r.Started, []policies.Ref{1}) || r.WakeAt != 6*events.Second {
		t.Fatalf("%v: started %v, woken at %v", b.Err(), r.Started, r.WakeAt)
	}
	var begin struct {
		Now    float64
		Events []struct {
			Type string
			Data map[string]any
		}
	}
	if err := json.Unmarshal([]byte(<-heard), &begin); err != nil || begin.Now != 5 ||
		begin.Events[0].Type != "SIMULATION_BEGINS" || begin.Events[0].Data["nb_resources"] != 4.0 ||
		len(begin.Events[0].Data["compute_resources"].([]any)) != 4 {
		t.Fatal(begin, err)
	}
	hear := func(want string) {
		t.Helper()
		select {
		case got := <-heard:
			if got != want {
				t.Errorf("it hears\n%s\nwant\n%s", got, want)
			}
		case <-time.After(time.Second):
			t.Fatalf("it hears nothing; want %s", want)
		}
	}
	hear(`{"now":5,"events":[{"timestamp":5,"type":"JOB_SUBMITTED","data":{"job_id":"w0!0","job":{"id":"w0!0","subtime":5,"res":2,"walltime":60,"profile":"w0!0"},"profile":{"type":"delay","delay":60}}},` +
		`{"timestamp":5,"type":"JOB_SUBMITTED","data":{"job_id":"w0!1","job":{"id":"w0!1","subtime":5,"res":1,"walltime":60,"profile":"w0!1"},"profile":{"type":"delay","delay":60}}}]}`)
	at := func(now events.Time, started []policies.Ref, wake events.Time, ended ...policies.Ref) {
		t.Helper()
		next := round(now)
		next.Jobs, next.Ended = r.Jobs, ended
		if b.Plan(next); b.Err() != nil || !slices.Equal(next.Started, started) || next.WakeAt != wake {
			t.Fatalf("at %v, %v: started %v, woken at %v", now, b.Err(), next.Started, next.WakeAt)
		}
	}
	at(6, []policies.Ref{0}, 7*events.Second, 1) // job 1 ends while the scheduler thinks
	if len(heard) > 0 {
		t.Error("it is asked while it thinks")
	}
	at(7, nil, 9*events.Second)
	hear(`{"now":7,"events":[{"timestamp":6,"type":"JOB_COMPLETED","data":{"job_id":"w0!1","job_state":"COMPLETED_SUCCESSFULLY","return_code":0,"alloc":"3"}}]}`)
	at(9, nil, events.Never)
	hear(`{"now":9,"events":[{"timestamp":9,"type":"REQUESTED_CALL","data":{}}]}`)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	hear(`{"now":9,"events":[{"timestamp":9,"type":"SIMULATION_ENDS","data":{}}]}`)
}

// TestRefusals wants whatever is not supported or wrong to be told by name.
func TestRefusals(t *testing.T) {
	run := func(data string) string { return does("EXECUTE_JOB", data) }
	cases := map[string]string{
		`hello`:                     `it answered "hello", which is no message`,
		`{}`:                        "want an object with now and events",
		`{"now":4,"events":[]}`:     "its answer is of 4; want seconds in order, and none before 5",
		`{"now":1e300,"events":[]}`: "its answer is of 1e+300",
		`{"now":5,"events":[{"type":"NOTIFY","data":{}}]}`: "its NOTIFY has no " +
			"timestamp",
		`{"now":5,"events":[{"timestamp":4,"type":"NOTIFY"}]}`: "its NOTIFY is of " +
			"4; want",
		`{"now":6,"events":[{"timestamp":7,"type":"NOTIFY","data":{"type":"registration_finished"}}]}`: "its answer is of " +
			"6; want",
		does("DANCE", `{}`): `it asks for "DANCE", which is no event`,
		does("NOTIFY", `{"type":"continue_registration"}`): "NOTIFY continue_registration: jobs come from the log only",
		does("NOTIFY", `3`):                                   `its NOTIFY has data "3"`,
		does("CALL_ME_LATER", `{"timestamp":5}`):              "it wants to be called at 5; want seconds after 5",
		does("CALL_ME_LATER", `{}`):                           "has no timestamp in its data",
		run(`{"job_id":"w0!0","alloc":"0-1"}`):                "",
		run(`{"job_id":"w0!0","alloc":"0-1","mapping":null}`): "",
		run(`{"job_id":"w0!0","alloc":"0-2"}`):                "it executes w0!0 on 3 resources; it asks for 2",
		run(`{"job_id":"w0!0","alloc":"1 1"}`):                "it executes w0!0 on resource 1, on which w0!0 runs",
		run(`{"job_id":"w0!0","alloc":"3-4"}`):                `resources "3-4"; want intervals of 0 to 3`,
		run(`{"job_id":"w0!0","alloc":"x"}`):                  `resources "x"`,
		run(`{"job_id":"w0!7","alloc":"0"}`):                  "it executes w0!7, which does not wait",
		run(`{"job_id":"w0!00","alloc":"0-1"}`):               `it executes job "w0!00"; want a name as in w0!0`,
		run(`{"job_id":"w1!0","alloc":"0-1"}`):                `it executes job "w1!0"`,
		run(`{"job_id":"w0!0","alloc":"0-1","mapping":{"0":"0"}}`): "with mapping: executors other than one on each " +
			"resource are not supported",
		run(`{"job_id":"w0!0","alloc":"0-1","storage_mapping":{}}`):   "storage_mapping: storage are not supported",
		run(`{"job_id":"w0!0","alloc":"0-1","additional_io_job":{}}`): "I/O jobs are not supported",
	}
	for kind, why := range refused {
		cases[does(kind, `{"job_id":"w0!0"}`)] = "it asks for " + kind + ": " + why
	}
	for answer, want := range cases {
		b, _ := connected(t, answer)
		r := told(2)
		b.Plan(r)
		switch err := b.Err(); {
		case want == "" && (err != nil || len(r.Started) != 1):
			t.Errorf("%s: %v, %v started", answer, err, r.Started)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "the scheduler for Batsim at 5s: ")):
			t.Errorf("%s: %v, want %s", answer, err, want)
		}
	}
	// A resource is held until its job has ended.
	b, _ := connected(t,
		`{"now":5,"events":[{"timestamp":5,"type":"EXECUTE_JOB","data":{"job_id":"w0!0","alloc":"0-1"}},{"timestamp":5,"type":"EXECUTE_JOB","data":{"job_id":"w0!1","alloc":"1-2"}}]}`)
	if b.Plan(told(2, 2)); b.Err() == nil || !strings.Contains(b.Err().Error(), "it executes w0!1 on resource 1, on "+
		"which w0!0 runs") {
		t.Error(b.Err())
	}
}

// TestFaults wants a scheduler that is silent, absent or dies to be told in bounded time.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Endpoint: "tcp://127.0.0.1:9"}, "nobody answers at tcp://127.0.0.1:9 within 500ms"},
		{Options{Endpoint: Any, Command: "sh -c 'echo cannot listen at {endpoint} >&2; exit 3'"},
			"it ended (exit status 3); its last words:\ncannot listen at tcp://127.0.0.1:"},
		{Options{Endpoint: Any, Command: "sleep 60 {endpoint}"}, "it ended"}, // sleep takes no endpoint
		{Options{Endpoint: Any, Command: "sh -c 'sleep 60' {endpoint}"}, "nobody answers at tcp://127.0.0.1:"},
		{Options{Endpoint: Any, Command: "no-such-program-here {endpoint}"}, "no-such-program-here"},
	} {
		c.o.Timeout = 500 * time.Millisecond
		b, err := New(c.o)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		if b.Plan(told(1)); b.Err() == nil || !strings.Contains(b.Err().Error(), c.want) {
			t.Errorf("%+v: %v", c.o, b.Err())
		}
		_ = b.Close()
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("%+v took %v", c.o, took)
		}
	}
	b, _ := connected(t, "")
	if b.Plan(told(1)); b.Err() == nil || !strings.Contains(b.Err().Error(), "it did not answer within 2s") {
		t.Error(b.Err())
	}
	for _, o := range []Options{{Endpoint: Any}, {Endpoint: "tcp://*:28000"}, {Endpoint: "here"},
		{Endpoint: Any, Command: "x"}, {Endpoint: Any, Command: "x '{endpoint}"}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// TestClone wants a copy of a scheduler that we cannot start again to be refused.
func TestClone(t *testing.T) {
	b, _ := connected(t, does("EXECUTE_JOB", `{"job_id":"w0!0","alloc":"0"}`))
	if c := b.Clone().(*Batsim); c.Err() != nil {
		t.Error("nothing has been said yet:", c.Err())
	}
	b.Plan(told(1))
	if c := b.Clone().(*Batsim); c.Err() == nil || b.Err() != nil {
		t.Error("one scheduler serves two replays:", b.Err())
	}
}
