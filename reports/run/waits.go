package run

import (
	"cmp"
	"slices"
	"strings"

	"bourse/engine"
	"bourse/policies"
	"bourse/reports/terminal"
)

// Wait is what jobs waited for: all their waits with one cause.
type Wait struct {
	Cause string `json:"cause"`
	// MeanS is the mean a job, in seconds, Percent the share of all waiting.
	MeanS   float64 `json:"mean_wait_s"`
	Percent float64 `json:"wait_percent"`
}

// Waits adds up the causes of waits. It is an engine.Sink.
type Waits struct {
	jobs int64
	sums [len(engine.AllCauses)]policies.Sum
}

// Record implements engine.Sink.
func (w *Waits) Record(o *engine.Outcome) error {
	w.jobs++
	for c, part := range o.Causes {
		w.sums[c].Add(part.Seconds())
	}
	return nil
}

// Result lists all causes, also those of no wait.
func (w *Waits) Result() []Wait {
	var all policies.Sum
	for c := range w.sums {
		all.Merge(w.sums[c])
	}
	list := make([]Wait, len(w.sums))
	for c := range w.sums {
		list[c].Cause = engine.AllCauses[c].Name
		if sum := w.sums[c].Value(); sum > 0 {
			list[c].MeanS, list[c].Percent = sum/float64(w.jobs), 100*sum/all.Value()
		}
	}
	return list
}

// CauseWords are the words of a cause: what comes after "jobs waited".
func CauseWords(name string) string {
	for _, c := range engine.AllCauses {
		if c.Name == name {
			return c.Words
		}
	}
	return name
}

// waitLine says in a sentence what jobs waited for, the most first.
func waitLine(list []Wait) string {
	if list == nil {
		return ""
	}
	var parts []string
	for _, c := range mostFirst(list) {
		parts = append(parts, terminal.PercentOf(list[c].Percent, 100)+" "+engine.AllCauses[c].Words)
	}
	if len(parts) == 0 {
		return "what jobs waited for: no job waited\n"
	}
	return "what jobs waited for: " + strings.Join(parts, ", ") + "\n"
}

// mostFirst lists the causes of any wait, those of most first.
func mostFirst(list []Wait) (order []int) {
	for c := range list {
		if list[c].MeanS > 0 {
			order = append(order, c)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(list[b].MeanS, list[a].MeanS) })
	return order
}
