package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/reports/artifact"
	"bourse/reports/ask/sweep"
	"bourse/reports/run"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/files"
	"bourse/traces/suggest"
)

// optionFlag is an option of a scenario as a flag.
type optionFlag struct {
	option   *scenario.Option
	scenario *scenario.Scenario
	given    bool
}

// Set implements pflag.Value.
func (o *optionFlag) Set(text string) error {
	if o.given && o.option.Joins != "" {
		text = o.option.Text(o.scenario) + o.option.Joins + text
	}
	o.given = true
	err, fault := o.option.Set(o.scenario, text), (*scenario.OptionError)(nil)
	list, _ := policies.SplitList(text)
	if _, varies := sweep.Kind(o.option.Name); len(list) < 2 || !varies || !errors.As(err, &fault) {
		return err
	}
	said := fmt.Sprintf("want one value; several are a sweep: bourse sweep TRACE --%s %s --out DIR", o.option.Name,
		artifact.Quote(text))
	if o.option.Name == sweep.Policy {
		said = "want one policy; several side by side: bourse compare TRACE --policy " + artifact.Quote(text)
	}
	return &scenario.OptionError{Option: o.option.Name, Err: fmt.Errorf("%q: %s", text, said)}
}

// String implements pflag.Value.
func (o *optionFlag) String() string { return o.option.Text(o.scenario) }

// Type implements pflag.Value.
func (o *optionFlag) Type() string { return o.option.Kind }

// The options that several commands leave out or take alone.
var (
	readingOptions = []string{"on-error", "attempts", "censored", "sort-window"}
	windowOptions  = []string{"where", "from", "until", "time-zone"}
	replicaOptions = []string{"resample", "shake", "seed", "estimates", "kill-at-estimate"}
)

// defineOptions defines a flag for each of the options, which change s.
func defineOptions(f *flags, s *scenario.Scenario, names ...string) {
	for _, name := range names {
		o := scenario.Find(name)
		f.Var(&optionFlag{option: o, scenario: s}, name, o.Line)
		f.Lookup(name).NoOptDefVal = o.Bare
	}
	f.check(s.Validate)
}

// defineScenario defines a flag for every option but those.
func defineScenario(f *flags, s *scenario.Scenario, but ...string) {
	f.check(func() error { return checkGiven(s, f) })
	defineOptions(f, s, allOptions(but...)...)
}

// allOptions names every option but those.
func allOptions(but ...string) (names []string) {
	for _, o := range scenario.Options {
		if !slices.Contains(but, o.Name) {
			names = append(names, o.Name)
		}
	}
	return names
}

// flagged is an error's text with the options in it spelt as flags.
func flagged(err error) string {
	text := err.Error()
	var option *scenario.OptionError
	var conflict *scenario.ConflictError
	var input *artifact.InputError
	switch {
	case errors.As(err, &conflict):
		flags := fmt.Sprintf("--%s and --%s: %s", conflict.One, conflict.Other, conflict.Why)
		return strings.Replace(text, conflict.Error(), flags, 1)
	case errors.As(err, &input) && input.Role != artifact.ScriptInput:
		return strings.Replace(text, input.Error(), input.Error()+whereNow(input), 1)
	case errors.As(err, &option) && option.Option != "":
		return strings.Replace(text, option.Error(), "--"+option.Error(), 1)
	}
	return text
}

// whereNow names the flag that says where an input is.
func whereNow(e *artifact.InputError) string {
	flag := map[string]string{artifact.TraceInput: "--trace PATH", artifact.BidsInput: "--bids FILE"}[e.Role]
	switch {
	case e.Path == "-":
		return "; " + flag + " says where that is now"
	case e.Got == "":
		return "; " + flag + " says where the " + e.Role + " is now"
	}
	return "; " + flag + " names another"
}

// skipShown is how many skipped records are reported one by one.
const skipShown = 5

// open opens a scenario's trace. dropped, if not nil, is called for each record that is
// not replayed.
func (a *app) open(s *scenario.Scenario, dropped func(*traces.Job, traces.Reason)) (traces.Source, error) {
	shown := 0
	src, err := s.Open(scenario.Env{
		Stdin: a.stdin, Stop: a.ctx.Err, Dropped: dropped,
		Skipped: func(err error) {
			if shown++; shown <= skipShown {
				fmt.Fprintln(a.stderr, "bourse: skipped:", err)
			}
		},
	})
	return src, advise(s, err) // some formats are read when they are opened
}

// reading opens a scenario's trace for as long as work takes.
func (a *app) reading(s *scenario.Scenario, dropped func(*traces.Job, traces.Reason),
	work func(traces.Source) error) error {
	src, err := a.open(s, dropped)
	if err != nil {
		return err
	}
	return errors.Join(advise(s, work(src)), traces.Close(src))
}

