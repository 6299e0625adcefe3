package google

import (
	"math"

	"bourse/events"
	"bourse/traces"
)

// taskKey names a task in all tables.
type taskKey struct {
	job  int64
	task int32
}

// taskState is the state of a task between two rows.
type taskState uint8

const (
	ended taskState = iota // and may come back
	pending
	running
)

// task is a task that is alive, or has ended so recently that it may come back.
type task struct {
	key             taskKey
	state           taskState
	last            Kind  // what ended it
	seq             int64 // of the submission that the job will carry
	first, submit   events.Time
	begun           events.Time // of the attempt in progress
	endedAt         events.Time
	kept            attempt // the last attempt that ended
	total           events.Time
	cpu, mem        float64
	user            traces.Label
	priority, class int32
	attempts        int32
	fromBefore      bool // it was there when the window began
}

// attempt is a stretch from a schedule to an end.
type attempt struct {
	seq                int64
	submit, begin, end events.Time
}

// idleTimeout is how long a task that was evicted, failed or killed may stay away
// before it counts as ended. Nearly all come back at once: in the first 14 parts
// of 2011, of 321,000 that do, 223 take more than an hour.
const idleTimeout = 3600 * events.Second

// tasks is the state machine of all tasks.
type tasks struct {
	g     *source
	index map[taskKey]int32
	slots []task
	free  []int32
	idle  []expiry           // tasks that have ended, in order of time
	next  int                // the first of them that has not expired
	seen  map[int64][]uint64 // by job, a bit for each task met
	seq   int64
	now   events.Time
}

// expiry is a task that ended at a time; it may have come back since.
type expiry struct {
	slot    int32
	endedAt events.Time
	key     taskKey
}

func newTasks(g *source) *tasks {
	return &tasks{g: g, index: map[taskKey]int32{}, seen: map[int64][]uint64{}}
}

// apply takes one row.
func (s *tasks) apply(e *TaskEvent, users []traces.Label) error {
	c := &s.g.count
	c.Rows[e.Kind]++
	at := max(e.At, WindowStart)
	if e.At == math.MaxInt64 {
		s.odd("events after the window ignored")
		return nil
	}
	if at < s.now {
		s.odd("events earlier than the row before")
	}
	s.now = max(s.now, at)
	c.End = s.now
	if e.Missing {
		s.odd("events inserted by the trace's authors")
	}
	if err := s.expire(); err != nil {
		return err
	}
	x, err := s.find(e)
	if err != nil || x < 0 {
		return err
	}
	t := &s.slots[x]
	if e.user >= 0 {
		t.user = users[e.user]
	} else if owner, ok := s.g.owners[e.Job]; ok {
		t.user = owner
	}
	s.describe(t, e)
	switch e.Kind {
	case Submit:
		s.submitted(t, at)
	case Schedule:
		s.scheduled(t, at)
	case Queue, Enable:
		if t.state == ended {
			s.odd("tasks queued or enabled without a submission: submitted then")
			s.submitted(t, at)
		}
	case UpdatePending, UpdateRunning:
	default:
		return s.endTask(x, e.Kind, at)
	}
	return nil
}

// find returns the slot of an event's task, a new one where it is unknown, or -1
// where the event makes no sense for an unknown task.
func (s *tasks) find(e *TaskEvent) (int32, error) {
	key := taskKey{e.Job, e.Task}
	if x, ok := s.index[key]; ok {
		return x, nil
	}
	switch e.Kind {
	case Submit, Schedule, Queue, Enable:
	case UpdatePending, UpdateRunning:
		s.odd("updates of an unknown task")
		return -1, nil
	default:
		s.odd("ends of an unknown task")
		return -1, nil
	}
	var x int32
	if n := len(s.free); n > 0 {
		x, s.free = s.free[n-1], s.free[:n-1]
	} else {
		x = int32(len(s.slots))
		s.slots = append(s.slots, task{})
	}
	s.slots[x] = task{key: key, cpu: -1, mem: -1, user: traces.NoLabel, priority: -1, class: -1, fromBefore: e.At == 0}
	s.index[key] = x
	s.countDistinct(key)
	return x, nil
}

// countDistinct counts distinct jobs and tasks, a bit each: a task that had ended for good
// may come back.
func (s *tasks) countDistinct(key taskKey) {
	bits, known := s.seen[key.job]
	if !known {
		s.g.count.Jobs++
	}
	at, bit := int(key.task)/64, uint64(1)<<(key.task%64)
	if at >= len(bits) {
		bits = append(bits, make([]uint64, at+1-len(bits))...)
		s.seen[key.job] = bits
	}
	if bits[at]&bit != 0 {
		s.odd("tasks that returned after they had ended: one job each time")
		return
	}
	bits[at] |= bit
	s.g.count.Tasks++
}

// describe takes over what a row says of a task.
func (s *tasks) describe(t *task, e *TaskEvent) {
	if e.CPU >= 0 {
		t.cpu = e.CPU
	}
	if e.Memory >= 0 {
		t.mem = e.Memory
	}
	if e.Kind == Submit && (e.CPU < 0 || e.Memory < 0) {
		s.odd("submissions without a request for CPU or memory")
	}
	if e.Priority >= 0 {
		t.priority = e.Priority
	}
	if e.Class >= 0 {
		t.class = e.Class
	}
}

