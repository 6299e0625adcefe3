package explain

import (
	"cmp"
	"slices"

	"bourse/engine"
	"bourse/events"
	"bourse/reports/stats"
	"bourse/traces"
)

// Setting is what an explanation refers to in addition to the job.
type Setting struct {
	// Trace names the trace, Replay says in words how it was replayed.
	Trace  string       `json:"trace"`
	Replay string       `json:"replay"`
	Names  traces.Names `json:"-"`
	// Dates are the log's, nil if it has none.
	Dates *events.Calendar `json:"-"`
	// Name is what the trace's log calls the job of a number.
	Name func(id int64) string `json:"-"`
	// Machines is how many machines the pool has, processors without Pool.
	Machines int  `json:"machines"`
	Pool     bool `json:"pool"`
	// Bidding says that bids make prices, so that they are printed, Ranked that they
	// also decide which job is next.
	Bidding bool `json:"bids_make_prices"`
	Ranked  bool `json:"ranked_by_bid"`
	// Outages are the times at which parts of the machine were away, or to stay idle.
	Outages []engine.Outage `json:"-"`
	// Paying says that jobs pay at all.
	Paying bool `json:"pays"`
	// Payment is the price scheme charged, Also the further ones of the outcome.
	Payment string   `json:"payment_scheme"`
	Also    []string `json:"-"`
	// All sums up all jobs of the replay, Others the rows with the job's number.
	All    stats.Aggregate `json:"all_jobs"`
	Others Others          `json:"rows_of_the_job"`
	// Every lists everything, instead of the first and last interruptions and a
	// receipt of few lines.
	Every bool `json:"-"`
	// EveryHint and TaskHint say how to print what is left out, and how another task or piece
	// of the job; "" for no hint.
	EveryHint, TaskHint string `json:"-"`
}

// Explanation is the facts of a job's history as plain values, in seconds and since the
// submission unless a comment says otherwise: JSON has them all, explanation.tmpl words them.
type Explanation struct {
	Setting
	Request Request `json:"job"`
	// Left is nil unless the job left; then there is nothing below.
	Left              *Left        `json:"left,omitempty"`
	Timeline          []Event      `json:"timeline,omitempty"`
	Run               float64      `json:"run_s"`
	Wait              float64      `json:"wait_s"`
	Flow              float64      `json:"flow_s"`
	Causes            []CauseShare `json:"causes,omitempty"`
	BoundedSlowdown   float64      `json:"bounded_slowdown"`
	BoundedSlowdownOf float64      `json:"bounded_slowdown_bound_s"`
	Paid              float64      `json:"payment"`
	Valuation         float64      `json:"valuation"`
	// Shared means that it ever held less than its request.
	Shared  bool   `json:"shared"`
	Receipt []Line `json:"receipt,omitempty"`
	// Prices is how many the receipt has, in whatever number of lines.
	Prices int `json:"prices,omitempty"`
	// Unit is what prices are for.
	Unit    string   `json:"price_unit"`
	Schemes []Scheme `json:"payments,omitempty"`
	// Answer is the whole in a sentence.
	Answer string `json:"answer,omitempty"`
	total  Line
}

// Request is what the job asked for.
type Request struct {
	ID     int64    `json:"job_id"`
	Name   string   `json:"name"`
	Task   int32    `json:"task"`
	Pieces int32    `json:"pieces"`
	User   string   `json:"user,omitempty"`
	Submit float64  `json:"submit_s"` // of the trace's clock
	Date   string   `json:"submit_date,omitempty"`
	Procs  int32    `json:"procs"`
	CPU    float64  `json:"cpu"`
	Memory *float64 `json:"memory,omitempty"`
	GPU    float64  `json:"gpu"`
	Disk   float64  `json:"disk"`
	// Size is what it counts as: its processors, or machines of the pool.
	Size     float64  `json:"size"`
	Run      float64  `json:"run_s"`
	Estimate *float64 `json:"estimate_s,omitempty"`
	Value    float64  `json:"value"`
	Bid      float64  `json:"first_bid"`
}

// Left is how a job left: As what, after how many Times its run time, and when by the trace's
// clock.
type Left struct {
	As    string  `json:"as"`
	Times float64 `json:"times_run"`
	Until float64 `json:"until_s"`
}

// Event is a moment of the timeline: a new bid, a stop, the begin of a hold or of an outage, a start, stop and start at
// once, or the end.
type Event struct {
	At    float64  `json:"at_s"`
	Bid   *float64 `json:"bid,omitempty"`
	Stop  *Stop    `json:"stop,omitempty"`
	Hold  *Hold    `json:"held_back,omitempty"`
	Away  *Away    `json:"outage,omitempty"`
	Start *Start   `json:"start,omitempty"`
}

