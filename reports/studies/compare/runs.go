package compare

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"bourse/reports/run"
	"bourse/reports/terminal"
)

// Warnings say why finished runs may not be comparable: other traces, other versions than
// the program's.
func Warnings(runs []*run.Finished, version string) (out []string) {
	first := runs[0]
	for _, r := range runs {
		if v := r.Manifest.Bourse; v != version {
			out = append(out, fmt.Sprintf("%s was made by bourse %s and this is %s; results may differ for that reason", r.Dir, v, version))
		}
		if a, b := first.Manifest.Trace, r.Manifest.Trace; !a.Same(b) {
			out = append(out, fmt.Sprintf("%s and %s replay different traces (%s and %s)", first.Dir, r.Dir, filepath.Base(a.Name), filepath.Base(b.Name)))
		}
	}
	return out
}

// PrintRuns writes a row per finished run, which the settings in which the runs differ
// name.
func PrintRuns(w io.Writer, runs []*run.Finished) error {
	differing := differences(runs)
	shown := run.Shown(slices.ContainsFunc(runs, func(r *run.Finished) bool { return r.Summary.Market }), true)
	t := terminal.NewTable(slices.Concat(differing, run.Headings(shown))...)
	for i := range differing {
		t.Left(i)
	}
	for _, r := range runs {
		var row []string
		for _, key := range differing {
			row = append(row, setting(r, key))
		}
		t.Row(append(row, run.Cells(shown, r.Summary.Total())...)...)
	}
	return t.Write(w)
}

// RunFigures is PrintRuns for programs.
func RunFigures(runs []*run.Finished) []Figures {
	differing := differences(runs)
	rows := make([]Figures, len(runs))
	for i, r := range runs {
		rows[i] = Figures{Settings: map[string]string{"run": r.Dir}, Figures: figuresOf(r.Summary.Total())}
		for _, key := range differing {
			rows[i].Settings[key] = setting(r, key)
		}
	}
	return rows
}

// setting returns a run's value of one heading of the table.
func setting(r *run.Finished, key string) string {
	switch key {
	case "run":
		return r.Dir
	case "trace":
		return filepath.Base(r.Manifest.Trace.Name)
	}
	return r.Setting(key)
}

// differences lists the settings that are not the same in all runs, in the
// order of the first manifest; "run" if the runs differ in none.
func differences(runs []*run.Finished) []string {
	keys := []string{"trace"}
	for _, s := range run.Settings(runs[0].Manifest.Scenario) {
		if s.Key != "trace" && s.Key != "seed" {
			keys = append(keys, s.Key)
		}
	}
	keys = append(keys, "seed")
	keys = slices.DeleteFunc(keys, func(key string) bool {
		return !slices.ContainsFunc(runs, func(r *run.Finished) bool { return !strings.EqualFold(setting(r, key), setting(runs[0], key)) })
	})
	if len(keys) == 0 {
		return []string{"run"}
	}
	return keys
}
