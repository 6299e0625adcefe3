package explain_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/reports/explain"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/traces"
)

// trackers observes several jobs at once.
type trackers struct {
	each    []*explain.Tracker
	records []engine.Outcome
	all     stats.Collector
	sum     engine.Summary
	bidding bool
}

func (c *trackers) Record(o *engine.Outcome) error {
	c.records = append(c.records, *o)
	for _, w := range c.each {
		w.Record(o)
	}
	return c.all.Record(o)
}

func (c *trackers) Segment(s *engine.Segment) error {
	for _, w := range c.each {
		w.Segment(s)
	}
	return nil
}

func (c *trackers) Close(o *engine.Outcome) {
	for _, w := range c.each {
		w.Close(o)
	}
}

func (c *trackers) Round(r *policies.Round) error {
	for _, w := range c.each {
		w.Round(r)
	}
	return nil
}

// offers are bids that differ from values and change while jobs live.
type offers struct {
	bids   []float64
	rebids [][]policies.Rebid
}

func (o *offers) Bid(j *traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: o.bids[j.ID] + 1, Bid: o.bids[j.ID]}, nil
}

func (o *offers) Rebids(j *traces.Job) []policies.Rebid { return o.rebids[j.ID] }

// draw makes a workload full of ties, gang jobs and jobs with nothing to run.
func draw(t *rapid.T) ([]traces.Job, *offers) {
	n := rapid.IntRange(1, 14).Draw(t, "jobs")
	jobs, bids := make([]traces.Job, n), &offers{bids: make([]float64, n), rebids: make([][]policies.Rebid, n)}
	at := events.Time(0)
	for i := range jobs {
		at += events.Time(rapid.IntRange(0, 20).Draw(t, "gap")) * events.Second
		run := events.Time(rapid.IntRange(0, 40).Draw(t, "run")) * events.Second
		jobs[i] = traces.Job{
			ID: int64(i), Submit: at, Run: run,
			Estimate: max(0, run+events.Second*events.Time(rapid.IntRange(-9, 9).Draw(t, "slack"))),
			Procs:    int32(rapid.IntRange(1, 4).Draw(t, "procs")), Pieces: 1,
			User:   traces.Label(rapid.IntRange(0, 2).Draw(t, "user")),
			Memory: float64(rapid.IntRange(0, 4).Draw(t, "memory")) / 4, CPU: 1, Priority: -1, Class: -1,
		}
		bids.bids[i] = float64(rapid.IntRange(0, 3000).Draw(t, "bid")) / 7
		if rapid.IntRange(0, 3).Draw(t, "again") == 0 {
			later := at + events.Second*events.Time(rapid.IntRange(1, 50).Draw(t, "later"))
			bids.rebids[i] = []policies.Rebid{{At: later, Bid: float64(rapid.IntRange(0, 3000).Draw(t, "rebid")) / 7}}
		}
	}
	return jobs, bids
}

// replayed runs a workload with a tracker a job.
func replayed(t *rapid.T, jobs []traces.Job, bids *offers, name, payment string, restart bool) (*trackers, bool) {
	policy, err := catalog.Policies.Make(name)
	if err != nil {
		t.Fatal(err)
	}
	scheme, err := catalog.Payments.Make(payment)
	if err != nil {
		t.Fatal(err)
	}
	pricer, err := scheme(policy)
	if err != nil {
		return nil, false // the two do not fit
	}
	free, _ := catalog.Payments.Make("none")
	none, _ := free(policy)
	c := &trackers{}
	if policies.TraitsOf(policy).Serial {
		jobs = slices.Clone(jobs)
		for i := range jobs {
			jobs[i].Procs = 1
		}
	}
	for i := range jobs {
		c.each = append(c.each, explain.NewTracker(int64(i), explain.AnyTask, policy, pricer))
	}
	cfg := engine.Config{Policy: policy, Pricer: pricer, Also: []policies.Pricer{none}, Bidder: bids, Check: true,
		Restart: restart, ResubmitKilled: rapid.Bool().Draw(t, "resubmit") && !policies.TraitsOf(policy).Leaves,
		MigrationCost: 2 * events.Second, Segments: c, Causes: c}
	if policies.TraitsOf(policy).Resources > 1 || policies.TraitsOf(policy).Packs && rapid.Bool().Draw(t, "pool") {
		cfg.Machine = engine.Pool{CPU: 4, Memory: 4, Machines: 4}
	} else {
		cfg.Machine = engine.Processors(4)
	}
	if c.sum, err = engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), c); err != nil {
		t.Fatal(err)
	}
	_, c.bidding = policy.(policies.Market)
	return c, true
}

