package transform

import (
	"errors"
	"fmt"
	"io"
	"math"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/rng"
)

// Options says what becomes of a trace between reading and replay. The zero
// value drops only what cannot be replayed at all.
type Options struct {
	// Where keeps the records for which the expression holds; see Fields.
	Where string
	// From and Until keep the records submitted at From or later and before
	// Until. Zero means no limit.
	From, Until events.Instant
	// LoadFactor divides the times between arrivals; 0 and 1 change nothing.
	LoadFactor float64
	// Serial makes a job of p processors p jobs of one.
	Serial bool
	// Procs is the machine's size: larger jobs are dropped, unless Serial makes
	// them small. 0 means no limit.
	Procs int
	// Capacity is the machine instead where jobs ask for CPU and memory.
	Capacity traces.Capacity
	// Machines are those of a cluster: jobs larger than each of them are dropped.
	Machines []traces.MachineEvent
	// QueueLimits says what jobs of a queue have to be; see queueLimits.
	QueueLimits string
	// Estimates says where requested times come from, and KillAtEstimate ends a
	// job when its estimate is up. Filters see what is recorded.
	Estimates      Estimates
	KillAtEstimate bool
	// Limit, if not 0, is the most time that jobs may ask for: those that ask for more are refused with
	// Refuse, and else ask for this much, and end there.
	Limit  events.Time
	Refuse bool
	// Resample resamples users, Shake moves submissions by up to that much, both
	// drawn under Seed: replicas of one log.
	Resample *Resample
	Shake    events.Time
	Seed     uint64
}

// Apply applies t to src. Every record it does not pass on is counted in the
// header's Ledger under the first reason that applies, in the order: never
// started, no processors, filtered, outside the window, larger than the
// machine, over its queue's limits. What passes is resampled, has its load scaled, is shaken and is then cut
// into pieces, so the load factor refers to the jobs replayed: the first of them
// keeps its time. Estimates are settled before the last: pieces share that of their
// job.
func Apply(src traces.Source, t Options) (traces.Source, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	h := src.Header()
	limits, err := newQueueLimits(t.QueueLimits, h)
	if err != nil {
		return nil, err
	}
	tr := &filtered{limits: limits, Wrapped: traces.Wrapped{Inner: src}, t: t, ledger: h.Ledger}
	if tr.from, tr.until, err = t.window(h); err != nil {
		return nil, err
	}
	if t.Machines != nil {
		tr.machines = machinesOf(t.Machines, h.Names)
	}
	if t.Where != "" {
		f, err := newFilter(t.Where, h)
		if err != nil {
			return nil, fmt.Errorf("condition: %w", err)
		}
		tr.where = f
	}
	var out traces.Source = tr
	if t.Resample != nil {
		out = &resampled{Wrapped: traces.Wrapped{Inner: out}, how: *t.Resample, seed: t.Seed}
	}
	if t.LoadFactor != 0 && t.LoadFactor != 1 {
		out = &scaledLoad{Wrapped: traces.Wrapped{Inner: out}, factor: t.LoadFactor}
	}
	if t.Shake > 0 {
		out = newShaken(out, t.Shake, t.Seed)
	}
	if t.Estimates.Kind != Recorded || t.KillAtEstimate || t.Limit > 0 {
		out = &estimated{Wrapped: traces.Wrapped{Inner: out}, from: t.Estimates, kill: t.KillAtEstimate, limit: t.Limit,
			refuse: t.Refuse}
	}
	if t.Serial {
		out = &pieces{Wrapped: traces.Wrapped{Inner: out}}
	}
	return out, nil
}

// Split divides what is done to the jobs into a part that takes the log whole or sorts it
// again, worth doing once for many replays, and what follows it. Where nothing is drawn
// there is no such part: the rest costs less than to read its jobs from memory.
func (t Options) Split() (once, each Options, drawn bool) {
	model := t.Estimates.Kind == FromModel
	if t.Resample == nil && t.Shake == 0 && !model {
		return Options{}, t, false
	}
	once, each.Serial = t, t.Serial
	if once.Serial = false; !model {
		each.Estimates, each.KillAtEstimate, each.Limit, each.Refuse = t.Estimates, t.KillAtEstimate, t.Limit, t.Refuse
		once.Estimates, once.KillAtEstimate, once.Limit, once.Refuse = Estimates{}, false, 0, false
	}
	return once, each, true
}

func (t Options) check() error {
	switch {
	case t.LoadFactor < 0 || math.IsNaN(t.LoadFactor) || math.IsInf(t.LoadFactor, 0):
		return fmt.Errorf("load factor %v; want a finite number above 0", t.LoadFactor)
	case t.Until.Since < 0 || t.From.Since < 0:
		return errors.New("a time window below 0; times count from the trace's own zero")
	case t.Limit < 0:
		return fmt.Errorf("a limit of %v; want more than 0", t.Limit)
	case t.Shake < 0:
		return fmt.Errorf("shaking by %v; want 0 or more", t.Shake)
	case t.Resample != nil && t.Resample.check() != nil:
		return t.Resample.check()
	case t.Procs < 0:
		return fmt.Errorf("a machine of %d processors; want 0 (as the trace says) or more", t.Procs)
	}
	return nil
}

