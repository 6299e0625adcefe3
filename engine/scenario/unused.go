package scenario

import (
	"regexp"
	"slices"
	"strings"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/fields"
	"bourse/traces/input"
	"bourse/traces/transform"
)

// ended is a replay that has ended.
type ended struct {
	*Prepared
	*traces.Ledger
	sum  *engine.Summary
	spec machineSpec
	asks traces.Asks
}

// The rules of several options.
func inWindow(e *ended) bool     { return e.Dropped[traces.OutsideWindow] == 0 }
func untouched(e *ended) bool    { return e.sum.Away == 0 && e.sum.Held == 0 }
func uncapped(e *ended) bool     { return e.sum.Capped == 0 }
func unheld(e *ended) bool       { return e.sum.Held == 0 }
func notPreempted(e *ended) bool { return e.sum.Preemptions == 0 }
func notOfGoogle(e *ended) bool  { return !strings.HasPrefix(e.Source.Header().Format, "google") }

// scripted means that what is looked at, or drawn, is not known.
func (e *ended) scripted() bool { return len(e.Scenario.Scripts()) > 0 }

// dateWords are the names of dates in expressions.
var dateWords = func() *regexp.Regexp {
	var names []string
	for _, d := range fields.Dates {
		names = append(names, d.Name)
	}
	return regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)
}()

// looksAtDates reports whether anything but scripts may.
func (s *Scenario) looksAtDates() bool {
	return s.From.Date+s.Until.Date != "" || dateWords.MatchString(s.Where+";"+s.QueueLimits+";"+s.Policy)
}

const (
	inside   = "no record is submitted outside of the window"
	ofGoogle = "it is about tasks of Google traces, and this is none"
	killed   = "no job runs longer than its estimate"
)

