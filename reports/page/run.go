package page

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"bourse/reports/run"
)

// maxRuns is how many runs colours and strokes can distinguish.
const maxRuns = 14

// Run is a finished run on a page.
type Run struct {
	*run.Finished
	Label string // in what it differs from the others
}

// Open reads the directories of finished runs. It refuses directories without a
// complete run, and runs of different traces unless anyTrace.
func Open(dirs []string, anyTrace bool) ([]*Run, error) {
	if len(dirs) > maxRuns {
		return nil, fmt.Errorf("%d runs; a page shows at most %d", len(dirs), maxRuns)
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
			return nil, err
		}
	}
	label(runs)
	return runs, nil
}

// open reads a run whose records a page can be made of.
func open(dir string) (*Run, error) {
	f, err := run.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := f.Complete(); err != nil {
		return nil, err
	}
	switch jobs := f.Dataset("jobs"); {
	case jobs == nil:
		return nil, &RecordsError{dir, "its manifest lists no records of jobs"}
	case jobs.Format == "arrow":
		return nil, &RecordsError{dir, "its records are in Arrow, which a page is not made of"}
	}
	return &Run{Finished: f}, nil
}

// RecordsError says that a run has no records that a page can be made of.
type RecordsError struct{ Dir, Why string }

func (e *RecordsError) Error() string { return e.Dir + ": " + e.Why }

// OtherTraceError says that two runs replay different traces.
type OtherTraceError struct{ First, Second *Run }

func (e *OtherTraceError) Error() string {
	s, t := e.First.Manifest.Trace, e.Second.Manifest.Trace
	if s.Name == t.Name && s.SHA256 != "" && t.SHA256 != "" {
		return fmt.Sprintf("%s and %s replay a %s whose content has changed in between (its hashes differ)", e.First.Dir,
			e.Second.Dir, s.Name)
	}
	return fmt.Sprintf("%s replays %s and %s replays %s, which is another trace", e.First.Dir, s.Name, e.Second.Dir,
		t.Name)
}

// sameTrace compares the inputs of two runs: by hash, or by name where there is none.
func sameTrace(a, b *Run) error {
	if a.Manifest.Trace.Same(b.Manifest.Trace) {
		return nil
	}
	return &OtherTraceError{a, b}
}

// settings lists the options of all runs in the order of the manifests.
func settings(runs []*Run) []string {
	keys := []string{"trace", "seed"}
	for _, r := range runs {
		for _, s := range run.Settings(r.Manifest.Scenario) {
			if !slices.Contains(keys, s.Key) {
				keys = append(keys, s.Key)
			}
		}
	}
	return keys
}

// differ reports whether the runs have different values of an option.
func differ(runs []*Run, key string) bool {
	return slices.ContainsFunc(runs[1:], func(r *Run) bool { return r.Setting(key) != runs[0].Setting(key) })
}

// label names each run by the settings in which the runs differ, by its directory
// where that does not distinguish them.
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
			byDirectory(runs)
			return
		}
		seen[r.Label] = true
	}
}

// byDirectory names runs by their directories; a single one by its policy and payment.
func byDirectory(runs []*Run) {
	for _, r := range runs {
		r.Label = filepath.Clean(r.Dir)
	}
	if len(runs) == 1 {
		runs[0].Label = runs[0].Setting("policy")
		if pay := runs[0].Setting("payment"); pay != "" && pay != "none" {
			runs[0].Label += " / " + pay
		}
	}
}
