package waiting

import (
	"cmp"
	"slices"
)

// The study counts time in ticks of five seconds, cut to whole numbers, and a series in hours.
const (
	tick = 5
	hour = 3600 / tick
	// border is from when on a job is long, and slack how long each class may wait.
	border = 2 * hour
)

var slack = [2]int{6 * hour, 24 * hour}

// job is one of the study, in ticks.
type job struct{ submit, length, cpus int }

// class is 0 for short jobs, 1 for long ones.
func (j *job) class() int {
	if j.length >= border {
		return 1
	}
	return 0
}

// intensity is a series by the hour, with its sum up to each tick.
type intensity struct {
	hours []float64
	sum   []float64
}

func newIntensity(hours []float64) *intensity {
	c := &intensity{hours: hours, sum: make([]float64, len(hours)*hour+1)}
	for i := range len(hours) * hour {
		c.sum[i+1] = c.sum[i] + hours[i/hour]
	}
	return c
}

func (c *intensity) at(t int) float64 { return c.hours[min(t/hour, len(c.hours)-1)] }

// ticks is how many there are.
func (c *intensity) ticks() int { return len(c.hours) * hour }

// over is the sum of ticks.
func (c *intensity) over(from, to int) float64 {
	return c.sum[min(to, c.ticks())] - c.sum[min(from, c.ticks())]
}

// pieces returns the ticks of least value, as many as a job is long, among those of its length and slack: the earliest
// of equal ones. contiguous reports whether they are one piece.
func (c *intensity) pieces(j *job) (sum float64, contiguous bool) {
	until := min(c.ticks(), j.submit+j.length+slack[j.class()])
	all := make([]int, 0, until-j.submit)
	for t := j.submit; t < until; t++ {
		all = append(all, t)
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(c.at(a), c.at(b)) })
	all = all[:min(j.length, len(all))]
	for _, t := range all {
		sum += c.at(t)
	}
	return sum, slices.Max(all)-slices.Min(all) == len(all)-1
}

// threshold runs a job while the value is below the 30th percentile of the 24 hours after its submission, until it has
// waited for its slack, and then to its end (Ecovisor).
func (c *intensity) threshold(j *job) (sum float64) {
	limit := c.percentile(j.submit, j.submit+24*hour, .3)
	waited, left, t := 0, j.length, j.submit
	for ; left > 0; t++ {
		switch {
		case waited >= slack[j.class()]:
			return sum + c.over(t, t+left)
		case c.at(t) < limit:
			sum += c.at(t)
			left--
		default:
			waited++
		}
	}
	return sum
}

// percentile is a quantile of ticks, between two values in proportion.
func (c *intensity) percentile(from, to int, q float64) float64 {
	values := make([]float64, 0, to-from)
	for t := from; t < min(to, c.ticks()); t++ {
		values = append(values, c.at(t))
	}
	slices.Sort(values)
	place := float64(float64(len(values)-1) * q)
	i := int(place)
	low, high := values[i], values[min(i+1, len(values)-1)]
	return low + float64((high-low)*(place-float64(i)))
}
