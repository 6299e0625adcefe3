package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/record"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/demand"
	"bourse/traces/transform"
)

// traceDemand writes demand of each agent in each round of a trace.
func traceDemand(a *app, f *flags) action {
	s := scenario.Default()
	var o demand.Options
	every := f.String("every", "5m", "length of a round, as in 30s, 5m, 1h")
	f.StringVar(&o.By, "by", "user", "what makes an agent: "+strings.Join(demand.Keys, ", "))
	f.StringVar(&o.Resource, "resource", "cpu", "what is demanded: "+strings.Join(demand.Resources,
		", ")+" (but for cpu: processors times what each asks for)")
	of := f.String("of", "unfinished",
		"when a job counts: from submission to its recorded end (unfinished), or while it runs (running)")
	var out outFile
	out.define(f, tableLine)
	defineOptions(f, &s, slices.Concat(windowOptions, readingOptions)...)
	return func() (err error) {
		if o.Every, err = period(*every); err != nil {
			return err
		}
		o.Running = *of == "running"
		err = cmp.Or(among("by", o.By, demand.Keys), among("resource", o.Resource, demand.Resources),
			among("of", *of, []string{"unfinished", "running"}))
		if err != nil {
			return err
		}
		s.Trace = f.Arg(0)
		return a.reading(&s, nil, func(src traces.Source) error {
			src, err := transform.Apply(interruptible{src, a}, s.Window())
			if err != nil {
				return &usageError{err}
			}
			var counts demand.Counts
			err = out.fill(a, func(w io.Writer, at, format string) error {
				counts, err = writeDemands(w, at, format, src, o)
				return err
			})
			if err != nil {
				return err
			}
			printDemand(a.stderr, o, counts)
			return a.skipped(nil, src.Header().Ledger)
		})
	}
}

// period reads a duration above 0.
func period(text string) (events.Time, error) {
	every, err := events.ParseDuration(text)
	if err != nil {
		return 0, usagef("--every %w", err)
	}
	if every == 0 {
		return 0, usagef("--every %s: want a duration above 0, as in 30s, 5m or 1h", text)
	}
	return every, nil
}

// writeDemands writes a row for each agent that demands something in a round, and
// one of 0 for a round without demands, so that no round is missing.
func writeDemands(w io.Writer, at, format string, src traces.Source, o demand.Options) (demand.Counts, error) {
	out, err := record.NewDemands(w, at, format, Version)
	if err != nil {
		return demand.Counts{}, err
	}
	var row record.AgentRound
	counts, err := demand.Run(src, o, func(r *demand.Round, name func(int) string) error {
		row.Round, row.Start = r.Number, r.Start.Seconds()
		for k, i := range r.Agents {
			row.Agent, row.Demand = name(i), r.Demand[k]
			if err := out.Add(&row); err != nil {
				return err
			}
		}
		if len(r.Agents) > 0 {
			return nil
		}
		// The first round has an agent, and row still holds its name or a later one's.
		row.Demand = 0
		return out.Add(&row)
	})
	if closed := out.Finish(); err == nil { // else it says the same again
		err = closed
	}
	return counts, err
}

// printDemand summarises what the demands were made of.
func printDemand(w io.Writer, o demand.Options, c demand.Counts) {
	fmt.Fprintf(w, "%s jobs in %s rounds of %s\n", terminal.Thousands(c.Jobs), terminal.Thousands(c.Rounds), o.Every)
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
			fmt.Fprintf(w, "  %s %s\n", terminal.Thousands(left.n), left.why)
		}
	}
}
