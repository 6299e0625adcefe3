package compare

import (
	"fmt"
	"slices"

	"bourse/policies"
	"bourse/traces/suggest"
)

// numBatches is the number of batches of consecutive jobs whose means are samples. Waits of
// neighbours depend on each other, and an interval from single jobs would be far too
// narrow; means of long batches depend much less (Feitelson, "Metrics for parallel job
// scheduling and their convergence", JSSPP 2001).
const numBatches = 20

// leastJobs is how many jobs batches are made of: two each.
const leastJobs = 2 * numBatches

var batchesOf = fmt.Sprintf("%d batches of consecutive jobs", numBatches)

// By lists what jobs can be grouped by.
var By = []string{"user", "group", "queue", "size"}

// CheckBy wants one of By.
func CheckBy(by string) error {
	if slices.Contains(By, by) {
		return nil
	}
	return fmt.Errorf("%q%s", by, suggest.Among(by, By))
}

// partition deals jobs, which are in order of submission, out to groups and the jobs of
// each group to batches.
type partition struct {
	names []string
	group []int32
	batch []uint8
	size  [][numBatches]int64 // jobs by group and batch
}

// newPartition deals n jobs out to groups by their names.
func newPartition(n int, name func(i int) string) *partition {
	p := &partition{group: make([]int32, n), batch: make([]uint8, n)}
	at := map[string]int32{} // looked up, never walked over
	var jobs, seen []int64
	for i := range p.group {
		who := name(i)
		g, known := at[who]
		if !known {
			g = int32(len(p.names))
			at[who], p.names, jobs = g, append(p.names, who), append(jobs, 0)
		}
		p.group[i] = g
		jobs[g]++
	}
	p.size, seen = make([][numBatches]int64, len(jobs)), make([]int64, len(jobs))
	for i, g := range p.group {
		seen[g]++
		p.batch[i] = uint8((numBatches*seen[g] - 1) / jobs[g]) // batch k has jobs k n / 20 to (k+1) n / 20
		p.size[g][p.batch[i]]++
	}
	return p
}

// whole is a partition with one group.
func whole(n int) *partition { return newPartition(n, func(int) string { return "" }) }

// jobs is how many a group has.
func (p *partition) jobs(g int) (n int64) {
	for _, k := range p.size[g] {
		n += k
	}
	return n
}

// sums are a measure's by group and batch.
type sums [][numBatches]policies.Sum

func (p *partition) newSums() sums { return make(sums, len(p.names)) }

func (p *partition) add(s sums, job int, x float64) { s[p.group[job]][p.batch[job]].Add(x) }

// mean is that of a group.
func (p *partition) mean(s sums, g int) float64 {
	var all policies.Sum
	for k := range s[g] {
		all.Add(s[g][k].Value())
	}
	return all.Value() / float64(p.jobs(g))
}

// means are those of a group's batches; nil where jobs are too few.
func (p *partition) means(s sums, g int) []float64 {
	if p.jobs(g) < leastJobs {
		return nil
	}
	x := make([]float64, numBatches)
	for k := range x {
		x[k] = s[g][k].Value() / float64(p.size[g][k])
	}
	return x
}
