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
			"saving: the most saving for each " +
			"second of wait and length; pieces: in the times of least value, stopped in between; threshold: while the value is " +
			"below the 30th percentile of the next day"},
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
		d := &sched.Defer{Policy: p, Rule: a.Choice("rule", "slot", "window", "saving", "pieces", "threshold"), By: a.Text("by"),
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
