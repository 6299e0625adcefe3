package stats

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSorted wants keys in the order that comparing them gives.
func TestSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, wide := rapid.IntRange(0, 3000).Draw(t, "keys"), rapid.SampledFrom([]uint64{3, 1 << 20, 1 << 63}).Draw(t, "width")
		x := rapid.Uint64().Draw(t, "seed")
		next := func() uint64 { // splitmix64
			x += 0x9e3779b97f4a7c15
			z := (x ^ x>>30) * 0xbf58476d1ce4e5b9
			z = (z ^ z>>27) * 0x94d049bb133111eb
			return z ^ z>>31
		}
		keys := make([]key, n)
		for i := range keys {
			keys[i] = key{tau: int64(next()%wide) - int64(wide/4), seq: int64(next() % 5000), kind: uint8(next() % 3), at: int32(i)}
		}
		want := slices.Clone(keys)
		slices.SortStableFunc(want, key.compare)
		got := sorted(keys)
		if len(got) < 1000 { // ties in any order
			for i := range got {
				got[i].at, want[i].at = 0, 0
			}
		}
		if !slices.Equal(got, want) {
			t.Fatal("not in order")
		}
	})
}
