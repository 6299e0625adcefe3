package traces

import (
	"math"

	"bourse/events"
)

// numbers are a job's fields in one order, fractions by their bits.
type numbers [25]int64

func numbersOf(j *Job) numbers {
	return numbers{
		j.ID, j.Line, int64(j.Submit), int64(j.Wait), int64(j.Run), int64(j.Estimate), bitsOf(j.Memory), bitsOf(j.CPU),
		bitsOf(j.GPU), bitsOf(j.Disk),
		int64(j.Procs), int64(j.Task), int64(j.Pieces), int64(j.Status), int64(j.Priority), int64(j.Class), int64(j.Attempt),
		int64(j.Wasted),
		int64(j.User), int64(j.Group), int64(j.Queue), int64(j.Partition), int64(j.Model), j.Prev, int64(j.Think),
	}
}

// unpack sets the fields.
func (n *numbers) unpack(j *Job) {
	j.ID, j.Line, j.Submit, j.Wait, j.Run, j.Estimate = n[0], n[1], events.Time(n[2]), events.Time(n[3]),
		events.Time(n[4]), events.Time(n[5])
	j.Memory, j.CPU, j.GPU, j.Disk = fraction(n[6]), fraction(n[7]), fraction(n[8]), fraction(n[9])
	j.Procs, j.Task, j.Pieces, j.Status, j.Priority, j.Class, j.Attempt = int32(n[10]), int32(n[11]), int32(n[12]),
		int32(n[13]), int32(n[14]), int32(n[15]), int32(n[16])
	j.Wasted = events.Time(n[17])
	j.User, j.Group, j.Queue, j.Partition, j.Model = Label(n[18]), Label(n[19]), Label(n[20]), Label(n[21]), Label(n[22])
	j.Prev, j.Think = n[23], events.Time(n[24])
}

func bitsOf(x float64) int64   { return int64(math.Float64bits(x)) }
func fraction(x int64) float64 { return math.Float64frombits(uint64(x)) }

// chunk is some jobs, packed. Most fields of a log are the same in all jobs or unknown, and
// most others differ by less than 2^32; what is left are rows of some 50 bytes, so that a job
// is a line of the cache.
type chunk struct {
	jobs   int
	same   numbers // of the first job
	fields []packed
	words  []uint32 // width of them a job
	width  int
}

// packed is a field that differs from job to job, as what it is above the least.
type packed struct {
	field, at int // at is its place in the row
	least     int64
	wide      bool // of two words
}

func newChunk(jobs []numbers) chunk {
	c := chunk{jobs: len(jobs), same: jobs[0]}
	least, most := jobs[0], jobs[0]
	for i := range jobs {
		for f, x := range jobs[i] {
			least[f], most[f] = min(least[f], x), max(most[f], x)
		}
	}
	for f := range c.same {
		span := uint64(most[f]) - uint64(least[f])
		if span == 0 {
			continue
		}
		p := packed{f, c.width, least[f], span > math.MaxUint32}
		if c.fields, c.width = append(c.fields, p), c.width+1; p.wide {
			c.width++
		}
	}
	c.words = make([]uint32, 0, c.width*len(jobs))
	for i := range jobs {
		for _, p := range c.fields {
			x := uint64(jobs[i][p.field]) - uint64(p.least)
			if c.words = append(c.words, uint32(x)); p.wide {
				c.words = append(c.words, uint32(x>>32))
			}
		}
	}
	return c
}

// fill sets jobs from the ith on, as many as there are.
func (c *chunk) fill(to []numbers, i int) {
	to = to[:min(len(to), c.jobs-i)]
	for k := range to {
		to[k] = c.same
	}
	for _, p := range c.fields {
		at := i*c.width + p.at
		for k := range to {
			x := uint64(c.words[at])
			if p.wide {
				x |= uint64(c.words[at+1]) << 32
			}
			to[k][p.field] = int64(uint64(p.least) + x)
			at += c.width
		}
	}
}
