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

// studyInputs are the flags of studies that name traces.
var studyInputs = []string{"trace", "das2", "sharcnet", "google", "logs", "data"}

// keepStudy records how a reproduction was made and makes its page, if it wrote files.
func keepStudy(f *flags, paper string) error {
	dir := f.Lookup("out").Value.String()
	if dir == "" {
		return nil
	}
	name := strings.TrimPrefix(f.Name(), "reproduce ")
	m := papers.Manifest{Bourse: Version, Study: name}
	command := "bourse " + f.Name() + typed(f, func(g *pflag.Flag, value string) {
		m.Flags = append(m.Flags, papers.Flag{Name: g.Name, Value: value,
			Input: slices.Contains(studyInputs, g.Name) || g.Name == "jobs" && g.Value.Type() == "string"})
	})
	title := "Reproduction: "
	if strings.HasPrefix(paper, "our own") {
		title = "Study: "
	}
	page := papers.Page{Title: title + name, Paper: paper, Command: command, Version: Version}
	return errors.Join(papers.WritePage(dir, page), papers.WriteManifest(dir, m))
}

// typed are the flags given that decide an outcome, as they could be typed; use is called for
// each value.
func typed(f *flags, use func(g *pflag.Flag, value string)) (text string) {
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

// study defines the flags of every study, after its own. each is what a worker does at a time; seed
// is nil if the study has no random draws of its own.
func (f *flags) study(out *string, workers *int, seed *uint64, each string) {
	if seed != nil {
		f.Uint64Var(seed, "seed", 1, "seed of all random draws")
	}
	f.StringVar(out, "out", "", "write tables (CSV) and figures (SVG, PNG) to directory `DIR`")
	overwrite := f.Bool("overwrite", false, "replace the files of an earlier reproduction in DIR")
	f.IntVar(workers, "workers", 0, each+" at a time (0: one per processor); results do not depend on it")
	f.atLeast("workers", workers, 0, "want 0 or more")
	f.check(func() error {
		switch {
		case *overwrite && *out == "":
			return usagef("--overwrite replaces files in a directory; add --out DIR")
		case *overwrite:
			return nil
		}
		return vacant(*out, "--overwrite to replace an earlier reproduction")
	})
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
		return fmt.Errorf("%s is not empty; use %s", filepath.Clean(dir),
			strings.Join(append([]string{"another directory"}, or...), ", or "))
	}
	return nil
}
