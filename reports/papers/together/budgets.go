package together

import (
	"fmt"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// budgets is the market in which every user has a budget a week, which the study of untruthful bids
// leaves to future work (section VII).
const budgets = market + " with budgets"

// weekly is each user's budget: an equal part, among those who submit jobs in a week as a mean, of what
// the whole machine would earn in it at the mean of the low values.
func weekly(l *scenario.Loaded) string {
	const week = 7 * 24 * 3600 * events.Second
	users, weeks := map[[2]int64]bool{}, map[int64]bool{}
	for i := range l.Memory.Len() {
		j := l.Memory.Job(i)
		at := int64(j.Submit / week)
		users[[2]int64{at, int64(j.User)}], weeks[at] = true, true
	}
	machines := 0.
	switch m := l.Hardware.Machine.(type) {
	case engine.Processors:
		machines = float64(m)
	case engine.Pool:
		machines = m.Machines
	}
	return fmt.Sprintf("%.0f/1w", lowValue*machines*week.Seconds()*float64(len(weeks))/float64(len(users)))
}

// lowValue is the mean of the low private values.
const lowValue = 30

// budgets says what becomes of the market if its users have budgets.
func (s *study) budgets(w *logCase) {
	with, without := w.row(budgets), w.row(market)
	if with == nil || with.itself.emptied == 0 {
		return
	}
	s.Found(w.name, "what budgets change in a market at the first price",
		"cost of waiting %s, revenue %s; in the log itself a budget is used up %s times",
		times(stats.EstimateOf(ratiosOf(with, without, cost))), times(stats.EstimateOf(ratiosOf(with, without, paid))),
		terminal.Thousands(with.itself.emptied)).
		Read("each user has every week an equal part, among those who submit jobs in a week, of what the whole machine earns "+
			"at a price of %d, the mean of the low values: %s in the log itself", lowValue, weekly(w.replicas[0]))
}

// paid is what is paid at the first price.
func paid(m measures) float64 { return m.revenue[0] * m.cost }
