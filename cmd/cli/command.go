package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"bourse/engine/scenario"
	"bourse/traces/suggest"
)

// command is one word of the command line, or two as in "trace synth", and what they do.
type command struct {
	Name    string
	Args    string // as the list of commands shows them
	Usage   string // as the command's help shows them, where that is more
	Line    string // in the list of commands
	Paper   string // that a study reproduces
	Takes   string // the arguments in words, for when their number is wrong
	Least   int    // number of arguments
	Most    int
	Example string // at the end of help
	// Run defines the flags. What it returns is done once they are read and checked.
	Run func(a *app, f *flags) action
}

type action func() error

// many is a number of arguments that a shell may make of a pattern.
const many = 10_000

// flags are those of a command, and what is checked once they are read.
type flags struct {
	*pflag.FlagSet
	checks []func() error
}

// check adds a check, made before any time is spent.
func (f *flags) check(checks ...func() error) { f.checks = append(f.checks, checks...) }

// atLeast checks a number; why ends the message.
func (f *flags) atLeast(name string, value *int, least int, why string) {
	f.check(func() error {
		if *value < least {
			return usagef("--%s %d: %s", name, *value, why)
		}
		return nil
	})
}

// newFlags makes a command's flag set. Its help ends with an example; -h fits a screen, --help
// shows all.
func newFlags(a *app, c *command) *flags {
	usage := c.Name + " " + c.Args
	if c.Usage != "" {
		usage = c.Name + " " + c.Usage
	}
	f := &flags{FlagSet: pflag.NewFlagSet(strings.TrimSpace(usage), pflag.ContinueOnError)}
	f.SortFlags = false
	f.SetOutput(io.Discard)
	f.FlagSet.Usage = func() {
		fmt.Fprintf(a.stdout, "Usage: bourse %s [flags]\n%s\nExample:\n  %s\n",
			f.Name(), a.flagHelp(f), strings.ReplaceAll(c.Example, "\n", "\n  "))
	}
	return f
}

// define makes the flags of a command, those that all have included.
func (c *command) define(a *app) (*flags, action, *string) {
	f := newFlags(a, c)
	act, config := c.Run(a, f), ""
	if f.HasFlags() {
		f.StringVar(&config, configFlag, "",
			"take flags from `FILE` in TOML, as in policy = \"hb\"; those given here take precedence")
	}
	if f.Lookup(quietFlag) == nil { // so that scripts may give it to every command
		a.quietFlag(f)
		f.Lookup(quietFlag).Hidden = true
	}
	return f, act, &config
}

// do reads a command line, from a file of flags too if it names one, checks it and does it.
func (c *command) do(a *app, args []string) error {
	f, act, config := c.define(a)
	err := f.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	if err != nil {
		return usagef("%w%s", plainer(err), suggestFlag(f, err))
	}
	if *config != "" {
		if err := configure(f, *config); err != nil {
			return err
		}
	}
	if n := f.NArg(); n < c.Least || n > c.Most {
		return usagef("%s takes %s; usage: bourse %s", c.Name, c.Takes, f.Name())
	}
	for _, check := range f.checks {
		if err := check(); err != nil {
			return err
		}
	}
	return act()
}

// plainer says what a flag takes, where pflag says which function did not take it.
func plainer(err error) error {
	if scenario.IsFault(err) {
		var option *scenario.OptionError
		errors.As(err, &option)
		return option
	}
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	want, ok := map[string]string{
		"int": "a whole number", "int32": "a whole number", "int64": "a whole number",
		"uint64":  "a whole number of 0 or more",
		"float64": "a number", "bool": "true or false",
	}[bad.GetFlag().Value.Type()]
	if !ok {
		return err
	}
	return fmt.Errorf("--%s %q: want %s", bad.GetFlag().Name, bad.GetValue(), want)
}

// suggestFlag finds the flag that an unknown one was meant to be.
func suggestFlag(f *flags, err error) string {
	_, wrong, found := strings.Cut(err.Error(), "unknown flag: --")
	if !found {
		return ""
	}
	return suggest.DidYouMean(wrong, flagNames(f))
}
