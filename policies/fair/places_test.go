package fair

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPlaces compares with a list of truth values.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 21))
	var s places
	for range 200 {
		list := make([]bool, r.IntN(200))
		s = s.none(len(list))
		for range r.IntN(3 * (len(list) + 1)) {
			if len(list) > 0 {
				i, in := r.IntN(len(list)), r.IntN(2) == 0
				list[i] = in
				s.set(int32(i), in)
			}
		}
		var want []int32
		for i, in := range list {
			if in {
				want = append(want, int32(i))
			}
		}
		if got := slices.Collect(s.all()); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}
