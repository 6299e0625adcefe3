package sweep_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/reports/ask/sweep"
)

// TestShards wants every item in exactly one shard, and shards of about one size.
func TestShards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count, items := rapid.IntRange(1, 20).Draw(t, "shards"), rapid.IntRange(0, 100).Draw(t, "items")
		least, most := items, 0
		in := make([]int, items)
		for k := range count {
			size := 0
			for i := range in {
				if (sweep.Shard{Index: k, Count: count}).Has(i) {
					in[i]++
					size++
				}
			}
			least, most = min(least, size), max(most, size)
		}
		for i, n := range in {
			if n != 1 {
				t.Fatalf("item %d is in %d of %d shards", i, n, count)
			}
		}
		if most-least > 1 {
			t.Fatalf("%d items: shards of %d to %d", items, least, most)
		}
	})
}

func TestParseShard(t *testing.T) {
	if s, err := sweep.ParseShard("2/5"); err != nil || s != (sweep.Shard{Index: 2, Count: 5}) {
		t.Errorf("2/5 is %v, %v", s, err)
	}
	for _, text := range []string{"", "1", "a/2", "1/b", "2/2", "-1/3", "0/0", "1/2/3"} {
		if s, err := sweep.ParseShard(text); err == nil {
			t.Errorf("%q is %v", text, s)
		}
	}
}

func TestFromEnvironment(t *testing.T) {
	for _, c := range []struct {
		env, want string // want is i/n, or part of the error
		fails     bool
	}{
		{env: "", want: "0/1"},
		{env: "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=8", want: "3/8"},
		{env: "SLURM_ARRAY_TASK_ID=12 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_COUNT=4", want: "2/4"},
		{env: "JOB_COMPLETION_INDEX=1 JOB_COMPLETIONS=3", want: "1/3"},
		{env: "JOB_COMPLETION_INDEX=1", want: "JOB_COMPLETIONS is not", fails: true},
		{env: "SLURM_ARRAY_TASK_ID=x SLURM_ARRAY_TASK_COUNT=8", want: "SLURM_ARRAY_TASK_ID", fails: true},
		{env: "SLURM_ARRAY_TASK_ID=8 SLURM_ARRAY_TASK_COUNT=8", want: "out of range", fails: true},
		{env: "SLURM_ARRAY_TASK_ID=0", want: "0/", fails: true},
	} {
		env := map[string]string{}
		for _, setting := range strings.Fields(c.env) {
			key, value, _ := strings.Cut(setting, "=")
			env[key] = value
		}
		s, err := sweep.FromEnvironment(func(key string) string { return env[key] })
		if c.fails {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want an error with %q", c.env, err, c.want)
			}
			continue
		}
		if want, _ := sweep.ParseShard(c.want); err != nil || s != want {
			t.Errorf("%s: %v, %v, want %s", c.env, s, err, c.want)
		}
	}
}
