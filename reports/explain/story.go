package explain

import (
	"bourse/engine"
	"bourse/events"
	"bourse/policies"
)

// Story is what became of one job.
type Story struct {
	// Outcome is the job's record, Also included. It is a copy.
	engine.Outcome
	// First is the bid it came with, Rebids the later ones.
	First  float64
	Rebids []policies.Rebid
	// Pauses are the times in which it waited, the one from its submission first;
	// that one is of no length if the job started at once.
	Pauses []Pause
	// Pieces are the stretches it ran, by price: bid, share and price are the same
	// throughout a piece.
	Pieces []Piece
	// Segments counts the engine's segments, of which the bill is the sum.
	Segments int
}

// Piece is a stretch of running time at one price.
type Piece struct {
	From, To events.Time
	// Share is the fraction of its need that the job held.
	Share float64
	// Price is per processor-second; Charge the money due, so that the charges up to
	// the end of a segment add up to the bill so far, bit by bit.
	Price, Charge float64
	// Last tells that the segment ends with this piece, and Billed what the bill
	// then is.
	Last   bool
	Billed float64
}

// Pause is a time in which a job waits.
type Pause struct {
	From, Until events.Time
	// Stopped tells that the job ran before, Evicted that its machine went, Killed that
	// its estimate was up and it was submitted again, and By whom it made room for; nil
	// if the policy did not say.
	Stopped, Evicted, Killed bool
	By                       *JobRef
	// Before is who was there when the pause began, After when it had ended.
	Before, After QueueState
	// Earlier and Later count the starts meanwhile of jobs submitted before and
	// after this one; Passed are the first of them.
	Earlier, Later int
	Passed         []JobRef
	// Ended are jobs that ended at the instant the pause did, Aside those that were
	// preempted: what made room. EndedAll and AsideAll count them.
	Ended, Aside       []JobRef
	EndedAll, AsideAll int
}

// Waited is the time in pauses altogether.
func (s *Story) Waited() (sum events.Time) {
	for i := range s.Pauses {
		sum += s.Pauses[i].Length()
	}
	return sum
}

// Length is how long the pause was.
func (p *Pause) Length() events.Time { return p.Until - p.From }

// QueueState is who was in the system at an instant, the job itself not counted.
type QueueState struct {
	// Running jobs hold Held of Total of each resource; Waiting ones hold nothing.
	Running, Waiting int
	Held, Total      policies.Amount
	// Better counts the waiting jobs that stand before the job: by bid where the
	// policy starts jobs in that order, else those that were submitted before it.
	Better int
	// Largest are the running jobs that hold most, First the waiting ones that
	// stand first.
	Largest, First []JobRef
}

// JobRef is another job, as far as a story names it.
type JobRef struct {
	ID    int64
	Task  int32
	Procs int32
	Size  float64
	Bid   float64
	key   float64
	seq   int64
}

// names is how many neighbours a story names at a time.
const names = 3

// better keeps the few best neighbours in order: greater keys first, then earlier
// ones.
func better(few []JobRef, n JobRef) []JobRef {
	at := len(few)
	for at > 0 && (n.key > few[at-1].key || n.key == few[at-1].key && n.seq < few[at-1].seq) {
		at--
	}
	if at == names {
		return few
	}
	if len(few) < names {
		few = append(few, JobRef{})
	}
	copy(few[at+1:], few[at:])
	few[at] = n
	return few
}
