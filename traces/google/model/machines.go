package model

import (
	"math"
	"slices"
	"strconv"

	"bourse/events"
	"bourse/traces/google"
	"bourse/traces/rng"
)

// machineRow is a row of machine_events.
type machineRow struct {
	at      events.Time // 0 for those there before
	machine int32
	kind    google.MachineKind
}

// cluster knows which machines are there.
type cluster struct {
	shape []int8
	rows  []machineRow
	next  int
	up    []int32 // the machines there, in no order
	place []int32 // of each machine in up, -1 if it is away
	pick  *rng.Rand
}

func newCluster(o *Options) *cluster {
	c := &cluster{shape: make([]int8, o.Machines), place: make([]int32, o.Machines),
		pick: rng.New(o.Seed, "google2011/machine")}
	shapes := measured().Shapes
	for i := range c.shape { // every shape in proportion
		u, s := (float64(i)+0.5)/float64(o.Machines), 0
		for u > shapes[s].Share && s < len(shapes)-1 {
			u -= shapes[s].Share
			s++
		}
		c.shape[i] = int8(s)
	}
	r := rng.New(o.Seed, "google2011/shape")
	r.Shuffle(len(c.shape), func(i, k int) { c.shape[i], c.shape[k] = c.shape[k], c.shape[i] })
	for m := range int32(o.Machines) {
		c.place[m] = m
		c.up = append(c.up, m)
		c.rows = append(c.rows, machineRow{0, m, google.Added})
	}
	c.outages(o)
	return c
}

// outages draws when machines go and come back.
func (c *cluster) outages(o *Options) {
	is, r := measured(), rng.New(o.Seed, "google2011/outage")
	window := o.end() - google.WindowStart
	count := func(of curve) int { return int(float64(of.draw(r, valueGrid[:])*o.Days/29) + float64(r.Float64())) }
	for m := range c.shape {
		r.Key(uint64(m))
		var down []events.Time
		for range count(is.Outages) {
			down = append(down, google.WindowStart+events.Time(r.Int64N(int64(window))))
		}
		slices.Sort(down)
		back := google.WindowStart
		for _, at := range down {
			if at <= back {
				continue // it is away already
			}
			c.rows = append(c.rows, machineRow{at, int32(m), google.Removed})
			back = at + seconds(is.Away.draw(r, valueGrid[:]))
			if r.Float64() >= is.Returning || back >= o.end() {
				back = math.MaxInt64
				break
			}
			c.rows = append(c.rows, machineRow{back, int32(m), google.Added})
		}
		for range count(is.Restated) {
			if at := back + events.Time(r.Int64N(int64(window))); back < o.end() && at < o.end() {
				c.rows = append(c.rows, machineRow{at, int32(m), google.Updated})
			}
		}
	}
	slices.SortStableFunc(c.rows, func(a, b machineRow) int { return int(min(1, max(-1, a.at-b.at))) })
}

// machineAt returns a machine that is there at a time, -1 if none is. Times do not go
// back.
func (c *cluster) machineAt(at events.Time) int32 {
	for ; c.next < len(c.rows) && c.rows[c.next].at <= at; c.next++ {
		switch e := c.rows[c.next]; {
		case e.kind == google.Removed:
			p, last := c.place[e.machine], c.up[len(c.up)-1]
			c.up[p], c.place[last] = last, p
			c.up, c.place[e.machine] = c.up[:len(c.up)-1], -1
		case e.kind == google.Added && c.place[e.machine] < 0:
			c.place[e.machine] = int32(len(c.up))
			c.up = append(c.up, e.machine)
		}
	}
	if len(c.up) == 0 {
		return -1
	}
	return c.up[c.pick.IntN(len(c.up))]
}

// write appends the table.
func (c *cluster) write(b []byte) []byte {
	for _, e := range c.rows {
		s := &measured().Shapes[c.shape[e.machine]]
		b = strconv.AppendInt(b, int64(e.at), 10)
		b = append(b, ',')
		b = strconv.AppendInt(b, machineNumber(e.machine), 10)
		b = append(b, ',', '0'+byte(e.kind), ',')
		b = append(b, word("platform", uint64(s.CPU*4))...)
		b = append(b, ',')
		b = strconv.AppendFloat(b, s.CPU, 'g', -1, 64)
		b = append(b, ',')
		b = strconv.AppendFloat(b, s.Memory, 'g', -1, 64)
		b = append(b, '\n')
	}
	return b
}

// machineNumber is the number a machine goes by in the tables.
func machineNumber(m int32) int64 { return 5 + int64(m)*397_459 }

// seconds rounds to microseconds.
func seconds(s float64) events.Time { return events.Time(float64(s*1e6) + 0.5) }
