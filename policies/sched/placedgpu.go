package sched

import (
	"math/bits"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/gpus"
)

// onGPUs is what Placed knows of machines with GPUs: where a job gets which devices, and
// how much of the free ones no typical job could use.
type onGPUs struct {
	find    *gpus.Finder
	asks    []asked // by group
	of      gpus.Scale
	scratch gpus.Node

	// Typical jobs are those that have arrived so far: the future is not known. They are
	// counted anew whenever twice as many have.
	arrived, next int
	mix           gpus.Mix
	parts         []float64 // fragments by machine, in thousandths of a device
	late          []int32   // machines that have changed in this round
	fragments     float64   // the sum of parts
	overTime      float64   // fragments x seconds
}

// asked is what each piece of a group's jobs asks for, and how many jobs there have been.
type asked struct {
	gpus.Ask
	count int
}

// know takes in the groups that are new.
func (g *onGPUs) know(p *Placed) {
	for i := len(g.asks); i < len(p.groups); i++ {
		k := &p.groups[i].key
		g.asks = append(g.asks, asked{Ask: gpus.AskOf(k.piece, k.models)})
	}
}

func (g *onGPUs) ask(group int32) *gpus.Ask { return &g.asks[group].Ask }

// OnGPUs turns a policy into one that places jobs on machines of which some have GPUs.
// Seed is that of the rule random.
func OnGPUs(p policies.Policy, rule gpus.Rule, seed uint64) (policies.Policy, error) {
	made, err := OnMachines(p, 0)
	if err != nil {
		return nil, err
	}
	made.(*Placed).gpu = &onGPUs{find: gpus.NewFinder(rule, seed), next: 1}
	return made, nil
}

// gain gives a machine the devices of a group's job (sign 1), or takes them (-1), and returns
// what room it has then.
func (g *onGPUs) gain(group int32, at policies.Spot, sign float64) policies.Amount {
	m, ask := int(at.Machine), g.ask(group)
	if sign < 0 {
		g.find.Put(m, ask, at.Devices)
	} else {
		g.find.Take(m, ask, at.Devices)
	}
	g.late = append(g.late, at.Machine)
	return g.find.Node(m).Room()
}

// change takes over a machine that came, went or changed.
func (g *onGPUs) change(p *Placed, m int, x *policies.Machine) {
	n := gpus.NewNode(x.Free.CPU, x.Free.Memory, len(x.Devices), x.Models)
	n.Idle = 0
	for d, free := range x.Devices {
		n.Devices[d] = free
		n.Idle += free
	}
	for _, ref := range p.machines[m] {
		n.Count(g.ask(p.of[ref]))
	}
	g.find.Set(m, n, x.Up)
	g.of = gpus.Scale{CPU: max(g.of.CPU, x.Capacity.CPU), GPU: max(g.of.GPU, x.Capacity.GPU)}
	g.find.Measure(g.of)
	for len(g.parts) <= m {
		g.parts = append(g.parts, 0)
	}
	g.late = append(g.late, int32(m))
}

// without returns what room class c sees on a machine: the jobs of lower classes apart. On
// devices it is no sum, so that each of them is looked at; a machine has few.
func (g *onGPUs) without(p *Placed, m, c int) policies.Amount {
	n := g.find.Node(m)
	s := &g.scratch
	s.CPU, s.Memory, s.Idle = n.CPU, n.Memory, n.Idle
	s.Devices, s.Held = append(s.Devices[:0], n.Devices...), append(s.Held[:0], n.Held...)
	for i, ref := range p.machines[m] {
		if p.classOf(ref) > c && slices.Index(p.machines[m], ref) == i { // all its pieces at once
			if at := p.spots[ref]; int(at.Machine) == m {
				s.Take(g.ask(p.of[ref]), at.Devices)
			}
			for _, at := range p.others(ref) {
				if int(at.Machine) == m {
					s.Take(g.ask(p.of[ref]), at.Devices)
				}
			}
		}
	}
	return s.Room()
}

// learn counts the jobs that have arrived, and makes them the typical ones if they have
// doubled.
func (g *onGPUs) learn(p *Placed, r *policies.Round) {
	g.know(p)
	for _, ref := range r.Arrived {
		g.asks[p.of[ref]].count++
	}
	if g.arrived += len(r.Arrived); g.arrived < g.next {
		return
	}
	g.next = 1 << bits.Len(uint(g.arrived))
	index := map[gpus.Ask]int{}
	var kinds []gpus.Kind
	for i := range g.asks {
		ask := g.asks[i].Ask
		ask.Memory = 0
		k, known := index[ask]
		if !known {
			k = len(kinds)
			index[ask], kinds = k, append(kinds, gpus.Kind{Ask: ask})
		}
		kinds[k].Count += g.asks[i].count
	}
	g.mix = gpus.MixOf(kinds)
	g.find.Against(g.mix)
	g.fragments = 0
	for m := range g.parts {
		g.parts[m] = 0
		g.late = append(g.late, int32(m))
	}
}

// measure sums up what was free and of no use for some time, and what is now.
func (g *onGPUs) measure(past events.Time) {
	g.overTime += float64(g.fragments * past.Seconds())
	for _, m := range g.late {
		n := g.find.Node(int(m))
		part := g.mix.Fragment(n)
		g.fragments += part - g.parts[m]
		g.parts[m] = part
	}
	g.late = g.late[:0]
}

// Fragments implements policies.GPUFragmenter.
func (p *Placed) Fragments() (now, overTime float64) {
	if p.gpu == nil {
		return 0, 0
	}
	return p.gpu.fragments / gpus.Whole, p.gpu.overTime / gpus.Whole
}

func (g *onGPUs) clone() *onGPUs {
	c := *g
	c.find, c.asks, c.parts, c.late = g.find.Clone(), slices.Clone(g.asks), slices.Clone(g.parts), slices.Clone(g.late)
	c.scratch = gpus.Node{}
	return &c
}
