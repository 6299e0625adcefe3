package transform

import (
	"io"
	"math"
	"slices"

	"bourse/events"
	"bourse/traces"
)

// What feedback counts as oddities.
const (
	OddFollows   = "jobs submitted when the one before them had ended, plus think time"
	OddNoThink   = "jobs that follow another without a think time: none taken"
	OddNoPrev    = "jobs that follow one that is not replayed: submitted as recorded"
	OddSelf      = "jobs that follow themselves: submitted as recorded"
	OddPrevCycle = "jobs that follow each other in a cycle: its first submitted as recorded"
)

// Feedback makes users react: a job whose record names a preceding job is
// submitted when that job has ended in the replay, after its think time, and not
// when the log has it (Feitelson, PWA; Zakay and Feitelson, MASCOTS 2014). That may
// be earlier than recorded, so a job anywhere in the trace can be the next: the
// trace is read into memory first. A job of several rows has ended when the last of
// them has.
//
// A job that follows one that is not replayed, because it was dropped or the trace
// does not have it, keeps its recorded submission, and so does one that follows
// itself. A circle of jobs is broken at the one that is first in the trace.
type Feedback struct {
	traces.Wrapped
	read   bool
	jobs   *traces.Memory
	rows   []row
	groups []group         // the rows of one job number
	byID   map[int64]int32 // group; looked up, never walked over
	at     int             // the next row that may follow no other
	ready  events.Queue    // rows that follow others that have ended, by submission
	held   int             // rows that follow others that have not
	last   int32           // the row read last
	submit events.Time     // when
}

type row struct {
	group   int32
	sibling int32 // next row of the group, none at the end
	next    int32 // next row that follows the same group
	state   rowState
}

type rowState uint8

const (
	stuck  rowState = iota // follows one that has not been reached
	follow                 // follows one that can be replayed
	alone                  // submitted as recorded
)

type group struct {
	rows, last int32 // its rows, as a list
	followers  int32 // a list
	left       int32 // rows that have not been reached, then: not ended
}

const none = int32(-1)

// NewFeedback wraps src.
func NewFeedback(src traces.Source) *Feedback {
	return &Feedback{Wrapped: traces.Wrapped{Inner: src}, byID: map[int64]int32{}, last: none}
}

// Next implements Source: the next job, as far as is known by now. It returns
// ErrHeld while there are only jobs that follow others.
func (f *Feedback) Next(j *traces.Job) error {
	if !f.read {
		if err := f.load(); err != nil {
			return err
		}
	}
	for f.at < f.jobs.Len() && f.rows[f.at].state == follow {
		f.at++
	}
	switch {
	case f.ready.Len() > 0 && (f.at == f.jobs.Len() ||
		f.ready.Head().Before(f.event(int32(f.at), f.jobs.Job(f.at).Submit))):
		e := f.ready.Pop()
		f.last, f.submit = e.Slot, e.At
	case f.at < f.jobs.Len():
		f.last, f.submit = int32(f.at), f.jobs.Job(f.at).Submit
		f.at++
	case f.held > 0:
		return traces.ErrHeld
	default:
		return io.EOF
	}
	*j = f.jobs.Job(int(f.last))
	j.Submit = f.submit
	return nil
}

// event is a row's arrival: ties go by trace order.
func (f *Feedback) event(x int32, at events.Time) events.Event {
	return events.New(at, events.Arrival, int64(x), x, 0)
}

// Fork returns a source that continues from here independently. It copies what is known of
// every row, 13 bytes each.
func (f *Feedback) Fork() traces.Source {
	g := *f
	g.rows, g.groups, g.ready = slices.Clone(f.rows), slices.Clone(f.groups), f.ready.Clone()
	return &g
}

// Unread implements Reactive.
func (f *Feedback) Unread() { f.ready.Push(f.event(f.last, f.submit)) }

// Row implements Reactive.
func (f *Feedback) Row() int64 { return int64(f.last) }

