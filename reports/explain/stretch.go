package explain

import (
	"bourse/engine"
	"bourse/events"
	"bourse/policies"
)

// watch is what is noted while the job waits for its first start: what it could not know
// then is which of the jobs that started would turn out to come before it.
type watch struct {
	sights []Stretch // without ends: from when on which cause, if nobody comes first
	rivals []rival
	took   events.Time // when it was overtaken last
	rank   float64     // its key, in the end that at its start,
	seq    int64       // and its place in order of submission
}

// rival is a job that started.
type rival struct {
	JobRef
	at   events.Time
	took bool // in room in which the tracked job would have fit
}

// look notes what a round means to the waiting job.
func (w *Tracker) look(r *policies.Round, j *policies.Job) {
	cause, overtaken := w.ledger.Sees(j)
	began := w.ledger.Begun()
	first := overtaken
	if r.Now > j.Submit {
		for _, ref := range began {
			n := w.reference(r.Job(ref))
			n.key = w.key(r.Job(ref))
			w.watch.rivals = append(w.watch.rivals, rival{n, r.Now, overtaken})
			first = first || w.first(&n)
		}
	}
	if overtaken {
		w.watch.took = max(w.watch.took, r.Now)
	}
	w.room(cause, first || len(w.watch.sights) == 0)
	if n := len(w.watch.sights); n > 0 && w.watch.sights[n-1].Cause == cause {
		return
	}
	w.watch.sights = append(w.watch.sights, Stretch{From: r.Now, Cause: cause})
	if s := &w.history; cause == engine.Held && s.Leader == nil {
		if c := w.queue(r, j); c.Better > 0 {
			s.Queued, s.Leader = c.Better, &c.First[0]
		}
	}
}

// first reports whether another job is ahead of the tracked one.
func (w *Tracker) first(n *JobRef) bool {
	return n.key > w.watch.rank || n.key == w.watch.rank && n.seq < w.watch.seq
}

// room notes how much is free while the job does not fit, since a job came first last.
func (w *Tracker) room(cause engine.Cause, anew bool) {
	s, free := &w.history, w.ledger.Free()
	switch {
	case cause == engine.Held:
	case anew:
		s.Least, s.Most = free, free
	default:
		s.Least, s.Most = s.Least.Min(free), s.Most.Max(free)
	}
}

// stretch divides the waits once they are known.
func (w *Tracker) stretch() {
	s := &w.history
	w.part(s.Pauses[0].Until)
	for i := 1; i < len(s.Pauses); i++ {
		s.add(s.Pauses[i].From, s.Pauses[i].Until, s.Pauses[i].cause())
	}
	w.watch = watch{}
}

// part divides the wait before the first start up to an instant, from the submission or since it was held back
// last.
func (w *Tracker) part(end events.Time) {
	s, cut := &w.history, w.watch.took
	var took []JobRef
	for i := range w.watch.rivals {
		x := &w.watch.rivals[i]
		switch {
		case w.first(&x.JobRef):
			cut = max(cut, x.at)
			s.Ahead++
			if len(s.Firsts) < names {
				s.Firsts = append(s.Firsts, x.JobRef)
			}
		case x.took:
			s.Overtook++
			if len(took) < names {
				took = append(took, x.JobRef)
			}
		}
	}
	if s.Ahead == 0 && len(s.Firsts) == 0 {
		s.Firsts = took
	}
	for i, x := range w.watch.sights {
		until := end
		if i+1 < len(w.watch.sights) {
			until = w.watch.sights[i+1].From
		}
		if x.Cause != engine.Held && x.From < cut {
			s.add(x.From, min(cut, until), engine.Behind)
			x.From = min(cut, until)
		}
		s.add(x.From, until, x.Cause)
	}
	w.watch.sights, w.watch.rivals, w.watch.took = w.watch.sights[:0], w.watch.rivals[:0], 0
}

// add appends a stretch, or extends the last one.
func (s *History) add(from, until events.Time, cause engine.Cause) {
	n := len(s.Stretches)
	switch {
	case from >= until:
	case n > 0 && s.Stretches[n-1].Cause == cause && s.Stretches[n-1].Until == from:
		s.Stretches[n-1].Until = until
	default:
		s.Stretches = append(s.Stretches, Stretch{from, until, cause})
	}
}

// cause is that of a wait after the first start.
func (p *Pause) cause() engine.Cause {
	switch p.Why {
	case Evicted:
		return engine.Evicted
	case Killed:
		return engine.Resubmitted
	}
	return engine.Preempted
}
