package placed

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/gpus"
)

// plan is what is expected of the machines: when what runs ends, and what is reserved. All but ends and running
// is as of the last time at which it was begun.
type plan struct {
	now     events.Time
	ends    []events.Time  // expected, by Ref
	running []policies.Ref // by expected end
	held    []reservation
	holds   [][]hold      // by machine
	refused []events.Time // by group, the least time to end at for which there was no place
	counts  []int32       // by machine, how many pieces of a job it has room for
	hidden  []int32
	free    gpus.Node // of the machine that was viewed last
	viewed  int
	later   gpus.Node
	absent  []policies.Absence // that are still to come
}

// reservation is for jobs of a group from one time to another, hold that of a piece on a machine.
type (
	reservation struct {
		from, until events.Time
		ask         gpus.Ask
	}
	hold struct {
		of      int32
		devices uint64
	}
)

// begin begins a round: machines that will be away are reserved for that time, and nothing else is.
func (p *plan) begin(on *Placed, now events.Time) {
	p.now, p.held = now, p.held[:0]
	for m := range p.holds {
		p.holds[m] = p.holds[m][:0]
	}
	for len(p.holds) < len(on.machines) {
		p.holds = append(p.holds, nil)
	}
	p.counts = slices.Grow(p.counts[:0], len(on.machines))[:len(on.machines)]
	p.refused = p.refused[:0]
	p.absent = slices.DeleteFunc(p.absent, func(a policies.Absence) bool { return a.From <= now })
	for _, a := range p.absent {
		if !on.find.view(int(a.Machine), &p.free) {
			continue
		}
		ask := gpus.Ask{CPU: math.Inf(1), Memory: math.Inf(1), Devices: int32(len(p.free.Devices)), Each: gpus.Whole}
		p.holds[a.Machine] = append(p.holds[a.Machine], hold{int32(len(p.held)), 1<<ask.Devices - 1})
		p.held = append(p.held, reservation{a.From, a.Until, ask})
	}
}

func (p *plan) clone() plan {
	c := plan{ends: slices.Clone(p.ends), running: slices.Clone(p.running), held: slices.Clone(p.held),
		holds: slices.Clone(p.holds), refused: slices.Clone(p.refused), absent: slices.Clone(p.absent)}
	for m := range c.holds {
		c.holds[m] = slices.Clone(c.holds[m])
	}
	return c
}

// stands reports whether a plan holds as it is, if what runs does so still: no end that was expected has passed.
// Then no job that had no place has one now, as it would end later than before.
func (p *plan) stands(now events.Time) bool {
	p.now = now
	return (len(p.running) == 0 || p.ends[p.running[0]] > now) &&
		!slices.ContainsFunc(p.held, func(v reservation) bool { return v.from <= now })
}

// ended forgets a job that ran.
func (p *plan) ended(ref policies.Ref) {
	i := p.after(p.ends[ref])
	for p.running[i] != ref {
		i++
	}
	p.running = slices.Delete(p.running, i, i+1)
}

// after is the place among those that run of the first that ends at a time or later.
func (p *plan) after(end events.Time) int {
	i, _ := slices.BinarySearchFunc(p.running, end, func(r policies.Ref, end events.Time) int {
		return cmp.Compare(p.ends[r], end)
	})
	return i
}

// place finds a place for each piece of a job for as long as it asks for, or reports that there is none.
func (p *plan) place(on *Placed, ref policies.Ref, length events.Time) bool {
	g := on.waiting.of[ref]
	for int(g) >= len(p.refused) {
		p.refused = append(p.refused, events.Never)
	}
	x, end := &on.waiting.groups[g], p.now+max(length, 1)
	if end >= p.refused[g] {
		return false
	}
	for int(ref) >= len(p.ends) {
		p.ends = append(p.ends, 0)
	}
	p.ends[ref] = end
	ask, found := gpus.AskOf(x.piece, x.models), true
	p.viewed = -1
	for k := int32(0); k < x.pieces && found; k++ {
		at := on.find.find(x, nil)
		for at.Machine >= 0 && !p.allows(on, at, &ask, end) {
			on.find.hide(int(at.Machine), true)
			p.hidden = append(p.hidden, at.Machine)
			at = on.find.find(x, nil)
		}
		if found = at.Machine >= 0; found {
			on.assign(ref, at)
		}
	}
	if !found {
		on.takeOff(ref)
		if p.refused[g] = end; len(p.hidden) == 0 {
			p.refused[g] = p.now // no reservation is in the way
		}
	} else {
		p.running = slices.Insert(p.running, p.after(end), ref)
	}
	for _, m := range p.hidden {
		on.find.hide(int(m), false)
	}
	p.hidden = p.hidden[:0]
	return found
}