func (s *tasks) submitted(t *task, at events.Time) {
	s.seq++
	if t.state != ended {
		s.odd("duplicate submissions of a task")
		return
	}
	t.state, t.submit, t.seq = pending, at, s.seq
	if t.attempts == 0 && t.first == 0 {
		t.first = at
		t.kept.seq = s.seq
	}
}

func (s *tasks) scheduled(t *task, at events.Time) {
	switch t.state {
	case running:
		s.odd("schedules of a task that is running")
		return
	case ended:
		s.odd("schedules of a task that was not submitted")
		s.submitted(t, at)
	}
	t.state, t.begun = running, at
	t.attempts++
}

// endTask ends a task, for now or for good.
func (s *tasks) endTask(x int32, k Kind, at events.Time) error {
	t := &s.slots[x]
	switch t.state {
	case ended:
		s.odd("ends of a task that has ended")
		return nil
	case running:
		if at < t.begun {
			s.odd("tasks that end before they start")
			at = t.begun
		}
		s.g.count.Attempts++
		s.g.count.Ended[k]++
		if s.g.opts.Attempts == traces.AllAttempts {
			if err := s.emit(t, attempt{t.seq, t.submit, t.begun, at}, at-t.begun, k); err != nil {
				return err
			}
		}
		t.kept = attempt{t.seq, t.submit, t.begun, at}
		t.total += at - t.begun
	case pending:
		if k == Evict {
			s.odd("evictions of a task that is waiting")
		}
	}
	t.state, t.last, t.endedAt = ended, k, at
	if k == Finish {
		return s.release(x)
	}
	s.idle = append(s.idle, expiry{x, at, t.key})
	return nil
}

// expire lets go of tasks that have stayed away too long.
func (s *tasks) expire() error {
	for s.next < len(s.idle) && s.idle[s.next].endedAt+idleTimeout < s.now {
		if err := s.expired(s.idle[s.next]); err != nil {
			return err
		}
		if s.next++; s.next > 1024 && s.next > len(s.idle)/2 {
			s.idle = append(s.idle[:0], s.idle[s.next:]...)
			s.next = 0
		}
	}
	return nil
}

func (s *tasks) expired(g expiry) error {
	t := &s.slots[g.slot]
	if t.key != g.key || t.state != ended || t.endedAt != g.endedAt {
		return nil // it came back
	}
	if x, ok := s.index[g.key]; !ok || x != g.slot {
		return nil
	}
	return s.release(g.slot)
}

// release makes the job of a task that has ended for good and forgets it.
func (s *tasks) release(x int32) error {
	t := &s.slots[x]
	var err error
	switch s.g.opts.Attempts {
	case traces.AllAttempts:
		if t.attempts == 0 {
			err = s.emit(t, attempt{seq: t.seq, submit: t.submit}, events.Unknown, t.last)
		}
	case traces.MergedAttempts:
		a := t.kept
		a.submit = t.first
		run := t.total
		if t.attempts == 0 {
			run = events.Unknown
		}
		err = s.emit(t, a, run, t.last)
	default:
		run := t.kept.end - t.kept.begin
		if t.attempts == 0 {
			t.kept.submit, run = t.submit, events.Unknown
		}
		err = s.emit(t, t.kept, run, t.last)
	}
	delete(s.index, t.key)
	t.key = taskKey{-1, -1}
	s.free = append(s.free, x)
	return err
}

// statuses are SWF's for how a task may end; others are unknown.
var statuses = map[Kind]int32{Finish: 1, Fail: 0, Kill: 5}

// emit makes a job of an attempt, or of what a task was as a whole.
func (s *tasks) emit(t *task, a attempt, run events.Time, how Kind) error {
	j := traces.UnknownJob
	j.ID, j.Task, j.Line = t.key.job, t.key.task, a.seq
	j.Submit, j.Run, j.Procs = a.submit, run, 1
	j.CPU, j.Memory = t.cpu, t.mem
	j.User, j.Priority, j.Class = t.user, t.priority, t.class
	if run.Known() {
		j.Wait = a.end - a.submit - run // it ends where the trace says, lost runs being no wait
		j.Attempt = t.attempts
		if s.g.opts.Attempts != traces.AllAttempts {
			j.Wasted = t.total - (a.end - a.begin)
		}
	}
	if status, ok := statuses[how]; ok {
		j.Status = status
	}
	if t.fromBefore {
		s.odd("tasks present before the window: their time counts from its beginning")
	}
	s.g.header.Ledger.Read++
	return s.g.sorted.Add(&j, j.Line)
}

// finish ends the trace: what still runs has no known end.
func (s *tasks) finish() error {
	for x := range s.slots {
		t := &s.slots[x]
		if at, ok := s.index[t.key]; !ok || at != int32(x) {
			continue
		}
		if t.state != running {
			if err := s.release(int32(x)); err != nil {
				return err
			}
			continue
		}
		s.g.count.Censored++
		if !s.g.opts.Censored {
			s.g.header.Ledger.Read++
			s.g.header.Ledger.Drop(traces.Unfinished, nil)
			continue
		}
		t.state, t.last = ended, Lost
		t.kept = attempt{t.seq, t.submit, t.begun, s.now}
		t.total += s.now - t.begun
		if s.g.opts.Attempts == traces.AllAttempts {
			if err := s.emit(t, t.kept, s.now-t.begun, Lost); err != nil {
				return err
			}
			continue
		}
		if err := s.release(int32(x)); err != nil {
			return err
		}
	}
	return nil
}

func (s *tasks) odd(what string) { s.g.header.Ledger.Odd(what) }
