package stats

import (
	"bourse/engine"
	"bourse/policies"
)

// Band is a range of values per processor-second.
type Band uint8

// The value bands (Shudler et al., section III): none for jobs without a
// value, low (0,60], middle (60,120), high from 120 on.
const (
	NoValue Band = iota
	Low
	Middle
	High
	numBands
)

var bandNames = [numBands]string{"none", "low", "middle", "high"}

// String returns the band's name.
func (b Band) String() string { return bandNames[b] }

// BandOf returns the band of value w.
func BandOf(w float64) Band {
	switch {
	case w >= 120:
		return High
	case w > 60:
		return Middle
	case w > 0:
		return Low
	}
	return NoValue
}

const (
	numGroups  = 3 // A, B, C: terciles of the run time
	numClasses = 2
	numKinds   = int(numBands) * numClasses
)

var (
	groupNames = [numGroups]string{"A", "B", "C"}
	classNames = [numClasses]string{"conservative", "aggressive"}
)

// kindOf numbers the combinations of band and class.
func kindOf(b Band, aggressive bool) uint8 {
	if aggressive {
		return uint8(b)*numClasses + 1
	}
	return uint8(b) * numClasses
}

// Collector is an engine.Sink that gathers what Result reports. The zero
// value is ready for use.
type Collector struct {
	// Groups, if given, are the run-time groups known in advance: no rows need be
	// kept and sorted to find them, and the bills under further price schemes
	// (engine.Outcome.Also) are summed up, too; see ResultOf.
	Groups Groups
	known  *[numGroups][numKinds]cell
	merged bool // the histograms of cells, into those of the margins

	rows   rowList
	limit  int // tests lower it; 0 is maxRows
	folded bool
	jobs   int64
	bands  [numBands]Histogram
	class  [numClasses]Histogram
	total  Histogram
}

// Record adds a job. It never fails.
func (c *Collector) Record(o *engine.Outcome) error {
	r := rowOf(o)
	if c.jobs++; c.jobs == 1 {
		c.keepValues()
	}
	if c.Groups != nil {
		if c.known == nil {
			c.known = newCells()
		}
		x := &c.known[c.Groups[o.Row]][r.kind]
		x.record(&r)
		for len(x.also) < len(o.Also) {
			x.also = append(x.also, policies.Sum{})
		}
		for i, bill := range o.Also {
			x.also[i].Add(bill)
		}
		return nil
	}
	if c.rows.n >= c.limitRows() {
		for i := 0; i < c.rows.n && !c.folded; i++ {
			c.margins(c.rows.at(int32(i)))
		}
		c.rows.fold()
		c.folded = true
	}
	c.rows.add(&r)
	if c.folded {
		c.margins(&r)
	}
	return nil
}

// margins counts a job in the histograms of the margins, from when rows no longer
// hold single jobs.
func (c *Collector) margins(r *row) {
	c.total.Add(r.of[bsd], 1)
	c.bands[r.kind/numClasses].Add(r.of[bsd], 1)
	c.class[r.kind%numClasses].Add(r.of[bsd], 1)
}

// keepValues makes quantiles exact for as many jobs as groups are.
func (c *Collector) keepValues() {
	c.total.Keep()
	for b := range c.bands {
		c.bands[b].Keep()
	}
	for k := range c.class {
		c.class[k].Keep()
	}
}

func newCells() *[numGroups][numKinds]cell {
	cells := &[numGroups][numKinds]cell{}
	for g := range cells {
		for k := range cells[g] {
			cells[g][k].bsd.Keep()
		}
	}
	return cells
}

func newGroups() *[numGroups]Histogram {
	groups := &[numGroups]Histogram{}
	for g := range groups {
		groups[g].Keep()
	}
	return groups
}

func (c *Collector) limitRows() int {
	if c.limit > 0 {
		return c.limit
	}
	return maxRows
}

// sums gathers a set of jobs.
type sums struct {
	jobs, severe int64
	of           [numMeasures]policies.Sum
}

func (s *sums) add(r *row) {
	s.jobs += r.n
	s.severe += r.severe
	for m, x := range &r.of {
		s.of[m].Add(x)
	}
}

func (s *sums) merge(t *sums) {
	s.jobs += t.jobs
	s.severe += t.severe
	for m, x := range &t.of {
		s.of[m].Merge(x)
	}
}

// cell is one band x class x group.
type cell struct {
	sums
	bsd  Histogram
	also []policies.Sum // payments under further price schemes
}

// record adds one job.
func (x *cell) record(r *row) {
	x.add(r)
	x.bsd.Add(r.of[bsd], 1)
}

// cells returns the aggregates by group and kind, and each group's histogram.
func (c *Collector) cells() (*[numGroups][numKinds]cell, *[numGroups]Histogram) {
	if c.Groups == nil {
		cells, groups := c.deal()
		c.merge(cells)
		return cells, groups
	}
	if c.known == nil {
		c.known = newCells()
	}
	groups := newGroups()
	for g := range c.known {
		for k := range c.known[g] {
			groups[g].merge(&c.known[g][k].bsd)
		}
	}
	c.merge(c.known)
	return c.known, groups
}

// merge merges the histograms of cells into those of the margins, once, unless these
// have counted each job.
func (c *Collector) merge(cells *[numGroups][numKinds]cell) {
	for g := range cells {
		for k := range cells[g] {
			if bsd := &cells[g][k].bsd; !c.merged && !c.folded {
				c.total.merge(bsd)
				c.bands[k/numClasses].merge(bsd)
				c.class[k%numClasses].merge(bsd)
			}
		}
	}
	c.merged = true
}

// deal deals the rows out to groups: A is the first third of the jobs by run
// time, rounded up, A and B together the first two thirds.
func (c *Collector) deal() (*[numGroups][numKinds]cell, *[numGroups]Histogram) {
	out, groups := newCells(), newGroups()
	ends := groupEnds(c.jobs)
	group, seen := 0, int64(0)
	deal := func(r *row) {
		to := &out[group][r.kind]
		to.add(r)
		to.bsd.Add(r.of[bsd]/float64(r.n), r.n)
		groups[group].Add(r.of[bsd]/float64(r.n), r.n)
		seen += r.n
	}
	for _, k := range c.rows.sorted(false) {
		r := *c.rows.at(k.at)
		for seen+r.n > ends[group] {
			if first := ends[group] - seen; first > 0 {
				part := r.split(first)
				deal(&part)
			}
			group++
		}
		deal(&r)
	}
	return out, groups
}