// window is the time in which records of a log are kept.
func (t Options) window(h *traces.Header) (from, until events.Time, err error) {
	calendar, until := h.Calendar(), events.Never
	for _, edge := range []struct {
		events.Instant
		at *events.Time
	}{{t.From, &from}, {t.Until, &until}} {
		switch {
		case edge.Date == "" && edge.Since > 0:
			*edge.at = edge.Since
		case edge.Date != "" && calendar == nil:
			return 0, 0, &traces.UndatedError{For: "a window at " + edge.Date, Trace: h.Name,
				Instead: "give the time since its zero, as in 30d"}
		case edge.Date != "":
			if *edge.at, err = calendar.Parse(edge.Date); err != nil {
				return 0, 0, err
			}
		}
	}
	switch {
	case until > max(from, 0):
		return from, until, nil
	case calendar == nil || until > 0:
		err = fmt.Errorf("the time window ends at %v, before anything from %v on; its end should be later than its begin",
			t.Until, t.From)
	default:
		err = fmt.Errorf("the time window ends at %v, and the log begins later, %s", t.Until, h.When(0))
	}
	return 0, 0, err
}

type filtered struct {
	traces.Wrapped
	t        Options
	from     events.Time
	until    events.Time // Never: to the end
	ledger   *traces.Ledger
	where    *filter
	limits   *queueLimits
	machines *machines // nil if jobs are not placed on machines
}

// Next implements Source.
func (s *filtered) Next(j *traces.Job) error {
	for {
		if err := s.Inner.Next(j); err != nil {
			if errors.Is(err, io.EOF) {
				s.limits.finish(s.ledger)
			}
			return err
		}
		reason, keep, err := s.judge(j)
		if err != nil {
			return err
		}
		if !keep {
			s.ledger.Drop(reason, j)
			continue
		}
		return nil
	}
}

// judge returns the first reason against a record.
func (s *filtered) judge(j *traces.Job) (traces.Reason, bool, error) {
	switch {
	case !j.Run.Known():
		return traces.NeverStarted, false, nil
	case j.Procs <= 0:
		return traces.NoProcessors, false, nil
	}
	if s.where != nil {
		switch holds, err := s.where.holds(j); {
		case err != nil:
			return 0, false, &traces.Error{File: s.Inner.Header().Name, Line: j.Line,
				What: "the condition fails on job " + fmt.Sprint(j.ID), Err: err}
		case !holds:
			return traces.Filtered, false, nil
		}
	}
	switch {
	case j.Submit < s.from || j.Submit >= s.until:
		return traces.OutsideWindow, false, nil
	case s.t.Procs > 0 && !s.t.Serial && int(j.Procs) > s.t.Procs, s.t.Capacity.CPU > 0 &&
		!s.t.Capacity.Holds(j, s.t.Serial),
		s.machines != nil && !s.machines.hold(j, s.t.Serial):
		return traces.TooLarge, false, nil
	}
	within, err := s.limits.admits(j)
	if err != nil {
		err = &traces.Error{File: s.Inner.Header().Name, Line: j.Line, What: "a queue limit fails on job " + fmt.Sprint(j.ID),
			Err: err}
	}
	return traces.OverLimits, within, err
}

// scaledLoad moves submissions towards the first one by the load factor.
type scaledLoad struct {
	traces.Wrapped
	factor float64
	first  events.Time // submit time of the first job
	begun  bool
}

// Next implements Source.
func (s *scaledLoad) Next(j *traces.Job) error {
	if err := s.Inner.Next(j); err != nil {
		return err
	}
	if !s.begun {
		s.first, s.begun = j.Submit, true
	}
	j.Submit = s.first + stretched(j.Submit-s.first, s.factor)
	return nil
}

// stretched returns d/f, bounded so that no arrival passes the end of time.
func stretched(d events.Time, f float64) events.Time {
	us := math.Round(float64(d) / f)
	return events.Time(min(us, float64(math.MaxInt64/4)))
}

// pieces makes a job of p processors p jobs of one.
type pieces struct {
	traces.Wrapped
	whole traces.Job // the job being cut
	piece int32      // its next piece
}

// Next implements Source.
func (s *pieces) Next(j *traces.Job) error {
	if s.piece == s.whole.Pieces {
		if err := s.Inner.Next(j); err != nil || j.Procs <= 1 {
			return err
		}
		s.whole, s.piece = *j, 0
		s.whole.Pieces, s.whole.Procs = j.Procs, 1
	}
	*j = s.whole
	j.Task = s.piece
	s.piece++
	return nil
}

// shaken moves every submission by a time drawn uniformly from [-by, by] and
// sorts again ("input shaking", Tsafrir, Ouaknine and Feitelson, MASCOTS 2007: the
// result of one log may hang on an accident of its arrivals; many runs with small
// changes tell). A submission never moves before the trace's zero. Draws are keyed
// by job, so that filtering others out does not change them.
type shaken struct {
	traces.Wrapped
	by    events.Time
	draws *rng.Rand
	held  events.Heap[events.Time, traces.Job] // by submission, ties by the order before
	seq   int64
	seen  events.Time // submissions to come are not before seen - by
	ended error
}

func newShaken(src traces.Source, by events.Time, seed uint64) *shaken {
	return &shaken{Wrapped: traces.Wrapped{Inner: src}, by: by, draws: rng.New(seed, "shake")}
}

// Next implements Source.
func (s *shaken) Next(j *traces.Job) error {
	for s.ended == nil && (s.held.Len() == 0 || s.held.HeadKey() >= s.seen-s.by) {
		var in traces.Job
		switch err := s.Inner.Next(&in); {
		case err == io.EOF:
			s.ended = err
		case err != nil:
			return err
		default:
			s.seen = in.Submit
			s.draws.Key(uint64(in.ID)<<20 ^ uint64(in.Task))
			in.Submit = max(0, in.Submit-s.by+events.Time(s.draws.Int64N(2*int64(s.by)+1)))
			s.held.Push(in.Submit, s.seq, in)
			s.seq++
		}
	}
	if s.held.Len() == 0 {
		return s.ended
	}
	*j = s.held.Pop()
	return nil
}
