// Package artifact says what a finished replay, sweep or study consists of: its inputs, its
// command and its files (Finished). From that it repeats the work and compares the results
// (Comparison.Repeat), and makes a folder to hand over (Bundle): inputs, command, expected
// results, how to verify them, and what to cite. The folder has what artifact-evaluation
// committees ask for (ARTIFACT.md) and is an RO-Crate (ro-crate-metadata.json).
package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bourse/engine/scenario"
	"bourse/policies/catalog"
	"bourse/reports/ask/sweep"
	"bourse/reports/papers"
	"bourse/reports/record"
	"bourse/reports/run"
)

// Finished is a finished replay, sweep or study, read back from its directory.
type Finished interface {
	// Kind is replay, sweep or study.
	Kind() string
	Dir() string
	// Inputs are the files that it read and the models that it drew from.
	Inputs() []Input
	// Command is the command line that does the work, without the program and where results
	// go. The inputs are at those paths, or where they were if there are none.
	Command(at []string) []string
	// Outputs are the files that it consists of. A sweep without the manifest of a cell takes
	// that of the repetition.
	Outputs(repetition string) ([]Output, error)
	// Settings are the texts that may name policies.
	Settings() []string
	// Again does the work once more in a directory and returns where the results are.
	Again(p *Program, at []string, dir string) (repetition string, err error)
}

// Program does what a command line asks for.
type Program struct {
	Version string
	// Replay keeps the records that w says in a directory; files of w have paths.
	Replay func(s scenario.Scenario, w run.Written, dir string) error
	// Sweep replays the cells of a plan on the traces at those paths.
	Sweep func(plan *sweep.Plan, at []string, dir string) error
	// Study reproduces a paper, as the words of a command line say.
	Study func(words []string) error
	// Table prints a finished sweep.
	Table func(dir string) (string, error)
}

// Input is a trace, a table of bids or another file that was read. SHA256 is empty for models.
type Input struct{ Role, Spec, SHA256 string }

// What inputs are.
const (
	TraceInput  = "trace"
	BidsInput   = "table of bids"
	ScriptInput = "file" // scripts of policies and tables of machines
)

// Output is one file of a finished thing.
type Output struct {
	Name   string // from the directory
	SHA256 string // empty where no manifest has it
	As     Part
}

// Part is what a file is to the results.
type Part int

// What files are.
const (
	Result   Part = iota // the same bytes each time
	Away                 // a result above the directory or in it, which may be elsewhere by now
	Cell                 // the manifest of a cell, which names inputs by their paths
	Manifest             // it says how the results were made
	Page                 // made of the results
)

// path is where the file is, in or above a directory.
func (o Output) path(dir string) string { return filepath.Join(o.folder(dir), o.Name) }

func (o Output) folder(dir string) string {
	if _, err := os.Stat(filepath.Join(dir, o.Name)); err != nil && o.As == Away {
		return filepath.Join(dir, "..")
	}
	return dir
}

// Folder is the directory of results that a path names, itself or by a manifest in it.
func Folder(path string) string {
	if name := filepath.Base(path); name == run.ManifestFile || name == filepath.Base(sweep.PlanFile) {
		path = filepath.Dir(path)
	}
	if filepath.Base(path) == run.SweepFolder {
		path = filepath.Dir(path)
	}
	return path
}

// IsSweep reports whether a directory is that of a sweep.
func IsSweep(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, sweep.PlanFile))
	return err == nil
}

// ProgramError says that to repeat work, programs would be started that the folder names: it
// may be another person's, and they would run with the user's rights.
type ProgramError struct {
	Dir      string
	Commands []string
}

func (e *ProgramError) Error() string {
	return fmt.Sprintf("to repeat %s starts a program that its manifest names: %s", e.Dir,
		strings.Join(e.Commands, "; "))
}

// Programs are those that are started when f is repeated.
func Programs(f Finished) []string { return catalog.Programs(f.Settings()...) }

// Open reads the finished thing in a directory; version is the program's. One that starts
// programs is refused by a ProgramError unless they are allowed.
func Open(dir, version string, programs bool) (Finished, error) {
	f, err := open(dir, version)
	if err != nil {
		return nil, err
	}
	if commands := Programs(f); len(commands) > 0 && !programs {
		return nil, &ProgramError{dir, commands}
	}
	return f, nil
}

func open(dir, version string) (Finished, error) {
	if IsSweep(dir) {
		plan, err := sweep.ReadPlan(dir)
		return &Sweep{plan, dir}, err
	}
	path := filepath.Join(dir, run.ManifestFile)
	if m, err := papers.ReadManifest(path); err != nil || m != nil {
		return &Study{m, dir}, err
	}
	m, err := run.ReadManifest(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no manifest: it is not a finished run, sweep or study", dir)
	}
	return &Replay{m, dir, version}, err
}

// valuesOf are the texts of a scenario's settings but the trace, which is a path.
func valuesOf(s *scenario.Scenario) (texts []string) {
	for _, x := range settingsOf(s) {
		if x.Key != sweep.Trace {
			texts = append(texts, x.Value)
		}
	}
	return texts
}

func scripts(refs []run.FileRef) (list []Input) {
	for _, f := range refs {
		list = append(list, Input{ScriptInput, f.File, f.SHA256})
	}
	return list
}

// results are the files of a run in a folder, in order of their names.
func results(folder string, datasets []record.DatasetRef, others ...string) (list []Output) {
	for _, d := range datasets {
		list = append(list, Output{Name: filepath.Join(folder, d.File), SHA256: d.SHA256})
	}
	for _, name := range others {
		list = append(list, Output{Name: filepath.Join(folder, name)})
	}
	slices.SortFunc(list, func(a, b Output) int { return strings.Compare(a.Name, b.Name) })
	return list
}
