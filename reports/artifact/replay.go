package artifact

import (
	"fmt"
	"os"
	"path/filepath"

	"bourse/engine/scenario"
	"bourse/reports/run"
)

// Replay is a finished replay.
type Replay struct {
	manifest     *run.Manifest
	dir, version string
}

func (*Replay) Kind() string  { return "replay" }
func (r *Replay) Dir() string { return r.dir }

// Inputs are the trace, the table of bids if there is one, and scripts.
func (r *Replay) Inputs() []Input {
	list := []Input{{TraceInput, r.manifest.Trace.Name, r.manifest.Trace.SHA256}}
	if bids := r.manifest.Setting("bids"); bids != "" {
		list = append(list, Input{BidsInput, bids, r.manifest.Bids})
	}
	return append(list, scripts(r.manifest.Scripts)...)
}

// Scenario is the one replayed, with its inputs at those paths.
func (r *Replay) Scenario(at []string) (scenario.Scenario, error) {
	s, err := ScenarioOf(r.dir, r.manifest, r.version)
	if err != nil {
		return s, err
	}
	if s.Trace = at[0]; s.Bids != "" {
		s.Bids = at[1]
	}
	return s, nil
}

// ScenarioOf reads the scenario of a run. The error names the file that is wrong, and the
// program that wrote it if that is of another version.
func ScenarioOf(dir string, m *run.Manifest, version string) (scenario.Scenario, error) {
	s, err := scenario.Parse(m.Scenario)
	if err == nil {
		return s, nil
	}
	by := ""
	if m.Bourse != version {
		by = fmt.Sprintf("; bourse %s wrote it, and this is %s", m.Bourse, version)
	}
	// The fault is in the file, not in an option that was given.
	return s, fmt.Errorf("%s: %v%s", filepath.Join(dir, run.ManifestFile), err, by)
}

func (r *Replay) Settings() []string {
	s, err := ScenarioOf(r.dir, r.manifest, r.version)
	if err != nil {
		return nil // it cannot be repeated
	}
	return valuesOf(&s)
}

// files are those written in addition to the directory, by the flags that name them.
func (r *Replay) files() (flags []string, refs []*run.FileRef) {
	w := &r.manifest.Written
	var timeline *run.FileRef
	if w.Perfetto != nil {
		timeline = &w.Perfetto.FileRef
	}
	for i, ref := range []*run.FileRef{w.SWF, w.Users, timeline} {
		if ref != nil {
			flags, refs = append(flags, []string{"swf", "users", "perfetto"}[i]), append(refs, ref)
		}
	}
	return flags, refs
}

func (r *Replay) Command(at []string) []string {
	w := &r.manifest.Written
	words := append([]string{"replay", namedAt(r.Inputs(), at)[0]}, given(run.Settings(r.manifest.Scenario))...)
	words = append(words, given([]run.Setting{
		{Key: "format", Value: w.Format}, {Key: "segments", Value: fmt.Sprint(w.Segments)},
		{Key: "series", Value: w.Series}, {Key: "causes", Value: fmt.Sprint(w.Causes)},
	})...)
	if w.Perfetto != nil {
		words = append(words, given([]run.Setting{{Key: "perfetto-window", Value: w.Perfetto.Window}})...)
	}
	flags, refs := r.files()
	for i, f := range refs {
		words = append(words, "--"+flags[i]+"=../"+f.File)
	}
	return words
}

func (r *Replay) Outputs(string) ([]Output, error) {
	list := append(results("", r.manifest.Datasets, run.SummaryFile), Output{run.ManifestFile, "", Manifest})
	_, refs := r.files()
	for _, f := range refs {
		list = append(list, Output{filepath.Base(f.File), f.SHA256, Away})
	}
	return list, nil
}

func (r *Replay) Again(p *Program, at []string, dir string) (string, error) {
	s, err := r.Scenario(at)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	w := r.manifest.Written
	moved := func(ref *run.FileRef) *run.FileRef {
		if ref == nil {
			return nil
		}
		return &run.FileRef{File: filepath.Join(dir, filepath.Base(ref.File))}
	}
	w.SWF, w.Users = moved(w.SWF), moved(w.Users)
	if t := w.Perfetto; t != nil {
		w.Perfetto = &run.TimelineRef{FileRef: *moved(&t.FileRef), Window: t.Window, Sample: t.Sample}
	}
	to := filepath.Join(dir, "run")
	return to, p.Replay(s, w, to)
}
