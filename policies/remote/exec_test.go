package remote

import (
	"strings"
	"testing"
	"time"

	"bourse/events"
	"bourse/policies"
)

// told is one instant with an arrival, of a machine of 4 processors.
func told() *policies.Round {
	r := &policies.Round{Now: 5 * events.Second, Procs: 4, Free: 4, Arrived: []policies.Ref{0}, WakeAt: events.Never}
	*r.Jobs.At(r.Jobs.Add()) = policies.Job{ID: 71, Procs: 2, Submit: 5 * events.Second, Estimate: events.Unknown,
		Bid: 2.5, State: policies.Waiting}
	return r
}

// program is a policy of a shell script that answers the greeting and then does as given.
func program(t *testing.T, then string) *Exec {
	t.Helper()
	x, err := New(Options{Command: `sh -c 'read hello; echo "{\"protocol\":1}"; ` + then + `'`, Timeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

// TestFaults wants whatever a program does wrong to be told, and never to hang.
func TestFaults(t *testing.T) {
	for then, want := range map[string]string{
		`read l; echo "{\"start\":[0]}"`:       "",
		`read l; echo hello`:                   `it answered "hello", which is not what is wanted`,
		`echo too soon; read l; sleep 9`:       `without being asked`,
		`read l; echo "{\"starts\":[0]}"`:      `unknown field "starts"`,
		`read l; echo "{} {}"`:                 "more than one value in a line",
		`read l; echo "{\"start\":[3]}"`:       "it starts job 3, which is not there",
		`read l; echo "{\"share\":[[0,1.5]]}"`: "it gives job 0 the rate 1.5; want 0 to 1",
		`read l; echo "{\"wake\":1e300}"`:      "it wants to be woken at 1e+300",
		`echo going >&2; exit 3`:               "it ended (exit status 3); its last words:\ngoing",
		`read l; sleep 9`:                      "it did not answer within 2s",
		`read l; echo "{\"start\":\"all\"}"`:   "cannot unmarshal string",
	} {
		x := program(t, then)
		r := told()
		if strings.HasPrefix(then, "echo too soon") {
			if x.start(4) != nil {
				t.Fatal(x.Err())
			}
			time.Sleep(200 * time.Millisecond)
		}
		begin := time.Now()
		x.Plan(r)
		switch err := x.Err(); {
		case want == "" && (err != nil || len(r.Started) != 1):
			t.Errorf("%s: %v, %v started", then, err, r.Started)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), " at 5s: ")):
			t.Errorf("%s: %v, want %s", then, err, want)
		}
		_ = x.Close()
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%s took %v", then, took)
		}
	}
	x, err := New(Options{Command: `sh -c 'read hello; echo "{\"protocol\":2}"'`, Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if x.Plan(told()); x.Err() == nil || !strings.Contains(x.Err().Error(), "it speaks protocol 2; want 1") {
		t.Error(x.Err())
	}
	if x, _ = New(Options{Command: "no-such-program-here"}); x != nil {
		if x.Plan(told()); x.Err() == nil || !strings.Contains(x.Err().Error(), "no-such-program-here") {
			t.Error(x.Err())
		}
	}
	for _, command := range []string{"", "  ", "sh -c 'open"} {
		if _, err := New(Options{Command: command}); err == nil {
			t.Errorf("%q is a command", command)
		}
	}
}

// TestMessage wants the line that a program reads to be as documented.
func TestMessage(t *testing.T) {
	x := &Exec{refs: map[int64]policies.Ref{}}
	x.message(told())
	want := `{"now":5,"free":4,"arrived":[{"id":0,"job":71,"procs":2,"user":0,"group":0,"queue":0,"partition":0,"priority":0,"class":0,"pieces":0,"memory":0,"gpu":0,"submit":5,"estimate":null,"bid":2.5}],"ended":[],"changed":[]}` +
		"\n"
	if string(x.line) != want {
		t.Errorf("%swant\n%s", x.line, want)
	}
	r := &policies.Round{Now: 6 * events.Second, Ended: []policies.Ref{0}, Jobs: told().Jobs}
	if x.message(r); !strings.Contains(string(x.line), `"ended":[0]`) || len(x.refs) != 0 {
		t.Errorf("%s, %v", x.line, x.refs)
	}
}

// TestSplit separates a command into words.
func TestSplit(t *testing.T) {
	words, err := split(`python3  "my policy.py" -x '' a"b c"d`)
	if got := strings.Join(words, "|"); err != nil || got != "python3|my policy.py|-x||ab cd" {
		t.Errorf("%q, %v", words, err)
	}
}
