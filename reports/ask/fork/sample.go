package fork

import (
	"cmp"
	"errors"
	"slices"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/traces"
	"bourse/traces/rng"
)

// Sample picks n jobs at random, without replacement, and lists them in order of
// submission. Those at the edges are not asked. The sample depends on the jobs and the
// seed only, so that all questions are asked of the same jobs.
func Sample(jobs *scenario.Loaded, n int) ([]traces.Job, error) {
	all := jobs.Memory
	from, until := jobs.Scenario.Edges().Counted(all.Len(), func(i int) events.Time { return all.Job(i).Submit })
	// Reservoir sampling (Vitter's algorithm R): one pass, any length.
	draw := rng.New(jobs.Scenario.Seed, "regret sample")
	var picked []traces.Job
	seen := 0
	for i := from; i < until; i++ {
		j := all.Job(i)
		if j.Task > 0 { // a job's pieces are one job
			continue
		}
		if len(picked) < n {
			picked = append(picked, j)
		} else if k := draw.IntN(seen + 1); k < n {
			picked[k] = j
		}
		seen++
	}
	if len(picked) == 0 {
		return nil, errors.New("there are no jobs to sample")
	}
	slices.SortFunc(picked, func(a, b traces.Job) int {
		return cmp.Or(cmp.Compare(a.Submit, b.Submit), cmp.Compare(a.ID, b.ID))
	})
	return picked, nil
}

// Submissions are the instants at which jobs arrive.
func Submissions(jobs []traces.Job) []events.Time {
	at := make([]events.Time, len(jobs))
	for i := range jobs {
		at[i] = jobs[i].Submit
	}
	return at
}
