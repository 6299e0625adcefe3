package traces_test

import (
	"fmt"
	"testing"

	"bourse/traces"
)

// TestWords: whole numbers are their own labels, everything else is a name, and all
// are spelled out as they were.
func TestWords(t *testing.T) {
	w := &traces.Words{}
	for i, text := range []string{"b", "7", "a", "007", "7.0", "0", "-5", "+5", "9007199254740992", "9007199254740993",
		"99999999999999999999", "1e3", "١", " 7"} {
		l := w.Label([]byte(text))
		spelled, _ := w.Text(l)
		number := text == "7" || text == "0" || text == "9007199254740992"
		if spelled != text || l.Named() == number || number && fmt.Sprint(int64(l)) != text || w.Label([]byte(text)) != l ||
			w.Len() != i+1 {
			t.Errorf("%q: label %d, a name: %v, spelled %q, of %d", text, l, l.Named(), spelled, w.Len())
		}
	}
	if a, b := w.Label([]byte("a")), w.Label([]byte("b")); b >= a || b.Nth() != 0 || a.Nth() != 1 {
		t.Errorf("names are numbered %d and %d, want the order of first sight", b.Nth(), a.Nth())
	}
	if l := w.Label(nil); l != traces.NoLabel || l.Named() {
		t.Errorf("no text has the label %d", l)
	}
}
