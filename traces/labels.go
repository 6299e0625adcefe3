package traces

import (
	"strconv"
	"sync/atomic"
)

// Names holds the words behind a trace's labels; a nil list means that labels
// of this kind are plain numbers.
type Names struct{ Users, Groups, Queues, Partitions *Words }

// Words interns strings as Labels 0, 1, 2, ... in order of first sight. One
// goroutine may call Label while others call Text: a reader may run ahead of
// those who spell out what it has read.
type Words struct {
	byText map[string]Label
	// text is replaced, never changed, as the list grows: Text then needs no
	// lock, and a word costs one slice header more.
	text atomic.Pointer[[]string]
}

// Label returns text's number, giving it the next one at first sight.
// The empty string is NoLabel.
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
	var words []string
	if p := w.text.Load(); p != nil {
		words = *p
	}
	l := Label(len(words))
	words = append(words, string(text))
	w.text.Store(&words)
	w.byText[words[l]] = l
	return l
}

// Len returns the number of words. It may be called where Label is.
func (w *Words) Len() int {
	if p := w.text.Load(); p != nil {
		return len(*p)
	}
	return 0
}

// Text spells l out: the interned word, or the number itself when w is nil.
// It returns false for NoLabel.
func (w *Words) Text(l Label) (string, bool) {
	if l == NoLabel {
		return "", false
	}
	if w != nil && l >= 0 {
		if p := w.text.Load(); p != nil && int(l) < len(*p) {
			return (*p)[l], true
		}
	}
	return strconv.FormatInt(int64(l), 10), true
}
