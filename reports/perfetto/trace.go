package perfetto

import (
	"bufio"
	"fmt"
	"io"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Options says what of a replay is shown.
type Options struct {
	// From and Until bound the time; what overlaps it is shown. Until 0 is the end.
	From, Until events.Time
	// Every shows one job in so many, those whose number it divides; 0 is every job.
	Every int64
	// Outages asks for a counter of what outages take and caps keep idle.
	Outages bool
	// Names spell out users.
	Names *traces.Words
}

// Trace is the timeline in the making: an engine.Sink, SegmentSink, SampleSink and
// RoundSink of one replay.
type Trace struct {
	out          *bufio.Writer
	packet, head message
	options      Options

	tracks        uint64 // so many are described
	people        uint64 // the top-level track of users
	machine       uint64 // and of processors or machines
	users, places map[int64]*lanes
	on            map[key]int32 // the machine of a cluster each running job is on
	counters      []count
	early         engine.Sample // the last one before Options.From
	isEarly       bool
	cut           map[key]uint64 // the tracks of segments that ended at cutAt
	cutAt         events.Time
	arrows        map[arrow][]uint64 // the tracks of the jobs that one preempts when it starts
	flows         uint64
}

// key is a job: its number in the trace, and its piece or task.
type key struct {
	id   int64
	task int32
}

func keyOf(j *traces.Job) key { return key{j.ID, j.Task} }

// arrow is the start of a job that preempts others.
type arrow struct {
	key
	start events.Time
}

// New begins a trace.
func New(w io.Writer, options Options) *Trace {
	return &Trace{out: bufio.NewWriterSize(w, 1<<16), options: options, users: map[int64]*lanes{},
		places: map[int64]*lanes{},
		on:     map[key]int32{}, cut: map[key]uint64{}, arrows: map[arrow][]uint64{}}
}

// Finish writes what is left.
func (t *Trace) Finish() error { return t.out.Flush() }

// Empty reports whether no job was shown so far.
func (t *Trace) Empty() bool { return len(t.users) == 0 }

// shows says whether the job is one of those shown, and the time within the bounds.
func (t *Trace) shows(j *traces.Job, start, end events.Time) bool {
	o := &t.options
	return (o.Every == 0 || j.ID%o.Every == 0) && end >= o.From && (o.Until == 0 || start < o.Until)
}

// Record shows a job on its user's tracks, from submission to end.
func (t *Trace) Record(o *engine.Outcome) error {
	j := &o.Job
	delete(t.on, keyOf(j))
	if o.WhyLeft != "" || !t.shows(j, j.Submit, o.End) {
		return nil
	}
	name := "user unknown"
	if text, ok := t.options.Names.Text(j.User); ok {
		name = "user " + text
	}
	l, err := t.group(t.users, &t.people, 2, "users", int64(j.User), name)
	if err != nil {
		return err
	}
	track, err := t.take(l, j.Submit, o.End)
	if err != nil {
		return err
	}
	e := event(sliceBegin, track)
	e.text(eventName, keyOf(j).String())
	e.note("processors", int64(j.Procs))
	e.note("wait_s", o.Wait().Seconds())
	e.note("run_s", j.Run.Seconds())
	e.note("bounded_slowdown", o.BoundedSlowdown())
	e.note("bid", o.Bid)
	e.note("payment", o.Payment)
	e.note("preemptions", int64(o.Preemptions))
	if err := t.emit(j.Submit, e); err != nil {
		return err
	}
	if err := t.emit(o.End, event(sliceEnd, track)); err != nil || o.Start <= j.Submit || o.Start >= o.End {
		return err
	}
	return t.waiting(track, j, o.Start)
}

// waiting shows the time before the first start, inside the job's slice.
func (t *Trace) waiting(track uint64, j *traces.Job, start events.Time) error {
	e := event(sliceBegin, track)
	e.text(eventName, "waiting")
	if err := t.emit(j.Submit, e); err != nil {
		return err
	}
	return t.emit(start, event(sliceEnd, track))
}

// String names the job for people.
func (k key) String() string {
	if k.task == 0 {
		return fmt.Sprintf("job %d", k.id)
	}
	return fmt.Sprintf("job %d.%d", k.id, k.task)
}

// Segment shows a stretch of running on the track of its processors or its machine.
func (t *Trace) Segment(s *engine.Segment) error {
	k := keyOf(s.Job)
	cut := t.preempted(k, s.Start)
	if !t.shows(s.Job, s.Start, s.End) {
		return nil
	}
	l, err := t.place(k, s)
	if err != nil {
		return err
	}
	track, err := t.take(l, s.Start, s.End)
	if err != nil {
		return err
	}
	e := event(sliceBegin, track)
	e.text(eventName, k.String())
	e.note("processors", int64(s.Job.Procs))
	if len(s.Nodes) > 0 {
		e.note("nodes", string(s.Nodes))
	}
	if s.Share != 1 {
		e.note("share", s.Share)
	}
	e.note("price", s.Price())
	e.note("charge", s.Charge)
	for i := range cut {
		e.fixed(eventFlow, t.flows+uint64(i)+1)
	}
	if err := t.emit(s.Start, e); err != nil {
		return err
	}
	for _, victim := range cut {
		t.flows++
		e := event(instant, victim)
		e.text(eventName, "preempted by "+k.String())
		e.fixed(eventFlowTo, t.flows)
		if err := t.emit(s.Start, e); err != nil {
			return err
		}
	}
	t.ended(s.End, k, track)
	return t.emit(s.End, event(sliceEnd, track))
}

// preempted returns the tracks of the jobs that made room for one that started then.
func (t *Trace) preempted(k key, start events.Time) []uint64 {
	a := t.arrows[arrow{k, start}]
	delete(t.arrows, arrow{k, start})
	return a
}

// place returns the lanes a segment belongs to.
func (t *Trace) place(k key, s *engine.Segment) (*lanes, error) {
	if len(s.Nodes) > 0 {
		return t.processor(s.Nodes)
	}
	if m, ok := t.on[k]; ok {
		return t.group(t.places, &t.machine, 1, "machines", int64(m), fmt.Sprintf("machine %d", m))
	}
	return t.group(t.places, &t.machine, 1, "machine", 0, "running jobs")
}

// Round learns which jobs made room for which, and on which machines jobs start. It comes
// after the segments that the round has ended.
func (t *Trace) Round(r *policies.Round) error {
	for i, at := range r.Placed {
		j := r.Job(r.Started[i])
		t.on[key{j.ID, j.Task}] = at.Machine
	}
	for i, ref := range r.Preempted {
		if r.Preemptors[i] < 0 {
			continue
		}
		j, by := r.Job(ref), r.Job(r.Preemptors[i])
		track, ok := t.cut[key{j.ID, j.Task}]
		if !ok || t.cutAt != r.Now {
			continue
		}
		k := key{by.ID, by.Task}
		if by.State == policies.Running {
			t.arrows[arrow{k, r.Now}] = append(t.arrows[arrow{k, r.Now}], track)
			continue
		}
		// Under a strict order a job that still does not fit stops those behind it.
		e := event(instant, track)
		e.text(eventName, "stopped by "+k.String()+", which waits")
		if err := t.emit(r.Now, e); err != nil {
			return err
		}
	}
	return nil
}

// ended notes that the job's slice on the track has ended at the instant.
func (t *Trace) ended(now events.Time, k key, track uint64) {
	if t.cutAt != now {
		clear(t.cut)
		t.cutAt = now
	}
	t.cut[k] = track
}
