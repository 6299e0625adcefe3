package transform

import (
	"io"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/rng"
)

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
