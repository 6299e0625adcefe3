// Package demands makes the table of what each agent of a trace demands in each round.
package demands

import (
	"fmt"
	"io"

	"bourse/reports/record"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/demand"
)

// Write writes the table bit by bit; at stands for the destination in messages.
func Write(w io.Writer, at, format, version string, src traces.Source, o demand.Options) (demand.Counts, error) {
	out, err := record.NewDemands(w, at, format, version)
	if err != nil {
		return demand.Counts{}, err
	}
	counts, err := each(src, o, out.Add)
	if closed := out.Finish(); err == nil { // else it says the same again
		err = closed
	}
	return counts, err
}

// Table makes the table in memory.
func Table(src traces.Source, o demand.Options) (*table.Table, demand.Counts, error) {
	t := table.New(table.Column{Name: "round", Heading: "round", Key: true},
		table.Col("start_s", "start", terminal.Seconds), table.KeyCol("agent", "agent"),
		table.Col("demand", "demand", terminal.Significant(6)))
	counts, err := each(src, o, func(r *record.AgentRound) error {
		t.Add(r.Round, r.Start, r.Agent, r.Demand)
		return nil
	})
	return t, counts, err
}

// each calls row for each agent that demands something in a round, and once, with 0, for a
// round without demands, so that no round is missing.
func each(src traces.Source, o demand.Options, row func(*record.AgentRound) error) (demand.Counts, error) {
	var r record.AgentRound
	return demand.Run(src, o, func(round *demand.Round, name func(int) string) error {
		r.Round, r.Start = round.Number, round.Start.Seconds()
		for k, i := range round.Agents {
			r.Agent, r.Demand = name(i), round.Demand[k]
			if err := row(&r); err != nil {
				return err
			}
		}
		if len(round.Agents) > 0 {
			return nil
		}
		// The first round has an agent, and r still holds its name or a later one's.
		r.Demand = 0
		return row(&r)
	})
}

// Report says what the demands were made of.
func Report(o demand.Options, c demand.Counts) *table.Report {
	r := &table.Report{Answers: []string{fmt.Sprintf("%s jobs in %s rounds of %s", terminal.Thousands(c.Jobs),
		terminal.Thousands(c.Rounds), o.Every)}}
	for _, left := range []struct {
		n   int64
		why string
	}{
		{c.NoAgent, "left out: unknown " + o.By},
		{c.NoDemand, "left out: unknown " + o.Resource + ", or 0"},
		{c.NoTime, "left out: they took no time"},
		{c.NoWait, "have no recorded wait and count as started when submitted"},
	} {
		if left.n > 0 {
			r.Answers = append(r.Answers, fmt.Sprintf("  %s %s", terminal.Thousands(left.n), left.why))
		}
	}
	return r
}
