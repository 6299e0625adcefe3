package main

import (
	"bourse/reports/inspect"
	"bourse/traces"
)

// traceInspect prints what a trace holds and what is odd about it.
func traceInspect(a *app, args []string) (err error) {
	var t traceFlags
	f := a.flags("trace inspect TRACE", "bourse trace inspect log.swf.gz\nbourse trace inspect log.swf.gz --compare 'synth:lublin?jobs=10000'")
	other := f.String("compare", "", "hold the trace against `TRACE`: quantiles, shares, and how they differ")
	t.defineReading(f)
	if err := parse(f, args, 1, 1, "trace inspect takes one trace"); err != nil {
		return err
	}
	if err := t.validate(f); err != nil {
		return err
	}
	src, err := t.open(a, f.Arg(0))
	if err != nil {
		return err
	}
	defer func() { closing(src, &err) }()
	if *other != "" {
		return compareTraces(a, &t, src, *other)
	}
	found, err := inspect.Inspect(interruptible{src, a})
	if err != nil {
		return t.advise(err)
	}
	if err := found.Print(a.stdout); err != nil {
		return err
	}
	return skipped(a.stderr, src.Header().Ledger)
}

// compareTraces prints a trace and another side by side.
func compareTraces(a *app, t *traceFlags, src traces.Source, other string) (err error) {
	first, err := inspect.Profiled(interruptible{src, a})
	if err != nil {
		return t.advise(err)
	}
	src, err = t.open(a, other)
	if err != nil {
		return err
	}
	defer func() { closing(src, &err) }()
	second, err := inspect.Profiled(interruptible{src, a})
	if err != nil {
		return t.advise(err)
	}
	if err := first.Compare(a.stdout, second); err != nil {
		return err
	}
	skippedFirst, skippedSecond := skipped(a.stderr, first.Header.Ledger), skipped(a.stderr, second.Header.Ledger)
	if skippedFirst != nil {
		return skippedFirst
	}
	return skippedSecond
}
