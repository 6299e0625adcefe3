package page

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"bourse/reports/terminal"
)

// Warnings says what a reader should know before comparing runs, or before trusting
// the page of this version with runs of another.
func Warnings(runs []*Run, version string) []string {
	var out []string
	for _, r := range runs {
		if made := r.Manifest.Bourse; made != version {
			out = append(out, fmt.Sprintf("%s was made by bourse %s and this page by %s; results may differ for that reason",
				r.Dir, made, version))
		}
	}
	first := runs[0]
	for _, r := range runs[1:] {
		if err := sameTrace(first, r); err != nil {
			out = append(out, err.Error())
		}
	}
	for _, key := range []string{"where", "from", "until", "serial", "nodes", "machines", "load-factor", "resample",
		"shake", "feedback", "kill-at-estimate", "limit", "seed", "values", "bids", "budget", "queue-limits", "attempts", "censored", "warm-up",
		"cool-down"} {
		if differ(runs, key) {
			out = append(out, fmt.Sprintf("the runs differ in %s: %s", key, strings.Join(byValue(runs, key), "; ")))
		}
	}
	for _, r := range runs[1:] {
		if a, b := first.Summary.Counts.Replayed, r.Summary.Counts.Replayed; a != b {
			out = append(out, fmt.Sprintf("%s replays %s records and %s replays %s: means are over different jobs", first.Label,
				terminal.Thousands(a), r.Label, terminal.Thousands(b)))
		}
	}
	return out
}

// byValue lists the values of a setting with the runs that have them.
func byValue(runs []*Run, key string) []string {
	var out []string
	for i, r := range runs {
		value := r.Setting(key)
		if slices.ContainsFunc(runs[:i], func(o *Run) bool { return o.Setting(key) == value }) {
			continue
		}
		var names []string
		for _, o := range runs[i:] {
			if o.Setting(key) == value {
				names = append(names, o.Label)
			}
		}
		out = append(out, quoted(value)+" in "+strings.Join(names, ", "))
	}
	return out
}

func quoted(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// notes says what is odd about one run's data.
func (r *Run) notes(g *gathered) []string {
	c := &r.Summary.Counts
	out := []string{}
	if c.Added > 0 {
		out = append(out, terminal.Thousands(c.Added)+" jobs were added by resampling")
	}
	if c.Uncounted > 0 {
		out = append(out, terminal.Thousands(c.Uncounted)+" jobs of the warm-up or cool-down are in the charts and not in "+
			"the tables")
	}
	if !r.Summary.Jobs.ExactGroups {
		out = append(out, "so many jobs that the cuts between run-time groups are not exact")
	}
	for _, o := range c.Oddities {
		out = append(out, fmt.Sprintf("%s (%s)", o.What, terminal.Thousands(o.Records)))
	}
	if m := &r.Summary.Machine; m.Resubmissions > 0 {
		out = append(out, fmt.Sprintf("%s times a job was killed at its estimate and submitted again; %.1f %% of the work "+
			"was lost", terminal.Thousands(m.Resubmissions), m.LostPercent))
	}
	if g.broken > 0 {
		out = append(out, fmt.Sprintf("%s jobs did not run in one piece on all their processors (preempted, or shared)",
			terminal.Thousands(g.broken)))
	}
	return out
}

// traceName is the input's name without its folder.
func (r *Run) traceName() string { return filepath.Base(r.Manifest.Trace.Name) }
