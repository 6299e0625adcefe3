package suggest

import (
	"testing"

	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	known := []string{"kth-sp2", "swf", "workload", "synth", "fcfs", "easy", "conservative", "sort-window"}
	for name, want := range map[string]string{
		"swg": "swf", "SWF": "swf", "fcsf": "fcfs", "workloads": "workload", "conservatve": "conservative",
		"Sort_Window": "sort-window",
		"kth":         "kth-sp2", "KTH": "kth-sp2", "kt": "", "syn": "", "eas": "easy", "xyz": "", "": "", "a": "", "conserve": "",
	} {
		if got := Nearest(name, known); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestDistance: it is symmetric, 0 only for equal words, and one edit is 1.
func TestDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := []byte(rapid.StringMatching(`[abc]{0,8}`).Draw(t, "a")),
			[]byte(rapid.StringMatching(`[abc]{0,8}`).Draw(t, "b"))
		d := distance(a, b)
		if d != distance(b, a) || (d == 0) != (string(a) == string(b)) || d > max(len(a), len(b)) || d < len(a)-len(b) {
			t.Fatalf("distance of %q and %q: %d", a, b, d)
		}
		i := rapid.IntRange(0, len(a)).Draw(t, "i")
		if one := string(a[:i]) + "x" + string(a[i:]); distance(a, []byte(one)) != 1 {
			t.Fatalf("%q and %q", a, one)
		}
	})
}
