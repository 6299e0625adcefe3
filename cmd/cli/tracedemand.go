package cli

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/ask/demands"
	"bourse/reports/table"
	"bourse/traces"
	"bourse/traces/demand"
	"bourse/traces/files"
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
	var out resultTable
	out.define(f)
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
			report, err := demandsOf(a, &out, src, o)
			if err == nil {
				err = out.print(a, report)
			}
			return a.skipped(err, src.Header().Ledger)
		})
	}
}

// demandsOf writes the demands round by round where the table is on its own, or has them in the
// report.
func demandsOf(a *app, out *resultTable, src traces.Source, o demand.Options) (*table.Report, error) {
	var rows *table.Table
	var counts demand.Counts
	var err error
	if out.alone() {
		err = files.Together(func(set *files.Set) error {
			return out.fill(a, set, func(w io.Writer, at, format string) (err error) {
				counts, err = demands.Write(w, at, format, Version, src, o)
				return err
			})
		})
	} else {
		rows, counts, err = demands.Table(src, o)
	}
	report := demands.Report(o, counts)
	report.Data = rows
	return report, err
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
