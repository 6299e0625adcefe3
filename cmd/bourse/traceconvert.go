package main

import (
	"slices"

	"bourse/engine/scenario"
	"bourse/traces/formats"
	"bourse/traces/transform"
)

// traceConvert writes any trace as workload Parquet or SWF, filtered if the
// user likes, but not serialised: pieces of a job are made when it is replayed.
func traceConvert(a *app, args []string) (err error) {
	s := scenario.Default()
	f := a.flags("trace convert TRACE FILE", "bourse trace convert log.swf.gz log.parquet --where 'run > 0'")
	defineOptions(f, &s, slices.Concat(windowOptions, replicaOptions, readingOptions)...)
	if err := parse(f, args, 2, 2, "trace convert takes a trace and the file to write"); err != nil {
		return err
	}
	if err := s.Validate(); err != nil {
		return err
	}
	write, err := formats.Writer(f.Arg(1))
	if err != nil {
		return &usageError{err}
	}
	s.Trace = f.Arg(0)
	source, err := a.open(&s, nil)
	if err != nil {
		return err
	}
	defer func() { closing(source, &err) }()
	if err := notOnto(source, f.Arg(1)); err != nil {
		return err
	}
	how, err := s.Transform(scenario.Hardware{}, false)
	if err != nil {
		return err
	}
	src, err := transform.Apply(source, how)
	if err != nil {
		return &usageError{err}
	}
	if err := writeTrace(a, f.Arg(1), src, write); err != nil {
		return advise(&s, err)
	}
	return a.skipped(src.Header().Ledger)
}
