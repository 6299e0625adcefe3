package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/input"
	"bourse/traces/transform"
)

// traceFlags are the flags of every command that reads a trace: which records
// are taken and what is done to them.
type traceFlags struct {
	where      string
	from       float64
	until      float64
	load       float64
	serial     bool
	onError    string
	sortWindow int
	estimates  string
	kill       bool
	resample   string
	shake      string
	warmUp     string
	coolDown   string
	attempts   string
	censored   string
	queues     string
}

func (t *traceFlags) define(f *pflag.FlagSet) {
	f.StringVar(&t.where, "where", "", "replay only the records for which `EXPR` holds, as in 'run > 0 && user != 3'")
	f.Float64Var(&t.from, "from", 0, "replay only records submitted at this second or later")
	f.Float64Var(&t.until, "until", 0, "replay only records submitted before this second (0: all)")
	f.BoolVar(&t.serial, "serial", false, "split each p-processor job into p one-processor jobs")
	f.Float64Var(&t.load, "load-factor", 1, "divide the times between submissions by this")
	t.defineReplicas(f)
	t.defineEstimates(f)
	t.defineReading(f)
}

// defineReplicas defines what makes one log many.
func (t *traceFlags) defineReplicas(f *pflag.FlagSet) {
	f.StringVar(&t.resample, "resample", "", "deal users anew in whole weeks, under --seed; with =weeks=N,users=FACTOR,long=WEEKS another length or load")
	f.Lookup("resample").NoOptDefVal = "users"
	f.StringVar(&t.shake, "shake", "0", "move submissions by up to this `TIME` (60, 5min, 1h), under --seed")
}

// defineEdges defines what is replayed and not counted.
func (t *traceFlags) defineEdges(f *pflag.FlagSet) {
	f.StringVar(&t.warmUp, "warm-up", "0", "leave jobs of the first `TIME` (7d) out of the summary")
	f.StringVar(&t.coolDown, "cool-down", "0", "leave jobs of the last `TIME` (1d) out of the summary")
}

// defineQueues defines what queues take.
func (t *traceFlags) defineQueues(f *pflag.FlagSet) {
	f.StringVar(&t.queues, "queue-limits", "", "leave out jobs that their queue does not take, as in '2: procs <= 64 && estimate <= 3600; *: procs <= 8' (*: all other queues)")
}

// times reads the flags that are times; "" is 0.
func (t *traceFlags) times() (shake events.Time, edges traces.Edges, err error) {
	for _, x := range []struct {
		name, text string
		to         *events.Time
	}{{"shake", t.shake, &shake}, {"warm-up", t.warmUp, &edges.WarmUp}, {"cool-down", t.coolDown, &edges.CoolDown}} {
		if x.text == "" {
			continue
		}
		if *x.to, err = input.ParseDuration(x.text); err != nil {
			return 0, edges, usagef("--%s %w", x.name, err)
		}
	}
	return shake, edges, nil
}

// edges are the parts that are not counted. The flags have been validated.
func (t *traceFlags) edges() traces.Edges {
	_, edges, _ := t.times()
	return edges
}

// defineEstimates defines the flags about requested times.
func (t *traceFlags) defineEstimates(f *pflag.FlagSet) {
	f.StringVar(&t.estimates, "estimates", "", "requested times: recorded, log[:FACTOR], exact, scale:FACTOR, tsafrir[:MAX] (default: log if the policy needs them)")
	f.BoolVar(&t.kill, "kill-at-estimate", false, "end jobs when their estimate is up")
}

// defineReading defines the flags about reading itself.
func (t *traceFlags) defineReading(f *pflag.FlagSet) {
	t.load = 1
	f.StringVar(&t.onError, "on-error", "stop", "at a malformed record: stop, or skip it and exit with 3")
	f.StringVar(&t.attempts, "attempts", "last", "of a Google trace's task: last, all (a job each) or merge")
	f.StringVar(&t.censored, "censored", "drop", "tasks still running when a Google trace ends: drop, or keep as if they ended there")
	f.IntVar(&t.sortWindow, "sort-window", 0, "records within which late submissions are put in order (0: the default)")
}

