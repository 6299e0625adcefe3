package figures

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestRoundTicks wants labels that tell the ticks apart, say where they are, and
// fill the axis without crowding it.
func TestRoundTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-1e6, 1e6).Draw(t, "low")
		width := math.Pow(10, rapid.Float64Range(-3, 6).Draw(t, "width"))
		high := low + width
		ticks := (roundTicks{}).Ticks(low, high)
		if len(ticks) < 4 || len(ticks) > 12 {
			t.Fatalf("%d ticks from %g to %g", len(ticks), low, high)
		}
		seen := map[string]bool{}
		for i, tick := range ticks {
			at, err := strconv.ParseFloat(tick.Label, 64)
			if err != nil || math.Abs(at-tick.Value) > 1e-6*width {
				t.Fatalf("the tick at %v is labelled %q", tick.Value, tick.Label)
			}
			if seen[tick.Label] || tick.Label == "-0" {
				t.Fatalf("labels %v", ticks)
			}
			seen[tick.Label] = true
			if tick.Value < low-1e-6*width || tick.Value > high+1e-6*width || i > 0 && tick.Value <= ticks[i-1].Value {
				t.Fatalf("ticks %v from %g to %g", ticks, low, high)
			}
		}
	})
	if one := (roundTicks{}).Ticks(3, 3); len(one) != 1 || one[0].Label != "3" {
		t.Errorf("an axis of one value has ticks %v", one)
	}
}

// TestCellTicks wants few cells labelled each, and many at round numbers between them.
func TestCellTicks(t *testing.T) {
	few := ticks([]float64{.1, .2, .5})
	if len(few) != 3 || few[2].Value != 2 || few[2].Label != "0.5" {
		t.Errorf("ticks of three cells %v", few)
	}
	many := make([]float64, 50)
	for i := range many {
		many[i] = .02 * float64(i+1)
	}
	for _, tick := range ticks(many) {
		at, err := strconv.ParseFloat(tick.Label, 64)
		if err != nil || math.Abs(.02*(tick.Value+1)-at) > 1e-9 {
			t.Errorf("the tick in cell %v is labelled %q", tick.Value, tick.Label)
		}
	}
}

// TestTint wants colours that change evenly to both sides of white.
func TestTint(t *testing.T) {
	if c := tint(0); c.R != 255 || c.G != 255 || c.B != 255 {
		t.Errorf("0 is %v", c)
	}
	if tint(1) != colours[0] || tint(-1) != colours[1] || tint(7) != colours[0] {
		t.Errorf("the ends are %v and %v", tint(1), tint(-1))
	}
	for v := .1; v < 1; v += .1 {
		if tint(v).R >= tint(v-.1).R || tint(-v).B >= tint(.1-v).B {
			t.Errorf("colours do not deepen at %g", v)
		}
	}
}

// TestLettersOfPDF wants letters that its fonts lack to be spelled, not lost.
func TestLettersOfPDF(t *testing.T) {
	if got := spelled.Replace("share α ≤ 10⁶ – β"); got != "share alpha <= 10^6 - beta" {
		t.Errorf("spelled %q", got)
	}
	for _, colour := range Palette() {
		if len(colour) != 7 || !strings.HasPrefix(colour, "#") {
			t.Errorf("colour %q", colour)
		}
	}
	if len(shapes) != len(colours) || len(dashes) != len(colours) {
		t.Errorf("%d colours, %d markers, %d strokes", len(colours), len(shapes), len(dashes))
	}
	seen := map[string]int{}
	for k := range 4 * len(colours) {
		line, marks := style(k)
		key := fmt.Sprintf("%v %v %T", line.Color, line.Dashes, marks.Shape)
		if before, twice := seen[key]; twice {
			t.Errorf("lines %d and %d are drawn alike", before, k)
		}
		seen[key] = k
	}
}
