package engine_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/policies/placed"
	"bourse/policies/placement"
	"bourse/traces"
	"bourse/traces/transform"
)

var update = flag.Bool("update", false, "write the conversations anew instead of comparing")

// TestConversations replays the small workloads in testdata and compares what
// engine and policy say to each other, instant by instant, with the text kept
// below the line of dashes. `make golden` writes it again; read the difference.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			script, want, _ := strings.Cut(string(text), "---\n")
			got := converse(t, script)
			if *update {
				if err := os.WriteFile(file, []byte(script+"---\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got != want {
				t.Errorf("the conversation has changed:\n%s\nwanted:\n%s", got, want)
			}
		})
	}
}

// scene is a script: settings and jobs.
type scene struct {
	procs     int
	machines  engine.Cluster
	policy    policies.Policy
	pricer    policies.Pricer
	migration events.Time
	restart   bool
	feedback  bool
	resubmit  bool
	jobs      []traces.Job
	offers    map[int64]policies.Offer
	rebids    map[int64][]policies.Rebid
	at        int
	out       strings.Builder
}

func converse(t *testing.T, script string) string {
	s := &scene{offers: map[int64]policies.Offer{}, rebids: map[int64][]policies.Rebid{}}
	market := catalog.Defaults
	for _, line := range strings.Split(script, "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		switch words[0] {
		case "procs":
			s.procs, _ = strconv.Atoi(words[1])
		case "policy":
			market.Policy = words[1]
		case "payment":
			market.Payment = words[1]
		case "preemption":
			s.restart = words[1] == "restart"
		case "resubmit":
			s.resubmit = words[1] == "on"
		case "feedback":
			s.feedback = words[1] == "on"
		case "migration":
			s.migration = seconds(t, words[1])
		case "machine":
			s.machine(t, words[1:])
		case "job":
			s.job(t, words[1:])
		default:
			t.Fatalf("what is %q?", line)
		}
	}
	var err error
	if s.policy, s.pricer, _, err = market.Build(); err != nil {
		t.Fatal(err)
	}
	talk := &talking{Policy: s.policy, s: s}
	var src traces.Source = s
	if s.feedback {
		src = transform.NewFeedback(s)
	}
	var machine engine.Machine = engine.Processors(s.procs)
	if len(s.machines) > 0 {
		machine = s.machines
		if talk.Policy, err = placed.New(s.policy, placement.FirstFit); err != nil {
			t.Fatal(err)
		}
	}
	_, err = engine.Run(context.Background(), engine.Config{Machine: machine, Policy: talk, Pricer: s.pricer, Bidder: s,
		MigrationCost: s.migration, Restart: s.restart, ResubmitKilled: s.resubmit, Check: true, Samples: s}, src, s)
	if err != nil {
		fmt.Fprintf(&s.out, "error: %v\n", err)
	}
	return s.out.String()
}

// machine reads "ID at=S cpu=C memory=M" or "ID at=S gone".
func (s *scene) machine(t *testing.T, words []string) {
	id, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	ev := traces.MachineEvent{Machine: id}
	for _, w := range words[1:] {
		switch key, value, _ := strings.Cut(w, "="); key {
		case "at":
			ev.At = seconds(t, value)
		case "cpu":
			ev.CPU, _ = strconv.ParseFloat(value, 64)
		case "memory":
			ev.Memory, _ = strconv.ParseFloat(value, 64)
		case "gone":
			ev.Gone = true
		default:
			t.Fatalf("machine %d: what is %q?", id, w)
		}
	}
	s.machines = append(s.machines, ev)
}

