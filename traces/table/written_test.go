package table_test

import (
	"errors"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"bourse/reports/record"
	"bourse/reports/run"
	"bourse/traces/table"
)

// TestRowsOfBothFormats writes more than a batch and a row group of rows and
// reads them back.
func TestRowsOfBothFormats(t *testing.T) {
	const n = 140_000
	c := []record.Values{{Name: "round", Ints: make([]int64, n)}, {Name: "x", Floats: make([]float64, n)},
		{Name: "agent", Words: make([]string, n)}}
	for i := range n {
		c[0].Ints[i], c[1].Floats[i], c[2].Words[i] = int64(i), float64(i)/4, strings.Repeat("ab", i%5+1)
	}
	for _, name := range []string{"t.csv", "t.parquet"} {
		path := filepath.Join(t.TempDir(), name)
		if err := run.Write(path, nil, false, "1", c); err != nil {
			t.Fatal(err)
		}
		r, err := table.OpenRows(path, nil, "agent", "ROUND", "x")
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if err := r.Next(); err != nil {
				t.Fatal(err)
			}
			agent, _ := r.Word(0)
			round, err := r.Float(1)
			x, err2 := r.Float(2)
			if err != nil || err2 != nil || string(agent) != c[2].Words[i] || round != float64(i) || x != c[1].Floats[i] {
				t.Fatalf("%s: row %d is %s, %v, %v: %v, %v", name, i+1, agent, round, x, err, err2)
			}
			if w, _ := r.Word(1); i == 17 && string(w) != "17" {
				t.Errorf("%s: a number spelled out is %q", name, w)
			}
		}
		if err := r.Next(); !errors.Is(err, io.EOF) {
			t.Errorf("%s: after the last row: %v", name, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestKnown tells nothing from a number in both formats, and words from both.
func TestKnown(t *testing.T) {
	c := []record.Values{{Name: "x", Floats: []float64{1.5, math.NaN(), -2}}, {Name: "i", Ints: []int64{1, 2, 3}}}
	for _, name := range []string{"t.csv", "t.parquet"} {
		path := filepath.Join(t.TempDir(), name)
		if err := run.Write(path, nil, false, "1", c); err != nil {
			t.Fatal(err)
		}
		r, err := table.OpenRows(path, nil, "x")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for _, want := range c[0].Floats {
			if err := r.Next(); err != nil {
				t.Fatal(err)
			}
			x, known, err := r.Known(0)
			if err != nil || known == math.IsNaN(want) || known && x != want {
				t.Errorf("%s: %v, %v, %v; want %v", name, x, known, err, want)
			}
		}
	}
	r, err := table.OpenRows("-", strings.NewReader("x,y\nword,1\n"), "x")
	if err == nil {
		err = r.Next()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, known, err := r.Known(0); known || err == nil ||
		!strings.Contains(err.Error(), `standard input:2: x is "word"`) {
		t.Errorf("a word: %v, %v", known, err)
	}
}
