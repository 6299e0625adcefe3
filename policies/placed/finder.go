package placed

import (
	"iter"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/gpus"
	"bourse/policies/placement"
)

// finder finds places for pieces of jobs, and keeps what machines have free: without GPUs by
// sums (plain), with them by devices.
type finder interface {
	// find returns the place of a piece, on machine -1 if there is none. If any machines are
	// named in among, no other has room.
	find(x *group, among []freedMachine) policies.Spot
	// spotOn returns the place of a piece on a machine that holds it.
	spotOn(x *group, m int) policies.Spot
	// gain gives the room of a piece at its place back (sign 1), or takes it (-1).
	gain(x *group, at policies.Spot, sign float64)
	// room is the most that one piece may have of a machine.
	room(m int) policies.Amount
	// roomWithout is room were pieces that it holds not there; sums tells that this is room
	// and their needs.
	roomWithout(m int, gone iter.Seq2[*group, uint64]) policies.Amount
	sums() bool
	// change takes over what a machine has, with the pieces that it holds.
	change(m int, x *policies.Machine, held iter.Seq2[*group, uint64])
	// view copies what a machine has free, and reports whether it is in service. While it is
	// hidden, find does not find it.
	view(m int, to *gpus.Node) (up bool)
	hide(m int, hidden bool)
	// arrive counts a job that has come, measure what was of no use for some time, and
	// fragments returns it (policies.GPUFragmenter).
	arrive(x *group)
	measure(past events.Time)
	fragments() (now, overTime float64)
	clone() finder
}

// plain is the finder of machines without GPUs.
type plain struct {
	placement.Finder
	free []policies.Amount
	up   []bool
}

// find implements finder.
func (f *plain) find(x *group, among []freedMachine) policies.Spot {
	if len(among) == 0 {
		return policies.Spot{Machine: int32(f.Find(x.piece))}
	}
	best := -1
	for i := range among {
		m := int(among[i].machine)
		if f.up[m] && x.piece.Fits(f.free[m]) && (best < 0 || f.Prefers(x.piece, m, f.free[m], best, f.free[best])) {
			best = m
		}
	}
	return policies.Spot{Machine: int32(best)}
}

func (*plain) spotOn(_ *group, m int) policies.Spot { return policies.Spot{Machine: int32(m)} }

func (f *plain) gain(x *group, at policies.Spot, sign float64) {
	f.set(int(at.Machine), f.free[at.Machine].Plus(x.piece.Times(sign)))
}

func (f *plain) set(m int, free policies.Amount) {
	f.free[m] = free
	f.Set(m, free, f.up[m])
}

func (f *plain) room(m int) policies.Amount {
	if !f.up[m] {
		return placement.Nothing
	}
	return f.free[m]
}

func (f *plain) roomWithout(m int, gone iter.Seq2[*group, uint64]) policies.Amount {
	room := f.room(m)
	if f.up[m] {
		for x := range gone {
			room = room.Plus(x.piece)
		}
	}
	return room
}

func (*plain) sums() bool { return true }

func (f *plain) change(m int, x *policies.Machine, _ iter.Seq2[*group, uint64]) {
	for m >= len(f.free) {
		f.free, f.up = append(f.free, policies.Amount{}), append(f.up, false)
	}
	f.up[m] = x.Up
	f.set(m, x.Free)
}

func (f *plain) view(m int, to *gpus.Node) bool {
	*to = gpus.Node{CPU: f.free[m].CPU, Memory: f.free[m].Memory, Devices: to.Devices[:0], Held: to.Held[:0]}
	return f.up[m]
}

func (f *plain) hide(m int, hidden bool) { f.Set(m, f.free[m], f.up[m] && !hidden) }

func (*plain) arrive(*group)                      {}
func (*plain) measure(events.Time)                {}
func (*plain) fragments() (now, overTime float64) { return 0, 0 }

func (f *plain) clone() finder {
	return &plain{f.Finder.Clone(), slices.Clone(f.free), slices.Clone(f.up)}
}