// CauseShare is the part of the wait with one cause.
type CauseShare struct {
	Cause string  `json:"cause" head:"cause" unit:"words" key:""`
	Words string  `json:"-"`
	Wait  float64 `json:"wait_s" head:"wait" unit:"clock"`
	Share float64 `json:"share" head:"% of the wait" unit:"share"`
	// Stops counts those of the cause.
	Stops int `json:"stops,omitempty"`
	// Ahead and Overtook count the jobs that were ahead, or took its room; Jobs are the first
	// of those it waited for.
	Ahead    int      `json:"ahead,omitempty"`
	Overtook int      `json:"overtook,omitempty"`
	Jobs     []JobRef `json:"jobs,omitempty"`
	// By names the rules of the site that held it back.
	By []string `json:"by,omitempty"`
	// Least and Most are the processors that were free while there was no room.
	Least   float64 `json:"least_free,omitempty"`
	Most    float64 `json:"most_free,omitempty"`
	Periods []Span  `json:"periods,omitempty"`
}

// Span is a time from one moment to another.
type Span struct {
	From float64 `json:"from_s"`
	To   float64 `json:"to_s"`
}

// Scheme is what a price scheme would have charged.
type Scheme struct {
	Payment    string   `json:"payment" head:"payment" key:""`
	Paid       float64  `json:"pays" head:"pays" unit:"money"`
	Price      *float64 `json:"price,omitempty" head:"price" unit:"rate"`
	Utility    float64  `json:"utility" head:"utility" unit:"money"`
	Difference float64  `json:"difference" head:"difference" unit:"money" signed:""`
}

// receiptLines is how long a receipt is unless all of it is wanted.
const receiptLines = 24

// Explain returns the facts of the history.
func (s *History) Explain(set Setting) *Explanation {
	x := &Explanation{Setting: set, Request: s.request(&set), Run: s.Job.Run.Seconds(), Wait: s.Wait().Seconds(),
		Flow: s.Flow().Seconds(), Paid: s.Payment, Valuation: s.Valuation(), BoundedSlowdown: s.BoundedSlowdown(),
		BoundedSlowdownOf: s.Bound.Seconds(), Unit: "processor-second",
		Shared: slices.ContainsFunc(s.Pieces, func(p Piece) bool { return p.Share != 1 })}
	if set.Pool {
		x.Unit = "machine-second"
	}
	if s.WhyLeft != "" {
		x.Left = &Left{As: s.WhyLeft, Times: 2, Until: s.End.Seconds()}
		if s.Flow() != 2*s.Job.Run {
			x.Left.Times = float64(s.Flow()) / float64(s.Job.Run)
		}
		return x
	}
	x.Timeline, x.Causes = s.timeline(set.Outages), s.causes(&set)
	if set.Paying && len(s.Pieces) > 0 {
		limit := receiptLines
		if set.Every {
			limit = 0
		}
		x.Receipt = s.Receipt(limit)
		x.total = s.join(x.Receipt)
		if x.Prices = x.total.Prices; x.total.use > 0 {
			x.total.Price = s.Payment / x.total.use
		}
	}
	if set.Paying || set.Bidding {
		x.Schemes = s.schemes(&set)
	}
	x.Answer = x.render("answer")
	return x
}

// since is a moment in seconds since the submission.
func (s *History) since(at events.Time) float64 { return (at - s.Job.Submit).Seconds() }

func (s *History) request(set *Setting) Request {
	j := &s.Job
	q := Request{ID: j.ID, Name: set.Name(j.ID), Task: j.Task, Pieces: j.Pieces, Submit: j.Submit.Seconds(),
		Procs: j.Procs, Size: s.Size, Run: j.Run.Seconds(), Value: s.Value, Bid: s.First}
	if set.Dates != nil {
		q.Date = set.Dates.Text(j.Submit)
	}
	q.User, _ = set.Names.Users.Text(j.User)
	memory := 0.0
	if q.CPU, memory, q.GPU, q.Disk = j.Ask(float64(j.Procs)); j.Memory >= 0 {
		q.Memory = &memory
	}
	if j.Estimate.Known() {
		estimate := j.Estimate.Seconds()
		q.Estimate = &estimate
	}
	return q
}

// timeline lists bids, stops, starts, and outages while the job waits, in order of time, and the end.
func (s *History) timeline(outages []engine.Outage) []Event {
	var out []Event
	rebids := s.Rebids
	add := func(at events.Time, e Event) {
		for ; len(rebids) > 0 && rebids[0].At <= at; rebids = rebids[1:] {
			out = append(out, Event{At: s.since(rebids[0].At), Bid: &rebids[0].Bid})
		}
		e.At = s.since(at)
		out = append(out, e)
	}
	for i := range s.Pauses {
		p := &s.Pauses[i]
		p.Again, p.Waited, p.Share = p.Why != Submitted, p.Length().Seconds(), s.shareAt(p.Until)
		switch {
		case p.Length() > 0:
			add(p.From, Event{Stop: &p.Stop})
			for _, e := range s.during(p, outages) {
				at, _ := events.FromSeconds(e.At)
				add(s.Job.Submit+at, e)
			}
			add(p.Until, Event{Start: &p.Start})
		case !p.Again:
			add(p.From, Event{Start: &p.Start})
		default:
			add(p.From, Event{Stop: &p.Stop, Start: &p.Start})
		}
	}
	add(s.End, Event{})
	return out
}

