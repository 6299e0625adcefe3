package stats

import "testing"

// TestSizes names classes of sizes by what is in them.
func TestSizes(t *testing.T) {
	for procs, want := range map[float64]string{0: "1", 1: "1", 2: "2 to 4", 4: "2 to 4", 5: "5 to 16", 16: "5 to 16",
		17: "17 to 64", 65537: "65537 and more", 1e6: "65537 and more"} {
		if got := SizeName(SizeClass(procs)); got != want {
			t.Errorf("%g processors are in %q, want %q", procs, got, want)
		}
	}
}
