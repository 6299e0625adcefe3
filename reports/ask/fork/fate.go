package fork

import (
	"errors"
	"fmt"

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
	// End is when the last piece ended.
	End events.Time
	// Paid and Utility are by payment scheme, sums over the pieces.
	Paid, Utility []float64
}

// FateOf follows a copy until a job has ended.
func (p *Branch) FateOf(j *traces.Job, c Override) (Result, error) {
	var f Result
	left := max(1, int(j.Pieces))
	err := p.Follow(c, func(o *engine.Outcome) bool {
		if o.Job.ID != j.ID {
			return false
		}
		f.Add(o)
		left--
		return left == 0
	})
	if err == errNeverEnded {
		err = fmt.Errorf("job %d never ended", j.ID)
	}
	return f, err
}

// Add takes the record of one more piece in.
func (f *Result) Add(o *engine.Outcome) {
	if f.Paid == nil {
		f.Paid, f.Utility = make([]float64, 1+len(o.Also)), make([]float64, 1+len(o.Also))
	}
	f.Value, f.Aggressive, f.End = o.Value, o.Aggressive, o.End
	f.Flow += o.Loss()
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
