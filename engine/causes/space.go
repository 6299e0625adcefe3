package causes

import (
	"slices"

	"bourse/policies"
	"bourse/policies/placement"
)

// space is the amount free after a round, and the amounts taken in it.
type space struct {
	free  policies.Amount
	given policies.Amount // to the jobs that start
	// Of a cluster: machines that gained room in this round, and those on which jobs
	// start, with what these take.
	rooms  placement.Rooms
	known  int // machines
	gained []int32
	taken  []taken
	shared bool            // the policy shares: what is free is rounded
	off    policies.Amount // by how much
}

type taken struct {
	machine int32
	amount  policies.Amount
}

// slack is by how much rounding may make what is free too small, as a fraction of the machine.
const slack = 1e-9

// measure works out what is free after the starts of a round; what stops is added by change.
func (s *space) measure(r *policies.Round) {
	s.free, s.given, s.taken, s.off = r.Spare, policies.Amount{}, s.taken[:0], r.Total.Times(slack)
	for i, ref := range r.Started {
		need := r.Job(ref).Need
		s.given = s.given.Plus(need)
		for at := range r.SpotsOf(i) {
			s.take(at.Machine, r.Job(ref).Piece())
		}
	}
	s.free = s.free.Minus(s.given)
}

// change adds a change of a job's rate.
func (s *space) change(need policies.Amount, by float64) {
	s.free = s.free.Minus(need.Times(by))
	if by > 0 {
		s.given = s.given.Plus(need.Times(by))
	}
}

func (s *space) take(machine int32, need policies.Amount) {
	for i := range s.taken {
		if s.taken[i].machine == machine {
			s.taken[i].amount = s.taken[i].amount.Plus(need)
			return
		}
	}
	s.taken = append(s.taken, taken{machine, need})
}

// enough reports whether a need fits into an amount.
func (s *space) enough(need, amount policies.Amount) bool {
	if s.shared {
		amount = amount.Plus(s.off)
	}
	return need.Fits(amount)
}

// machines brings the machines of a cluster up to date.
func (s *space) machines(r *policies.Round) {
	if len(r.Machines) > s.known {
		s.known = len(r.Machines)
		s.rooms.Grow(s.known)
	}
	for _, m := range r.Changed {
		s.set(r, m)
	}
	for i := range s.taken {
		s.set(r, s.taken[i].machine)
	}
	s.gained = append(s.gained, r.Changed...)
	slices.Sort(s.gained)
	s.gained = slices.Compact(s.gained)
	for _, m := range s.gained {
		s.set(r, m)
	}
}

func (s *space) set(r *policies.Round, m int32) {
	if x := &r.Machines[m]; x.Up {
		s.rooms.Set(int(m), x.Room())
	} else {
		s.rooms.Set(int(m), placement.Nothing)
	}
}

// overtaken reports whether a class would have fit where others start.
func (s *space) overtaken(c *class) bool {
	if !s.enough(c.need, s.free.Plus(s.given)) {
		return false
	}
	if s.known == 0 {
		return true
	}
	for i := range s.taken {
		if c.piece.Fits(s.rooms.At(int(s.taken[i].machine)).Plus(s.taken[i].amount)) {
			return true
		}
	}
	return false
}

// state says whether a class fits. Of one that did not fit only the machines that gained
// room are asked, unless all is set.
func (s *space) state(c *class, all bool) state {
	switch {
	case !s.enough(c.need, s.free):
		return tight
	case s.known == 0:
		return fits
	}
	if c.machine >= 0 && c.piece.Fits(s.rooms.At(int(c.machine))) {
		return fits
	}
	if all || c.machine >= 0 {
		c.machine = int32(s.rooms.First(c.piece))
	} else {
		for _, m := range s.gained {
			if c.piece.Fits(s.rooms.At(int(m))) {
				c.machine = m
				break
			}
		}
	}
	if c.machine < 0 {
		return scattered
	}
	return fits
}
