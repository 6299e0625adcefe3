package explain

import (
	"cmp"
	"slices"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
)

// History is what became of one job in a replay.
type History struct {
	// Outcome is the job's record, Also included. It is a copy.
	engine.Outcome
	// First is the bid at its submission, Rebids the later ones.
	First  float64
	Rebids []policies.Rebid
	// Pauses are the periods of waiting. The first begins with the submission and has
	// no length if the job started at once.
	Pauses []Pause
	// Stretches divide the time of waiting, in order; their lengths by cause are
	// those of Outcome.Causes, which has the rest of the wait, too.
	Stretches []Stretch
	// Holds are the periods in which a rule of the site held it back.
	Holds []Hold
	// Ahead counts the jobs ahead of it that started during the wait before its first
	// start, Overtook the others that took room in which it would have fit; Firsts are the
	// first of them.
	Ahead, Overtook int
	Firsts          []JobRef
	// Least and Most are what was free while it waited for room. Queued counts the jobs
	// ahead of it when it was held back first, Leader is the first of them.
	Least, Most policies.Amount
	Queued      int
	Leader      *JobRef
	// Pieces are the periods of running at one bid, share and price.
	Pieces []Piece
	// Segments counts the engine's segments, of which the bill is the sum.
	Segments int
}

// Hold is a period in which a rule of the site kept the job from starting.
type Hold struct {
	From  events.Time `json:"-"`
	Until events.Time `json:"-"`
	Why   string      `json:"by"` // in words that continue "held back by the"
}

// Away is an outage, or a cap on power, of so many processors, 0 for all, until a moment; nil if it has no end.
type Away struct {
	Procs  float64  `json:"processors"`
	Until  *float64 `json:"until_s,omitempty"`
	Capped bool     `json:"capped,omitempty"`
}

// Piece is a period of running at one price.
type Piece struct {
	From, To events.Time
	// Share is the fraction of its need that the job held.
	Share float64
	// Price is per processor-second; Charge the money due, so that the charges up to
	// the end of a segment add up to the bill so far, bit by bit.
	Price, Charge float64
	// Last is true if the segment ends with this piece; Billed is the bill then.
	Last   bool
	Billed float64
}

// Pause is a period in which a job waits.
type Pause struct {
	From, Until events.Time
	Stop
	Start
}

// Why says why a pause begins.
type Why string

// The reasons: the job is submitted; it is stopped; its machine is removed; it reaches its
// estimate and is submitted again.
const (
	Submitted Why = "submitted"
	Stopped   Why = "stopped"
	Evicted   Why = "evicted"
	Killed    Why = "killed"
)

// Stop is the beginning of a pause.
type Stop struct {
	Why Why `json:"why"`
	// By is the job it made room for, nil if the policy did not say.
	By *JobRef `json:"by,omitempty"`
	// Before is the state of the queue then.
	Before QueueState `json:"queue_before"`
}

// Start is the end of a pause.
type Start struct {
	// Again means that the job ran before. Waited is the pause's length in seconds, Share the
	// part of its request that the job holds then.
	Again  bool    `json:"again"`
	Waited float64 `json:"after_s"`
	Share  float64 `json:"share"`
	// After is the state of the queue then.
	After QueueState `json:"queue_after"`
	// Earlier and Later count the starts meanwhile of jobs submitted before and
	// after this one; Passed are the first of them.
	Earlier int      `json:"earlier_started,omitempty"`
	Later   int      `json:"later_started,omitempty"`
	Passed  []JobRef `json:"started,omitempty"`
	// Ended are jobs that ended at the instant the pause did, Aside those that were
	// preempted then: both make room. EndedAll and AsideAll count them.
	Ended    []JobRef `json:"ended,omitempty"`
	EndedAll int      `json:"ended_all,omitempty"`
	Aside    []JobRef `json:"preempted,omitempty"`
	AsideAll int      `json:"preempted_all,omitempty"`
}

// Stretch is a time of waiting with one cause.
type Stretch struct {
	From, Until events.Time
	Cause       engine.Cause
}

// Length is how long the pause was.
func (p *Pause) Length() events.Time { return p.Until - p.From }

// QueueState counts the other jobs in the system at an instant.
type QueueState struct {
	// Running jobs hold Held of Total of each resource; Waiting ones hold nothing.
	Running int    `json:"running"`
	Held    Amount `json:"held"`
	Total   Amount `json:"total"`
	Waiting int    `json:"waiting"`
	// Better counts the waiting jobs ahead of the job: by bid where the policy starts
	// jobs in that order, else by submission.
	Better int `json:"ahead"`
	// Largest are the running jobs that hold most, First the first waiting ones.
	Largest []JobRef `json:"largest,omitempty"`
	First   []JobRef `json:"first,omitempty"`
}

// Amount is a policies.Amount with names in JSON.
type Amount struct {
	CPU    float64 `json:"cpu"`
	Memory float64 `json:"memory"`
	GPU    float64 `json:"gpu"`
	Disk   float64 `json:"disk"`
}

// JobRef is what is kept of another job.
type JobRef struct {
	ID    int64   `json:"job_id"`
	Task  int32   `json:"task"`
	Procs int32   `json:"procs"`
	Size  float64 `json:"size"`
	Bid   float64 `json:"bid"`
	// Late is by how many seconds a job that ended had run longer than its estimate, below 0
	// if it ended early; nil if that is not known.
	Late *float64 `json:"late_s,omitempty"`
	key  float64
	seq  int64
}

// names is how many other jobs are named at a time.
const names = 3

// better keeps the few best jobs in order: greater keys first, then earlier ones.
func better(few []JobRef, n JobRef) []JobRef {
	few = append(few, n)
	slices.SortFunc(few, func(a, b JobRef) int { return cmp.Or(cmp.Compare(b.key, a.key), cmp.Compare(a.seq, b.seq)) })
	return few[:min(len(few), names)]
}
