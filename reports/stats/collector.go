package stats

import (
	"cmp"

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
	// AsRecorded gathers what the log says of the same jobs, too: they are submitted when
	// it says.
	AsRecorded bool
	recorded   recorded
	// Bound, if given, has been told of the arrivals of the same jobs.
	Bound   *Bound
	shapes  shapes
	charges charges
	left    bool // some ran elsewhere: the bound is not for them

	known     *cells
	quantiles map[set]quantiles // of sets of cells, each worked out once

	rows   rowList
	limit  int // tests lower it; 0 is maxRows
	folded bool
	jobs   int64
	bands  [numBands]spread // of single jobs, once rows are folded
	class  [numClasses]spread
	total  spread
}

// recorded is what the log says of the jobs.
type recorded struct {
	spread
	jobs           int64
	wait, slowdown policies.Sum // wait in seconds
}

func (x *recorded) add(o *engine.Outcome) {
	wait, slowdown, known := o.Recorded()
	if !known {
		return
	}
	x.jobs++
	x.wait.Add(wait.Seconds())
	x.slowdown.Add(slowdown)
	x.addWait(wait.Seconds(), 1)
	x.spread.slowdown.Add(slowdown, 1)
}

// Record adds a job. It never fails.
func (c *Collector) Record(o *engine.Outcome) error {
	r := rowOf(o)
	c.jobs++
	c.left = c.left || o.WhyLeft != ""
	if o.Shape != nil {
		c.shapes.add(o)
	}
	c.charges.add(o)
	if c.AsRecorded {
		c.recorded.add(o)
	}
	if c.Groups != nil {
		if c.known == nil {
			c.known = &cells{}
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
	if c.rows.n >= cmp.Or(c.limit, maxRows) {
		for i := 0; i < c.rows.n && !c.folded; i++ {
			c.margins(c.rows.get(int32(i)))
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
	c.total.add(r)
	c.bands[r.kind/numClasses].add(r)
	c.class[r.kind%numClasses].add(r)
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
	spread
	also []policies.Sum // payments under further price schemes
}

// record adds a job, or the jobs of a row.
func (x *cell) record(r *row) {
	x.sums.add(r)
	x.spread.add(r)
}

// cells are the aggregates by group and kind.
type cells [numGroups][numKinds]cell

// dealt returns the cells, dealt out from the rows if groups were not known.
func (c *Collector) dealt() *cells {
	switch {
	case c.known != nil:
	case c.Groups == nil:
		c.known = c.deal()
	default:
		c.known = &cells{}
	}
	return c.known
}

// deal deals the rows out to groups: A is the first third of the jobs by run
// time, rounded up, A and B together the first two thirds.
func (c *Collector) deal() *cells {
	out := &cells{}
	ends := groupEnds(c.jobs)
	group, seen := 0, int64(0)
	deal := func(r *row) {
		out[group][r.kind].record(r)
		seen += r.n
	}
	for _, k := range c.rows.keys(0, false) {
		r := *c.rows.get(k.at)
		for seen+r.n > ends[group] {
			if first := ends[group] - seen; first > 0 {
				part := r.split(first)
				deal(&part)
			}
			group++
		}
		deal(&r)
	}
	return out
}
