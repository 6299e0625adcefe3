package catalog

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"bourse/policies"
	"bourse/policies/quota"
	"bourse/traces/files"
	"bourse/traces/suggest"
)

const quotaEntry, tableParam = "quota", "table"

// quotas is the policy of queues.
var quotas = Entry[policies.Policy]{
	Name: quotaEntry, Group: Quotas, Paper: "after Kueue, Volcano and YARN", Example: "quota(by=user,nominal=1:60/*:40)",
	Line: "queues with nominal quotas of the machine, which borrow what others leave and get theirs back, preemptive",
	Params: []policies.Param{
		{Name: tableParam, Default: "none", Doc: "a file in TOML with the queues, and cohorts of queues"},
		{Name: "by", Default: "queue", Doc: "label whose queues they are: queue, group or user; or size or time, classes of " +
			"jobs: a queue's name is the least processors, or requested time, of its jobs, as in 1:50/32:50"},
		{Name: "nominal", Default: "none", Doc: "queues and their parts of the machine instead of a table, as in " +
			"0:40/1:40/*:20; * is all others, and a queue without a number has 1"},
		{Name: "order", Default: "besteffort", Doc: "besteffort: a job that does not fit is passed over by the next of its " +
			"queue; strict: it holds them up"},
		{Name: "priority", Default: "trace", Doc: "what goes first inside a queue, and stops last: trace, the trace's " +
			"priority, or bid; then age"},
		{Name: "reclaim", Default: "true", Doc: "a job within its queue's nominal quota may stop jobs of queues that borrow"},
		{Name: "fair", Default: "false", Doc: "true: so may a job that borrows, if the other queue has the greater share " +
			"value"},
	},
	New: func(a *policies.Args) (policies.Policy, error) {
		rules := quota.Rules{By: a.Text("by"), Reclaim: a.Bool("reclaim"), Fair: a.Bool("fair"),
			Strict: a.Choice("order", "besteffort", "strict") == "strict", ByBid: a.Choice("priority", "trace", "bid") == "bid"}
		var err error
		switch file, list := a.Text(tableParam), a.Text("nominal"); {
		case (file == "none") == (list == "none"):
			return nil, errors.New("quota: want either a table or nominal quotas, as in quota:FILE or " +
				"quota(nominal=0:40/1:40/*:20); which queues a log has is not known before it is read")
		case file == "none":
			rules.Table, err = parseNominal(list)
		default:
			rules.Table, err = readTable(file)
		}
		if err != nil {
			return nil, fmt.Errorf("quota: %w", err)
		}
		p, err := quota.New(rules)
		if err != nil {
			return nil, fmt.Errorf("quota: %w", err) // and no policy in the interface
		}
		return p, nil
	},
}

// parseNominal reads "0:40/1:40/*:20".
func parseNominal(text string) (t quota.Table, err error) {
	for _, part := range strings.Split(text, "/") {
		name, number, given := strings.Cut(part, ":")
		nominal := 1.0
		if given {
			if nominal, err = strconv.ParseFloat(number, 64); err != nil {
				return t, fmt.Errorf("nominal=%q: want queues and numbers, as in 0:40/1:40/*:20", text)
			}
		}
		t.Queues = append(t.Queues, quota.Node{Name: quota.Name(strings.TrimSpace(name)), Nominal: &nominal})
	}
	return t, nil
}

// longestTable is the length of a table of quotas.
const longestTable = 1 << 20

func readTable(path string) (t quota.Table, err error) {
	text, err := files.ReadSmall(path, longestTable)
	if err != nil {
		return t, err
	}
	meta, err := toml.Decode(string(text), &t)
	if bad := (toml.ParseError{}); errors.As(err, &bad) {
		return t, fmt.Errorf("%s:%d: %s", path, bad.Position.Line, bad.Message)
	}
	if err != nil {
		return t, fmt.Errorf("%s: %w", path, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		last := unknown[0][len(unknown[0])-1]
		return t, fmt.Errorf("%s: %s is unknown%s", path, unknown[0],
			suggest.Among(last, []string{"queue", "cohort", "name", "nominal", "borrow", "lend", "weight"}))
	}
	return t, nil
}
