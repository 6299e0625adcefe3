package input

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
)

// TestScanNumber compares with strconv on everything a field may hold.
func TestScanNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[-+]?[0-9]{0,20}(\.[0-9]{0,9})?(e-?[0-9]{1,2})?|[-+.0-9eEinfaxX_]{1,6}`).Draw(t, "text")
		if text == "" {
			return
		}
		n, next, ok := ScanNumber([]byte(text+" 7"), 0)
		want, err := strconv.ParseFloat(text, 64)
		good := err == nil && !strings.ContainsAny(text, "xXnNpP_iI") && math.Abs(want) < 1e18
		if ok != good && math.Abs(math.Abs(want)-1e18) > 1e4 {
			t.Fatalf("%q: ok %v, ParseFloat says %v, %v", text, ok, want, err)
		}
		if next != len(text) {
			t.Fatalf("%q ends at %d", text, next)
		}
		if ok && math.Abs(n.Float()-want) > math.Max(5.1e-7, math.Abs(want)*1e-14) {
			t.Fatalf("%q is %v, want %v", text, n.Float(), want)
		}
	})
}

// TestHalvesAwayFromZero: rounding is of the decimal text, not of its float.
func TestHalvesAwayFromZero(t *testing.T) {
	for text, want := range map[string]events.Time{
		"0.0000005": 1, "0.00000049999": 0, "1.0000015": 1_000_002, "-0.0000005": -1, "0.9999995": 1_000_000,
		"2.675": 2_675_000, "5.": 5e6, ".5": 5e5,
	} {
		n, _, ok := ScanNumber([]byte(text), 0)
		if got, fits := n.Time(); !ok || !fits || got != want {
			t.Errorf("%s is %d us, want %d", text, int64(got), int64(want))
		}
	}
}
