// Package cli is the program bourse, one record per job from a log, a scheduler and a market. A program with policies, prices or
// formats of its own is Main with those.
//
//	bourse COMMAND [flags] ARGS
//
// A command is a value (command.go): commands.go lists them, and each file defines the flags of
// one or a few and hands what they say to a package of reports. The manual is guide/manual.md, which
// bourse help manual prints.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/policies/bidding"
	"bourse/policies/catalog"
	"bourse/policies/order"
	"bourse/policies/remote"
	"bourse/policies/script"
	"bourse/reports/terminal"
	"bourse/traces/files"
	"bourse/traces/formats"
	"bourse/traces/suggest"
)

// Own are the parts that a program adds to those of bourse: what is added has a name in every command, option and list.
type Own struct {
	Policies   []catalog.Entry[policies.Policy]
	Orders     []catalog.Entry[order.Ranking]
	Payments   []catalog.Entry[catalog.Scheme]
	Values     []catalog.Entry[bidding.Values]
	Behaviours []catalog.Entry[bidding.Behaviour]
	Formats    []formats.Format
	// Stores open what keeps sweeps elsewhere than in a folder, as in --out s3://bucket/prefix, by what is before the colon.
	Stores map[string]OpenStore
}

func (o *Own) add() error {
	stores = o.Stores
	return cmp.Or(catalog.Policies.Add(o.Policies...), catalog.Orders.Add(o.Orders...), catalog.Payments.Add(o.Payments...),
		catalog.Values.Add(o.Values...), catalog.Behaviours.Add(o.Behaviours...), formats.Add(o.Formats...))
}

// Main is a whole program: it reads os.Args and ends the process.
func Main(own Own) {
	if err := own.add(); err != nil {
		fmt.Fprintln(os.Stderr, "bourse:", err)
		os.Exit(exitFailed)
	}
	script.Stuck = func(why string) {
		files.Abandon()
		fmt.Fprintln(os.Stderr, "bourse:", why)
		os.Exit(exitFailed)
	}
	os.Exit(execute(os.Stdin, os.Stdout, os.Stderr, os.Args[1:]))
}

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitSkipped     = 3 // done, but records were skipped because the user said so
	exitInterrupted = 130
)

// app is what a command works with.
type app struct {
	ctx   context.Context
	stdin io.Reader
	// What a person reads is written to stdout and stderr, in which no name from a log can
	// steer a terminal; tables and logs, which programs read, to data.
	stdout, stderr, data io.Writer
	// raw is standard output as it is.
	raw io.Writer
	// line is for progress, which does steer the terminal.
	line io.Writer
	// printed is the error of printing to stdout.
	printed func() error

	scratch []string // folders of what is kept in stores, for as long as the command runs

	quiet bool // no progress line
	long  bool // help shows all flags
}

// grace is how long a command may take to end after a signal before the program ends
// without it: reading from a pipe without a writer, say, cannot be cancelled.
const grace = 2 * time.Second

// execute is the whole program, for main and for tests. The first signal asks the command
// to end; the second, or the end of the grace period, ends the program at once.
func execute(stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	notifyHangup(signals)
	defer signal.Stop(signals)
	a := newApp(ctx, stdin, stdout, stderr)
	ended := make(chan error, 1)
	defer a.clear()
	go func() {
		err := a.dispatch(args)
		if err == nil || errors.Is(err, pflag.ErrHelp) {
			err = cmp.Or(a.printed(), err)
		}
		ended <- err
	}()
	select {
	case err := <-ended:
		return exitCode(err, a.stderr)
	case <-signals:
		cancel()
		remote.End() // whose answers are waited for
	}
	select {
	case err := <-ended:
		if err != nil {
			err = context.Canceled // whatever it met with on its way out
		}
		return exitCode(err, a.stderr)
	case <-signals:
	case <-time.After(grace):
	}
	files.Abandon()
	remote.End()
	return exitCode(context.Canceled, a.stderr)
}

func newApp(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) *app {
	text := terminal.Plain(stdout)
	a := &app{ctx: ctx, stdin: stdin, stdout: text, stderr: terminal.Plain(stderr), data: stdout, raw: stdout,
		line: stderr, printed: text.Err}
	if isTerminal(stdout) {
		a.data = a.stdout
	}
	return a
}

// notes prints what is to be noted of a command's result.
func (a *app) notes(lines []string) {
	for _, line := range lines {
		fmt.Fprintln(a.stderr, "bourse: note:", line)
	}
}

// exitCode says what an error means to the shell, and to a person.
func exitCode(err error, stderr io.Writer) int {
	switch {
	case err == nil, errors.Is(err, pflag.ErrHelp):
		return exitDone
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "bourse: interrupted; no file under a final name is incomplete")
		return exitInterrupted
	case errors.Is(err, errSkipped):
		return exitSkipped
	}
	fmt.Fprintln(stderr, "bourse:", clipped(flagged(err)))
	if h := hint(err); h != "" {
		fmt.Fprintln(stderr, "  "+h)
	}
	if usage := (*usageError)(nil); errors.As(err, &usage) || scenario.IsFault(err) {
		return exitUsage
	}
	return exitFailed
}

// clipped keeps a message readable that quotes what somebody gave at any length.
func clipped(text string) string {
	const head, tail = 1200, 300
	if len(text) <= head+tail {
		return text
	}
	return text[:head] + " ... " + text[len(text)-tail:]
}

// errSkipped ends a command that is done but has skipped bad records.
var errSkipped = errors.New("records were skipped")

// usageError is a fault in the command line.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

func (a *app) dispatch(args []string) error {
	if len(args) == 0 {
		_ = a.overview(a.stderr, "")
		return usagef("a command is missing; try: bourse replay demo")
	}
	args, err := a.fetched(args)
	if err != nil {
		return err
	}
	switch args[0] {
	case "help":
		return a.help(args[1:])
	case "-h", "--help":
		return a.help(nil)
	case "--version":
		args = []string{"version"}
	case completeWord:
		return a.complete(args[1:])
	}
	var names []string
	for _, c := range append(studies(), commands()...) {
		if c.Paper == "" {
			names = append(names, c.Name)
		}
		words := strings.Fields(c.Name)
		if len(args) >= len(words) && strings.Join(args[:len(words)], " ") == c.Name {
			a.long = a.long || slices.Contains(args, "--help")
			return c.do(a, args[len(words):])
		}
	}
	if args[0] == "trace" {
		if len(args) == 1 {
			return usagef("trace needs a subcommand: trace inspect, convert, synth, list, get, verify or demand")
		}
		if args[1] == "-h" || args[1] == "--help" {
			return a.help(args[:1])
		}
		return usagef("unknown command \"trace %s\"%s", args[1], suggest.DidYouMean("trace "+args[1], names))
	}
	return usagef("unknown command %q%s", args[0], suggest.Then(suggest.DidYouMean(args[0], names),
		"bourse -h lists them"))
}

// helpWidth is the number of columns that help is broken to.
const helpWidth = 100

// Version is the program's version, as in CHANGELOG.
const Version = "0.1.0"

// The program needs a system of 64 bits and is not compiled for others: Parquet files cannot
// be written where an int has 32, and the numbers of jobs and seconds do not fit.
const _ int = 1 << 40
