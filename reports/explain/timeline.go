package explain

import (
	"fmt"
	"sort"

	"bourse/events"
	"bourse/reports/terminal"
)

// timeline prints the events in order of time.
func (t *printer) timeline() {
	t.line("\nTimeline (times since submission)")
	all := t.entries()
	wide := 0
	for i := range all {
		wide = max(wide, len(t.since(all[i].at)))
	}
	for i, m := range all {
		if hidden := len(all) - 4*shown; hidden > 0 && !t.set.Every && i >= 2*shown && i < 2*shown+hidden {
			if i == 2*shown {
				t.indent(fmt.Sprintf("  %-*s  ", wide, "..."),
					terminal.Count(hidden, "more stop or start", "more stops and starts")+hint(t.set.Hints.All))
			}
			continue
		}
		head := fmt.Sprintf("  %-*s  ", wide, t.since(m.at))
		for _, text := range m.what {
			t.indent(head, text)
			head = fmt.Sprintf("  %-*s  ", wide, "")
		}
	}
}

// since writes a time since the submission.
func (t *printer) since(at events.Time) string { return "+" + clock(at-t.Job.Submit) }

// entry is an event in sentences.
type entry struct {
	at   events.Time
	what []string
}

// entries lists stops, starts and bids in order of time.
func (t *printer) entries() []entry {
	var out []entry
	bid := 0
	until := func(at events.Time) {
		for ; bid < len(t.Rebids) && t.Rebids[bid].At <= at; bid++ {
			out = append(out, entry{t.Rebids[bid].At, []string{"its owner bids " + price(t.Rebids[bid].Bid) + " from now on"}})
		}
	}
	for i := range t.Pauses {
		p := &t.Pauses[i]
		until(p.From)
		if p.Length() == 0 && !p.Stopped {
			out = append(out, entry{p.From, []string{"submitted, and starts at once" + t.shareAt(p.Until) + ": " +
				t.atOnce(&p.After)}})
			continue
		}
		if p.Length() == 0 {
			what := t.begin(p)[0] + ", and runs again at once"
			if p.Evicted {
				what += " on another machine"
			}
			out = append(out, entry{p.From, []string{what}})
			continue
		}
		out = append(out, entry{p.From, t.begin(p)})
		until(p.Until)
		out = append(out, entry{p.Until, t.end(p)})
	}
	until(t.End)
	end := "ends"
	if t.Start == t.End {
		end = "ends as it starts: it has nothing to run"
	}
	return append(out, entry{t.End, []string{end}})
}

func (t *printer) atOnce(c *QueueState) string {
	if c.Running == 0 {
		return "no other job is running"
	}
	return fmt.Sprintf("%s beside it %s %s", count(int64(c.Running), "job"), terminal.Plural(c.Running, "holds", "hold"),
		t.holds(c))
}

// shareAt writes the share of its request with which it starts, if that is below 1.
func (t *printer) shareAt(at events.Time) string {
	i := sort.Search(len(t.Pieces), func(i int) bool { return t.Pieces[i].From >= at })
	if i == len(t.Pieces) || t.Pieces[i].From != at || t.Pieces[i].Share == 1 {
		return ""
	}
	return fmt.Sprintf(" with %.4g of its request", t.Pieces[i].Share)
}

// begin says why a wait begins and which jobs are ahead.
func (t *printer) begin(p *Pause) []string {
	var out []string
	switch {
	case p.Evicted:
		out = append(out, "evicted: its machine is removed")
	case p.Killed:
		out = append(out, "killed at its estimate, and submitted again with twice that")
	case p.By != nil:
		out = append(out, "preempted to make room for "+t.name(*p.By))
	case p.Stopped && t.shared():
		out = append(out, "stopped: its share is 0")
	case p.Stopped:
		out = append(out, "stopped")
	default:
		out = append(out, "submitted, and waits")
	}
	c := &p.Before
	if c.Running > 0 {
		out = append(out, fmt.Sprintf("%s %s %s%s", count(int64(c.Running), "job"),
			terminal.Plural(c.Running, "holds", "hold"), t.holds(c), t.list("; the largest: ", c.Largest, c.Running)))
	}
	if c.Waiting == 0 {
		out = append(out, "no other job waits")
	} else {
		out = append(out, fmt.Sprintf("%s beside it; %s%s", terminal.Count(c.Waiting, "other waits", "others wait"),
			t.ahead(c.Better), t.list(": ", c.First, c.Better)))
	}
	return out
}

func (t *printer) ahead(n int) string {
	switch {
	case t.set.Ranked && n == 0:
		return "none is ahead of it by bid"
	case t.set.Ranked:
		return terminal.Count(n, "is ahead of it by bid", "are ahead of it by bid")
	case n == 0:
		return "none was submitted before it"
	}
	return terminal.Count(n, "was submitted before it", "were submitted before it")
}

// end says how a wait ends.
func (t *printer) end(p *Pause) []string {
	what := "starts"
	if p.Stopped {
		what = "runs again"
	}
	what += " after " + clock(p.Length()) + t.shareAt(p.Until)
	if list := t.list("", p.Ended, p.EndedAll); list != "" {
		what += ", as " + list + terminal.Plural(p.EndedAll, " ends", " end")
	}
	if list := t.list("", p.Aside, p.AsideAll); list != "" {
		what += ", and " + list + terminal.Plural(p.AsideAll, " makes", " make") + " room"
	}
	out := []string{what}
	if p.Earlier+p.Later > 0 {
		out = append(out, "meanwhile "+t.meanwhile(p)+t.list("; first ", p.Passed, p.Earlier+p.Later))
	}
	if c := &p.After; p.Length() > 0 && c.Waiting > 0 {
		out = append(out, fmt.Sprintf("%s; %s", terminal.Count(c.Waiting, "still waits", "still wait"), t.ahead(c.Better)))
	}
	return out
}

// meanwhile counts the starts of other jobs during a wait.
func (t *printer) meanwhile(p *Pause) string {
	starts := terminal.Count(p.Earlier+p.Later, "other start", "other starts")
	switch {
	case p.Later == 0:
		return starts + ", of jobs submitted before it"
	case p.Earlier == 0:
		return starts + ", of jobs submitted after it"
	}
	return fmt.Sprintf("%s: %s of jobs submitted before it, %s after it", starts, terminal.Thousands(int64(p.Earlier)),
		terminal.Thousands(int64(p.Later)))
}

// list names jobs after a lead, which is left out if there are none; of is how many
// there are in all.
func (t *printer) list(lead string, few []JobRef, of int) string {
	text := lead
	if len(few) == 0 {
		return ""
	}
	for i, n := range few {
		switch {
		case i == 0:
		case i == len(few)-1 && of <= len(few):
			text += " and "
		default:
			text += ", "
		}
		text += t.name(n)
	}
	if of > len(few) {
		text += " ..."
	}
	return text
}

// name writes another job with its number, size and bid.
func (t *printer) name(n JobRef) string {
	text := "job " + t.set.Name(n.ID)
	if n.Task != 0 {
		text += fmt.Sprintf("/%d", n.Task)
	}
	size := fmt.Sprintf("%d p", n.Procs)
	if t.set.Machine.Pool {
		size = fmt.Sprintf("%.3g m", n.Size)
	}
	if t.set.Bidding {
		size += ", bid " + price(n.Bid)
	}
	return text + " (" + size + ")"
}
