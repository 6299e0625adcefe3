package explain

import (
	"fmt"
	"strings"

	"bourse/engine"
	"bourse/reports/terminal"
)

// waits prints the wait by cause, and the stretches of each if all is wanted.
func (t *printer) waits() {
	wait := t.Wait()
	if wait == 0 {
		return
	}
	t.line("\nWhat it waited for (%s)", clock(wait))
	wide := 0
	for _, part := range t.Causes {
		wide = max(wide, len(clock(part)))
	}
	for c, part := range t.Causes {
		if part == 0 {
			continue
		}
		head := fmt.Sprintf("  %*s  %7s  ", wide, clock(part), terminal.PercentOf(float64(part), float64(wait)))
		t.indent(head, t.why(engine.Cause(c)))
		if !t.set.Every {
			continue
		}
		for _, s := range t.Stretches {
			if s.Cause == engine.Cause(c) {
				t.indent(strings.Repeat(" ", len(head)), fmt.Sprintf("from %s to %s", t.since(s.From), t.since(s.Until)))
			}
		}
	}
}

// why says in a line what a cause was.
func (t *printer) why(c engine.Cause) string {
	switch c {
	case engine.Behind:
		return t.behind() + t.list(": ", t.Firsts, max(t.Ahead, len(t.Firsts)))
	case engine.Room:
		return t.room()
	case engine.Scattered:
		return "for room on one machine: all together had enough, and none by itself"
	case engine.Held:
		return t.held()
	case engine.Preempted:
		return t.preempted()
	case engine.Evicted:
		return fmt.Sprintf("evicted %s, as its machine went", times(t.pauses(c)))
	case engine.Resubmitted:
		return "in the queue again, after its estimate had ended it " + times(t.pauses(c))
	case engine.Lost:
		return "doing work that was lost, or resuming"
	}
	return "slowed down: it held less than its request"
}

// behind names those that came first.
func (t *printer) behind() string {
	switch {
	case t.Ahead > 0 && t.set.Ranked:
		return "behind other jobs: " + terminal.Count(t.Ahead, "with a better bid started before it",
			"with better bids started before it")
	case t.Ahead > 0 && t.Overtook > 0:
		return fmt.Sprintf("behind other jobs: %s submitted earlier started before it, and %s submitted later took room in "+
			"which it would have fit",
			terminal.Thousands(int64(t.Ahead)), terminal.Thousands(int64(t.Overtook)))
	case t.Ahead > 0:
		return fmt.Sprintf("behind other jobs: %s submitted earlier started before it", terminal.Thousands(int64(t.Ahead)))
	case t.Overtook > 0:
		return fmt.Sprintf("behind other jobs: %s took room in which it would have fit",
			terminal.Thousands(int64(t.Overtook)))
	}
	return "behind other jobs: better bids ran"
}

// room says how much was missing, and who made room in the end.
func (t *printer) room() string {
	text := fmt.Sprintf("for %s, when no other job came first any more", t.wanted())
	if !t.set.Machine.Pool {
		least, most := amount(t.Least.CPU), amount(t.Most.CPU)
		if text += ": " + least; most != least {
			text += " to " + most
		}
		text += terminal.Plural(int(t.Most.CPU), " was free", " were free")
	}
	return text + t.until(&t.Pauses[0])
}

// wanted is what it needs all at once.
func (t *printer) wanted() string {
	if t.set.Machine.Pool {
		return "room"
	}
	if t.Job.Procs == 1 {
		return "a free processor"
	}
	return fmt.Sprintf("%s free processors", terminal.Thousands(int64(t.Job.Procs)))
}

// until says which job ended a wait by its end, and how that was to its estimate.
func (t *printer) until(p *Pause) string {
	if len(p.Ended) == 0 {
		return ""
	}
	n := p.Ended[0]
	text := ", until " + t.name(n) + " ended"
	switch {
	case !n.Timed:
	case n.Late > 0:
		text += fmt.Sprintf(", %s beyond its estimate", clock(n.Late))
	case n.Late < 0:
		text += fmt.Sprintf(", %s before its estimate", clock(-n.Late))
	default:
		text += " as estimated"
	}
	return text
}

// held says for whom it was held back.
func (t *printer) held() string {
	text := "held back, though it fit into what was free"
	switch {
	case t.Leader == nil:
		return text + "; no job that waited was ahead of it"
	case t.Queued == 1:
		return text + ": " + t.name(*t.Leader) + " was ahead of it"
	}
	return text + fmt.Sprintf(": %s jobs were ahead of it, first %s", terminal.Thousands(int64(t.Queued)),
		t.name(*t.Leader))
}

// pauses counts the waits of a cause after the first start.
func (t *printer) pauses(c engine.Cause) (n int) {
	for i := 1; i < len(t.Pauses); i++ {
		if t.Pauses[i].cause() == c {
			n++
		}
	}
	return n
}

// preempted names the jobs it made room for.
func (t *printer) preempted() string {
	var by []JobRef
	for i := 1; i < len(t.Pauses); i++ {
		if p := &t.Pauses[i]; p.By != nil && p.cause() == engine.Preempted && len(by) < names {
			by = append(by, *p.By)
		}
	}
	return "preempted " + times(t.pauses(engine.Preempted)) + t.list(" for ", by, t.pauses(engine.Preempted))
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return terminal.Thousands(int64(n)) + " times"
}

// answer is the whole in a sentence.
func (t *printer) answer() {
	text := t.title()
	if wait := t.Wait(); wait == 0 {
		text += " did not wait"
	} else {
		var parts []string
		for c, part := range t.Causes {
			switch {
			case part == wait:
				parts = append(parts, t.because(engine.Cause(c)))
			case part > 0:
				parts = append(parts, part.Short()+" "+t.because(engine.Cause(c)))
			}
		}
		text += " waited " + wait.Short() + ": " + strings.Join(parts, ", ")
	}
	if t.set.Paying {
		text += "; it paid " + money(cents(t.Payment))
	}
	t.line("")
	t.wrap(0, "%s.", text)
}

// because is a cause in few words.
func (t *printer) because(c engine.Cause) string {
	switch {
	case c == engine.Behind && t.Ahead == 0 && t.Overtook == 0:
		return "behind better bids"
	case c == engine.Behind && t.Ahead == 0:
		return "behind " + count(int64(t.Overtook), "job") + " that took its room"
	case c == engine.Behind && t.set.Ranked:
		return "behind " + count(int64(t.Ahead), "better bid")
	case c == engine.Behind:
		return "behind " + count(int64(t.Ahead), "older job")
	case c == engine.Room:
		return "for " + t.wanted()
	case c == engine.Held && t.Leader != nil:
		return "held back behind job " + t.set.Name(t.Leader.ID)
	case c == engine.Preempted:
		return strings.Split(t.preempted(), " (")[0]
	}
	return engine.AllCauses[c].Words
}
