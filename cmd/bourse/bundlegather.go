package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bourse/engine/scenario"
	"bourse/reports/run"
	"bourse/reports/studies"
	"bourse/reports/studies/bundle"
	"bourse/reports/studies/sweep"
	"bourse/traces/named"
)

// gather reads what DIR holds, and copies inputs and results.
func (b *bundling) gather() error {
	if isSweep(b.dir) {
		return b.gatherSweep()
	}
	m, err := studies.ReadManifest(filepath.Join(b.dir, run.ManifestFile))
	switch {
	case err != nil:
		return err
	case m != nil:
		return b.gatherStudy(m)
	}
	old, err := b.manifestOfRun()
	if err != nil {
		return err
	}
	return b.gatherRun(old)
}

func (b *bundling) gatherRun(m *run.Manifest) error {
	s, err := b.scenario(m)
	if err != nil {
		return err
	}
	if s.Trace, err = b.put(m.Trace.Name, s.Trace, m.Trace.SHA256); err != nil {
		return err
	}
	old := m.Scripts
	if m.Scripts, err = b.move(&s, old); err != nil {
		return err
	}
	if m.Written.SWF != nil { // its header has the policy
		if err := b.tied(old, m.Scripts, m.Setting("policy")+m.Setting("payment")+m.Setting("behaviour")); err != nil {
			return err
		}
	}
	b.Kind, b.Name = "replay", fmt.Sprintf("replay of %s under %s", s.Trace, s.Policy)
	words := append([]string{"replay", s.Trace}, options(&s)...)
	b.Command = commandLine(append(append(words, recordFlags(&m.Written)...), "--out", "../again"))
	for _, f := range []*run.FileRef{m.Written.SWF, m.Written.Users, perfettoFile(&m.Written)} {
		if f != nil {
			if err := b.beside(f); err != nil {
				return err
			}
		}
	}
	for _, d := range m.Datasets {
		if err := b.result(d.File, d.SHA256); err != nil {
			return err
		}
	}
	if err := b.result(run.SummaryFile, ""); err != nil {
		return err
	}
	m.Trace.Name = s.Trace
	if m.Scenario, err = json.Marshal(&s); err != nil {
		return err
	}
	return b.keep(run.ManifestFile, m)
}

func (b *bundling) gatherSweep() error {
	plan, err := sweep.ReadPlan(b.dir)
	if err != nil {
		return err
	}
	s := &plan.Scenario
	if s.Bids, err = b.table(s.Bids, plan.Bids); err != nil {
		return err
	}
	if err := b.scripts(plan.Scripts); err != nil {
		return err
	}
	words := []string{"sweep"}
	specs := map[string]string{}
	for i := range plan.Traces {
		t := &plan.Traces[i]
		found, err := b.repeat.trace(t.Spec, t.SHA256, len(plan.Traces) > 1)
		if err != nil {
			return err
		}
		was := t.Spec
		if t.Spec, err = b.put(was, found, t.SHA256); err != nil {
			return err
		}
		specs[was] = t.Spec
		words = append(words, t.Spec)
	}
	old := plan.Scripts
	if plan.Scripts, err = b.move(s, old); err != nil {
		return err
	}
	for _, x := range plan.Axes {
		if x.Name != sweep.Trace {
			if err := b.tied(old, plan.Scripts, strings.Join(x.Values, " ")); err != nil {
				return err
			}
		}
	}
	b.Kind, b.Name = "sweep", "sweep over "+strings.Join(words[1:], ", ")
	b.Command = commandLine(append(append(append(words, axisFlags(plan)...), options(s)...), "--out", "../again"))
	return b.keepSweep(plan, specs)
}

// tied refuses a path of this machine in a text that stands in results.
func (b *bundling) tied(old, moved []run.FileRef, text string) error {
	for i, f := range old {
		if f.File != moved[i].File && strings.Contains(text, f.File) {
			return fmt.Errorf("the results in %s name %s by a path of this machine; make them anew in the folder of that file, naming it %s", b.dir, f.File, moved[i].File)
		}
	}
	return nil
}

// keepSweep keeps the results of a sweep.
func (b *bundling) keepSweep(plan *sweep.Plan, specs map[string]string) error {
	if err := b.result(run.CellsFile, ""); err != nil {
		return err
	}
	for _, c := range sweep.Cells(plan.Axes) {
		if err := b.result(filepath.Join(c.Folder(), run.SummaryFile), ""); err != nil {
			return err
		}
		if !plan.Records {
			continue
		}
		name := filepath.Join(c.Folder(), run.ManifestFile)
		m, err := run.ReadManifest(filepath.Join(b.dir, name))
		if err != nil {
			return err
		}
		for _, d := range m.Datasets {
			if err := b.result(filepath.Join(c.Folder(), d.File), d.SHA256); err != nil {
				return err
			}
		}
		x, err := scenario.Parse(m.Scenario)
		if err != nil {
			return err
		}
		x.Trace, x.Bids = specs[x.Trace], plan.Scenario.Bids
		if t := scenario.MachineTable(x.Machines); t != "" {
			x.Machines = strings.ReplaceAll(x.Machines, t, inBox(t))
		}
		if m.Scenario, err = json.Marshal(&x); err != nil {
			return err
		}
		m.Trace.Name = x.Trace
		if err := b.keep(name, m); err != nil {
			return err
		}
	}
	if err := b.keep(sweep.ManifestFile, plan.Manifest()); err != nil {
		return err
	}
	return b.keep(sweep.PlanFile, plan)
}

