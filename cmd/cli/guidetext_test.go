package cli

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestGuideOnTerminal(t *testing.T) {
	const guide = "# Title\n<!-- x -->\nOne two\nthree [four](five.md) six.\n\n- **a**: seven eight nine\n  ten\n- b\n\n    $ a  command that is long\n\n" +
		"| a | b |\n```go\nif  x {\n}\n```\n1. one\n"
	const want = "\x1b[1m# Title\x1b[0m\nOne two three four\nsix.\n\n- **a**: seven eight\n  nine ten\n- b\n\n    $ a  command that is long\n\n" +
		"| a | b |\n```go\nif  x {\n}\n```\n1. one\n"
	if got := onTerminal(guide, 20, true); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestGuidesOnTerminal wants all words of all guides to be left, and lines of prose to fit.
func TestGuidesOnTerminal(t *testing.T) {
	for _, topic := range topics() {
		guide := read(t, "guide/"+topic+".md")
		got := onTerminal(guide, 80, false)
		plain := guideLink.ReplaceAllString(guideComment.ReplaceAllString(guide, ""), "$1")
		if a, b := strings.Fields(got), strings.Fields(plain); strings.Join(a, " ") != strings.Join(b, " ") {
			t.Errorf("%s: %d words, and %d in the guide", topic, len(a), len(b))
		}
		fenced := false
		for _, line := range strings.Split(got, "\n") {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
			}
			if n := utf8.RuneCountInString(line); n > 80 && strings.Count(strings.TrimSpace(line), " ") > 0 && !fenced &&
				!strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "#") {
				t.Errorf("%s: %d columns: %s", topic, n, line)
			}
		}
	}
}

func TestGuideForPrograms(t *testing.T) {
	if _, got, _ := bourse(t, "help", "glossary"); got != read(t, "guide/glossary.md") {
		t.Errorf("what is no terminal gets the guide as it is; got\n%s", got)
	}
}
