package engine

import (
	"fmt"
	"math"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Machine is the machine of a replay: Processors, a Pool or a Cluster.
type Machine interface {
	// open makes it ready for a replay under a policy of these traits.
	open(policies.Traits) (machine, error)
}

// Processors is a machine of so many equal processors.
type Processors int

// Pool is a machine of several resources that can be divided at will: what a
// cluster would be if its machines were one. Capacities are in
// the trace's units; there may be none of Memory, GPU and Disk.
type Pool struct {
	CPU, Memory, GPU, Disk float64
	// Machines is how many machines the pool represents, perhaps a fraction. Jobs pay
	// by the machine: dominant share x Machines.
	Machines float64
}

// Amount is the total capacity.
func (p Pool) Amount() policies.Amount {
	return policies.Amount{CPU: p.CPU, Memory: p.Memory, GPU: p.GPU, Disk: p.Disk}
}

// Cluster is machines that are added, changed and removed, in order of time: each job runs on
// one of them, and is evicted when it is removed.
type Cluster []traces.MachineEvent

// machine is a Machine in a replay, in grains.
type machine struct {
	measure
	placement
	total     policies.Amount // what there is
	scale     policies.Amount // grains per unit of the trace; 1 on processors
	count     int             // processors, or machines of the pool, a part of one counted whole
	changesAt events.Time     // when machines are added or removed next
}

// measure is the quantity in which jobs hold and pay: processors or grains.
type measure interface {
	// need is the amount held by a job while it runs, size the quantity that it pays for.
	need(*traces.Job) policies.Amount
	size(need policies.Amount) float64
	// refuse says why a job can never run, or "".
	refuse(need policies.Amount) string
	// text spells an amount out.
	text(policies.Amount) string
}

// placement says where jobs run: anywhere, or each on one machine of a cluster.
type placement interface {
	// kinds returns the bits of the kinds of machines that a job may run on, 0 for any.
	kinds(*traces.Job) uint64
	// change applies all that has happened to the machines up to now.
	change(e *Replay) error
	// pieces returns in how many pieces a job is placed.
	pieces(*traces.Job) int32
	// take gives the i-th job that the round starts its place, or says why it cannot; give
	// takes it back, so much for each of its pieces.
	take(r *policies.Round, i int) string
	give(r *policies.Round, ref policies.Ref, piece policies.Amount)
	clone() placement
}

// anywhere is the placement on one machine.
type anywhere struct{}

func (anywhere) kinds(*traces.Job) uint64                            { return 0 }
func (anywhere) change(*Replay) error                                { return nil }
func (anywhere) pieces(*traces.Job) int32                            { return 1 }
func (anywhere) take(*policies.Round, int) string                    { return "" }
func (anywhere) give(*policies.Round, policies.Ref, policies.Amount) {}
func (anywhere) clone() placement                                    { return anywhere{} }

// units turns grains into the trace's units.
func (m *machine) units(a policies.Amount) policies.Amount {
	return a.Over(m.scale)
}

// exceeded reports whether what is held is more than there is by more than
// rounding.
func (m *machine) exceeded(held policies.Amount) bool { return !held.Fits(m.total.Times(1 + slack)) }

// open implements Machine.
func (n Processors) open(t policies.Traits) (machine, error) {
	if n < 1 {
		return machine{}, &CapacityError{fmt.Sprintf("a machine of %d processors", n)}
	}
	if t.Resources > 1 {
		return machine{}, &policies.MismatchError{Machine: policies.OnProcessors, Resources: t.Resources, Single: t.Single}
	}
	return machine{measure: n, placement: anywhere{}, total: policies.Amount{CPU: float64(n)}, scale: even(1),
		count: int(n), changesAt: events.Never}, nil
}

func (n Processors) need(job *traces.Job) policies.Amount {
	return policies.Amount{CPU: float64(job.Procs)}
}

func (n Processors) size(need policies.Amount) float64 { return need.CPU }

func (n Processors) refuse(need policies.Amount) string {
	if need.CPU >= 1 && need.CPU <= float64(n) {
		return ""
	}
	return fmt.Sprintf("asks for %g processors, the machine has %d", need.CPU, n)
}

func (n Processors) text(a policies.Amount) string {
	return fmt.Sprintf("%g processors", a.CPU)
}

// exact is the largest sum of grains: below 2^53 every whole number is a float64.
const exact = 9e15

// open implements Machine.
func (p Pool) open(t policies.Traits) (machine, error) {
	total := p.Amount()
	if !(p.CPU > 0) || !(policies.Amount{}).Fits(total) || !total.Fits(even(exact)) ||
		!(p.Machines > 0 && p.Machines <= exact) {
		return machine{}, &CapacityError{fmt.Sprintf("a pool of %s from %g machines", total.Text(total), p.Machines)}
	}
	if !t.Packs {
		return machine{}, &policies.MismatchError{Machine: policies.OnPool}
	}
	there := 0
	for r := range policies.Resources {
		if total.At(r) > 0 {
			there++
		}
	}
	switch most := t.MostResources; {
	case t.Resources > there:
		return machine{}, &policies.MismatchError{Machine: policies.OnPool, Resources: t.Resources, There: there}
	case most > 0 && most < there:
		return machine{}, &policies.MismatchError{Machine: policies.OnPool, Resources: most, There: there}
	}
	scale := policies.Amount{CPU: resolution(p.CPU), Memory: resolution(p.Memory), GPU: resolution(p.GPU),
		Disk: resolution(p.Disk)}
	g := &grains{scale: scale, count: p.Machines}
	g.base = g.toGrains(total)
	return machine{measure: g, placement: anywhere{}, total: g.base, scale: g.scale, count: int(math.Ceil(p.Machines)),
		changesAt: events.Never}, nil
}

// growth is how many times as large as at first a cluster may become with sums still exact.
const growth = 100

// open implements Machine. Sizes are measured by the machines there when the first
// job could come.
func (c Cluster) open(t policies.Traits) (machine, error) {
	if !t.Places {
		return machine{}, &policies.MismatchError{Machine: policies.OnCluster}
	}
	if len(c) == 0 {
		return machine{}, &CapacityError{"a cluster without machines"}
	}
	first := traces.CapacityAt(c, c[0].At)
	if !(first.CPU > 0 && first.CPU <= exact) || !(first.Memory >= 0 && first.Memory <= exact) {
		return machine{}, &CapacityError{fmt.Sprintf("a cluster that begins with %v (want CPU above 0)", first)}
	}
	scale := policies.Amount{CPU: resolution(growth * first.CPU), Memory: resolution(growth * first.Memory),
		GPU: policies.WholeDevice, Disk: 1}
	g := &grains{scale: scale, count: float64(first.Machines)}
	g.base = g.toGrains(policies.Amount{CPU: first.CPU, Memory: first.Memory, GPU: first.GPU})
	placed, err := newCluster(c, g)
	if err != nil {
		return machine{}, err
	}
	return machine{measure: placed, placement: placed, total: g.base, scale: g.scale, count: first.Machines,
		changesAt: c[0].At}, nil
}
