package artifact

import (
	"fmt"
	"path/filepath"
	"strings"

	"bourse/reports/ask/sweep"
	"bourse/reports/record"
	"bourse/reports/run"
)

// Sweep is a finished sweep.
type Sweep struct {
	plan *sweep.Plan
	dir  string
}

func (*Sweep) Kind() string  { return "sweep" }
func (s *Sweep) Dir() string { return s.dir }

func (s *Sweep) Inputs() (list []Input) {
	for _, t := range s.plan.Traces {
		list = append(list, Input{TraceInput, t.Spec, t.SHA256})
	}
	if s.plan.Scenario.Bids != "" {
		list = append(list, Input{BidsInput, s.plan.Scenario.Bids, s.plan.Bids})
	}
	return append(list, scripts(s.plan.Scripts)...)
}

func (s *Sweep) Command(at []string) []string {
	words := append([]string{"sweep"}, namedAt(s.Inputs(), at)[:len(s.plan.Traces)]...)
	words = append(words, given(settingsOf(&s.plan.Scenario))...)
	for _, x := range s.plan.Axes {
		if x.Name == sweep.Seed {
			x.Name = "seeds"
		}
		words = append(words, given([]run.Setting{{Key: x.Name, Value: strings.Join(x.Values, ",")}})...)
	}
	return append(words, given([]run.Setting{{Key: "records", Value: fmt.Sprint(s.plan.Records)}})...)
}

func (s *Sweep) Settings() []string {
	texts := valuesOf(&s.plan.Scenario)
	for _, x := range s.plan.Axes {
		if x.Name != sweep.Trace {
			texts = append(texts, x.Values...)
		}
	}
	return texts
}

func (s *Sweep) Outputs(repetition string) ([]Output, error) {
	if repetition == "" { // the plan may promise a million cells
		if _, err := sweep.ReadWhole(s.dir); err != nil {
			return nil, err
		}
	}
	list := []Output{{Name: run.CellsFile}, {Name: filepath.FromSlash(sweep.ManifestFile), As: Cell}}
	for _, c := range sweep.Cells(s.plan.Axes) {
		cell := c.Folder()
		var datasets []record.DatasetRef
		if s.plan.Records {
			path := filepath.Join(cell, run.ManifestFile)
			m, err := run.ReadManifest(filepath.Join(s.dir, path))
			if err != nil {
				if m, err = run.ReadManifest(filepath.Join(repetition, path)); err != nil {
					return nil, err
				}
				for i := range m.Datasets { // it has the names of the files and not their hashes
					m.Datasets[i].SHA256 = ""
				}
			}
			datasets = m.Datasets
			list = append(list, Output{path, "", Cell})
		}
		list = append(list, results(cell, datasets, run.SummaryFile)...)
	}
	return append(list, Output{filepath.FromSlash(sweep.PlanFile), "", Manifest}), nil
}

func (s *Sweep) Again(p *Program, at []string, dir string) (string, error) {
	plan := *s.plan
	if plan.Scenario.Bids != "" {
		plan.Scenario.Bids = at[len(plan.Traces)]
	}
	to := filepath.Join(dir, "cells")
	return to, p.Sweep(&plan, at[:len(plan.Traces)], to)
}
