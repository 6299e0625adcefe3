package catalog

import (
	"fmt"
	"slices"
	"strings"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/sched"
)

// deferring wraps schedulers; those that wrap others are none of them.
var deferring = []Entry[policies.Policy]{{
	Name: "defer", Paper: "Hanafy et al. (GAIA), ASPLOS 2024", Example: "defer(easy)", Yours: true,
	Line: "a scheduler that is shown jobs when an input series is low, as the carbon of power, within the time they " +
		"may wait",
	Params: []policies.Param{
		{Name: "policy", Default: "easy", Doc: "the scheduler"},
		{Name: "rule", Default: "saving", Doc: "slot: the least value; window: the least mean over the job's length; " +
			"saving: the most saving for each second of wait and length; pieces: in the times of least value, stopped in " +
			"between; threshold: while the value is below the 30th percentile of the next day"},
		{Name: "by", Default: "carbon", Doc: "the name of the input series"},
		{Name: "slack", Default: "6h/24h", Doc: "how long short and long jobs may wait"},
		{Name: "border", Default: "2h", Doc: "requested time from which on a job is long"},
		{Name: "length", Default: "requested", Doc: "how long jobs are taken to run: requested, a time for short and " +
			"one for long ones, as in 40m/7h, or learned, the mean of those of the class that have ended"},
	},
	New: func(a *policies.Args) (policies.Policy, error) {
		inner := List[policies.Policy]{"policy", slices.Concat(basic, backfilling, urgent, listSchedulers(basic))}
		p, err := inner.Make(a.Text("policy"))
		if err != nil {
			return nil, err
		}
		d := &sched.Defer{Policy: p, Rule: a.Choice("rule", "slot", "window", "saving", "pieces", "threshold"),
			By:     a.Text("by"),
			Border: a.Duration("border", 0, 1e9)}
		if d.Slack, err = pair("slack", a.Text("slack")); err != nil {
			return nil, err
		}
		d.Learned = a.Text("length") == "learned"
		if text := a.Text("length"); text != "requested" && !d.Learned {
			d.Length, err = pair("length", text)
		}
		return d, err
	},
}}

// pair reads two times, of short and long jobs.
func pair(param, text string) (pair [2]events.Time, err error) {
	short, long, both := strings.Cut(text, "/")
	if !both {
		long = short
	}
	for i, t := range []string{short, long} {
		if pair[i], err = events.ParseDuration(strings.TrimSpace(t)); err != nil {
			return pair, fmt.Errorf("defer: %s=%s: want a time, or two for short and long jobs, as in 6h/24h", param, text)
		}
	}
	return pair, nil
}

// bothCapacities lists the rules for jobs with deadlines on spot capacity and on demand.
var bothCapacities = []Entry[policies.Policy]{
	onDemandEntry("greedy", "jobs with deadlines are on spot capacity where it is there, and wait for it until only "+
		"capacity on demand brings them there in time"),
	onDemandEntry("uniform-progress", "jobs with deadlines are on spot capacity where it is there, and on demand where "+
		"they are behind the line from no work at submission to all at the deadline"),
}

func onDemandEntry(name, line string) Entry[policies.Policy] {
	return Entry[policies.Policy]{
		Name: name, Group: Prices, Paper: "Wu et al., Can't Be Late, NSDI 2024", Example: name, Yours: true, Line: line,
		Params: []policies.Param{
			{Name: "capacity", Default: "spot", Doc: "the name of the input series: processors of spot capacity, part of the " +
				"machine, whose others are on demand"},
			{Name: "every", Default: "10m", Doc: "how often jobs choose, and spot capacity is cleared: the highest bids have " +
				"it, for the bid of the first that does not fit"},
			{Name: "deadline", Default: "1.25", Doc: "after submission, in requested times, where values have none"},
			{Name: "on-demand", Default: "180", Doc: "price of a processor-second on demand, which no bid is above"},
			{Name: "reserve", Default: "1", Doc: "least price of one on spot capacity"},
		},
		New: fromArgs(func(a *policies.Args) policies.Policy {
			return &sched.Deadlines{Line: name == "uniform-progress", Capacity: a.Text("capacity"),
				Every: a.Duration("every", 1, 1e9), Deadline: a.Float("deadline", 1, 1e6),
				OnDemand: a.Float("on-demand", 0, policies.MostMoney), Reserve: a.Float("reserve", 0, policies.MostMoney)}
		}),
	}
}