// allows reports whether a piece at a place leaves the reservations theirs until it ends.
func (p *plan) allows(on *Placed, at policies.Spot, a *gpus.Ask, end events.Time) bool {
	m := int(at.Machine)
	if len(p.holds[m]) == 0 {
		return true
	}
	if p.viewed != m { // many pieces go to one machine
		p.room(on, m, p.now, end)
		p.viewed = m
	}
	ok := a.CPU <= p.free.CPU && a.Memory <= p.free.Memory
	for devices := at.Devices; devices != 0; devices &= devices - 1 {
		ok = ok && p.free.Devices[bits.TrailingZeros64(devices)] >= a.Each
	}
	if ok {
		p.free.Put(a, at.Devices)
	}
	return ok
}

// room works out what machine m has free from a time to another at the least, in p.free.
func (p *plan) room(on *Placed, m int, at, until events.Time) (up bool) {
	if up = p.expect(on, m, at, &p.free); !up {
		return false
	}
	for _, h := range p.holds[m] {
		if from := p.held[h.of].from; at < from && from < until {
			p.expect(on, m, from, &p.later)
			p.free.CPU, p.free.Memory = min(p.free.CPU, p.later.CPU), min(p.free.Memory, p.later.Memory)
			for i, left := range p.later.Devices {
				p.free.Devices[i] = min(p.free.Devices[i], left)
			}
		}
	}
	return true
}

// expect works out what machine m has free at a time: what is free now and what ends by then, less what is reserved.
func (p *plan) expect(on *Placed, m int, at events.Time, to *gpus.Node) (up bool) {
	if up = on.find.view(m, to); !up {
		return false
	}
	for _, x := range on.machines[m] {
		if p.ends[x.ref] <= at {
			g := on.groupOf(x.ref)
			a := gpus.AskOf(g.piece, g.models)
			to.Take(&a, x.devices)
		}
	}
	for _, h := range p.holds[m] {
		if v := &p.held[h.of]; v.from <= at && at < v.until {
			to.Put(&v.ask, h.devices)
		}
	}
	return true
}

// count returns how many pieces of a job machine m has room for from a time to another, and calls do with the
// devices of each.
func (p *plan) count(on *Placed, m int, v *reservation, most int32, do func(devices uint64)) (n int32) {
	if !p.room(on, m, v.from, v.until) {
		return 0
	}
	for ; n < most && p.free.Fits(&v.ask); n++ {
		devices := policies.FirstDevices(p.free.Devices, v.ask.GPU())
		p.free.Put(&v.ask, devices)
		if do != nil {
			do(devices)
		}
	}
	return n
}

// reserve holds places for a job at the earliest time at which all its pieces have one, none if they never have.
func (p *plan) reserve(on *Placed, ref policies.Ref, length events.Time) {
	x := on.groupOf(ref)
	v := reservation{ask: gpus.AskOf(x.piece, x.models)}
	at := func(t events.Time) { v.from, v.until = t, t+max(length, 1) }
	at(p.now)
	room, next := int32(0), 0
	for m := range p.counts {
		p.counts[m] = p.count(on, m, &v, x.pieces, nil)
		room += p.counts[m]
	}
	renew := func(m int) {
		room -= p.counts[m]
		p.counts[m] = p.count(on, m, &v, x.pieces, nil)
		room += p.counts[m]
	}
	for next < len(p.running) && p.ends[p.running[next]] <= p.now {
		next++ // counted as ended already
	}
	for room < x.pieces {
		t := p.next(next, v.from)
		if t == events.Never {
			return
		}
		at(t)
		for ; next < len(p.running) && p.ends[p.running[next]] <= t; next++ {
			for s := range on.spotsOf(p.running[next]) {
				renew(int(s.Machine))
			}
		}
		for m := range p.holds {
			if len(p.holds[m]) > 0 {
				renew(m)
			}
		}
	}
	left := x.pieces
	for _, idle := range [...]bool{false, true} {
		for m := 0; left > 0 && m < len(p.counts); m++ {
			if p.counts[m] == 0 || (on.find.view(m, &p.free) && p.free.Fits(&v.ask)) != idle {
				continue
			}
			left -= p.count(on, m, &v, left, func(devices uint64) {
				p.holds[m] = append(p.holds[m], hold{int32(len(p.held)), devices})
			})
		}
	}
	p.held = append(p.held, v)
}

// next is the first time after another one at which something that runs, from the next on, or is reserved ends.
func (p *plan) next(next int, after events.Time) events.Time {
	t := events.Never
	if next < len(p.running) {
		t = p.ends[p.running[next]]
	}
	for i := range p.held {
		if until := p.held[i].until; until > after {
			t = min(t, until)
		}
	}
	return t
}
