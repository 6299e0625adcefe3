package main

import "bourse/traces"

// traceInspect prints what a trace holds and what is odd about it.
func traceInspect(a *app, args []string) (err error) {
	var t traceFlags
	f := a.flags("trace inspect TRACE", "bourse trace inspect log.swf.gz")
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
	found, err := traces.Inspect(interruptible{src, a})
	if err != nil {
		return t.advise(err)
	}
	if err := found.Print(a.stdout); err != nil {
		return err
	}
	return skipped(a.stderr, src.Header().Ledger)
}
