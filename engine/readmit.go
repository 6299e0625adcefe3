package engine

import (
	"cmp"
	"slices"

	"bourse/events"
	"bourse/policies"
)

// readmit lets jobs arrive again that may start: those whose time has come, and where others have stopped those that
// waited for that. That looks at all jobs held for one reason, such as the limit of one user.
func (e *Replay) readmit() {
	g, n := e.gate, len(e.round.Arrived)
	for g.until.Len() > 0 && events.Time(g.until.HeadKey()) <= e.now {
		ref := g.until.Pop()
		list := g.under[g.by[ref]]
		g.under[g.by[ref]] = slices.DeleteFunc(list, func(o policies.Ref) bool { return o == ref })
		if e.isShown(ref) || e.considers(ref) {
			e.comeBack(ref)
		}
	}
	for _, by := range g.freed {
		e.readmitFrom(by)
	}
	g.freed = g.freed[:0]
	if len(e.round.Arrived) > n {
		slices.SortFunc(e.round.Arrived, func(a, b policies.Ref) int { return cmp.Compare(e.jobs.At(a).Seq, e.jobs.At(b).Seq) })
	}
}

// readmitFrom readmits the jobs held by a rule under a key that it would admit now, each by itself: which of them
// start is for the policy to say, and the others are held again when it tries.
func (e *Replay) readmitFrom(by heldBy) {
	g, free := e.gate, e.mayHold().Minus(e.held)
	if by != room {
		if _, considers := g.limits[by.limit].(Considering); considers {
			e.showNext(by)
			return
		}
	}
	g.under[by] = slices.DeleteFunc(g.under[by], func(ref policies.Ref) bool {
		s := e.start(ref)
		ok := by == room && s.Need.Fits(free)
		if by != room {
			_, ok = g.limits[by.limit].Admits(&s)
		}
		if ok {
			g.until.Remove(ref)
			e.comeBack(ref)
		}
		return ok
	})
}

// showNext shows the policy the first of the jobs that a Considering holds which no other does.
func (e *Replay) showNext(by heldBy) {
	for g := e.gate; len(g.under[by]) > 0; {
		ref := g.under[by][0]
		g.under[by] = slices.Delete(g.under[by], 0, 1)
		if e.considers(ref) {
			e.comeBack(ref)
			return
		}
	}
}

// comeBack shows a held job to the policy again.
func (e *Replay) comeBack(ref policies.Ref) {
	e.jobs.At(ref).State = policies.Waiting
	e.round.Arrived = append(e.round.Arrived, ref)
}

// tell tells the policy of the jobs that were held in the last round, and reports whether
// another round is needed in this instant.
func (e *Replay) tell() bool {
	g := e.gate
	e.round.Ended = append(e.round.Ended, g.told...)
	again := len(g.told)+len(g.freed) > 0
	g.told = g.told[:0]
	return again
}

// forget gives the slots back of the jobs that have really ended, and drops the news.
func (g *gate) forget(e *Replay) {
	r := &e.round
	for _, ref := range r.Ended {
		if e.jobs.At(ref).State == policies.Gone {
			e.free = append(e.free, ref)
		}
	}
	r.Coming, r.Held, r.Resized = r.Coming[:0], r.Held[:0], false
}
