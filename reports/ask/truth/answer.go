package truth

import (
	"fmt"
	"strings"

	"bourse/events"
	"bourse/reports/terminal"
)

// notes say what the columns are and what stands behind the payments.
func notes(rows []Row) []string {
	over := "jobs, or draws of them (from)"
	if rows[0].Replicas > 1 {
		over = fmt.Sprintf("%d replicas", rows[0].Replicas)
	}
	lines := []string{
		fmt.Sprintf("%s of the log, each lying alone: the share that gains by the best of the bids tried, all gains as a "+
			"share of "+
			"all utilities, how many gain and how many of them by overbidding, the median best bid of those who gain, and "+
			"what all "+
			"jobs of the log pay if honest, as a share of what their flow times cost; ± is a 95 %% interval over %s; there "+
			"is none for every job, nor where one term is above a tenth of the sum (too skewed for an interval)",
			terminal.Count(rows[0].Jobs, "job", "jobs"), over),
	}
	said := map[kind]bool{billed: true}
	for _, r := range rows {
		if !said[r.kind] {
			lines = append(lines, about[r.kind]...)
		}
		said[r.kind] = true
	}
	return lines
}

var about = map[kind][]string{
	critical: {"critical:Z charges the time saved against bidding Z, each second at the bid that wins it; enclosed: " +
		"how far the sum may be off, since not every bid is tried; draws: of jobs with probabilities by the bound of " +
		"what they pay, value x time saved against bidding Z"},
	clarke: {"clarke charges what a job's coming costs all others at their bids"},
}

// Answers say in plain words what makes honesty pay, and what it costs.
func Answers(rows []Row) (lines []string) {
	var cheapest, nearest *Row
	for begin, end := 0, 0; begin < len(rows); begin = end {
		for end < len(rows) && rows[end].Policy == rows[begin].Policy {
			end++
		}
		lines = append(lines, policyAnswers(rows[begin:end])...)
	}
	for i := range rows {
		switch r := &rows[i]; {
		case r.Matters == 0: // there is nothing to be honest about
		case r.Gainers > 0 && (nearest == nil || r.Liars.Mean < nearest.Liars.Mean):
			nearest = r
		case r.Gainers == 0 && (cheapest == nil || r.Revenue.Mean < cheapest.Revenue.Mean):
			cheapest = r
		}
	}
	if cheapest != nil {
		lines = append(lines, fmt.Sprintf("honesty costs least under %s with %s: owners pay %s of what their flow times "+
			"cost them",
			cheapest.Policy, cheapest.Payment, terminal.Small.Text(cheapest.Revenue.Mean)))
	}
	if nearest != nil {
		lines = append(lines, fmt.Sprintf("of the others lies gain least often under %s with %s: %s %% of jobs gain, %s is "+
			"paid",
			nearest.Policy, nearest.Payment, terminal.Share.Text(nearest.Liars.Mean), terminal.Small.Text(nearest.Revenue.Mean)))
	}
	return lines
}

// policyAnswers speaks of one policy.
func policyAnswers(rows []Row) (lines []string) {
	var honest, below, above []string
	say := func(format string, args ...any) {
		lines = append(lines, "under "+rows[0].Policy+" "+fmt.Sprintf(format, args...))
	}
	for _, r := range rows {
		switch {
		case r.Gainers == 0:
			honest = append(honest, r.Payment)
		case 2*r.Over > r.Gainers:
			above = append(above, r.Payment)
		default:
			below = append(below, r.Payment)
		}
	}
	if rows[0].Matters == 0 {
		say("no bid tried changes when a job ends: what it bids matters to its bill alone")
	}
	if len(honest) > 0 {
		say("honesty pays with %s: no lie tried gains", strings.Join(honest, ", "))
	}
	if len(below) > 0 {
		say("lies gain with %s, mostly by underbidding", strings.Join(below, ", "))
	}
	if len(above) > 0 {
		say("lies gain with %s, mostly by overbidding", strings.Join(above, ", "))
	}
	for _, r := range rows {
		if r.Negative > 0 {
			say("%s pays %s of %s instead of charging", r.Payment, terminal.Count(r.Negative, "job", "jobs"),
				terminal.Thousands(int64(r.Jobs)))
		}
	}
	for i := range rows {
		lines = append(lines, rows[i].sayLate()...)
	}
	if r := rows[0]; r.Rises > 0 {
		say("a flow time rose with the bid %s of %s, and there critical payments do not make", times(r.Rises),
			terminal.Thousands(int64(r.Places)))
		lines = append(lines, "  the truth the best bid")
	}
	return lines
}

// sayLate says how much of a sum is set by the length of the log, or by the horizon.
func (r *Row) sayLate() []string {
	if r.Late == 0 {
		return nil
	}
	waits, sets := "for the end of the log", ", which the length of the log sets and not a price"
	if r.horizon > 0 {
		waits, sets = "longer than the horizon of "+events.FormatDuration(r.horizon), ""
	}
	return []string{
		fmt.Sprintf("under %s %s of %s asked wait %s if they bid the least of %s:", r.Policy,
			terminal.Thousands(int64(r.Late)), terminal.Count(r.asked, "job", "jobs"), waits, r.Payment),
		fmt.Sprintf("  they pay %s %% of the sum%s", terminal.Share.Text(r.LatePart), sets),
	}
}

func times(n int) string { return terminal.Count(n, "time", "times") }