// job reads "ID submit=S run=S procs=N est=S bid=B rebid=S:B prev=ID:S user=U
// cpu=C memory=M priority=P".
func (s *scene) job(t *testing.T, words []string) {
	id, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	j := traces.Job{ID: id, Procs: 1, Pieces: 1, Estimate: events.Unknown}
	var offer policies.Offer
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "submit":
			j.Submit = seconds(t, value)
		case "run":
			j.Run = seconds(t, value)
		case "prev":
			before, think, _ := strings.Cut(value, ":")
			j.Prev, _ = strconv.ParseInt(before, 10, 64)
			j.Think = seconds(t, think)
		case "est":
			j.Estimate = seconds(t, value)
		case "procs":
			n, _ := strconv.Atoi(value)
			j.Procs = int32(n)
		case "user":
			n, _ := strconv.Atoi(value)
			j.User = traces.Label(n)
		case "priority":
			n, _ := strconv.Atoi(value)
			j.Priority = int32(n)
		case "cpu":
			j.CPU, _ = strconv.ParseFloat(value, 64)
		case "memory":
			j.Memory, _ = strconv.ParseFloat(value, 64)
		case "bid":
			offer.Bid, _ = strconv.ParseFloat(value, 64)
			offer.Value = offer.Bid
		case "rebid":
			at, bid, _ := strings.Cut(value, ":")
			b, _ := strconv.ParseFloat(bid, 64)
			s.rebids[id] = append(s.rebids[id], policies.Rebid{At: seconds(t, at), Bid: b})
		default:
			t.Fatalf("job %d: what is %q?", id, w)
		}
	}
	s.jobs = append(s.jobs, j)
	s.offers[id] = offer
}

func seconds(t *testing.T, text string) events.Time {
	v, err := strconv.ParseFloat(text, 64)
	at, ok := events.FromSeconds(v)
	if err != nil || !ok {
		t.Fatalf("%q is not a time", text)
	}
	return at
}

func (s *scene) Header() *traces.Header { return &traces.Header{Ledger: &traces.Ledger{}} }

func (s *scene) Next(j *traces.Job) error {
	if s.at == len(s.jobs) {
		return io.EOF
	}
	*j = s.jobs[s.at]
	s.at++
	return nil
}

func (s *scene) Bid(j *traces.Job) (policies.Offer, error) { return s.offers[j.ID], nil }
func (s *scene) Rebids(j *traces.Job) []policies.Rebid     { return s.rebids[j.ID] }
func (s *scene) Record(o *engine.Outcome) error {
	fmt.Fprintf(&s.out, "  = job %d ran %v-%v, preempted %d, lost %v, paid %.6g\n", o.Job.ID, o.Start, o.End,
		o.Preemptions, o.Lost, o.Payment)
	return nil
}

func (s *scene) Sample(x *engine.Sample) error {
	fmt.Fprintf(&s.out, "  %d running on %.6g of %g, %d queued, price %g\n", x.Running, x.Use.CPU, x.Capacity.CPU,
		x.Queued, x.Price)
	return nil
}

// talking writes down what a policy sees and what it answers.
type talking struct {
	policies.Policy
	s *scene
}

func (p *talking) Unwrap() policies.Policy { return p.Policy }

func (p *talking) Plan(r *policies.Round) {
	p.Policy.Plan(r)
	unit := 1.0
	if len(r.Machines) > 0 {
		unit = 1e9 // clusters count in billionths
	}
	fmt.Fprintf(&p.s.out, "%v free %.6g", r.Now, math.Round(1e6*r.Spare.CPU/unit)/1e6)
	for _, m := range r.Changed {
		state := "down"
		if r.Machines[m].Up {
			state = "up"
		}
		fmt.Fprintf(&p.s.out, " machine %d %s", r.Machines[m].ID, state)
	}
	for _, part := range []struct {
		what string
		refs []policies.Ref
	}{{"arrived", r.Arrived}, {"rebid", r.Rebid}, {"ended", r.Ended}, {"evicted", r.Evicted}, {"-> preempt", r.Preempted},
		{"-> start", r.Started}} {
		if len(part.refs) > 0 {
			fmt.Fprintf(&p.s.out, " %s", part.what)
			for i, ref := range part.refs {
				fmt.Fprintf(&p.s.out, " %d", r.Job(ref).ID)
				if i < len(r.Preemptors) && &part.refs[0] == &r.Preempted[0] && r.Preemptors[i] >= 0 {
					fmt.Fprintf(&p.s.out, " for %d", r.Job(r.Preemptors[i]).ID)
				}
				if i < len(r.Placed) && &part.refs[0] == &r.Started[0] {
					fmt.Fprintf(&p.s.out, " on machine %d", r.Machines[r.Placed[i].Machine].ID)
				}
			}
		}
	}
	if len(r.Shared) > 0 {
		p.s.out.WriteString(" -> share")
		for _, a := range r.Shared {
			fmt.Fprintf(&p.s.out, " %d at %.6g", r.Job(a.Ref).ID, a.Rate)
		}
	}
	p.s.out.WriteByte('\n')
}
