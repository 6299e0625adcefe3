package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"bourse/reports/run"
	"bourse/reports/studies/compare"
	"bourse/traces/suggest"
)

// question is what a comparison is asked: which is best by what, beside what.
type question struct {
	metric, baseline, by, format string
	json                         bool
	measure                      run.Measure
}

const defaultMetric = "bounded_slowdown"

func (q *question) define(f *pflag.FlagSet) {
	f.StringVar(&q.metric, "metric", defaultMetric, "which is best by `MEASURE`: bounded_slowdown, wait, p95, utilisation, utility, payment, revenue ...")
	f.StringVar(&q.baseline, "baseline", "", "differences are from this `NAME` (default: the best)")
	f.StringVar(&q.by, "by", "", "winners and losers by user, group, queue or size; of a sweep the settings by which rows differ, as in policy,load-factor")
	f.StringVar(&q.format, "format", "text", "text, markdown, latex, csv (a line per replica) or json")
	f.BoolVar(&q.json, "json", false, "short for --format json")
}

// settle checks the answers wanted before any time is spent.
func (q *question) settle(f *pflag.FlagSet) (err error) {
	if q.json {
		if f.Changed("format") && q.format != "json" {
			return usagef("--json is short for --format json; leave out --format %s", q.format)
		}
		q.format = "json"
	}
	if !slices.Contains(compare.Formats, q.format) {
		return usagef("--format %q%s", q.format, suggest.Among(q.format, compare.Formats))
	}
	if q.measure, err = run.FindMeasure(q.metric); err != nil {
		return usagef("--metric: %w", err)
	}
	return nil
}

// checkBy wants jobs to be grouped by what they have.
func (q *question) checkBy() error {
	if q.by != "" {
		if err := compare.CheckBy(q.by); err != nil {
			return usagef("--by %w", err)
		}
	}
	return nil
}

// print judges a table and prints it.
func (q *question) print(a *app, t *compare.Table) error {
	if err := t.Judge(q.baseline); err != nil {
		if bad := (*compare.BaselineError)(nil); errors.As(err, &bad) {
			return usagef("--baseline %w", err)
		}
		return err
	}
	if err := t.CanGroup(); err != nil {
		return err
	}
	if err := t.Write(a.stdout, q.format); err != nil {
		return err
	}
	if t.Copies {
		fmt.Fprintln(a.stderr, "bourse: note: sweep --replicas N makes replicas of the log")
	}
	return nil
}
