package placed

import (
	"iter"
	"maps"
	"math/bits"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/gpus"
	"bourse/policies/placement"
)

// devices is the finder of machines of which some have GPUs. It also measures how much of the
// free ones no typical job could use.
type devices struct {
	finder  *gpus.Finder
	free    []policies.Amount // by machine, Room
	up      []bool
	scale   gpus.Scale
	scratch gpus.Node

	// Typical jobs are those that have arrived so far: the future is not known. They are
	// counted again whenever twice as many have.
	arrived, next int
	index         map[gpus.Ask]int // of kinds, without memory
	kinds         []gpus.Kind
	mix           gpus.Mix
	parts         []float64 // fragments by machine, in thousandths of a device
	changed       []int32   // machines since parts was brought up to date
	sum           float64   // of parts
	overTime      float64   // sum x seconds
}

func newDevices(rule gpus.Rule, seed uint64) *devices {
	return &devices{finder: gpus.NewFinder(rule, seed), next: 1, index: map[gpus.Ask]int{}}
}

func askOf(x *group) *gpus.Ask {
	a := gpus.AskOf(x.piece, x.models)
	return &a
}

// find implements finder.
func (d *devices) find(x *group, _ []freedMachine) policies.Spot {
	d.learn()
	m, on := d.finder.Find(askOf(x))
	return policies.Spot{Machine: int32(m), Devices: on}
}

func (d *devices) spotOn(x *group, m int) policies.Spot {
	return policies.Spot{Machine: int32(m), Devices: d.finder.On(m, askOf(x))}
}

func (d *devices) gain(x *group, at policies.Spot, sign float64) {
	if sign < 0 {
		d.finder.Put(int(at.Machine), askOf(x), at.Devices)
	} else {
		d.finder.Take(int(at.Machine), askOf(x), at.Devices)
	}
	d.renew(at.Machine)
}

// renew notes what a machine has after a change.
func (d *devices) renew(m int32) {
	d.free[m] = d.finder.Node(int(m)).Room()
	d.changed = append(d.changed, m)
}

func (d *devices) room(m int) policies.Amount {
	if !d.up[m] {
		return placement.Nothing
	}
	return d.free[m]
}

// roomWithout implements finder. What a device has left is no sum of needs.
func (d *devices) roomWithout(m int, gone iter.Seq2[*group, uint64]) policies.Amount {
	if !d.up[m] {
		return placement.Nothing
	}
	s := &d.scratch
	d.view(m, s)
	for x, on := range gone {
		s.Take(askOf(x), on)
	}
	return s.Room()
}

func (d *devices) view(m int, to *gpus.Node) bool {
	n := d.finder.Node(m)
	*to = gpus.Node{CPU: n.CPU, Memory: n.Memory, Model: n.Model, Idle: n.Idle,
		Devices: append(to.Devices[:0], n.Devices...), Held: append(to.Held[:0], n.Held...)}
	return d.up[m]
}

func (d *devices) hide(m int, hidden bool) {
	d.finder.Set(m, *d.finder.Node(m), d.up[m] && !hidden)
}

func (*devices) sums() bool { return false }

// change implements finder.
func (d *devices) change(m int, x *policies.Machine, held iter.Seq2[*group, uint64]) {
	for len(d.free) <= m {
		d.free, d.up, d.parts = append(d.free, policies.Amount{}), append(d.up, false), append(d.parts, 0)
	}
	n := gpus.NewNode(x.Free.CPU, x.Free.Memory, len(x.Devices), x.Models)
	n.Idle = 0
	for i, free := range x.Devices {
		n.Devices[i] = free
		n.Idle += free
	}
	for y := range held {
		n.Count(askOf(y))
	}
	d.finder.Set(m, n, x.Up)
	d.up[m] = x.Up
	d.scale = gpus.Scale{CPU: max(d.scale.CPU, x.Capacity.CPU), GPU: max(d.scale.GPU, x.Capacity.GPU)}
	d.finder.Measure(d.scale)
	d.renew(int32(m))
}

// arrive implements finder.
func (d *devices) arrive(x *group) {
	d.arrived++
	ask := *askOf(x)
	ask.Memory = 0
	k, known := d.index[ask]
	if !known {
		k = len(d.kinds)
		d.index[ask], d.kinds = k, append(d.kinds, gpus.Kind{Ask: ask})
	}
	d.kinds[k].Count++
}

// learn makes the jobs that have arrived the typical ones if they have doubled. It is called
// when those of a round have been counted.
func (d *devices) learn() {
	if d.arrived < d.next {
		return
	}
	d.next = 1 << bits.Len(uint(d.arrived))
	d.mix = gpus.MixOf(slices.Clone(d.kinds))
	d.finder.Against(d.mix)
	d.sum = 0
	for m := range d.parts {
		d.parts[m] = 0
		d.changed = append(d.changed, int32(m))
	}
}

// measure implements finder.
func (d *devices) measure(past events.Time) {
	d.learn()
	d.overTime += float64(d.sum * past.Seconds())
	for _, m := range d.changed {
		part := d.mix.Fragment(d.finder.Node(int(m)))
		d.sum += part - d.parts[m]
		d.parts[m] = part
	}
	d.changed = d.changed[:0]
}

func (d *devices) fragments() (now, overTime float64) {
	return d.sum / gpus.Whole, d.overTime / gpus.Whole
}

func (d *devices) clone() finder {
	c := *d
	c.finder, c.free, c.up, c.scratch = d.finder.Clone(), slices.Clone(d.free), slices.Clone(d.up), gpus.Node{}
	c.index, c.kinds, c.parts, c.changed = maps.Clone(d.index), slices.Clone(d.kinds), slices.Clone(d.parts),
		slices.Clone(d.changed)
	return &c
}
