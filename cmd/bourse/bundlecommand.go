package main

import (
	"path/filepath"
	"strings"

	"bourse/engine/scenario"
	"bourse/reports/run"
	"bourse/reports/studies/bundle"
	"bourse/reports/studies/sweep"
)

// commandLine is a command line as a shell reads it.
func commandLine(words []string) string {
	quoted := []string{"bourse"}
	for _, w := range words {
		quoted = append(quoted, bundle.Quote(w))
	}
	return strings.Join(quoted, " ")
}

// options are the flags that make a scenario of the default one.
func options(s *scenario.Scenario) (flags []string) {
	usual := scenario.Default()
	if s.Policy != "" {
		usual.Market = scenario.Market{Policy: s.Policy, Seed: usual.Seed}.Settled()
	}
	for i := range scenario.Options {
		o := &scenario.Options[i]
		if text := o.Text(s); text != o.Text(&usual) || o.Name == "policy" && text != "" {
			flags = append(flags, flagOf(o, text)...)
		}
	}
	return flags
}

func flagOf(o *scenario.Option, text string) []string {
	switch {
	case o.Kind == "bool" && text == "true":
		return []string{"--" + o.Name}
	case o.Kind == "bool" || o.Bare != "":
		return []string{"--" + o.Name + "=" + text}
	}
	return []string{"--" + o.Name, text}
}

// axisFlags are the flags of a sweep's axes.
func axisFlags(plan *sweep.Plan) (flags []string) {
	for _, x := range plan.Axes {
		list := strings.Join(x.Values, ",")
		switch {
		case x.Name == sweep.Trace || x.Name == sweep.Nodes && list == "0":
			continue
		case x.Name == sweep.Seed:
			x.Name = "seeds"
		}
		flags = append(flags, "--"+x.Name, list)
	}
	if plan.Records {
		flags = append(flags, "--records")
	}
	return flags
}

// recordFlags are the flags for what a run keeps.
func recordFlags(w *run.Written) (flags []string) {
	add := func(on bool, words ...string) {
		if on {
			flags = append(flags, words...)
		}
	}
	add(w.Format != "", "--format", w.Format)
	add(w.Segments, "--segments")
	add(w.Series == everyChange, "--series")
	add(w.Series != "" && w.Series != everyChange, "--series="+w.Series)
	add(w.Causes, "--causes")
	for _, f := range []struct {
		flag string
		ref  *run.FileRef
	}{{"--swf", w.SWF}, {"--users", w.Users}, {"--perfetto", perfettoFile(w)}} {
		if f.ref != nil {
			add(true, f.flag, "../"+filepath.Base(f.ref.File))
		}
	}
	return flags
}

func perfettoFile(w *run.Written) *run.FileRef {
	if w.Perfetto == nil {
		return nil
	}
	return &w.Perfetto.FileRef
}