func (b *bundling) gatherStudy(m *studies.Manifest) error {
	words := []string{"reproduce", m.Study}
	for i := range m.Flags {
		f := &m.Flags[i]
		if f.SHA256 != "" {
			found, err := b.repeat.trace(f.Value, f.SHA256, true)
			if err == nil {
				f.Value, err = b.put(f.Value, found, f.SHA256)
			}
			if err != nil {
				return err
			}
		}
		words = append(words, "--"+f.Name+"="+f.Value)
	}
	b.Kind, b.Name = "study", "reproduction of the study "+m.Study
	b.Command = commandLine(append(words, "--out", "../again"))
	b.Results = "see expected/claims.csv, a row for each claim, and expected/report.txt"
	for _, f := range m.Files {
		if err := b.result(f.File, f.SHA256); err != nil {
			return err
		}
	}
	if text, err := os.ReadFile(filepath.Join(b.dir, "report.txt")); err == nil {
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		b.Results += "; its last line:\n" + lines[len(lines)-1]
	}
	return b.keep(run.ManifestFile, m)
}

// keep writes a manifest among the results.
func (b *bundling) keep(name string, m any) error {
	path := filepath.Join(b.box, bundle.Expected, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return run.WriteFileJSON(path, m)
}

// beside copies a file that was written beside the results, or notes it if it is elsewhere.
func (b *bundling) beside(f *run.FileRef) error {
	dir := b.dir
	defer func() { b.dir = dir }()
	if _, err := os.Stat(filepath.Join(dir, f.File)); errors.Is(err, fs.ErrNotExist) {
		b.dir = filepath.Join(dir, "..")
	}
	return b.result(f.File, f.SHA256)
}

// put puts a trace in, if that may be, and returns by what it is named there. It was named
// spec, and is found now.
func (b *bundling) put(spec, found, sum string) (string, error) {
	path := run.InputPath(found)
	if path == "" {
		b.Traces, b.at = append(b.Traces, bundle.Trace{Spec: found}), append(b.at, "")
		return found, nil
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	t := bundle.Trace{SHA256: sum, Known: named.Known(spec, filepath.Base(path), sum)}
	if t.Bytes, err = bundle.Size(path); err != nil {
		return "", err
	}
	b.judge(&t)
	switch {
	case strings.Contains(found, path):
		t.Spec = strings.Replace(found, path, filepath.Base(path), 1)
		b.at = append(b.at, strings.Replace(found, path, abs, 1))
	case t.Copied:
		t.Spec = t.Known.Format + ":" + filepath.Base(path)
		b.at = append(b.at, t.Known.Format+":"+abs)
	default:
		t.Spec, b.at = found, append(b.at, found)
	}
	b.Traces = append(b.Traces, t)
	if t.Copied {
		err = bundle.Copy(path, filepath.Join(b.box, bundle.Inputs, filepath.Base(path)))
	}
	return t.Spec, err
}

// judge says whether a trace is copied, and why.
func (b *bundling) judge(t *bundle.Trace) {
	switch {
	case b.copy:
		t.Copied, t.Why = true, "the authors have put it there"
	case b.never:
		t.Why = "the authors have left it out"
	case t.Known == nil:
		t.Why = "who may publish it is not known"
	case t.Known.From().Licence == "":
		t.Why = "its terms do not say that copies may be published (" + t.Known.From().Terms + ")"
	case t.Bytes > bundle.Limit:
		t.Why = "it is large"
	default:
		t.Copied, t.Why = true, "its licence, "+t.Known.From().Licence+", allows copies"
	}
}

// inBox is the path of an input in the bundle: as it was named, or its last part.
func inBox(path string) string {
	if filepath.IsLocal(path) {
		return filepath.ToSlash(path)
	}
	return filepath.Base(path)
}

// move copies scripts and tables, and lets the scenario name them there.
func (b *bundling) move(s *scenario.Scenario, refs []run.FileRef) (moved []run.FileRef, err error) {
	from := map[string]string{}
	put := func(path string) (string, error) {
		name := inBox(path)
		if other, taken := from[name]; taken && other != path {
			return "", fmt.Errorf("%s and %s have one name; give one of them another, and make %s anew", path, other, b.dir)
		}
		from[name] = path
		return name, bundle.Copy(path, filepath.Join(b.box, bundle.Inputs, filepath.FromSlash(name)))
	}
	if s.Bids != "" {
		if s.Bids, err = put(s.Bids); err != nil {
			return nil, err
		}
	}
	for _, f := range refs {
		name, err := put(f.File)
		if err != nil {
			return nil, err
		}
		for _, field := range []*string{&s.Policy, &s.Payment, &s.Values, &s.Behaviour, &s.Machines} {
			*field = strings.ReplaceAll(*field, f.File, name)
		}
		moved = append(moved, run.FileRef{File: name, SHA256: f.SHA256})
	}
	return moved, nil
}
