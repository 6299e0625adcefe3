package traces

import (
	"maps"
	"slices"
	"strconv"
	"sync/atomic"
)

// Names holds the words behind a trace's labels; a nil list means that labels
// of this kind are numbers throughout.
type Names struct{ Users, Groups, Queues, Partitions, Models *Words }

// Words gives labels their numbers. A whole number is its own; a name gets the next
// number from firstName on, in order of first sight, which distinguishes it from other
// names and never ranked. One goroutine may call Label while others call Text: a
// reader may run ahead of those who spell out what it has read.
type Words struct {
	byText map[string]Label
	// names is replaced, never changed, as the list grows: Text then needs no
	// lock, and a name costs one slice header more.
	names atomic.Pointer[[]string]
}

// Clone returns a list of its own that says the same; nil of nil.
func (w *Words) Clone() *Words {
	if w == nil {
		return nil
	}
	c := &Words{byText: maps.Clone(w.byText)}
	if p := w.names.Load(); p != nil {
		names := slices.Clip(*p) // one more name goes elsewhere
		c.names.Store(&names)
	}
	return c
}

// firstName is beyond all whole numbers that labels are: those that a float64 holds.
const firstName, greatestNumber Label = 1 << 62, 1 << 53

// Named reports whether a label is a name and no number, which holds for labels of Words.
func (l Label) Named() bool { return l >= firstName }

// Nth returns a name's place in order of first sight, from 0.
func (l Label) Nth() int64 { return int64(l - firstName) }

// Label returns text's number. The empty string is NoLabel.
func (w *Words) Label(text []byte) Label {
	if len(text) == 0 {
		return NoLabel
	}
	if l, ok := w.byText[string(text)]; ok {
		return l
	}
	if w.byText == nil {
		w.byText = map[string]Label{}
	}
	l, ok := wholeNumber(text)
	if !ok {
		l = w.name(string(text))
	}
	w.byText[string(text)] = l
	return l
}

func (w *Words) name(text string) Label {
	var names []string
	if p := w.names.Load(); p != nil {
		names = *p
	}
	l := firstName + Label(len(names))
	names = append(names, text)
	w.names.Store(&names)
	return l
}

// wholeNumber reads a number that is spelled as Text spells it: 7, but neither 007
// nor 7.0, which may be used along with it.
func wholeNumber(text []byte) (Label, bool) {
	if len(text) > 16 || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	l := Label(0)
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		l = 10*l + Label(c-'0')
	}
	return l, l <= greatestNumber
}

// Len returns how many different labels there are. It may be called where Label is.
func (w *Words) Len() int { return len(w.byText) }

// Text spells l out: the name, or the number itself where it is one or w is nil.
// It returns false for NoLabel.
func (w *Words) Text(l Label) (string, bool) {
	if l == NoLabel {
		return "", false
	}
	if w != nil && l.Named() {
		if p := w.names.Load(); p != nil && l.Nth() < int64(len(*p)) {
			return (*p)[l.Nth()], true
		}
	}
	return strconv.FormatInt(int64(l), 10), true
}
