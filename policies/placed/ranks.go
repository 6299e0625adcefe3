package placed

import (
	"iter"
	"slices"

	"bourse/policies"
	"bourse/policies/placement"
)

// Invariant, with preemption: rooms[c] has of each machine the room of the rank at place c,
// which is free or held by lower ranks.

// addRank makes a rank known.
func (p *Placed) addRank(key int64) {
	place, known := p.waiting.findRank(key)
	if known {
		return
	}
	p.waiting.insertRank(place, key)
	p.rooms = slices.Insert(p.rooms, place, placement.Rooms{})
	for m := range p.machines {
		p.count(place, m)
	}
}

// room returns the room on machine m for the rank at a place.
func (p *Placed) room(place int, m int32) policies.Amount {
	if p.preempts {
		return p.rooms[place].At(int(m))
	}
	return p.find.room(int(m))
}

// count works out what the rank at a place may have of machine m.
func (p *Placed) count(place, m int) {
	if p.preempts {
		p.rooms[place].Grow(m + 1)
		p.rooms[place].Set(m, p.find.roomWithout(m, p.held(m, place)))
	}
}

// held yields the pieces that machine m holds of jobs of a rank behind a place, -1 for all.
func (p *Placed) held(m, place int) iter.Seq2[*group, uint64] {
	return func(yield func(*group, uint64) bool) {
		for _, x := range p.machines[m] {
			if g := p.groupOf(x.ref); g.place > place && !yield(g, x.devices) {
				return
			}
		}
	}
}

// gain gives a machine the room of a piece of a group's job (sign 1), or takes it (-1), and
// tells the ranks that could not preempt the job.
func (p *Placed) gain(x *group, at policies.Spot, sign float64) {
	p.find.gain(x, at, sign)
	gained := x.piece.Times(sign)
	p.idle = p.idle.Plus(gained)
	if !p.preempts {
		return
	}
	m, sums := int(at.Machine), p.find.sums()
	for place := x.place; place < len(p.rooms); place++ {
		if room := p.rooms[place].At(m); !sums {
			p.count(place, m)
		} else if room != placement.Nothing {
			p.rooms[place].Set(m, room.Plus(gained))
		}
	}
}

// evict makes room for a job of one piece by stopping jobs of lower rank, and returns its
// place, on machine -1 if no machine has enough of them.
func (p *Placed) evict(r *policies.Round, by policies.Ref, x *group) policies.Spot {
	m := p.evictable(x)
	if m < 0 {
		return policies.Spot{Machine: -1}
	}
	for !x.piece.Fits(p.find.room(m)) {
		victim := p.victim(m, x.place)
		if len(p.furtherSpots(victim)) > 0 {
			p.freeAll(victim)
		}
		p.takeOff(victim)
		r.PreemptFor(victim, by)
		p.stopped = append(p.stopped, victim)
	}
	return p.find.spotOn(x, m)
}

// victim returns the job of the lowest rank behind a place on machine m, of equals the last.
func (p *Placed) victim(m, place int) policies.Ref {
	victim, worst := policies.Ref(-1), place
	for _, x := range p.machines[m] {
		if c := p.groupOf(x.ref).place; c > place && c >= worst {
			victim, worst = x.ref, c
		}
	}
	return victim
}

// evictable returns the first machine on which jobs of lower rank leave room for a
// group's next job, or -1.
func (p *Placed) evictable(x *group) int {
	room := &p.rooms[x.place]
	if !x.blocked || len(p.freed) > few {
		if x.models == 0 {
			return room.First(x.piece)
		}
		for m := range p.machines { // few jobs name models
			if x.accepts(p.models[m]) && x.piece.Fits(room.At(m)) {
				return m
			}
		}
		return -1
	}
	first := -1
	for i := range p.freed {
		m := int(p.freed[i].machine)
		if x.accepts(p.models[m]) && x.piece.Fits(room.At(m)) && (first < 0 || m < first) {
			first = m
		}
	}
	return first
}
