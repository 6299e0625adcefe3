package policytest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/rng"
)

// RunPrice puts a price scheme through the kit, for policies that fresh makes: random workloads are billed under the
// engine's audit, which adds the prices up over time, twice, and once handed over to copies.
func RunPrice(t TB, fresh func() policies.Policy, price func(policies.Policy) policies.Pricer) {
	t.Helper()
	p := fresh()
	k := &kit{ctx: context.Background(), traits: policies.TraitsOf(p), needs: policies.NeedsOf(p),
		fresh: func() (policies.Policy, error) { return fresh(), nil }, price: price,
		want: Expect{Preempts: true, KnowsUnits: true}}
	random := rng.New(1, "conformance of prices")
	for i := range 100 {
		w := k.draw(random)
		if at, err := k.try(w); err != nil {
			w, err = k.reduce(w, at, err)
			t.Errorf("%s: workload %d, %s: %v", k.checks()[at].name, i+1, w, err)
			return
		}
	}
}

// RunBidder puts values and bids through the kit: what a job is worth and what is bid for it are from 0 up, and the same
// whatever has been asked before.
func RunBidder(t TB, fresh func() policies.Bidder) {
	t.Helper()
	random := rng.New(1, "conformance of bids")
	jobs := make([]traces.Job, 200)
	for i := range jobs {
		jobs[i] = traces.UnknownJob
		j := &jobs[i]
		j.ID, j.Procs, j.Submit = int64(1+i), int32(1+random.IntN(64)), events.Time(i)*60*events.Second
		j.Run, j.User, j.Priority = seconds(random, 1, 9999), traces.Label(random.IntN(9)), int32(random.IntN(12)-1)
		j.Estimate = j.Run + seconds(random, 0, 9999)
	}
	first := map[int64]policies.Offer{}
	for pass, order := range [][]traces.Job{jobs, backwards(jobs)} {
		bidder := fresh()
		for i := range order {
			j := &order[i]
			o, err := bidder.Bid(j)
			switch {
			case errors.Is(err, policies.ErrAbsent):
				continue
			case err != nil:
				t.Errorf("job %d: %v", j.ID, err)
				return
			case !(o.Value >= 0 && o.Value <= policies.MostMoney && o.Bid >= 0 && o.Bid <= policies.MostMoney):
				t.Errorf("job %d: value %g and bid %g; want 0 to %g", j.ID, o.Value, o.Bid, policies.MostMoney)
				return
			case pass == 0:
				first[j.ID] = o
			case first[j.ID].Value != o.Value || first[j.ID].Bid != o.Bid:
				t.Errorf("job %d: value %g and bid %g, and %g and %g where later jobs are asked for first: draws must depend on "+
					"the job alone", j.ID, first[j.ID].Value, first[j.ID].Bid, o.Value, o.Bid)
				return
			}
		}
	}
}

func backwards(jobs []traces.Job) []traces.Job {
	jobs = slices.Clone(jobs)
	slices.Reverse(jobs)
	return jobs
}

// RunSource puts a source of jobs through the kit: it has a header and counts what it reads, jobs are in order of
// submission and have a run time, all fields are set, and it gives the same twice.
func RunSource(t TB, open func() (traces.Source, error)) {
	t.Helper()
	first, err := readAll(open, traces.UnknownJob)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	litter := traces.Job{ID: 77, Procs: 77, Submit: 77, Run: 77, Wait: 77, Estimate: 77, User: 77, Group: 77, Queue: 77,
		Partition: 77, CPU: 77, Memory: 77, GPU: 77, Disk: 77, Priority: 77, Class: 77, Pieces: 77, Status: 77,
		Line: 77, Task: 77, Model: 77, Prev: 77, Think: 77, Attempt: 77, Wasted: 77}
	second, err := readAll(open, litter)
	if err != nil {
		t.Errorf("read once more: %v", err)
		return
	}
	if len(first) != len(second) {
		t.Errorf("%d jobs, and %d when it is read once more", len(first), len(second))
		return
	}
	for i := range first {
		if first[i] != second[i] {
			t.Errorf("job %d differs when it is read once more, into a value that was used before: want the same, with every "+
				"field set (begin with traces.UnknownJob)\n%+v\n%+v", first[i].ID, first[i], second[i])
			return
		}
	}
}

// readAll reads a source into a value that holds what it is given at first.
func readAll(open func() (traces.Source, error), with traces.Job) (jobs []traces.Job, err error) {
	src, err := open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, traces.Close(src)) }()
	h := src.Header()
	if h == nil || h.Ledger == nil {
		return nil, errors.New("want a header with a ledger before the first job")
	}
	for {
		j := with
		switch err := src.Next(&j); {
		case errors.Is(err, io.EOF):
			if again := src.Next(&j); !errors.Is(again, io.EOF) {
				return nil, fmt.Errorf("after its end it says %v; want io.EOF again", again)
			}
			counted := h.Ledger.Read + h.Ledger.Added
			for _, n := range h.Ledger.Dropped {
				counted -= n
			}
			if counted != int64(len(jobs)) {
				return nil, fmt.Errorf("its ledger has %d records, without those that it dropped, for %d jobs", counted, len(jobs))
			}
			return jobs, nil
		case err != nil:
			return nil, err
		case len(jobs) > 0 && j.Submit < jobs[len(jobs)-1].Submit:
			return nil, fmt.Errorf("job %d was submitted at %v, before the one that it follows, at %v", j.ID, j.Submit,
				jobs[len(jobs)-1].Submit)
		}
		jobs = append(jobs, j)
	}
}
