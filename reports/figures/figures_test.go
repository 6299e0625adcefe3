package figures

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/traces/files"
)

func drawings() [][]Drawing {
	lines := &Panel{Title: "a", X: "time (s)", Y: "ratio", Legend: "tr", Lines: []Line{
		{Name: "first", X: []float64{1, 2, 3}, Y: []float64{1, 2, 1}, Low: []float64{.5, 1.5, .5},
			High: []float64{1.5, 2.5, 1.5}},
		{Name: "second", X: []float64{1, 3}, Y: []float64{2, 2}, Bare: true},
	}}
	cells := &Cells{Title: "b", X: "x", Y: "y", Columns: []float64{.1, .2}, Rows: []float64{.1, .5},
		Z: [][]float64{{-1, .5}, {math.NaN(), 40}}, Limit: 1, Format: "%+.1f"}
	return [][]Drawing{{lines, cells}}
}

// TestSave wants both files to be what their names say, with what was drawn in
// them, and the same bytes each time.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"one", "two"} {
		if err := saved(filepath.Join(dir, name), drawings()); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, ending := range []string{".svg", ".pdf", ".png"} {
		if !bytes.Equal(read("one"+ending), read("two"+ending)) {
			t.Errorf("two %s of one figure differ", ending)
		}
	}
	for _, want := range []string{"first", "second", "time (s)", "+0.5", "-1.0", "+40.0"} {
		if !strings.Contains(string(read("one.svg")), want) {
			t.Errorf("the SVG lacks %q", want)
		}
	}
	if text := string(read("one.pdf")); !strings.HasPrefix(text, "%PDF-") || !strings.Contains(text, "(D:19700101000000") {
		t.Error("the PDF is none, or tells the time")
	}
	picture, err := png.Decode(bytes.NewReader(read("one.png")))
	if err != nil {
		t.Fatal(err)
	}
	// Two columns of 88 mm at 300 dots an inch.
	if w := picture.Bounds().Dx(); w < 2050 || w > 2100 {
		t.Errorf("the PNG is %d dots wide", w)
	}
}

// TestWrongShapes wants mismatched data to be refused.
func TestWrongShapes(t *testing.T) {
	for _, d := range []Drawing{
		&Panel{Lines: []Line{{X: []float64{1}, Y: []float64{1, 2}}}},
		&Panel{Lines: []Line{{X: []float64{1}, Y: []float64{1}, Low: []float64{1}}}},
		&Panel{Lines: []Line{{X: []float64{1}, Y: []float64{math.NaN()}}}},
		&Cells{Rows: []float64{1}, Columns: []float64{1}, Z: [][]float64{{1, 2}}, Limit: 1},
		&Cells{Rows: []float64{1}, Columns: []float64{1}, Z: [][]float64{{1}}},
	} {
		dir := t.TempDir()
		if err := saved(filepath.Join(dir, "x"), [][]Drawing{{d}}); err == nil {
			t.Errorf("%+v should be refused", d)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

func TestBars(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bars")
	b := &Bars{Y: "ratio", Groups: []string{"a", "b"}, From: 1, Legend: "tl", Series: []Series{
		{"x", []float64{1.5, .8}, []float64{.1, 0}}, {"y", []float64{2, 3}, []float64{0, 0}}}}
	if err := saved(path, [][]Drawing{{b}}); err != nil {
		t.Fatal(err)
	}
	p, err := b.build()
	if err != nil || p.Y.Min != .8 || p.Y.Max <= 3 || p.X.Min != -.5 || p.X.Max != 1.5 {
		t.Errorf("axes %v to %v, %v to %v, %v", p.X.Min, p.X.Max, p.Y.Min, p.Y.Max, err)
	}
	b.Series[0].Half = nil
	if _, err := b.build(); err == nil {
		t.Error("a series without intervals should be refused")
	}
	log := &Panel{LogY: true, Lines: []Line{{X: []float64{1, 2}, Y: []float64{0, 5}}}}
	if _, err := log.build(); err == nil {
		t.Error("a logarithmic axis cannot hold 0")
	}
}

func saved(path string, rows [][]Drawing) error {
	return files.Together(func(set *files.Set) error { return Save(set, path, rows) })
}
