package page

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bourse/reports/record"
	"bourse/reports/run"
)

// maxRuns is how many runs colours and strokes tell apart.
const maxRuns = 14

// Run is a finished replay read back from its folder.
type Run struct {
	Dir      string
	Label    string // in what it differs from the others
	Manifest *run.Manifest
	Summary  *run.Summary
}

// Open reads the folders of finished replays. It refuses folders without a
// complete run, and runs of different traces unless anyTrace.
func Open(dirs []string, anyTrace bool) ([]*Run, error) {
	if len(dirs) > maxRuns {
		return nil, fmt.Errorf("%d folders; a page tells at most %d runs apart", len(dirs), maxRuns)
	}
	runs := make([]*Run, len(dirs))
	for i, dir := range dirs {
		for _, other := range dirs[:i] {
			if filepath.Clean(other) == filepath.Clean(dir) {
				return nil, fmt.Errorf("%s is named twice", dir)
			}
		}
		var err error
		if runs[i], err = open(dir); err != nil {
			return nil, err
		}
	}
	for _, r := range runs[1:] {
		if err := sameTrace(runs[0], r); err != nil && !anyTrace {
			return nil, fmt.Errorf("%w; runs of different traces say nothing about each other (--any-trace shows them beside each other all the same)", err)
		}
	}
	label(runs)
	return runs, nil
}

// sweepName is the file that a sweep's folder has (sweeps.PlanFile).
const sweepName = "sweep.json"

func open(dir string) (*Run, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: no such folder; the folder of a finished replay was expected (bourse replay TRACE --out DIR)", dir)
	case !info.IsDir():
		return nil, fmt.Errorf("%s is a file; the folder of a finished replay was expected (bourse replay TRACE --out DIR)", dir)
	}
	if _, err := os.Stat(filepath.Join(dir, sweepName)); err == nil {
		return nil, fmt.Errorf("%s holds a sweep, whose cells are aggregates without records; bourse compare %s prints it, and a page is made of the folders of bourse replay --out", dir, dir)
	}
	r := &Run{Dir: dir}
	if r.Manifest, err = run.ReadManifest(filepath.Join(dir, run.ManifestFile)); err != nil {
		return nil, notARun(dir, err)
	}
	if r.Summary, err = run.ReadSummary(filepath.Join(dir, run.SummaryFile)); err != nil {
		return nil, fmt.Errorf("%s is incomplete: %w; replay again with --overwrite", dir, err)
	}
	jobs := r.dataset("jobs")
	switch {
	case jobs == nil:
		return nil, fmt.Errorf("%s: its manifest lists no records of jobs; replay again with --overwrite", dir)
	case jobs.Format == "arrow":
		return nil, fmt.Errorf("%s: its records are in Arrow, which a page is not made of; replay with --format parquet or csv", dir)
	}
	for _, d := range r.Manifest.Datasets {
		if err := r.whole(d); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// notARun says what a folder without a manifest holds, as far as one can see.
func notARun(dir string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s does not hold a finished replay: %w", dir, err)
	}
	if _, err := os.Stat(filepath.Join(dir, run.SummaryFile)); err == nil {
		return fmt.Errorf("%s is incomplete: it has no %s, which a replay writes last; replay again with --overwrite", dir, run.ManifestFile)
	}
	return fmt.Errorf("%s does not hold a finished replay: it has no %s; bourse replay TRACE --out %s makes one", dir, run.ManifestFile, dir)
}

// whole wants a data file to be as long as the manifest says. Its hash is checked
// when it is read.
func (r *Run) whole(d record.DatasetRef) error {
	info, err := os.Stat(filepath.Join(r.Dir, d.File))
	if err != nil {
		return fmt.Errorf("%s is incomplete: %s is missing; replay again with --overwrite", r.Dir, d.File)
	}
	if info.Size() != d.Bytes {
		return fmt.Errorf("%s: %s has %d bytes and the manifest says %d; it is not the file of this run", r.Dir, d.File, info.Size(), d.Bytes)
	}
	return nil
}

// dataset finds a dataset by its name without the ending, nil if there is none.
func (r *Run) dataset(name string) *record.DatasetRef {
	for i := range r.Manifest.Datasets {
		if d := &r.Manifest.Datasets[i]; strings.TrimSuffix(d.File, filepath.Ext(d.File)) == name {
			return d
		}
	}
	return nil
}

// sameTrace compares the inputs of two runs: by hash, or by name where there is none.
func sameTrace(a, b *Run) error {
	s, t := a.Manifest.Trace, b.Manifest.Trace
	switch {
	case s.Same(t):
		return nil
	case s.Name == t.Name && s.SHA256 != "" && t.SHA256 != "":
		return fmt.Errorf("%s and %s replay a %s whose content has changed in between (its hashes differ)", a.Dir, b.Dir, s.Name)
	}
	return fmt.Errorf("%s replays %s and %s replays %s, which is another trace", a.Dir, s.Name, b.Dir, t.Name)
}

// Setting returns a run's value of one flag.
func (r *Run) Setting(key string) string { return r.Manifest.Setting(key) }

// settings lists the flags of all runs in the order of the manifests.
func settings(runs []*Run) []string {
	keys, seen := []string{"trace", "seed"}, map[string]bool{"trace": true, "seed": true}
	for _, r := range runs {
		for _, s := range run.Settings(r.Manifest.Scenario) {
			if !seen[s.Key] {
				seen[s.Key] = true
				keys = append(keys, s.Key)
			}
		}
	}
	return keys
}

// differ reports whether the runs have different values of a flag.
func differ(runs []*Run, key string) bool {
	for _, r := range runs[1:] {
		if r.Setting(key) != runs[0].Setting(key) {
			return true
		}
	}
	return false
}

// label names each run by the settings in which the runs differ, by its folder
// where that does not tell them apart.
func label(runs []*Run) {
	var keys []string
	for _, key := range settings(runs) {
		if differ(runs, key) {
			keys = append(keys, key)
		}
	}
	seen := map[string]bool{}
	for _, r := range runs {
		var parts []string
		for _, key := range keys {
			value := r.Setting(key)
			switch {
			case key == "trace":
				value = filepath.Base(value)
			case key != "policy" && key != "payment" && key != "behaviour":
				value = key + " " + quoted(value)
			}
			parts = append(parts, value)
		}
		r.Label = strings.Join(parts, ", ")
		if seen[r.Label] || len(keys) == 0 || len(r.Label) > 60 {
			byFolder(runs)
			return
		}
		seen[r.Label] = true
	}
}

// byFolder names runs by their folders; a single one by its policy and payment.
func byFolder(runs []*Run) {
	for _, r := range runs {
		r.Label = filepath.Clean(r.Dir)
	}
	if len(runs) == 1 {
		runs[0].Label = runs[0].Setting("policy")
		if pay := runs[0].Setting("payment"); pay != "" {
			runs[0].Label += " / " + pay
		}
	}
}
