package truth

import (
	"cmp"
	"math"
	"slices"

	"bourse/reports/ask/fork"
)

// curve is the flow time of a job, as far as it has been asked, by the bid.
type curve struct {
	// breaks are the bids at which the job passes another one, in order: elsewhere nothing
	// changes. If the policy does not say so (policies.Traits.ByScale) there are none, and
	// a change may be anywhere.
	breaks []float64
	exact  bool
	points []point // in order of bid
}

type point struct{ bid, flow float64 }

// setBreaks finds them up to a bid.
func (c *curve) setBreaks(rivals []fork.Rival, scale, most float64) {
	c.exact = true
	for _, r := range rivals {
		if z := r.Bid * scale / r.Scale; z > 0 && z <= most {
			c.breaks = append(c.breaks, z)
		}
	}
	slices.Sort(c.breaks)
	c.breaks = slices.Compact(c.breaks)
}

func (c *curve) find(bid float64) (int, bool) {
	return slices.BinarySearchFunc(c.points, bid, func(p point, bid float64) int { return cmp.Compare(p.bid, bid) })
}

func (c *curve) add(bid, flow float64) {
	if i, known := c.find(bid); !known {
		c.points = slices.Insert(c.points, i, point{bid, flow})
	}
}

// same reports whether flow times differ by no more than rounding: the pieces of a job are
// summed in the order in which they end.
func same(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(a, b) }

// span returns the least and the greatest bid between points i and i+1 at which the flow
// time can change.
func (c *curve) span(i int) (low, high float64) {
	low, high = c.points[i].bid, c.points[i+1].bid
	first, _ := slices.BinarySearch(c.breaks, low)
	last, at := slices.BinarySearch(c.breaks, high)
	if at {
		last++
	}
	if first < last {
		return c.breaks[first], c.breaks[last-1]
	}
	return low, high
}

// area is the integral of the flow time above another one between points i and i+1, and
// how far it may be off if the flow time does not rise with the bid.
func (c *curve) area(i int, other float64) (area, half float64) {
	a, b := c.points[i], c.points[i+1]
	x, y := above(a.flow, other), above(b.flow, other)
	if same(a.flow, b.flow) {
		return float64(x * (b.bid - a.bid)), 0
	}
	low, high := c.span(i)
	area = float64(x*(low-a.bid)) + float64((x+y)/2*(high-low)) + float64(y*(b.bid-high))
	return area, math.Abs(x-y) / 2 * (high - low)
}

// above is by how much a flow time is above another one.
func above(a, b float64) float64 {
	if same(a, b) {
		return 0
	}
	return a - b
}

// payment is what flow times fall by from a bid to another one, both asked, each second at
// the bid at which it falls, and how far that may be off: the integral of x(z) - x(bid),
// and of the first bid as much as falls after it. It is negative, or 0, if the second bid is
// the lower one.
func (c *curve) payment(from, bid float64) (paid, half float64) {
	i, _ := c.find(min(from, bid))
	j, _ := c.find(max(from, bid))
	own := c.flow(bid)
	for ; i < j; i++ {
		area, off := c.area(i, own)
		paid, half = paid+area, half+off
	}
	if bid < from {
		paid = -paid
	}
	return paid + float64(from*above(c.flow(from), own)), half
}

func (c *curve) flow(bid float64) float64 {
	i, _ := c.find(bid)
	return c.points[i].flow
}

// next is the bid between two others to ask next: the middle of where the integral is least
// certain. It is false if nothing is uncertain.
func (c *curve) next(from, to float64) (bid float64, open bool) {
	worst, at := 0.0, -1
	for i := range len(c.points) - 1 {
		if c.points[i].bid < from || c.points[i+1].bid > to {
			continue
		}
		if _, half := c.area(i, 0); half > worst {
			worst, at = half, i
		}
	}
	if at < 0 {
		return 0, false
	}
	low, high := c.span(at)
	bid = low + float64((high-low)/2)
	if k, _ := slices.BinarySearch(c.breaks, bid); c.exact && k > 0 && k < len(c.breaks) && c.breaks[k-1] >= low &&
		c.breaks[k] <= high {
		bid = c.breaks[k-1] + float64((c.breaks[k]-c.breaks[k-1])/2) // bids equal to another one are ties
	}
	_, known := c.find(bid)
	return bid, !known
}

// rises counts the neighbouring bids between which the flow time rises with the bid, which
// takes the payment its truthfulness, among all that there are.
func (c *curve) rises() (rises, places int) {
	for i := range len(c.points) - 1 {
		if a, b := c.points[i].flow, c.points[i+1].flow; above(b, a) > 0 {
			rises++
		}
	}
	return rises, max(0, len(c.points)-1)
}
