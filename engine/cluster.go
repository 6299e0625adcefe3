package engine

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// cluster is the machines that jobs are placed on: each piece of a job on one, which holds
// what it needs. Machines are added, changed and removed; jobs that no longer fit are evicted.
type cluster struct {
	*grains
	events Cluster
	next   int
	index  map[int64]int32 // by the trace's number
	first  []int32         // by machine, the piece that came last, the head of a list
	spots  []pieceOn       // by Ref, of the first piece of a running job
	more   []further       // of others: the piece -2-i is more[i]
	unused int32           // the head of a list of those
	// Kinds of machines that jobs may be restricted to: their bits, and those that jobs may run on by their labels.
	bits        map[kind]uint64
	names       traces.Names
	allowed     map[restriction]uint64
	partitioned bool
	whole       bool                  // jobs are of one piece
	planned     []traces.MachineEvent // that take a machine away, known in advance
}

// kind is a GPU model and partitions, restriction what a job says of them.
type (
	kind        struct{ model, partitions string }
	restriction struct{ model, partition traces.Label }
)

// pieceOn is where a piece of a running job is: its machine, the next piece that came there
// later, and earlier, and another one of the job; none if there is none. Pieces go by
// numbers: the first of a job by its Ref.
type pieceOn struct {
	machine, later, older, next int32
	devices                     uint64
}

// further is a piece that is not its job's first.
type further struct {
	pieceOn
	ref policies.Ref
}

// pieceAt returns a piece by its number, and of the job that it is.
func (c *cluster) pieceAt(piece int32) (*pieceOn, policies.Ref) {
	if piece >= 0 {
		return &c.spots[piece], policies.Ref(piece)
	}
	x := &c.more[-2-piece]
	return &x.pieceOn, x.ref
}

const none = -1

// noKind is the bit of what no machine is.
const noKind = uint64(1) << 63

// maxDevices is how many devices a machine may have, and kinds of machines a cluster but for noKind.
const maxDevices = 64

func newCluster(list Cluster, g *grains) (*cluster, error) {
	c := &cluster{grains: g, events: list, index: map[int64]int32{}, bits: map[kind]uint64{},
		allowed: map[restriction]uint64{}, unused: none, partitioned: traces.Partitioned(list),
		whole: traces.Whole(list)}
	for _, ev := range list {
		if ev.Back > 0 {
			c.planned = append(c.planned, ev)
		}
		if !(ev.GPU >= 0 && ev.GPU <= maxDevices) || ev.GPU != float64(int(ev.GPU)) {
			return nil, &CapacityError{fmt.Sprintf("machine %d with %g GPUs (want a whole number up to %d)", ev.Machine, ev.GPU,
				maxDevices)}
		}
		if _, known := c.bits[c.kindOf(&ev)]; !known && (ev.GPU > 0 || c.partitioned) {
			c.bits[c.kindOf(&ev)] = 1 << len(c.bits)
		}
	}
	if len(c.bits) >= maxDevices {
		return nil, &CapacityError{fmt.Sprintf("%d GPU models and partitions (want fewer than %d)", len(c.bits), maxDevices)}
	}
	return c, nil
}

func (c *cluster) kindOf(ev *traces.MachineEvent) kind {
	if ev.GPU > 0 {
		return kind{ev.Model, ev.Partitions}
	}
	return kind{"", ev.Partitions}
}

// kinds implements placement.
func (c *cluster) kinds(job *traces.Job) uint64 {
	says := restriction{traces.NoLabel, traces.NoLabel}
	if job.GPU > 0 {
		says.model = job.Model
	}
	if c.partitioned {
		says.partition = job.Partition
	}
	if says.model == traces.NoLabel && says.partition == traces.NoLabel {
		return 0
	}
	set, known := c.allowed[says]
	if !known {
		set = noKind
		for k, bit := range c.bits { // a set, whatever the order
			if c.names.Allows(says.model, k.model) && c.names.Within(says.partition, k.partitions) {
				set |= bit
			}
		}
		c.allowed[says] = set
	}
	return set
}

