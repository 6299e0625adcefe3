package scenario

import (
	"fmt"
	"slices"
	"strings"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/transform"
)

// unused says of one option why it changed nothing in a replay, "" if it did.
type unused struct {
	option string
	why    func(p *Prepared, l *traces.Ledger, sum *engine.Summary) string
}

// when is a reason that holds or does not.
func when(holds bool, why string) string {
	if holds {
		return why
	}
	return ""
}

// counted is a reason that holds where the ledger counts none of an oddity.
func counted(odd, why string) func(*Prepared, *traces.Ledger, *engine.Summary) string {
	return func(_ *Prepared, l *traces.Ledger, _ *engine.Summary) string { return when(l.Oddities[odd] == 0, why) }
}

// kept is a reason that holds where no record was left out for a reason.
func kept(r traces.Reason, why string) func(*Prepared, *traces.Ledger, *engine.Summary) string {
	return func(_ *Prepared, l *traces.Ledger, _ *engine.Summary) string { return when(l.Dropped[r] == 0, why) }
}

func ofGoogle(p *Prepared, _ *traces.Ledger, _ *engine.Summary) string {
	h := p.Source.Header()
	return when(!strings.HasPrefix(h.Format, "google"),
		fmt.Sprintf("it is about tasks of Google traces, and %s is none", h.Name))
}

func notPreempted(_ *Prepared, _ *traces.Ledger, sum *engine.Summary) string {
	return when(sum.Preemptions == 0, "no job was preempted")
}

// unusedOptions lists the options that may change nothing. The others change something
// whatever the log, or are an error where they do not fit.
var unusedOptions = []unused{
	{"where", kept(traces.Filtered, "the condition holds for every record, so none is left out")},
	{"from", kept(traces.OutsideWindow, "no record is submitted outside of the window")},
	{"until", kept(traces.OutsideWindow, "no record is submitted outside of the window")},
	{"queue-limits", kept(traces.OverLimits, "no job is over the limits of its queue")},
	{"feedback", counted(transform.OddFollows, "no job of the log names one that it follows (in SWF: preceding job, think "+
		"time), so all are submitted as recorded")},
	{"kill-at-estimate", func(p *Prepared, l *traces.Ledger, _ *engine.Summary) string {
		return when(!p.Scenario.ResubmitKilled && l.Oddities[transform.OddKilled] == 0, "no job runs longer than its estimate")
	}},
	{"resubmit-killed", func(_ *Prepared, _ *traces.Ledger, sum *engine.Summary) string {
		return when(sum.Resubmissions == 0, "no job runs longer than its estimate")
	}},
	{"sort-window", counted(input.OddOrder, "the records are in order of submission")},
	{"attempts", ofGoogle},
	{"censored", ofGoogle},
	{"preemption", notPreempted},
	{"migration-cost", notPreempted},
	{"serial", func(p *Prepared, _ *traces.Ledger, _ *engine.Summary) string {
		return when(!p.Span.Cut, "every job has one processor")
	}},
	{"load-factor", func(p *Prepared, _ *traces.Ledger, _ *engine.Summary) string {
		return when(p.Span.First == p.Span.Last, "all jobs are submitted at one instant")
	}},
	{"bound", func(p *Prepared, _ *traces.Ledger, _ *engine.Summary) string {
		least := max(events.Time(p.Scenario.Bound), engine.DefaultBound)
		return when(p.Span.Shortest >= least, "no job runs for less than "+least.Short())
	}},
	{"estimates", func(p *Prepared, _ *traces.Ledger, _ *engine.Summary) string {
		own := len(p.Scenario.Scripts()) > 0 || p.Scenario.KillAtEstimate
		return when(!own && !policies.NeedsOf(p.Config.Policy).Estimates,
			"the policy does not look at requested times; only the column estimate_s has them")
	}},
	{"seed", func(p *Prepared, _ *traces.Ledger, _ *engine.Summary) string {
		own := len(p.Scenario.Scripts()) > 0 || p.Hardware.Fit == "random"
		return when(!own && !p.Scenario.Draws(), "nothing is drawn at random")
	}},
	{"machines", unusedMachines},
	{"policy", func(p *Prepared, _ *traces.Ledger, _ *engine.Summary) string {
		_, shares := policies.As[policies.Sharer](p.Config.Policy)
		return when(!p.Span.Users && (shares || strings.Contains(p.Scenario.Policy, "fairshare")),
			"no job of the log names its user, so all are of one")
	}},
}

// unusedMachines names what was given of a machine and no job looks at.
func unusedMachines(p *Prepared, _ *traces.Ledger, _ *engine.Summary) string {
	spec, _ := parseMachines(p.Scenario.Machines)
	asks := p.Source.Header().Asks
	var of []string
	for _, r := range []struct {
		name  string
		given float64
		asked bool
	}{{"memory", spec.pool.Memory, asks.Memory}, {"gpu", spec.pool.GPU, asks.GPU}, {"disk", spec.pool.Disk, asks.Disk}} {
		if r.given > 0 && !r.asked {
			of = append(of, r.name)
		}
	}
	if of != nil {
		return "no job asks for " + strings.Join(of, ", ")
	}
	list, _ := p.Hardware.Machine.(engine.Cluster)
	return when(spec.fit != "" && spec.fit != "first" && len(list) == 1, "there is one machine to choose from")
}

// Unused notes the settings other than the defaults that changed nothing in a replay that has
// ended; none of them counts a record.
func (p *Prepared) Unused(sum *engine.Summary) (notes []traces.Note) {
	usual, l := Default(), p.Source.Header().Ledger
	for i := range unusedOptions {
		u := &unusedOptions[i]
		if p.Scenario.Get(u.option) == usual.Get(u.option) {
			continue
		}
		if why := u.why(p, l, sum); why != "" {
			notes = append(notes, traces.Note{What: u.option + " changed nothing: " + why})
		}
	}
	return notes
}

// UnusedBy gathers what changed nothing in several replays, by the policy of each.
type UnusedBy struct {
	replays map[string]int64
	notes   map[string]map[string]int64 // replays, by note and policy
}

// Add takes a replay's notes in.
func (u *UnusedBy) Add(policy string, notes []traces.Note) {
	if u.replays == nil {
		u.replays, u.notes = map[string]int64{}, map[string]map[string]int64{}
	}
	u.replays[policy]++
	for _, n := range notes {
		if n.Count > 0 {
			continue
		}
		if u.notes[n.What] == nil {
			u.notes[n.What] = map[string]int64{}
		}
		u.notes[n.What][policy]++
	}
}

// Lines are what is true of all replays of a policy, in alphabetical order; the policies are
// named unless it is true of all.
func (u *UnusedBy) Lines() (lines []string) {
	for what, by := range u.notes {
		var of []string
		for policy, n := range by {
			if n == u.replays[policy] {
				of = append(of, policy)
			}
		}
		slices.Sort(of)
		if len(of) == len(u.replays) {
			lines = append(lines, what)
		} else if len(of) > 0 {
			lines = append(lines, strings.Join(of, ", ")+": "+what)
		}
	}
	slices.Sort(lines)
	return lines
}
