package placement

import (
	"math"

	"bourse/policies"
)

// best is the most there is below a node of a tree of machines: of each resource
// by itself, and of both together. On a full cluster some machines are out of CPU
// and others of memory, so that a subtree has much of each and room for Nothing;
// even[k], the most of min(CPU, w_k memory), tells that: a machine that holds (a, b)
// has min(CPU, w memory) >= min(a, w b) for every w.
type best struct {
	most policies.Amount
	even [len(slopes)]float64
}

// slopes are the w_k. The nearest to a need's own a/b tells most.
var slopes = [...]float64{1. / 4, 1. / 2, 1, 2, 4}

func bestOf(a policies.Amount) (b best) {
	b.most = a
	for k, w := range slopes {
		b.even[k] = min(a.CPU, w*a.Memory)
	}
	return b
}

// add makes b the best of b and of a machine that has a.
func (b *best) add(a policies.Amount) {
	b.most = b.most.Max(a)
	for k, w := range slopes {
		b.even[k] = max(b.even[k], min(a.CPU, w*a.Memory))
	}
}

// setMax makes b the best of c and d.
func (b *best) setMax(c, d *best) {
	b.most = c.most.Max(d.most)
	for k := range b.even {
		b.even[k] = max(c.even[k], d.even[k])
	}
}

// tops reports whether b is above c in everything: without c it would be the same.
func (b *best) tops(c *best) bool {
	if b.most.CPU <= c.most.CPU || b.most.Memory <= c.most.Memory {
		return false
	}
	for k := range b.even {
		if b.even[k] <= c.even[k] {
			return false
		}
	}
	return true
}

// want is a need and what its slope asks for.
type want struct {
	need  policies.Amount
	slope int
	even  float64
}

func wanting(need policies.Amount) want {
	w := want{need: need}
	for w.slope < len(slopes)-1 && need.CPU > need.Memory*slopes[w.slope]*math.Sqrt2 {
		w.slope++
	}
	w.even = min(need.CPU, slopes[w.slope]*need.Memory)
	return w
}

// mayHold reports whether a machine below could hold what is wanted.
func (b *best) mayHold(w *want) bool { return b.even[w.slope] >= w.even && w.need.Fits(b.most) }

// Nothing is the room of a machine that is down.
var Nothing = policies.Amount{CPU: -1, Memory: -1}