// change applies all machine events up to now.
func (c *cluster) change(e *Replay) error {
	for e.machine.changesAt <= e.now {
		ev := &c.events[c.next]
		c.next++
		e.machine.changesAt = events.Never
		if c.next < len(c.events) {
			e.machine.changesAt = c.events[c.next].At
		}
		e.sum.MachineEvents++
		if err := c.apply(e, ev); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) apply(e *Replay, ev *traces.MachineEvent) error {
	r := &e.round
	m, known := c.index[ev.Machine]
	if !known {
		if ev.Gone {
			return nil
		}
		m = int32(len(r.Machines))
		c.index[ev.Machine] = m
		r.Machines = append(r.Machines, policies.Machine{ID: ev.Machine})
		c.first = append(c.first, none)
		for _, p := range c.planned {
			if p.Machine == ev.Machine {
				r.Absent = append(r.Absent, policies.Absence{Machine: m, From: p.At, Until: p.Back})
			}
		}
	}
	x := &r.Machines[m]
	was := x.Capacity
	x.Up, x.Capacity = !ev.Gone, c.toGrains(policies.Amount{CPU: ev.CPU, Memory: ev.Memory, GPU: ev.GPU})
	if ev.Gone {
		x.Capacity = policies.Amount{}
	}
	if x.Capacity.GPU != was.GPU || c.bits[c.kindOf(ev)] != x.Models {
		if err := c.empty(e, m); err != nil { // who knows which devices have gone
			return err
		}
		x.Devices, x.Models = make([]int32, int(x.Capacity.GPU)/policies.WholeDevice), c.bits[c.kindOf(ev)]
		for d := range x.Devices {
			x.Devices[d] = policies.WholeDevice
		}
	}
	if e.meter != nil {
		e.meter.change(ev, m, e.machine.units(was), e.machine.units(x.Capacity))
	}
	x.Free = x.Free.Plus(x.Capacity).Minus(was)
	e.machine.total = e.machine.total.Plus(x.Capacity).Minus(was)
	r.Total = e.machine.total
	r.Changed = append(r.Changed, m)
	for c.first[m] != none && (!x.Up || !(policies.Amount{}).Fits(x.Free)) {
		if err := c.evict(e, c.last(m)); err != nil {
			return err
		}
	}
	return nil
}

// last returns the job whose piece came to a machine last.
func (c *cluster) last(m int32) policies.Ref {
	_, ref := c.pieceAt(c.first[m])
	return ref
}

// empty evicts all jobs of a machine.
func (c *cluster) empty(e *Replay, m int32) error {
	for c.first[m] != none {
		if err := c.evict(e, c.last(m)); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) evict(e *Replay, ref policies.Ref) error {
	if err := e.preempt(ref, -1); err != nil {
		return err
	}
	e.sum.Evictions++
	e.round.Evicted = append(e.round.Evicted, ref)
	return nil
}

// pieces implements placement.
func (c *cluster) pieces(job *traces.Job) int32 {
	if c.whole {
		return 1
	}
	return job.Workers()
}

// need is a whole number of grains for each piece.
func (c *cluster) need(job *traces.Job) policies.Amount {
	n := float64(c.pieces(job))
	var piece policies.Amount
	piece.CPU, piece.Memory, piece.GPU, piece.Disk = job.Ask(float64(job.Procs) / n)
	return c.toGrains(piece).Times(n)
}

// take puts a job that starts on its machines, piece by piece.
func (c *cluster) take(r *policies.Round, i int) string {
	ref := r.Started[i]
	for int(ref) >= len(c.spots) {
		c.spots = append(c.spots, pieceOn{machine: none})
	}
	j, n := r.Job(ref), int32(0)
	if j.Pieces == 1 && i < len(r.Placed) { // nearly all
		return c.placePiece(r, ref, &r.Placed[i], j, &j.Need)
	}
	piece := j.Piece()
	for at := range r.SpotsOf(i) {
		if why := c.placePiece(r, ref, &at, j, &piece); why != "" {
			return why
		}
		n++
	}
	if n != j.Pieces {
		return fmt.Sprintf("it names %d machines for its %d pieces", n, j.Pieces)
	}
	return ""
}

// placePiece gives a piece its place, on its machine's list and on its job's.
func (c *cluster) placePiece(r *policies.Round, ref policies.Ref, at *policies.Spot, j *policies.Job,
	piece *policies.Amount) string {
	if at.Machine < 0 || int(at.Machine) >= len(r.Machines) {
		return "it names no machine for it"
	}
	x := &r.Machines[at.Machine]
	if !x.Up || !piece.Fits(x.Free) || piece.GPU > 0 || at.Devices != 0 || j.Models != 0 {
		if why := c.misplaced(x, at, j, *piece); why != "" {
			return why
		}
	}
	x.Take(*piece, at.Devices)
	s, first := int32(ref), &c.spots[ref]
	if first.machine != none {
		s = c.spare(ref)
	}
	head := c.first[at.Machine]
	l, _ := c.pieceAt(s)
	*l = pieceOn{machine: at.Machine, later: none, older: head, next: none, devices: at.Devices}
	if s < 0 {
		l.next, first.next = first.next, s
	}
	if head != none {
		before, _ := c.pieceAt(head)
		before.later = s
	}
	c.first[at.Machine] = s
	return ""
}

// spare returns the number of a piece that is not in use.
func (c *cluster) spare(ref policies.Ref) int32 {
	s := c.unused
	if s == none {
		s = -2 - int32(len(c.more))
		c.more = append(c.more, further{})
	} else {
		c.unused = c.more[-2-s].next
	}
	c.more[-2-s].ref = ref
	return s
}

// give takes a job off its machines.
func (c *cluster) give(r *policies.Round, ref policies.Ref, piece policies.Amount) {
	for s := int32(ref); s != none; {
		l, _ := c.pieceAt(s)
		if l.older != none {
			older, _ := c.pieceAt(l.older)
			older.later = l.later
		}
		if l.later != none {
			later, _ := c.pieceAt(l.later)
			later.older = l.older
		} else {
			c.first[l.machine] = l.older
		}
		r.Machines[l.machine].Give(piece, l.devices)
		next := l.next
		if l.machine = none; s < 0 {
			l.next, c.unused = c.unused, s
		}
		s = next
	}
}

// misplaced says why a piece of a job cannot run where the policy wants it, or "": whole GPUs
// are devices of which all is free, a share is of one device.
func (c *cluster) misplaced(x *policies.Machine, at *policies.Spot, j *policies.Job, need policies.Amount) string {
	n := bits.OnesCount64(at.Devices)
	wants := math.Ceil(need.GPU / policies.WholeDevice)
	switch {
	case !x.Up:
		return fmt.Sprintf("machine %d is not there", x.ID)
	case !need.Fits(x.Free):
		return fmt.Sprintf("it needs %s, machine %d has %s free", c.text(need), x.ID, c.text(x.Free))
	case j.Models != 0 && j.Models&x.Models == 0:
		return fmt.Sprintf("machine %d has GPUs of another model or is of another partition", x.ID)
	case float64(n) != wants || bits.Len64(at.Devices) > len(x.Devices):
		return fmt.Sprintf("it needs %g GPUs and was given %d devices of machine %d", need.GPU/policies.WholeDevice, n, x.ID)
	}
	for set := at.Devices; set != 0; set &= set - 1 {
		if d := bits.TrailingZeros64(set); float64(x.Devices[d]) < need.GPU/float64(n) {
			return fmt.Sprintf("it needs %g of device %d of machine %d, %g is free", need.GPU/float64(n)/policies.WholeDevice, d,
				x.ID, float64(x.Devices[d])/policies.WholeDevice)
		}
	}
	return ""
}

// refuse implements measure.
func (c *cluster) refuse(need policies.Amount) string {
	return strings.Replace(c.grains.refuse(need), "the pool has", "the machines have", 1)
}

func (c *cluster) clone() placement {
	copied := *c
	copied.index, copied.allowed = maps.Clone(c.index), maps.Clone(c.allowed)
	copied.first, copied.spots, copied.more = slices.Clone(c.first), slices.Clone(c.spots), slices.Clone(c.more)
	return &copied
}
