package late

// The rules of the study, tick by tick for one job: the twin of the replays.

// place is where the job is.
type place int

const (
	idle place = iota
	spot
	onDemand
)

// moment is what a rule knows: the time, the work done, where the job is, and whether spot capacity is there.
type moment struct {
	now, done int
	at        place
	there     bool
}

// late reports whether the job has to be on demand from now on: the safety net, in whole ticks.
func (m *moment) late() bool {
	need := (work - m.done + change + tick - 1) / tick * tick
	return deadline-m.now <= need
}

// net is where a job goes that is late: it stays where it is on spot capacity until that leaves.
func (m *moment) net() place {
	if m.there && m.at == spot {
		return spot
	}
	return onDemand
}

// greedy takes spot capacity when it is there, and waits for it until the safety net.
func greedy(m *moment) place {
	switch {
	case m.late():
		return m.net()
	case m.there:
		return spot
	}
	return idle
}

// uniform is Uniform Progress: it keeps the work done to the line from nothing to all at the deadline. Behind it the
// job goes on demand where no spot capacity is, and from there back to spot only if it would still be on the line after
// two changes.
func uniform(m *moment) place {
	onLine := func(at int) bool { return m.done*deadline >= at*work }
	switch {
	case m.late():
		return m.net()
	case m.at == onDemand && !(m.there && onLine(m.now+2*change)):
		return onDemand
	case m.there:
		return spot
	case !onLine(m.now):
		return onDemand
	}
	return idle
}

// run runs the job under a rule; there says when spot capacity is.
func run(rule func(*moment) place, there func(tick int) bool) (h hours) {
	done, at, over := 0, idle, 0
	for t := 0; done < work; t++ {
		m := moment{t * tick, done, at, there(t)}
		if at == spot && !m.there {
			m.at = idle
		}
		to := rule(&m)
		if to != idle && to != m.at {
			over = change
		}
		if at = to; at == idle {
			continue
		}
		lost := min(over, tick)
		over -= lost
		gained := min(tick-lost, work-done)
		if done += gained; at == onDemand {
			h.paid, h.worked = h.paid+float64(lost+gained), h.worked+float64(gained)
		}
	}
	return hours{h.paid * unit / 3600, h.worked * unit / 3600}
}