// Ended implements Reactive.
func (f *Feedback) Ended(id int64, at events.Time) bool {
	g, ok := f.byID[id]
	if !ok {
		return false
	}
	f.groups[g].left--
	if f.groups[g].left != 0 {
		return false
	}
	any := false
	for x := f.groups[g].followers; x != none; x = f.rows[x].next {
		if f.rows[x].state == follow {
			think := max(f.jobs.Job(int(x)).Think, 0)
			f.ready.Push(f.event(x, min(at+think, math.MaxInt64/4)))
			f.held--
			any = true
		}
	}
	return any
}

// load reads all jobs and finds out who follows whom.
func (f *Feedback) load() error {
	jobs, err := traces.Load(f.Inner)
	if err != nil {
		return err
	}
	f.jobs, f.read = jobs, true
	f.rows = make([]row, jobs.Len())
	for i := range f.rows {
		f.join(int32(i), jobs.Job(i).ID)
	}
	var reached []int32
	for i := range f.rows {
		if prev, follows := f.prev(int32(i)); follows {
			f.rows[i].next, f.groups[prev].followers = f.groups[prev].followers, int32(i)
		} else {
			f.rows[i].state = alone
			reached = append(reached, int32(i))
		}
	}
	f.reach(reached)
	for i := range f.rows {
		if f.rows[i].state == stuck {
			f.breakCircle(int32(i))
		}
	}
	f.count()
	return nil
}

// join adds a row to the group of its job number.
func (f *Feedback) join(x int32, id int64) {
	g, ok := f.byID[id]
	if !ok {
		g = int32(len(f.groups))
		f.byID[id] = g
		f.groups = append(f.groups, group{rows: none, last: none, followers: none})
	}
	f.rows[x] = row{group: g, sibling: none, next: none}
	p := &f.groups[g]
	p.left++
	if p.rows == none {
		p.rows = x
	} else {
		f.rows[p.last].sibling = x
	}
	p.last = x
}

// prev returns the group that a row follows, if it is one of the trace's others.
func (f *Feedback) prev(x int32) (int32, bool) {
	j := f.jobs.Job(int(x))
	if j.Prev <= 0 {
		return none, false
	}
	g, ok := f.byID[j.Prev]
	return g, ok && g != f.rows[x].group
}

// reach marks what can be replayed once the rows given can: all that follow
// groups whose rows have all been reached.
func (f *Feedback) reach(rows []int32) {
	for len(rows) > 0 {
		x := rows[len(rows)-1]
		rows = rows[:len(rows)-1]
		g := &f.groups[f.rows[x].group]
		if g.left--; g.left > 0 {
			continue
		}
		for y := g.followers; y != none; y = f.rows[y].next {
			if f.rows[y].state == stuck {
				f.rows[y].state = follow
				rows = append(rows, y)
			}
		}
	}
}

// breakCircle takes the circle that a stuck row leads to and lets its first row in
// the trace arrive as recorded.
func (f *Feedback) breakCircle(x int32) {
	for f.rows[x].state == stuck {
		seen := map[int32]bool{} // asked, never walked over
		y := x
		for !seen[y] {
			seen[y] = true
			y = f.stuckBefore(y)
		}
		first := y
		for z := f.stuckBefore(y); z != y; z = f.stuckBefore(z) {
			first = min(first, z)
		}
		f.rows[first].state = alone
		f.Inner.Header().Ledger.Odd(OddPrevCycle)
		f.reach([]int32{first})
	}
}

// stuckBefore returns the first stuck row that a stuck one follows.
func (f *Feedback) stuckBefore(x int32) int32 {
	g, _ := f.prev(x)
	y := f.groups[g].rows
	for f.rows[y].state != stuck {
		y = f.rows[y].sibling
	}
	return y
}

// count reports to the ledger which jobs follow others and which do not, and sets the groups up for
// the replay.
func (f *Feedback) count() {
	ledger := f.Inner.Header().Ledger
	for i := range f.rows {
		x, j := &f.rows[i], f.jobs.Job(i)
		f.groups[x.group].left++
		_, known := f.byID[j.Prev]
		switch {
		case x.state == follow:
			f.held++
			ledger.Odd(OddFollows)
			if !j.Think.Known() {
				ledger.Odd(OddNoThink)
			}
		case j.Prev <= 0:
		case j.Prev == j.ID:
			ledger.Odd(OddSelf)
		case !known:
			ledger.Odd(OddNoPrev)
		}
	}
}
