package stats

import (
	"cmp"
	"slices"

	"bourse/events"
)

// Groups holds the run-time group of each job, by its place in the order of
// submission: 0 is A, 1 is B and 2 is C, the longest. A caller that has all jobs at
// hand, as a sweep does, makes it once for all replays of them.
type Groups []uint8

// GroupsOf returns the terciles of the run times of jobs in order of submission,
// ties by that order.
func GroupsOf(runs []events.Time) Groups {
	order := make([]int32, len(runs))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(runs[a], runs[b]) })
	groups, ends := make(Groups, len(runs)), groupEnds(int64(len(runs)))
	group := uint8(0)
	for rank, i := range order {
		for int64(rank) >= ends[group] {
			group++
		}
		groups[i] = group
	}
	return groups
}

// groupEnds returns the ranks at which the groups end: A is the first third of n
// jobs, rounded up, A and B together the first two thirds.
func groupEnds(n int64) [numGroups]int64 {
	return [numGroups]int64{(n + 2) / 3, (2*n + 2) / 3, n}
}
