package engine

import (
	"strconv"

	"bourse/policies"
)

// nodeSet says which processors a job holds, for Gantt charts and receipts: a
// start takes the lowest free ones. It is kept only while segments are
// written, since a wide job costs time in the number of ranges it gets.
type nodeSet struct {
	free []span // disjoint, ascending, never touching
	held [][]span
	buf  []byte
}

// span is the processors from lo to hi inclusive.
type span struct{ lo, hi int }

func newNodeSet(n int) *nodeSet { return &nodeSet{free: []span{{0, n - 1}}} }

// take gives n of the lowest free processors to ref. They must be free.
func (s *nodeSet) take(ref policies.Ref, n int) {
	for int(ref) >= len(s.held) {
		s.held = append(s.held, nil)
	}
	got, used := s.held[ref][:0], 0
	for n > 0 {
		f := &s.free[used]
		k := min(n, f.hi-f.lo+1)
		got = append(got, span{f.lo, f.lo + k - 1})
		f.lo += k
		n -= k
		if f.lo > f.hi {
			used++
		}
	}
	s.free = append(s.free[:0], s.free[used:]...)
	s.held[ref] = got
}

// give returns ref's processors by merging two ascending lists.
func (s *nodeSet) give(ref policies.Ref) {
	merged := make([]span, 0, len(s.free)+len(s.held[ref]))
	a, b := s.free, s.held[ref]
	for len(a)+len(b) > 0 {
		var next span
		if len(b) == 0 || len(a) > 0 && a[0].lo < b[0].lo {
			next, a = a[0], a[1:]
		} else {
			next, b = b[0], b[1:]
		}
		if k := len(merged); k > 0 && merged[k-1].hi+1 == next.lo {
			merged[k-1].hi = next.hi
		} else {
			merged = append(merged, next)
		}
	}
	s.free, s.held[ref] = merged, s.held[ref][:0]
}

// text writes ref's processors as ranges, "0-3 7". It is valid until the next
// call.
func (s *nodeSet) text(ref policies.Ref) []byte {
	s.buf = s.buf[:0]
	for _, h := range s.held[ref] {
		if len(s.buf) > 0 {
			s.buf = append(s.buf, ' ')
		}
		s.buf = strconv.AppendInt(s.buf, int64(h.lo), 10)
		if h.hi > h.lo {
			s.buf = append(s.buf, '-')
			s.buf = strconv.AppendInt(s.buf, int64(h.hi), 10)
		}
	}
	return s.buf
}
