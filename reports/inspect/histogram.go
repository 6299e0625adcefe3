package inspect

import (
	"math"
	"math/bits"
)

// histogram counts whole numbers from 0 in buckets less than 1 % wide, so that
// quantiles take memory that does not depend on how much is counted. A bucket
// remembers its least value: logs love round numbers, and then a quantile is
// often exact. Least and greatest value, count and mean are exact. stats.Histogram, for
// measures of outcomes, holds fractions and gives the middle of a bucket, which no log
// contains.
type histogram struct {
	count    int64
	sum      float64
	min, max int64
	counts   []int64 // by bucket, grown as needed
	least    []int64
}

// octave is the number of buckets between a power of two and the next.
const octave = 128

// bucket returns v's bucket: v itself below 2*octave, then 128 an octave.
func bucket(v int64) int {
	shift := max(0, bits.Len64(uint64(v))-8) // leaves 8 bits, 128..255
	return shift*octave + int(v>>shift)
}

func (h *histogram) add(v int64) {
	if h.count == 0 || v < h.min {
		h.min = v
	}
	h.max = max(h.max, v)
	h.count++
	h.sum += float64(v)
	b := bucket(v)
	for b >= len(h.counts) {
		h.counts = append(h.counts, 0)
		h.least = append(h.least, 0)
	}
	if h.counts[b] == 0 || v < h.least[b] {
		h.least[b] = v
	}
	h.counts[b]++
}

func (h *histogram) mean() float64 {
	if h.count == 0 {
		return 0
	}
	return h.sum / float64(h.count)
}

// quantile returns a value that at least q of the values do not exceed, but for
// a bucket's width: the least value of the bucket of rank ceil(q*count).
func (h *histogram) quantile(q float64) int64 {
	switch {
	case q <= 0:
		return h.min
	case q >= 1:
		return h.max
	}
	rank := max(1, int64(math.Ceil(float64(q*float64(h.count))-1e-6)))
	for b, n := range h.counts {
		if rank -= n; rank <= 0 {
			return h.least[b]
		}
	}
	return h.max
}

// timeline counts arrivals over time in a fixed number of bins whose width
// doubles whenever time outgrows them.
type timeline struct {
	start int64
	width int64
	bins  [timelineBins]int64
	begun bool
}

const timelineBins = 64

func (t *timeline) add(at int64) {
	if !t.begun {
		t.start, t.width, t.begun = at, 1, true
	}
	for (at-t.start)/t.width >= timelineBins {
		for i := range t.bins {
			if i < timelineBins/2 {
				t.bins[i] = t.bins[2*i] + t.bins[2*i+1]
			} else {
				t.bins[i] = 0
			}
		}
		t.width *= 2
	}
	t.bins[max(0, at-t.start)/t.width]++
}
