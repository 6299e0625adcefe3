package main

import (
	"bourse/engine/scenario"
	"bourse/reports/inspect"
	"bourse/traces"
)

// traceInspect prints what a trace holds and what is odd about it.
func traceInspect(a *app, args []string) (err error) {
	s := scenario.Default()
	f := a.flags("trace inspect TRACE", "bourse trace inspect log.swf.gz\nbourse trace inspect log.swf.gz --compare 'synth:lublin?jobs=10000'")
	other := f.String("compare", "", "compare the trace with `TRACE`: quantiles, shares and their differences")
	defineOptions(f, &s, readingOptions...)
	if err := parse(f, args, 1, 1, "trace inspect takes one trace"); err != nil {
		return err
	}
	if err := s.Validate(); err != nil {
		return err
	}
	s.Trace = f.Arg(0)
	src, err := a.open(&s, nil)
	if err != nil {
		return err
	}
	defer func() { closing(src, &err) }()
	if *other != "" {
		return compareTraces(a, s, src, *other)
	}
	found, err := inspect.Inspect(interruptible{src, a})
	if err != nil {
		return advise(&s, err)
	}
	if err := found.Print(a.stdout); err != nil {
		return err
	}
	return a.skipped(src.Header().Ledger)
}

// compareTraces prints a trace and another side by side.
func compareTraces(a *app, s scenario.Scenario, src traces.Source, other string) (err error) {
	first, err := inspect.Profiled(interruptible{src, a})
	if err != nil {
		return advise(&s, err)
	}
	s.Trace = other
	src, err = a.open(&s, nil)
	if err != nil {
		return err
	}
	defer func() { closing(src, &err) }()
	second, err := inspect.Profiled(interruptible{src, a})
	if err != nil {
		return advise(&s, err)
	}
	if err := first.Compare(a.stdout, second); err != nil {
		return err
	}
	skippedFirst, skippedSecond := a.skipped(first.Header.Ledger), a.skipped(second.Header.Ledger)
	if skippedFirst != nil {
		return skippedFirst
	}
	return skippedSecond
}