// during is what happens in a pause: outages, and holds.
func (s *History) during(p *Pause, outages []engine.Outage) (list []Event) {
	for i := range outages {
		if o := &outages[i]; o.Start < p.Until && o.End > p.From {
			list = append(list, Event{At: s.since(max(o.Start, p.From)), Away: s.away(o)})
		}
	}
	for i := range s.Holds {
		if h := &s.Holds[i]; p.From <= h.From && h.From < p.Until {
			list = append(list, Event{At: s.since(h.From), Hold: h})
		}
	}
	slices.SortStableFunc(list, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	return list
}

// away is an outage as an event.
func (s *History) away(o *engine.Outage) *Away {
	a := &Away{Procs: o.Procs, Capped: o.Capped}
	if o.End != events.Never {
		until := s.since(o.End)
		a.Until = &until
	}
	return a
}

// blocking is the first outage, known in advance, that the job could not have ended before, at the begin of a
// stretch, and that leaves too few processors for it.
func (s *History) blocking(p *Stretch, set *Setting) *engine.Outage {
	if !s.Job.Estimate.Known() || set.Pool {
		return nil
	}
	for i := range set.Outages {
		if o := &set.Outages[i]; o.Planned && o.Start > p.From && o.Start < p.From+s.Job.Estimate &&
			(o.Procs == 0 || float64(s.Job.Procs) > float64(set.Machines)-o.Procs) {
			return o
		}
	}
	return nil
}

// shareAt is the share of its request with which the job starts.
func (s *History) shareAt(at events.Time) float64 {
	i := slices.IndexFunc(s.Pieces, func(p Piece) bool { return p.From >= at })
	if i < 0 || s.Pieces[i].From != at {
		return 1
	}
	return s.Pieces[i].Share
}

// causes divides the wait.
func (s *History) causes(set *Setting) []CauseShare {
	var out []CauseShare
	for c, part := range s.Causes {
		if part == 0 {
			continue
		}
		x := CauseShare{Cause: engine.AllCauses[c].Name, Words: engine.AllCauses[c].Words, Wait: part.Seconds(),
			Share: float64(part) / float64(s.Wait())}
		for _, p := range s.Stretches {
			if p.Cause == engine.Cause(c) {
				x.Periods = append(x.Periods, Span{s.since(p.From), s.since(p.Until)})
			}
		}
		for i := range s.Pauses[1:] {
			if p := &s.Pauses[i+1]; p.cause() == engine.Cause(c) {
				if x.Stops++; p.By != nil && len(x.Jobs) < names && p.Why == Stopped {
					x.Jobs = append(x.Jobs, *p.By)
				}
			}
		}
		switch engine.Cause(c) {
		case engine.Behind:
			x.Ahead, x.Overtook, x.Jobs = s.Ahead, s.Overtook, s.Firsts
		case engine.Room:
			x.Least, x.Most, x.Jobs = s.Least.CPU, s.Most.CPU, s.Pauses[0].Ended[:min(1, len(s.Pauses[0].Ended))]
		case engine.Held:
			if x.Ahead = s.Queued; s.Leader != nil {
				x.Jobs = []JobRef{*s.Leader}
			}
			for i := range s.Holds {
				if h := &s.Holds[i]; h.From < s.Pauses[0].Until && !slices.Contains(x.By, h.Why) {
					x.By = append(x.By, h.Why)
				}
			}
			for i := range s.Stretches { // that the policy has planned for
				p := &s.Stretches[i]
				if o := s.blocking(p, set); o != nil && p.Cause == engine.Held && !slices.Contains(x.By, o.Text(set.Dates)) {
					x.By = append(x.By, o.Text(set.Dates))
				}
			}
		}
		out = append(out, x)
	}
	return out
}

// schemes compares the payment with those of further price schemes.
func (s *History) schemes(set *Setting) []Scheme {
	use := 0.0
	for _, l := range s.everyPrice() {
		use += l.use
	}
	out := []Scheme{}
	for i, name := range append([]string{set.Payment}, set.Also...) {
		paid := append([]float64{s.Payment}, s.Also...)[i]
		x := Scheme{Payment: name, Paid: paid, Utility: s.Valuation() - paid,
			Difference: (cents(paid) - cents(s.Payment)) / 100}
		if use > 0 {
			price := paid / use
			x.Price = &price
		}
		out = append(out, x)
	}
	return out
}
