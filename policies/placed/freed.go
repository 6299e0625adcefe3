package placed

import (
	"bourse/policies"
	"bourse/policies/placement"
)

// freedMachine is a machine with new room, and the first blocked group that fits there if
// that is known: one of the rank at place, which was in its tree at (key, seq). No group of
// the ranks before fits.
type freedMachine struct {
	machine   int32
	place     int
	candidate int32
	key, seq  int64
}

// free notes that a machine has new room.
func (p *Placed) free(m int32) {
	p.freed = append(p.freed, freedMachine{machine: m, candidate: nilNode})
}

// freeAll notes the machines of a job that has left them.
func (p *Placed) freeAll(ref policies.Ref) {
	p.free(p.spots[ref].Machine)
	for _, at := range p.furtherSpots(ref) {
		p.free(at.Machine)
	}
}

// few is how many freed machines are looked at one by one.
const few = 32

// unblocked returns the first blocked group that a freed machine has room for, or
// nilNode. In a round machines only lose room, unless they are freed again: what
// was passed over stays so, and a machine without a candidate is dropped.
func (p *Placed) unblocked() int32 {
	next := int32(nilNode)
	for i := 0; i < len(p.freed); i++ {
		g := p.candidate(&p.freed[i])
		switch {
		case g == nilNode:
			last := len(p.freed) - 1
			p.freed[i] = p.freed[last]
			p.freed = p.freed[:last]
			i--
		case next == nilNode || p.waiting.before(g, next):
			next = g
		}
	}
	return next
}

// candidate returns the first blocked group with room on a machine, or nilNode. One
// that was found before, is still where it was and fits, is the first still.
func (p *Placed) candidate(x *freedMachine) int32 {
	w := &p.waiting
	if g := x.candidate; g != nilNode && w.groups[g].blocked {
		n := &w.blocked.Nodes[g]
		if n.Key == x.key && n.Seq == x.seq && w.groups[g].need().Fits(p.room(x.place, x.machine)) {
			return g
		}
	}
	for x.candidate = nilNode; x.place < len(w.ranks); x.place++ {
		if !w.ranks[x.place].waits() {
			continue
		}
		g := w.firstBlocked(x.place, p.room(x.place, x.machine), p.models[x.machine], false)
		if g != nilNode {
			n := &w.blocked.Nodes[g]
			x.candidate, x.key, x.seq = g, n.Key, n.Seq
			return g
		}
	}
	return nilNode
}

// release makes blocked groups ready after many machines were freed, but for those
// that need more than any of the machines has: to look for each group among all
// machines then costs less than for each machine among all groups.
func (p *Placed) release() {
	for place := range p.waiting.ranks {
		if !p.waiting.ranks[place].waits() {
			continue
		}
		most := placement.Nothing
		for i := range p.freed {
			most = most.Max(p.room(place, p.freed[i].machine))
		}
		p.waiting.unblock(place, most, false)
	}
	p.freed = p.freed[:0]
}

// releaseGangs makes ready the jobs of several pieces for which there is enough room
// altogether: whether there is for each piece is only seen by placing them.
func (p *Placed) releaseGangs() {
	for place := 0; p.waiting.gangs && place < len(p.waiting.ranks); place++ {
		p.waiting.unblock(place, p.idle, true)
	}
}
