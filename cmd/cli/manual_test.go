package cli

import (
	"regexp"
	"testing"

	"github.com/spf13/pflag"
)

// TestManualIsComplete wants the manual to mention every flag of every command and study.
func TestManualIsComplete(t *testing.T) {
	manual := read(t, "guide/manual.md")
	for _, c := range append(commands(), studies()...) {
		f, _, _ := c.define(&app{ctx: t.Context()})
		f.VisitAll(func(g *pflag.Flag) {
			if g.Name != quietFlag && !regexp.MustCompile(`--`+g.Name+`\b[^-]`).MatchString(manual) {
				t.Errorf("the manual does not mention --%s of %s", g.Name, c.Name)
			}
		})
	}
}