// unused lists the options that may change nothing: when an option does not, and why. The
// others change something whatever the log, or are an error where they do not fit.
var unused = []struct {
	option string
	idle   func(*ended) bool
	why    string
}{
	{"where", func(e *ended) bool { return e.Dropped[traces.Filtered] == 0 },
		"the condition holds for every record, so none is left out"},
	{"from", inWindow, inside},
	{"until", inWindow, inside},
	{"time-zone", func(e *ended) bool { return !e.scripted() && !e.Scenario.looksAtDates() },
		"neither the window nor an expression looks at dates or the time of day"},
	{"queue-limits", func(e *ended) bool { return e.Dropped[traces.OverLimits] == 0 },
		"no job is over the limits of its queue"},
	{"feedback", func(e *ended) bool { return e.Oddities[transform.OddFollows] == 0 },
		"no job of the log names one that it follows (in SWF: preceding job, think time), so all are submitted as recorded"},
	{"kill-at-estimate",
		func(e *ended) bool { return !e.Scenario.ResubmitKilled && e.Oddities[transform.OddKilled] == 0 }, killed},
	{"outages", untouched, "none of them is while jobs run or wait"},
	{"evict", func(e *ended) bool { return e.sum.Stopped == 0 }, "no outage stopped a job"},
	{"drain", untouched, "it is never while jobs run or wait"},
	{"power-cap", uncapped, "no job waited while it kept processors idle"},
	{"windows", unheld, "no job was held back"},
	{"running-limits", unheld, "no job was held back"},
	{"site", func(e *ended) bool { return untouched(e) && uncapped(e) }, "none of its rules kept a job from starting; its scheduler is for " +
		"where no policy is named"},
	{"limit", func(e *ended) bool {
		return e.Dropped[traces.TooLong]+e.Oddities[transform.OddCapped]+e.Oddities[transform.OddLimited] == 0
	}, "no job asks for more"},
	{"elastic", func(e *ended) bool { return e.sum.Stretched == 0 }, "no job had more or fewer processors than it asks for: the " +
		"policy decides, as rounds does with rule=maxmin and rule=sum"},
	{"resubmit-killed", func(e *ended) bool { return e.sum.Resubmissions == 0 }, killed},
	{"sort-window", func(e *ended) bool { return e.Oddities[input.OddOrder] == 0 },
		"the records are in order of submission"},
	{"attempts", notOfGoogle, ofGoogle},
	{"censored", notOfGoogle, ofGoogle},
	{"preemption", notPreempted, "no job was preempted"},
	{"start-cost", func(e *ended) bool { return e.sum.Jobs == 0 }, "no job was started"},
	{"migration-cost", notPreempted, "no job was preempted"},
	{"serial", func(e *ended) bool { return !e.Span.Cut }, "every job has one processor"},
	{"load-factor", func(e *ended) bool { return e.Span.First == e.Span.Last }, "all jobs are submitted at one instant"},
	{"bound", func(e *ended) bool {
		return e.Span.Shortest >= max(events.Time(e.Scenario.Bound), engine.DefaultBound)
	}, "no job runs for less than that and the usual 10s"},
	{"estimates", func(e *ended) bool {
		return !e.scripted() && !e.Scenario.KillAtEstimate && !policies.NeedsOf(e.Config.Policy).Estimates
	}, "the policy does not look at requested times; only the column estimate_s has them"},
	{"budget", func(e *ended) bool { return e.sum.BudgetsUsed == 0 }, "no user's bills reached it before a period was over"},
	{"budget", func(e *ended) bool { return !e.Span.Users && e.sum.BudgetsUsed > 0 },
		"no job of the log names its user, so all are of one"},
	{"seed", func(e *ended) bool { return !e.scripted() && e.Hardware.Fit != "random" && !e.Scenario.Draws() },
		"nothing is drawn at random"},
	{"machines", func(e *ended) bool { return e.spec.pool.Memory > 0 && !e.asks.Memory }, "no job asks for memory"},
	{"machines", func(e *ended) bool { return e.spec.pool.GPU > 0 && !e.asks.GPU }, "no job asks for GPUs"},
	{"machines", func(e *ended) bool { return e.spec.pool.Disk > 0 && !e.asks.Disk }, "no job asks for disk space"},
	{"machines", func(e *ended) bool {
		list, _ := e.Hardware.Machine.(engine.Cluster)
		return e.spec.fit != "" && e.spec.fit != "first" && len(list) == 1
	}, "there is one machine to choose from"},
	{"machines", func(e *ended) bool {
		list, _ := e.Hardware.Machine.(engine.Cluster)
		return traces.Partitioned(list) && !e.Span.Partitions
	}, "no job of the log names its partition, so all may run on any machine: partitions keep nobody apart"},
	{"policy", func(e *ended) bool {
		_, shares := policies.As[policies.Sharer](e.Config.Policy)
		return !e.Span.Users && (shares || strings.Contains(e.Scenario.Policy, "fairshare"))
	}, "no job of the log names its user, so all are of one"},
}

// Unused notes the settings other than the defaults that changed nothing in a replay that has
// ended; none of them counts a record.
func (p *Prepared) Unused(sum *engine.Summary) (notes []traces.Note) {
	h, usual := p.Source.Header(), Default()
	e := &ended{Prepared: p, Ledger: h.Ledger, sum: sum, asks: h.Asks}
	e.spec, _ = parseMachines(p.Scenario.Machines)
	for _, u := range unused {
		if p.Scenario.Get(u.option) != usual.Get(u.option) && u.idle(e) {
			notes = append(notes, traces.Note{What: u.option + " changed nothing: " + u.why})
		}
	}
	return notes
}

// UnusedBy is the notes on replays by their policies.
type UnusedBy []struct {
	Policy string
	Notes  []traces.Note
}

// Lines are what changed nothing in any replay of a policy, in alphabetical order; policies
// are named unless that is so under all.
func (u UnusedBy) Lines() (lines []string) {
	replays, times, of := map[string]int{}, map[[2]string]int{}, map[string][]string{}
	for _, r := range u {
		replays[r.Policy]++
		for _, n := range r.Notes {
			if n.Count == 0 {
				times[[2]string{n.What, r.Policy}]++
			}
		}
	}
	for key, n := range times {
		if n == replays[key[1]] {
			of[key[0]] = append(of[key[0]], key[1])
		}
	}
	for what, policies := range of {
		if slices.Sort(policies); len(policies) < len(replays) {
			what = strings.Join(policies, ", ") + ": " + what
		}
		lines = append(lines, what)
	}
	slices.Sort(lines)
	return lines
}
