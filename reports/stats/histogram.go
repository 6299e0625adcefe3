package stats

import (
	"math"
	"slices"
)

const (
	// exactValues is the count up to which quantiles are exact unless more is kept.
	exactValues = 4096
	// subBits is the number of mantissa bits that distinguish buckets: a bucket
	// is 1/256 wide, so its middle is within 0.2 % of every value in it.
	subBits = 8
	// Values below 2^minExp share the lowest bucket, those from 2^maxExp on
	// the highest.
	minExp, maxExp = -20, 44
)

// Histogram gives quantiles of non-negative numbers: exact for up to 4,096 of
// them, or as many as are kept, beyond that with a relative error below 0.2 %. The
// answer does not depend on the order of the values.
type Histogram struct {
	n       int64
	keep    int64 // values kept, if more than exactValues
	values  []float64
	buckets []int64
}

// Keep keeps as many values as a Collector does, so that both say the same.
func (h *Histogram) Keep() { h.keep = maxRows }

// N is how many numbers were counted.
func (h *Histogram) N() int64 { return h.n }

// Add counts value x, n times.
func (h *Histogram) Add(x float64, n int64) {
	h.n += n
	if h.buckets == nil {
		if h.n <= max(h.keep, exactValues) {
			for range n {
				h.values = append(h.values, x)
			}
			return
		}
		h.spill()
	}
	h.buckets[bucketOf(x)] += n
}

// merge counts all of other's values, too.
func (h *Histogram) merge(other *Histogram) {
	if other.buckets == nil {
		if h.buckets == nil && h.n+other.n <= max(h.keep, exactValues) {
			h.n, h.values = h.n+other.n, append(h.values, other.values...)
			return
		}
		for _, x := range other.values {
			h.Add(x, 1)
		}
		return
	}
	h.n += other.n
	if h.buckets == nil {
		h.spill()
	}
	for i, n := range other.buckets {
		h.buckets[i] += n
	}
}

// spill moves the exact values to buckets.
func (h *Histogram) spill() {
	h.buckets = make([]int64, (maxExp-minExp)<<subBits)
	for _, x := range h.values {
		h.buckets[bucketOf(x)]++
	}
	h.values = nil
}

// Quantile returns the ceil(q n)-th least value (nearest rank), 0 of nothing.
func (h *Histogram) Quantile(q float64) float64 {
	if h.n == 0 {
		return 0
	}
	rank := min(max(int64(math.Ceil(q*float64(h.n))), 1), h.n)
	if h.buckets == nil {
		return ranked(h.values, rank)
	}
	bucket, _ := bucketAt(h.buckets, rank)
	return middle(bucket)
}

// bucketAt returns the bucket that holds the rank-th least value, and its rank there.
func bucketAt(buckets []int64, rank int64) (bucket int, within int64) {
	for i, n := range buckets {
		if rank <= n {
			return i, rank
		}
		rank -= n
	}
	return len(buckets) - 1, rank
}

// ranked returns the rank-th least of values. Only the values of its bucket are sorted.
func ranked(values []float64, rank int64) float64 {
	if len(values) > exactValues {
		all := Histogram{values: values}
		all.spill()
		bucket, within := bucketAt(all.buckets, rank)
		var some []float64
		for _, x := range values {
			if bucketOf(x) == bucket {
				some = append(some, x)
			}
		}
		values, rank = some, within
	}
	slices.Sort(values)
	return values[rank-1]
}

// Step is a point of a distribution: N of the values are below X.
type Step struct {
	X float64
	N int64
}

// Steps returns the distribution at the edges of 2^bits bins an octave, bits at
// most 8: the two edges of every bin with values, in order. The numbers are exact,
// but that all values below 2^-20 share the lowest bin, all from 2^44 on the highest.
func (h *Histogram) Steps(bits uint) []Step {
	bits = min(bits, subBits)
	bins := make([]int64, (maxExp-minExp)<<bits)
	for _, x := range h.values {
		bins[bucketOf(x)>>(subBits-bits)]++
	}
	for i, n := range h.buckets {
		bins[i>>(subBits-bits)] += n
	}
	edge := func(i int) float64 { return math.Float64frombits(uint64(i+(1023+minExp)<<bits) << (52 - bits)) }
	var steps []Step
	below := int64(0)
	for i, n := range bins {
		if n == 0 {
			continue
		}
		if lower := edge(i); len(steps) == 0 || steps[len(steps)-1].X < lower {
			steps = append(steps, Step{lower, below})
		}
		below += n
		steps = append(steps, Step{edge(i + 1), below})
	}
	return steps
}

// bucketOf reads the bucket off the bits: exponent, then the leading bits of
// the mantissa.
func bucketOf(x float64) int {
	i := int(math.Float64bits(x)>>(52-subBits)) - (1023+minExp)<<subBits
	return min(max(i, 0), (maxExp-minExp)<<subBits-1)
}

// middle returns the middle of a bucket. Of times, which are whole microseconds, the
// lowest holds 0 alone.
func middle(i int) float64 {
	if i == 0 {
		return 0
	}
	bits := uint64(i+(1023+minExp)<<subBits)<<(52-subBits) | 1<<(51-subBits)
	return math.Float64frombits(bits)
}
