package stats

import (
	"math"
	"math/bits"
)

// spread is the distributions of bounded slowdowns and of waits. Quantiles of bounded
// slowdowns are exact for as many jobs as run-time groups are; those of waits, which
// would need as much memory again, for 4,096, and to within 0.4 % beyond.
type spread struct {
	slowdown, wait Histogram
	longest        float64 // wait
	overDay        int64   // waits
}

func (d *spread) add(r *row) {
	n := float64(r.n)
	d.slowdown.Keep() // else fewer are exact than groups
	d.slowdown.Add(r.of[bounded]/n, r.n)
	d.addWait((r.of[flow]-r.of[run])/n, r.n)
}

// addWait counts a wait, n times.
func (d *spread) addWait(wait float64, n int64) {
	d.wait.Add(wait, n)
	if d.longest = max(d.longest, wait); wait > Day {
		d.overDay += n
	}
}

func (d *spread) merge(other *spread) {
	d.slowdown.Keep()
	d.slowdown.merge(&other.slowdown)
	d.wait.merge(&other.wait)
	d.longest = max(d.longest, other.longest)
	d.overDay += other.overDay
}

// quantiles are those that are reported, waits in seconds.
type quantiles struct{ medianWait, p95Wait, p95Slowdown, longest, overDay float64 }

// Day is 24 hours, in seconds.
const Day = 86400

func (d *spread) quantiles() quantiles {
	q := quantiles{d.seconds(0.5), d.seconds(0.95), d.slowdown.Quantile(0.95), d.longest, 0}
	if n := d.wait.N(); n > 0 {
		q.overDay = 100 * float64(d.overDay) / float64(n)
	}
	return q
}

// seconds is a quantile of the waits. Logs are in whole seconds: one that is in the
// bucket is more likely than its middle.
func (d *spread) seconds(q float64) float64 {
	x := d.wait.Quantile(q)
	if whole := math.Round(x); d.wait.buckets != nil && bucketOf(whole) == bucketOf(x) {
		return whole
	}
	return x
}

func (q quantiles) times(jobs int64, wait, slowdown float64) Times {
	return Times{jobs, wait, q.medianWait, q.p95Wait, q.longest, q.overDay, slowdown, q.p95Slowdown}
}

// set is some of the cells: bit numKinds g + k stands for group g and kind k. Often bands,
// classes and all jobs are the same cells, and so are all price schemes.
type set uint32

// oneCell is the set of one cell, empty if the cell is.
func (c *cells) oneCell(group, kind int) set {
	if c[group][kind].jobs == 0 {
		return 0
	}
	return 1 << (numKinds*group + kind)
}

// quantilesOf returns the quantiles of a set of cells. margin, if not nil, has counted the
// same jobs one by one once rows are folded, and then says it better.
func (c *Collector) quantilesOf(s set, margin *spread) quantiles {
	if margin != nil && c.folded {
		return margin.quantiles()
	}
	q, known := c.quantiles[s]
	if known {
		return q
	}
	if c.quantiles == nil {
		c.quantiles = map[set]quantiles{}
	}
	c.quantiles[s] = c.spreadOf(s).quantiles()
	return c.quantiles[s]
}

// spreadOf merges the distributions of a set of cells.
func (c *Collector) spreadOf(s set) *spread {
	at := func(bit int) *spread { return &c.known[bit/numKinds][bit%numKinds].spread }
	if s != 0 && s&(s-1) == 0 {
		return at(bits.TrailingZeros32(uint32(s)))
	}
	all := &spread{}
	for ; s != 0; s &= s - 1 {
		all.merge(at(bits.TrailingZeros32(uint32(s))))
	}
	return all
}
