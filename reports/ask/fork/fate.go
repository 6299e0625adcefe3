package fork

import (
	"errors"
	"fmt"
	"math"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// errNeverEnded says that a copy came to its end before it was seen enough of.
var errNeverEnded = errors.New("what was to be followed never ended")

// Result is what becomes of a job, its pieces being one.
type Result struct {
	Value      float64
	Aggressive bool
	// Flow is the sum over the pieces of what the value is lost by: size x flow time, or for a
	// job with a shape less than nothing, what it keeps of it.
	Flow float64
	// Within is Flow counted to the horizon only, and Cut tells that a piece ended later. Size is the sum over
	// the pieces of their sizes, Steps how far the copy was followed.
	Within, Size float64
	Cut          bool
	Steps        int64
	// End is when the last piece ended.
	End events.Time
	// Paid and Utility are by payment scheme, sums over the pieces.
	Paid, Utility []float64
}

// FateOf follows a copy until a job has ended.
func (p *Branch) FateOf(j *traces.Job, c Override) (Result, error) {
	return p.fate(j, c, math.MaxInt64)
}

// FateWithin is FateOf where nothing counts that comes after the horizon: the copy is followed no further.
// Complete then adds the pieces that it has not seen end.
func (p *Branch) FateWithin(j *traces.Job, c Override) (Result, error) {
	if p.horizon == 0 {
		return p.FateOf(j, c)
	}
	return p.fate(j, c, j.Submit+p.horizon)
}

// Complete counts the pieces that end after the horizon; size is that of all pieces of the job.
func (f *Result) Complete(size float64, horizon events.Time) {
	if left := size - f.Size; left > 1e-9*size {
		f.Within, f.Cut = f.Within+float64(left*horizon.Seconds()), true
	}
}

func (p *Branch) fate(j *traces.Job, c Override, last events.Time) (f Result, err error) {
	left, shaped := max(1, int(j.Pieces)), false
	f.Steps, err = p.follow(c, last, func(o *engine.Outcome) bool {
		if o.Job.ID != j.ID {
			return false
		}
		f.Add(o, p.horizon)
		shaped = o.Shape != nil
		left--
		return left == 0
	})
	switch {
	case err == errNeverEnded:
		err = fmt.Errorf("job %d never ended", j.ID)
	case err == nil && shaped && p.horizon > 0:
		err = fmt.Errorf("job %d has a deadline or steps of its own, and a horizon is for values that are lost evenly", j.ID)
	}
	return f, err
}

// Add takes the record of one more piece in; a horizon of 0 is none.
func (f *Result) Add(o *engine.Outcome, horizon events.Time) {
	if f.Paid == nil {
		f.Paid, f.Utility = make([]float64, 1+len(o.Also)), make([]float64, 1+len(o.Also))
	}
	f.Value, f.Aggressive, f.End = o.Value, o.Aggressive, o.End
	f.Flow += o.Loss()
	f.Size += o.Size
	within := o.Loss()
	if horizon > 0 && o.Flow() > horizon {
		within, f.Cut = float64(o.Size*horizon.Seconds()), true
	}
	f.Within += within
	f.Paid[0] += o.Payment
	f.Utility[0] += o.Utility()
	for i, bill := range o.Also {
		f.Paid[i+1] += bill
		f.Utility[i+1] += o.Valuation() - bill
	}
}

// Rival is a job that another one competes with: its bid, and what that is divided by to
// rank it (policies.Market).
type Rival struct{ Bid, Scale float64 }

// Rivals are the jobs that are unfinished or arrive until an instant, but for one, and the
// scale of that one. Its pieces are j's rows. It reports false if they cannot be told.
func (p *Branch) Rivals(j *traces.Job, until events.Time) (list []Rival, scale float64, err error) {
	m, ok := policies.As[policies.Market](p.policy)
	if !ok {
		return nil, 0, nil
	}
	for k := range p.replay.Unfinished {
		list = append(list, Rival{k.Bid, m.Scale(k)})
	}
	all := p.jobs.Memory
	for i := p.row(j.Submit); i < all.Len(); i++ {
		k := all.Job(i)
		if k.Submit > until {
			break
		}
		o, err := p.bidder.Bid(&k)
		if err != nil {
			return nil, 0, err
		}
		face := policies.Job{ID: k.ID, Procs: k.Procs, Submit: k.Submit, Run: k.Run, Left: k.Run, Estimate: k.Estimate,
			Bid: o.Bid}
		if s := m.Scale(&face); k.ID == j.ID {
			scale = s
		} else {
			list = append(list, Rival{o.Bid, s})
		}
	}
	return list, scale, nil
}

// row is the first one in the trace that arrives at an instant or later.
func (p *Branch) row(at events.Time) int {
	all := p.jobs.Memory
	low, high := 0, all.Len()
	for low < high {
		if mid := (low + high) / 2; all.Job(mid).Submit < at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