// TestReceipts wants, under every policy and payment, every receipt to add up to the
// cent, every piece to be its price times its time, and waits and pieces to fill the
// time from submission to end.
func TestReceipts(t *testing.T) {
	tried := 0
	for _, entry := range catalog.Policies.Entries {
		if entry.Yours {
			continue
		}
		name := entry.Text()
		if _, err := catalog.Policies.Make(name); err != nil {
			t.Errorf("%s: %v", entry.Name, err)
			continue
		}
		payments := []string{"posted:0.37"}
		for _, e := range catalog.Payments.Entries {
			if !e.Yours {
				payments = append(payments, e.Text())
			}
		}
		fits := map[string]bool{}
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				jobs, bids := draw(t)
				payment := rapid.SampledFrom(payments).Draw(t, "payment")
				c, ok := replayed(t, jobs, bids, name, payment, rapid.Bool().Draw(t, "restart"))
				if !ok {
					return
				}
				fits[payment] = true
				for i := range c.records {
					divided(t, c, &c.records[i])
					o := &c.records[i]
					s, ok := c.each[o.Job.ID].History()
					if !ok {
						t.Fatalf("no history of job %d", o.Job.ID)
					}
					whole(t, s, o)
					written(t, s, c, payment)
				}
			})
		})
		tried += len(fits)
	}
	if tried < 60 {
		t.Errorf("only %d pairs of policy and payment were tried", tried)
	}
}

// divided wants the stretches to be those of the ledger of all jobs.
func divided(t *rapid.T, c *trackers, o *engine.Outcome) {
	s, _ := c.each[o.Job.ID].History()
	sums := engine.Causes{engine.Lost: o.Lost, engine.Slowed: s.Causes[engine.Slowed]}
	for _, x := range s.Stretches {
		sums[x.Cause] += x.Until - x.From
	}
	if sums != *s.Causes || sums.Sum() != o.Wait() {
		t.Fatalf("job %d waited %v; its stretches are %v: %v, the ledger has %v", o.Job.ID, o.Wait(), s.Stretches, sums,
			*s.Causes)
	}
}

// whole checks a history against the job's record.
func whole(t *rapid.T, s *explain.History, o *engine.Outcome) {
	for _, limit := range []int{0, 1, 3, 24} {
		cents := 0.0
		lines := s.Receipt(limit)
		if limit > 0 && len(lines) > limit {
			t.Fatalf("job %d: %d lines, at most %d were wanted", o.Job.ID, len(lines), limit)
		}
		for _, l := range lines {
			cents += math.Round(100 * l.Charge)
		}
		if want := math.Round(100 * o.Payment); cents != want {
			t.Fatalf("job %d: a receipt of %d lines comes to %g cents, the payment is %g", o.Job.ID, len(lines), cents, want)
		}
	}
	billed, at, pause := 0.0, o.Job.Submit, 0
	for i, p := range s.Pieces {
		if p.To == p.From && p.Charge > 0 && p.Last { // a fee for no time
			billed = p.Billed
			continue
		}
		for pause < len(s.Pauses) && s.Pauses[pause].From == at {
			at = s.Pauses[pause].Until
			pause++
		}
		if p.From != at || p.To <= p.From {
			t.Fatalf("job %d: piece %d is from %v to %v, %v is covered so far", o.Job.ID, i, p.From, p.To, at)
		}
		at = p.To
		want := p.Price * o.Size * p.Share * (p.To - p.From).Seconds()
		if math.Abs(p.Charge-want) > 1e-6*(1+math.Abs(want)) {
			t.Fatalf("job %d: piece %d is charged %g, price times time is %g", o.Job.ID, i, p.Charge, want)
		}
		if p.Last {
			billed = p.Billed
		}
	}
	for pause < len(s.Pauses) && s.Pauses[pause].From == at {
		at = s.Pauses[pause].Until
		pause++
	}
	if billed != o.Payment {
		t.Fatalf("job %d: segments come to %g, the payment is %g", o.Job.ID, billed, o.Payment)
	}
	if at != o.End || pause != len(s.Pauses) {
		t.Fatalf("job %d: covered until %v, it ended at %v; %d of %d pauses", o.Job.ID, at, o.End, pause, len(s.Pauses))
	}
	if stops := len(s.Pauses) - 1; stops != int(o.Preemptions+o.Restarts) {
		t.Fatalf("job %d: %d stops are listed, there were %d and %d", o.Job.ID, stops, o.Preemptions, o.Restarts)
	}
}

// written wants text that fits on a terminal and holds the total.
func written(t *rapid.T, s *explain.History, c *trackers, payment string) {
	var text strings.Builder
	answer := s.Explain(explain.Setting{Trace: "log.swf", Name: func(id int64) string { return fmt.Sprint(id) },
		Replay: "replayed", Payment: payment, Also: []string{"none"}, All: c.all.Result().Total,
		Machines: c.sum.Machines, Pool: c.sum.Pool, Bidding: c.bidding, Ranked: c.bidding, Paying: payment != "none", Every: s.Job.ID%2 == 0})
	if err := table.Print(&text, answer.Report()); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(text.String(), "\n") {
		if utf8.RuneCountInString(line) > 100 || strings.TrimRight(line, " ") != line {
			t.Fatalf("%q is too wide or ends in blanks", line)
		}
		if strings.Contains(line, "NaN") || strings.Contains(line, "Inf") || strings.Contains(line, "%!") {
			t.Fatalf("%q", line)
		}
	}
	if total := fmt.Sprintf("%.2f\n", math.Round(100*s.Payment)/100); math.Abs(s.Payment) < 999 && payment != "none" &&
		!strings.Contains(text.String(), " "+total) && len(s.Pieces) > 0 {
		t.Fatalf("the receipt lacks its total %s%s", total, text.String())
	}
}
