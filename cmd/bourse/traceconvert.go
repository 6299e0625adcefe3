package main

import (
	"bourse/traces/transform"
)

// traceConvert writes any trace as workload Parquet or SWF, filtered if the
// user likes, but not serialised: pieces of a job are made when it is replayed.
func traceConvert(a *app, args []string) (err error) {
	var t traceFlags
	f := a.flags("trace convert TRACE FILE", "bourse trace convert log.swf.gz log.parquet --where 'run > 0'")
	f.StringVar(&t.where, "where", "", "keep only the records for which `EXPR` holds")
	f.Float64Var(&t.from, "from", 0, "keep only records submitted at this second or later")
	f.Float64Var(&t.until, "until", 0, "keep only records submitted before this second (0: all)")
	t.defineReplicas(f)
	seed := f.Uint64("seed", 1, "seed of --resample, --shake and --estimates tsafrir")
	t.defineEstimates(f)
	t.defineReading(f)
	if err := parse(f, args, 2, 2, "trace convert takes a trace and the file to write"); err != nil {
		return err
	}
	if err := t.validate(f); err != nil {
		return err
	}
	write, err := traceWriter(f.Arg(1))
	if err != nil {
		return err
	}
	source, err := t.open(a, f.Arg(0))
	if err != nil {
		return err
	}
	defer func() { closing(source, &err) }()
	if err := notOnto(source, f.Arg(1)); err != nil {
		return err
	}
	treatment := t.treatment(0, *seed)
	treatment.Estimates = t.estimatesFor(*seed, false)
	src, err := transform.Apply(source, treatment)
	if err != nil {
		return &usageError{err}
	}
	if err := writeTrace(a, f.Arg(1), src, write); err != nil {
		return t.advise(err)
	}
	return skipped(a.stderr, src.Header().Ledger)
}
