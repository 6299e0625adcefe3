package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"bourse/reports/artifact"
	"bourse/reports/papers"
	"bourse/traces/suggest"
)

// study is one paper that can be reproduced. Each has its own flags.
type study struct {
	name, paper, line string
	run               func(*app, []string) error
}

// reproduce finds the study; flags follow its name.
func reproduce(a *app, args []string) error {
	all := studies()
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.name
	}
	switch {
	case len(args) == 0:
		return usagef("reproduce needs the name of a study: %s", strings.Join(names, ", "))
	case args[0] == "-h" || args[0] == "--help":
		fmt.Fprint(a.stdout, "Usage: bourse reproduce STUDY [flags]\n\n")
		for _, s := range all {
			fmt.Fprintf(a.stdout, "  %-20s %s\n  %-20s [%s]\n", s.name, s.line, "", s.paper)
		}
		fmt.Fprintf(a.stdout, "\nbourse reproduce STUDY -h shows a study's flags.\n\nExample:\n  bourse reproduce untruthful-bids --out study-a\n")
		return nil
	}
	for _, s := range all {
		if s.name == args[0] {
			if err := s.run(a, args[1:]); err != nil {
				return err
			}
			return keepStudy(a.asked, s)
		}
	}
	return usagef("unknown study %q%s", args[0], suggest.Among(args[0], names))
}

// studyInputs are the flags of studies that name traces.
var studyInputs = []string{"trace", "das2", "sharcnet", "google", "logs", "data"}

// keepStudy records how a reproduction was made and makes its page, if it wrote files.
func keepStudy(f *pflag.FlagSet, s study) error {
	dir := f.Lookup("out").Value.String()
	if dir == "" {
		return nil
	}
	m := papers.Manifest{Bourse: Version, Study: s.name}
	command := "bourse reproduce " + s.name + typed(f, func(g *pflag.Flag, value string) {
		m.Flags = append(m.Flags, papers.Flag{Name: g.Name, Value: value, Input: slices.Contains(studyInputs, g.Name) || g.Name == "jobs" && g.Value.Type() == "string"})
	})
	title := "Reproduction: "
	if strings.HasPrefix(s.paper, "our own") {
		title = "Study: "
	}
	page := papers.Page{Title: title + s.name, Paper: s.paper, Command: command, Version: Version}
	return errors.Join(papers.WritePage(dir, page), papers.WriteManifest(dir, m))
}

// typed are the flags given that decide an outcome, as they could be typed; use is called for
// each value.
func typed(f *pflag.FlagSet, use func(g *pflag.Flag, value string)) (text string) {
	f.VisitAll(func(g *pflag.Flag) {
		switch g.Name {
		case "out", "overwrite", "workers", "quiet", "help", configFlag:
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

// studyFlags are those of every study.
type studyFlags struct {
	seed      *uint64 // nil if it has no random draws of its own
	out       *string
	workers   *int
	each      string // what a worker does at a time
	overwrite bool
}

func (s *studyFlags) define(f *pflag.FlagSet) {
	if s.seed != nil {
		f.Uint64Var(s.seed, "seed", 1, "seed of all random draws")
	}
	f.StringVar(s.out, "out", "", "write tables (CSV) and figures (SVG, PNG) to directory `DIR`")
	f.BoolVar(&s.overwrite, "overwrite", false, "replace the files of an earlier reproduction in DIR")
	f.IntVar(s.workers, "workers", 0, s.each+" at a time (0: one per processor); results do not depend on it")
}

// validate also looks whether the directory may be written to.
func (s *studyFlags) validate() error {
	switch {
	case *s.workers < 0:
		return usagef("--workers %d: want 0 or more", *s.workers)
	case s.overwrite && *s.out == "":
		return usagef("--overwrite replaces files in a directory; add --out DIR")
	}
	if s.overwrite {
		return nil
	}
	return vacant(*s.out, "--overwrite to replace an earlier reproduction")
}

// vacant refuses a directory that holds anything; "" is none.
func vacant(dir string, or ...string) error {
	if dir == "" {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s is not empty; use %s", filepath.Clean(dir), strings.Join(append([]string{"another directory"}, or...), ", or "))
	}
	return nil
}
