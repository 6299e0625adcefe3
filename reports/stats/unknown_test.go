package stats

import (
	"encoding/json"
	"math"
	"testing"
)

// TestUnknownAsJSON wants null for what is not known, which JSON has no number for.
func TestUnknownAsJSON(t *testing.T) {
	for want, e := range map[string]Estimate{`{"value":null}`: Exactly(math.NaN()), `{"value":2}`: Exactly(2),
		`{"value":0,"half_interval":0.5}`: {Mean: 0, Half: .5}} {
		if text, err := json.Marshal(e); err != nil || string(text) != want {
			t.Errorf("%v: %s, %v; want %s", e, text, err, want)
		}
	}
}
