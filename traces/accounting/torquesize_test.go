package accounting

import (
	"testing"
)

// TestTorqueSizes: processors and memory as the servers write them.
func TestTorqueSizes(t *testing.T) {
	for kv, want := range map[keyValues]int64{
		"total_execution_slots=7 exec_host=a/0": 7, "resources_used.ncpus=3": 3, "exec_host=a/0+a/1+b/5": 3,
		"exec_host=a/0-3,8+b/2": 6,
		"exec_host=a/0*8+b/1*4": 12, "exec_host=a+b": 2, "Resource_List.ncpus=5": 5,
		"Resource_List.nodes=2:ppn=8+c3:ppn=4:dc2+1": 21, "": 0, "xexec_host=a/0": 0,
	} {
		if got, ok := torqueProcs(kv); !ok || got != want {
			t.Errorf("%s: %d %v, want %d", kv, got, ok, want)
		}
	}
	for _, bad := range []string{"a/x", "a/3-1", "a/0*0", "a/0*x", "a/-1", "a/1-"} {
		if n, ok := execHost(bad); ok {
			t.Errorf("%s: %d", bad, n)
		}
	}
	for text, want := range map[string]float64{"28gb": 28 << 20, "500mb": 500 << 10, "2048": 2, "4096b": 4, "1kb": 1,
		"2mw": 16 << 10} {
		if got, ok := torqueMemory(text, 1); !ok || got != want {
			t.Errorf("%s: %v %v, want %v", text, got, ok, want)
		}
	}
}
