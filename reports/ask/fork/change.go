package fork

import (
	"bourse/policies"
	"bourse/traces"
)

// Override is what is different in a copy: some jobs' bids, or that they do not come. It
// concerns jobs that arrive after the copy was made. The zero Override is none.
type Override struct {
	of     func(*traces.Job) bool
	bid    func(policies.Offer) float64
	absent bool
}

// Bid lets one job, with all its pieces, bid z per processor-second.
func Bid(job int64, z float64) Override {
	return Override{of: number(job), bid: func(policies.Offer) float64 { return z }}
}

// Multiple lets one job bid a multiple of its value.
func Multiple(job int64, f float64) Override { return Override{of: number(job), bid: times(f)} }

// User lets a user's jobs bid a multiple of their values.
func User(user traces.Label, f float64) Override {
	return Override{of: func(j *traces.Job) bool { return j.User == user }, bid: times(f)}
}

// Jobs lets all jobs of which of is true bid a multiple of their values.
func Jobs(of func(*traces.Job) bool, f float64) Override { return Override{of: of, bid: times(f)} }

// Absent leaves one job out.
func Absent(job int64) Override { return Override{of: number(job), absent: true} }

func number(id int64) func(*traces.Job) bool {
	return func(j *traces.Job) bool { return j.ID == id }
}

func times(f float64) func(policies.Offer) float64 {
	return func(o policies.Offer) float64 { return float64(f * o.Value) }
}

// bidder draws offers as another one does, but for a change.
type bidder struct {
	policies.Bidder
	Override
}

// Bid implements policies.Bidder.
func (b *bidder) Bid(j *traces.Job) (policies.Offer, error) {
	o, err := b.Bidder.Bid(j)
	if err != nil || b.of == nil || !b.of(j) {
		return o, err
	}
	if b.absent {
		return o, policies.ErrAbsent
	}
	o.Bid = b.bid(o)
	return o, nil
}

// rebidder is a bidder whose bids change later; those of a Change do not.
type rebidder struct {
	*bidder
	later policies.Rebidder
}

// Rebids implements policies.Rebidder.
func (r *rebidder) Rebids(j *traces.Job) []policies.Rebid {
	if r.of != nil && r.of(j) {
		return nil
	}
	return r.later.Rebids(j)
}

// bidder wraps a bidder.
func (c Override) bidder(b policies.Bidder) policies.Bidder {
	changed := &bidder{b, c}
	if later, ok := b.(policies.Rebidder); ok {
		return &rebidder{changed, later}
	}
	return changed
}
