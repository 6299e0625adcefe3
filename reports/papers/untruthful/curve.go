package untruthful

import (
	"bourse/engine"
	"bourse/reports/stats"
)

// Curves are over private values in bins.
const (
	binWidth = 10.
	bins     = 18 // up to 180, the largest value
)

func binOf(value float64) int { return min(int(value/binWidth), bins-1) }

// point sums up the jobs of one bin, run-time group and class of owner.
type point struct {
	jobs, severe int
	bsd          float64
	utility      [2]float64 // by payment
}

func (p *point) add(q *point) {
	p.jobs += q.jobs
	p.severe += q.severe
	p.bsd += q.bsd
	for i := range p.utility {
		p.utility[i] += q.utility[i]
	}
}

// curve gathers the points of one replay, billed under both payments.
type curve struct {
	groups stats.Groups
	points [3][2][bins]point // by group, aggressive, bin

	payment    [2]float64    // sums, by payment
	weight     float64       // TWFT
	sum, count [3][2]float64 // aggressive users' utility, by group and payment
	// jobs that pay more under the k-th price: those that bid the reservation price, those that bid less
	dearer [2]int
}

// Record adds a job.
func (c *curve) Record(o *engine.Outcome) error {
	group, class := c.groups[o.Row], 0
	if o.Aggressive {
		class = 1
	}
	p := &c.points[group][class][binOf(o.Value)]
	p.jobs++
	p.bsd += o.BSD()
	if o.Severe() {
		p.severe++
	}
	c.weight += o.WeightedFlow()
	for i, bill := range [2]float64{o.Payment, o.Also[0]} {
		u := o.Valuation() - bill
		p.utility[i] += u
		c.payment[i] += bill
		if o.Aggressive {
			c.sum[group][i] += u
			c.count[group][i]++
		}
	}
	if o.Also[0] > o.Payment*(1+1e-12) {
		if o.Bid >= 1 {
			c.dearer[0]++
		} else {
			c.dearer[1]++
		}
	}
	return nil
}

// designer and users are the payoffs of the game (section V).
func (c *curve) designer(payment int) float64 { return c.payment[payment] / c.weight }
func (c *curve) users(group, payment int) float64 {
	return c.sum[group][payment] / c.count[group][payment]
}

// who says whose jobs a line of a figure shows.
type who int

const (
	everybody who = iota
	aggressive
)

// point sums up a bin over the groups from ... to, which is all or one.
func (c *curve) point(from, to int, w who, bin int) point {
	var sum point
	for g := from; g <= to; g++ {
		if w == everybody {
			sum.add(&c.points[g][0][bin])
		}
		sum.add(&c.points[g][1][bin])
	}
	return sum
}

// sumOfBins sums a range of bins.
func (c *curve) sumOfBins(from, to int, w who, low, high int) point {
	var sum point
	for b := low; b < high; b++ {
		p := c.point(from, to, w, b)
		sum.add(&p)
	}
	return sum
}

// meanBSD, ssj and meanUtility are what the figures show; NaN without jobs.
func (p point) meanBSD() float64 { return p.bsd / float64(p.jobs) }
func (p point) ssj() float64     { return 100 * float64(p.severe) / float64(p.jobs) }
func (p point) meanUtility(payment int) float64 {
	return p.utility[payment] / float64(p.jobs)
}
