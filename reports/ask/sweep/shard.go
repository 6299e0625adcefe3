package sweep

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is one part of a job array: part Index of Count, from 0.
type Shard struct{ Index, Count int }

// Whole is the only shard of one.
var Whole = Shard{0, 1}

// ParseShard reads "i/n" with 0 <= i < n.
func ParseShard(text string) (Shard, error) {
	i, n, ok := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(i)
	count, err2 := strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil {
		return Whole, fmt.Errorf("shard %q: want i/n, as in 0/8", text)
	}
	if count < 1 || index < 0 || index >= count {
		return Whole, fmt.Errorf("shard %q is out of range: of %d shards the first is 0 and the last %d", text, count,
			count-1)
	}
	return Shard{index, count}, nil
}

// FromEnvironment finds the shard that a job array has given this process:
// Slurm's SLURM_ARRAY_TASK_ID (with _MIN and _COUNT), or Kubernetes'
// JOB_COMPLETION_INDEX with JOB_COMPLETIONS. Without one it is the Whole.
func FromEnvironment(get func(string) string) (Shard, error) {
	if id := get("SLURM_ARRAY_TASK_ID"); id != "" {
		count := get("SLURM_ARRAY_TASK_COUNT")
		first, _ := strconv.Atoi(get("SLURM_ARRAY_TASK_MIN"))
		i, err := strconv.Atoi(id)
		if err != nil {
			return Whole, fmt.Errorf("SLURM_ARRAY_TASK_ID is %q, want a number", id)
		}
		return ParseShard(fmt.Sprintf("%d/%s", i-first, count))
	}
	if id := get("JOB_COMPLETION_INDEX"); id != "" {
		count := get("JOB_COMPLETIONS")
		if count == "" {
			return Whole, fmt.Errorf("JOB_COMPLETION_INDEX is set but JOB_COMPLETIONS is not; set it to the job's number of " +
				"completions, or name the shard, as in 2/5")
		}
		return ParseShard(id + "/" + count)
	}
	return Whole, nil
}

// Has reports whether item i belongs to the shard: items are dealt out in turn,
// so that shards get about equally much.
func (s Shard) Has(i int) bool { return i%s.Count == s.Index }
