package waiting

// The study counts time in ticks of five seconds, cut to whole numbers, and a series in hours.
const (
	tick = 5
	hour = 3600 / tick
	// border is from when on a job is long, and slack how long each class may wait.
	border = 2 * hour
)

var slack = [2]int{6 * hour, 24 * hour}

// job is one of the study, in ticks.
type job struct {
	submit, length, cpus int
	spot                 bool // it may be on spot capacity, where the study has some: at most two hours
}

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

// ticks is how many there are.
func (c *intensity) ticks() int { return len(c.hours) * hour }

// over is the sum of ticks.
func (c *intensity) over(from, to int) float64 {
	return c.sum[min(to, c.ticks())] - c.sum[min(from, c.ticks())]
}