// load reads a scenario's trace into memory, for replays under these policies.
func (a *app) load(s *scenario.Scenario, policies ...string) (jobs *scenario.Loaded, err error) {
	err = a.reading(s, nil, func(src traces.Source) (err error) {
		jobs, err = s.Load(src, policies...)
		return err
	})
	return jobs, err
}

// policyNames reads a list of policies.
func policyNames(list string) ([]string, error) {
	names, err := sweep.Expand(list)
	if err != nil || len(names) == 0 {
		return nil, usagef("--policy %s: want names separated by commas", list)
	}
	for _, name := range names {
		if _, err := catalog.Policies.Make(name); err != nil {
			return nil, usagef("--%w", err)
		}
	}
	return names, nil
}

// advise adds to the error of a malformed record of the trace what can be done about it.
func advise(s *scenario.Scenario, err error) error {
	if bad := (*traces.Error)(nil); s.OnError == "stop" && errors.As(err, &bad) && bad.Line > 0 &&
		!slices.Contains(append(s.Files(), s.Bids), bad.File) {
		return fmt.Errorf("%w\n  --on-error=skip leaves malformed records out, counts them and goes on", err)
	}
	return err
}

// skipped ends a command: with err, or else, where the ledger has malformed records, with
// the error for exit code 3.
func (a *app) skipped(err error, l *traces.Ledger) error {
	n := l.Dropped[traces.Malformed]
	if err != nil || n == 0 {
		return err
	}
	fmt.Fprintf(a.stderr, "bourse: %s skipped\n", terminal.Count(int(n), "malformed record was",
		"malformed records were"))
	return errSkipped
}

// outFile is where a command writes its table: what --out and --overwrite say.
type outFile struct {
	path      string
	overwrite bool
}

// define defines both flags; line says what is written. They are checked, with other files that
// are written.
func (o *outFile) define(f *flags, line string, others ...*string) {
	o.flags(f, line)
	f.check(func() error {
		var paths []string
		for _, other := range others {
			paths = append(paths, *other)
		}
		return o.check(paths...)
	})
}

func (o *outFile) flags(f *flags, line string) {
	f.StringVar(&o.path, "out", "", line)
	f.BoolVar(&o.overwrite, "overwrite", false, "replace FILE if it exists")
}

// alsoLine ends the help of flags for further tables.
const alsoLine = "to `FILE` (.csv or .parquet)"

// check refuses a table that cannot be written, before any time is spent on it, and others
// that are written with it.
func (o *outFile) check(others ...string) error {
	paths := append(others, o.path)
	switch {
	case o.overwrite && strings.Join(paths, "") == "":
		return usagef("--overwrite replaces a file; add --out FILE")
	case o.path != "" && slices.Contains(others, o.path):
		return usagef("--out %s: two tables cannot be one file; want another name", o.path)
	}
	if err := files.RecoverAt(paths...); err != nil {
		return err
	}
	for _, path := range paths {
		if err := run.CheckOut(path, o.overwrite); err != nil {
			return err
		}
	}
	return nil
}

// writeAlso writes a further table, where a file is named for it.
func (o *outFile) writeAlso(a *app, path string, t *table.Table) error {
	return files.Together(func(set *files.Set) error { return o.add(a, set, path, t) })
}

// add is writeAlso for a file that appears together with others.
func (o *outFile) add(a *app, set *files.Set, path string, t *table.Table) error {
	if path == "" {
		return nil
	}
	_, err := run.Add(set, path, a.data, o.overwrite, Version, t.Values())
	return err
}

// among wants what a flag says to be one of the names.
func among(flag, value string, names []string) error {
	if slices.Contains(names, value) {
		return nil
	}
	return usagef("--%s %q%s", flag, value, suggest.Among(value, names))
}

// typed are the flags given that decide an outcome, as they could be typed; use is called for
// each value.
func typed(f *flags, use func(g *pflag.Flag, value string)) (text string) {
	f.VisitAll(func(g *pflag.Flag) {
		switch g.Name {
		case "out", "overwrite", "workers", "quiet", "help", "format", "json", configFlag:
			return
		}
		if !g.Changed {
			return
		}
		values := []string{g.Value.String()}
		if list, ok := g.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			use(g, v)
			between := " "
			if g.NoOptDefVal != "" { // a value of its own would be an argument
				between = "="
			}
			text += " --" + g.Name + between + artifact.Quote(v)
		}
	})
	return text
}

// vacant refuses a directory that holds anything but what killed programs left; "" is none.
func vacant(dir string, or ...string) error {
	if dir == "" {
		return nil
	}
	if err := files.Recover(dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !files.IsTemporary(e.Name()) }) {
		return fmt.Errorf("%s is not empty; use %s", filepath.Clean(dir),
			strings.Join(append([]string{"another directory"}, or...), ", or "))
	}
	return nil
}
