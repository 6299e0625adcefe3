package engine

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/policies"
)

// TestNodeSet gives and takes processors at random and compares with a plain
// table of who holds what.
func TestNodeSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 20).Draw(t, "size")
		s, owner := newNodeSet(size), make([]int, size)
		free, held := size, map[int]bool{}
		for ref := 1; ref < 30; ref++ {
			if n := rapid.IntRange(0, size).Draw(t, "take"); n > 0 && n <= free {
				s.take(policies.Ref(ref), n)
				held[ref] = true
				free -= n
				for i := 0; n > 0; i++ { // the lowest free ones
					if owner[i] == 0 {
						owner[i] = ref
						n--
					}
				}
			}
			if out := rapid.IntRange(1, ref).Draw(t, "give"); held[out] {
				s.give(policies.Ref(out))
				delete(held, out)
				for i := range owner {
					if owner[i] == out {
						owner[i] = 0
						free++
					}
				}
			}
			for ref := range held {
				if got, want := string(s.text(policies.Ref(ref))), ranges(owner, ref); got != want {
					t.Fatalf("%d holds %q, want %q", ref, got, want)
				}
			}
			if len(s.free) != len(strings.Fields(ranges(owner, 0))) {
				t.Fatalf("free ranges %v, want %q: neighbours should be merged", s.free, ranges(owner, 0))
			}
		}
	})
}

// ranges writes the places where owner is ref as "0-3 7".
func ranges(owner []int, ref int) string {
	var out []string
	for i := 0; i < len(owner); i++ {
		lo := i
		for i < len(owner) && owner[i] == ref {
			i++
		}
		if i-lo == 1 {
			out = append(out, strconv.Itoa(lo))
		} else if i > lo {
			out = append(out, strconv.Itoa(lo)+"-"+strconv.Itoa(i-1))
		}
	}
	return strings.Join(out, " ")
}
