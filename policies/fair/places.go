package fair

import (
	"iter"
	"math/bits"
)

// places are a set of places among the active users, a bit each.
type places []uint64

// none returns an empty set of so many places, in s if there is room.
func (s places) none(n int) places {
	words := (n + 63) / 64
	if cap(s) < words {
		return make(places, words)
	}
	clear(s[:words])
	return s[:words]
}

func (s places) set(i int32, in bool) {
	if bit := uint64(1) << (i % 64); in {
		s[i/64] |= bit
	} else {
		s[i/64] &^= bit
	}
}

// all yields the places in order. Those that have been yielded may change meanwhile.
func (s places) all() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for w := range s {
			for word := s[w]; word != 0; word &= word - 1 {
				if !yield(int32(64*w + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}