func (t *traceFlags) validate(f *pflag.FlagSet) error {
	from, okFrom := events.FromSeconds(t.from)
	until, okUntil := events.FromSeconds(t.until)
	_, err := t.estimated(1)
	if _, _, err := t.times(); err != nil {
		return err
	}
	if t.resample != "" {
		if _, err := transform.ParseResample(t.resample); err != nil {
			return usagef("--resample: %w", err)
		}
	}
	switch {
	case err != nil:
		return usagef("--estimates: %w", err)
	case t.onError != "stop" && t.onError != "skip":
		return usagef("--on-error %s: stop or skip was expected", t.onError)
	case !slices.Contains([]string{"last", "all", "merge"}, t.attempts):
		return usagef("--attempts %s: last, all or merge was expected", t.attempts)
	case t.censored != "drop" && t.censored != "keep":
		return usagef("--censored %s: drop or keep was expected", t.censored)
	case !okFrom || !okUntil:
		return usagef("--from and --until are seconds on the trace's clock")
	case until != 0 && until <= from:
		return usagef("--until %g is not after --from %g: the window is empty", t.until, t.from)
	case !(t.load >= 1e-6 && t.load <= 1e6):
		return usagef("--load-factor %g: a number from 1e-6 to 1e6 was expected", t.load)
	case t.sortWindow < 0:
		return usagef("--sort-window %d: a number of records was expected", t.sortWindow)
	}
	return nil
}

// validateResubmit wants killed jobs to be submitted again only where any are.
func (t *traceFlags) validateResubmit(resubmit bool) error {
	if resubmit && !t.kill {
		return usagef("--resubmit-killed says what becomes of jobs that --kill-at-estimate ends; add that")
	}
	return nil
}

// skipShown is how many skipped records are reported one by one.
const skipShown = 5

// open opens a trace for reading, untreated.
func (t *traceFlags) open(a *app, spec string) (traces.Source, error) {
	shown := 0
	src, err := formats.Open(spec, traces.Options{
		Stdin: a.stdin, SortWindow: t.sortWindow, Skip: t.onError == "skip", Stop: a.ctx.Err,
		Attempts: traces.Attempts(t.attempts), Censored: t.censored == "keep",
		OnError: func(err error) {
			if shown++; shown <= skipShown {
				fmt.Fprintln(a.stderr, "bourse: skipped:", err)
			}
		},
	})
	return src, t.advise(err) // some formats are read when they are opened
}

// estimated reads --estimates. The seed is that of the model.
func (t *traceFlags) estimated(seed uint64) (transform.Estimates, error) {
	if t.estimates == "" {
		return transform.Estimates{}, nil
	}
	return transform.ParseEstimates(t.estimates, seed)
}

// estimatesFor is estimated with the default: the log's for policies that need
// any. The flag has been validated.
func (t *traceFlags) estimatesFor(seed uint64, needed bool) transform.Estimates {
	if t.estimates == "" && needed {
		return transform.Estimates{Kind: transform.FromLog, Factor: 1}
	}
	e, _ := t.estimated(seed)
	return e
}

// treatment is what the flags ask for; seed is that of resampling and shaking.
func (t *traceFlags) treatment(procs int, seed uint64) transform.Options {
	from, _ := events.FromSeconds(t.from)
	until, _ := events.FromSeconds(t.until)
	shake, _, _ := t.times()
	var resample *transform.Resample
	if t.resample != "" {
		resample, _ = transform.ParseResample(t.resample)
	}
	return transform.Options{Resample: resample, Shake: shake, Seed: seed, Where: t.where, From: from, Until: until, LoadFactor: t.load, Serial: t.serial, Procs: procs, KillAtEstimate: t.kill, QueueLimits: t.queues}
}

// skipped turns a ledger with malformed records into the error for exit code 3.
func skipped(w io.Writer, l *traces.Ledger) error {
	n := l.Dropped[traces.Malformed]
	if n == 0 {
		return nil
	}
	fmt.Fprintf(w, "bourse: %d malformed records were skipped\n", n)
	return errSkipped
}

// closing closes src and keeps the first error.
func closing(src traces.Source, err *error) { *err = errors.Join(*err, traces.Close(src)) }

// advise adds to the error of a malformed record what can be done about it.
func (t *traceFlags) advise(err error) error {
	if err == nil {
		return nil
	}
	if bad := (*traces.Error)(nil); t.onError == "stop" && errors.As(err, &bad) && bad.Line > 0 {
		return fmt.Errorf("%w\n  --on-error=skip leaves malformed records out, counts them and goes on", err)
	}
	return err
}
