package traces

import (
	"bytes"
	"testing"

	"bourse/events"
)

// TestEdges: what is at the edges of a span.
func TestEdges(t *testing.T) {
	e := Edges{WarmUp: 10, CoolDown: 5}
	var got bytes.Buffer
	for at := events.Time(100); at <= 130; at++ {
		if e.Has(at, 100, 130) {
			got.WriteByte('x')
		} else {
			got.WriteByte('.')
		}
	}
	if want := "xxxxxxxxxx................xxxxx"; got.String() != want {
		t.Errorf("%s, want %s", got.String(), want)
	}
	if (Edges{}).Has(0, 0, 0) {
		t.Error("no edges hold a job")
	}
}
