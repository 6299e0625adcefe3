package compare

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"bourse/reports/run"
)

// Warnings say why finished runs may not be comparable: other traces, other versions than
// the program's.
func Warnings(runs []*run.Finished, version string) (out []string) {
	first := runs[0]
	for _, r := range runs {
		if v := r.Manifest.Bourse; v != version {
			out = append(out, fmt.Sprintf("%s was made by bourse %s and this is %s; results may differ for that reason", r.Dir,
				v, version))
		}
		if a, b := first.Manifest.Trace, r.Manifest.Trace; !a.Same(b) {
			out = append(out, fmt.Sprintf("%s and %s replay different traces (%s and %s)", first.Dir, r.Dir,
				filepath.Base(a.Name), filepath.Base(b.Name)))
		}
	}
	return out
}

// Finished makes a table of finished runs, which the settings in which they differ name.
// by is what jobs are grouped by, too, or empty.
func Finished(runs []*run.Finished, metric run.Measure, by string) *Ranking {
	t := &Ranking{Keys: differing(runs), Metric: metric, by: by}
	for _, r := range runs {
		e := &Entry{Dir: r.Dir, Cells: []run.Figures{r.Summary.Total()}, Market: r.Summary.Market,
			Recorded: r.Summary.Recorded}
		for _, key := range t.Keys {
			e.Settings = append(e.Settings, setting(r, key))
			if slices.Contains(choices, key) {
				e.Name += "/" + setting(r, key)
			}
		}
		if e.Name = strings.TrimPrefix(e.Name, "/"); e.Name == "" {
			e.Name = r.Setting("policy")
		}
		t.Entries = append(t.Entries, e)
	}
	t.tellApart(func(e *Entry) (words []string) {
		for i, key := range t.Keys {
			if !slices.Contains(choices, key) && key != "run" {
				words = append(words, key+" "+e.Settings[i])
			}
		}
		return words
	})
	t.tellApart(func(e *Entry) []string { return []string{e.Dir} })
	if len(runs) > 1 {
		t.sampled(runs)
	}
	return t
}

// tellApart adds words to names that several entries have.
func (t *Ranking) tellApart(by func(*Entry) []string) {
	n := map[string]int{} // looked up, never walked over
	for _, e := range t.Entries {
		n[e.Name]++
	}
	for _, e := range t.Entries {
		if words := by(e); n[e.Name] > 1 && len(words) > 0 {
			e.Name += " (" + strings.Join(words, ", ") + ")"
		}
	}
}

// setting returns a run's value of one heading of the table, "none" where it is not set.
func setting(r *run.Finished, key string) string {
	switch key {
	case "run":
		return r.Dir
	case "trace":
		return filepath.Base(r.Manifest.Trace.Name)
	}
	return cmp.Or(r.Setting(key), "none")
}

// differing lists the settings that are not the same in all runs, in the
// order of the first manifest; "run" if the runs differ in none.
func differing(runs []*run.Finished) []string {
	keys := []string{"trace"}
	for _, s := range run.Settings(runs[0].Manifest.Scenario) {
		if s.Key != "trace" && s.Key != "seed" {
			keys = append(keys, s.Key)
		}
	}
	keys = append(keys, "seed")
	keys = slices.DeleteFunc(keys, func(key string) bool {
		return !slices.ContainsFunc(runs,
			func(r *run.Finished) bool { return !strings.EqualFold(setting(r, key), setting(runs[0], key)) })
	})
	if len(keys) == 0 {
		return []string{"run"}
	}
	return keys
}
