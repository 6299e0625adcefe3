//go:build !js

package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"bourse/engine/scenario"
	"bourse/reports/papers"
	"bourse/reports/papers/atlas"
	"bourse/reports/papers/bills"
	"bourse/reports/papers/dynamicsharing"
	"bourse/reports/papers/fragmentation"
	"bourse/reports/papers/late"
	"bourse/reports/papers/multiresource"
	"bourse/reports/papers/priceanticipating"
	"bourse/reports/papers/rounds"
	"bourse/reports/papers/together"
	"bourse/reports/papers/untruthful"
	"bourse/reports/papers/waiting"
	"bourse/traces/suggest"
)

// reproduce lists the studies. Each is a command, whose name follows.
func reproduce(a *app, f *flags) action {
	f.SetInterspersed(false)
	var names []string
	for _, s := range studies() {
		names = append(names, strings.TrimPrefix(s.Name, "reproduce "))
	}
	f.FlagSet.Usage = func() {
		fmt.Fprint(a.stdout, "Usage: bourse reproduce STUDY [flags]\n\n")
		for i, s := range studies() {
			fmt.Fprintf(a.stdout, "  %-20s %s\n  %-20s [%s]\n", names[i], s.Line, "", s.Paper)
		}
		fmt.Fprint(a.stdout, "\nbourse reproduce STUDY -h shows a study's flags.\n\nExample:\n  bourse reproduce "+
			"untruthful-bids --out study-a\n")
	}
	return func() error {
		if f.NArg() == 0 {
			return usagef("reproduce needs the name of a study: %s", strings.Join(names, ", "))
		}
		return usagef("unknown study %q%s", f.Arg(0), suggest.Among(f.Arg(0), names))
	}
}

// studies are what bourse reproduce can do, in the order its help shows it.
func studies() (all []command) {
	for _, make := range []func() papers.Program{untruthful.Program, priceanticipating.Program, dynamicsharing.Program,
		multiresource.Program, fragmentation.Program, waiting.Program, late.Program, bills.Program, together.Program,
		rounds.Program, atlas.Program} {
		p := make()
		c := command{Name: "reproduce " + p.Name, Paper: p.Paper, Line: p.Line, Example: p.Example, Takes: "flags only"}
		if slices.ContainsFunc(p.Options, func(o papers.Option) bool { return o.Name == "logs" }) {
			c.Takes += "; name logs with --logs LOG,LOG"
		}
		c.Run = func(a *app, f *flags) action {
			s := study{Program: make()}
			s.define(a, f)
			return func() error { return s.run(a, f) }
		}
		all = append(all, c)
	}
	return all
}

// study is one of them with its flags.
type study struct {
	papers.Program
	tableFormat
	dir string
}

func (s *study) define(a *app, f *flags) {
	for i := range s.Options {
		f.studyOption(&s.Options[i])
	}
	if s.Seed != nil {
		f.Uint64Var(s.Seed, "seed", 1, "seed of all random draws")
	}
	s.tableFormat.define(f)
	f.StringVar(&s.dir, "out", "", "write tables (CSV) and figures (SVG, PNG) to directory `DIR`")
	overwrite := f.Bool("overwrite", false, "replace the files of an earlier reproduction in DIR")
	f.IntVar(s.Workers, "workers", 0, s.Each+" at a time (0: one per processor); results do not depend on it")
	f.atLeast("workers", s.Workers, 0, papers.ZeroOrMore)
	a.quietFlag(f)
	f.check(func() error {
		switch {
		case *overwrite && s.dir == "":
			return usagef("--overwrite replaces files in a directory; add --out DIR")
		case *overwrite:
			return nil
		}
		return vacant(s.dir, "--overwrite to replace an earlier reproduction")
	}, func() error {
		if s.Check == nil {
			return nil
		}
		return s.Check(f.Changed)
	})
}

// studyOption defines the flag of an option and its checks.
func (f *flags) studyOption(o *papers.Option) {
	switch to := o.To.(type) {
	case *string:
		f.StringVar(to, o.Name, *to, o.Line)
	case *[]string:
		f.StringSliceVar(to, o.Name, nil, o.Line)
	case *float64:
		f.Float64Var(to, o.Name, *to, o.Line)
	case *bool:
		f.BoolVar(to, o.Name, *to, o.Line)
	case *int:
		f.IntVar(to, o.Name, *to, o.Line)
		f.atLeast(o.Name, to, o.Least, o.Why)
	}
	f.check(func() error {
		switch {
		case !f.Changed(o.Name):
			return nil
		case o.Needs != "" && f.isEmpty(o.Needs):
			return usagef("--%s changes nothing here; add %s", o.Name, f.named(o.Needs))
		case o.Other != "" && f.Changed(o.Other):
			return &scenario.ConflictError{One: o.Other, Other: o.Name, Why: "each says the same; give one of them"}
		case o.Among != nil:
			return among(o.Name, f.Lookup(o.Name).Value.String(), o.Among)
		}
		return nil
	})
}

// named is a flag with the name of its value.
func (f *flags) named(name string) string {
	value, _ := pflag.UnquoteUsage(f.Lookup(name))
	return strings.TrimSpace("--" + name + " " + value)
}

// isEmpty reports whether a flag has the value that it has when it is not given.
func (f *flags) isEmpty(name string) bool {
	return slices.Contains([]string{"", "[]", "false"}, f.Lookup(name).Value.String())
}

// run makes the study, and says what its report leaves out.
func (s *study) run(a *app, f *flags) error {
	out, err := s.output(a)
	if err != nil {
		return err
	}
	report, err := papers.NewStudy(out, s.dir)
	if err != nil {
		return err
	}
	defer func() { _ = report.Abort() }()
	line := a.cells()
	err = s.Run(a.ctx, report, line.replayed)
	line.end()
	if err != nil {
		return err
	}
	var without []string
	for _, o := range s.Options {
		if o.Part && f.isEmpty(o.Name) {
			without = append(without, f.named(o.Name))
		}
	}
	if len(without) > 0 {
		fmt.Fprintf(a.stderr, "For what is left out, give %s.\n", strings.Join(without, " and "))
	}
	return s.publish(report, f)
}

// publish completes the files of a reproduction by its page and how it was made.
func (s *study) publish(report *papers.Study, f *flags) error {
	m := papers.Manifest{Bourse: Version, Study: s.Name}
	command := "bourse " + f.Name() + typed(f, func(g *pflag.Flag, value string) {
		m.Flags = append(m.Flags, papers.Flag{Name: g.Name, Value: value,
			Input: slices.ContainsFunc(s.Options, func(o papers.Option) bool { return o.Name == g.Name && o.Input })})
	})
	title := "Reproduction: "
	if strings.HasPrefix(s.Paper, "our own") {
		title = "Study: "
	}
	page := papers.Page{Title: title + s.Name, Paper: s.Paper, Command: command, Version: Version}
	return report.Publish(page, &m)
}
