package cli

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// TestHelp wants short help to fit a screen, long help to show every flag, and no group
// to name a flag that no command has.
func TestHelp(t *testing.T) {
	known := map[string]bool{}
	for _, c := range commands() {
		args := strings.Fields(c.Name)
		code, short, stderr := bourse(t, append(args, "-h")...)
		if code != 0 || stderr != "" || c.Name != "reproduce" && strings.Count(short, "\n") > 40 {
			t.Errorf("%s -h: exit %d, %d lines %s", c.Name, code, strings.Count(short, "\n"), stderr)
		}
		_, long, _ := bourse(t, append(args, "--help")...)
		set, _, _ := c.define(&app{ctx: t.Context()})
		set.VisitAll(func(f *pflag.Flag) {
			known[f.Name] = true
			if !f.Hidden && !strings.Contains(long, "--"+f.Name) {
				t.Errorf("%s --help does not show --%s", c.Name, f.Name)
			}
		})
	}
	for _, g := range flagGroups {
		for _, name := range strings.Fields(g.often + " " + g.rest) {
			if !known[name] {
				t.Errorf("group %s has an unknown flag %s", g.name, name)
			}
		}
	}
	_, replay, _ := bourse(t, "replay", "-h")
	_, policies, _ := bourse(t, "list", "policies")
	for _, line := range strings.Split(replay+policies, "\n") {
		if n := utf8.RuneCountInString(line); n > helpWidth && !strings.HasPrefix(line, "  bourse") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for args, want := range map[string]string{
		"help methods": "# Methods", "help replay": "--sort-window", "help trace": "trace convert",
		"trace -h": "trace convert", "help all": "first-ten-minutes", "help": "help cookbook", "help trace inspect": "--censored",
	} {
		if code, out, _ := bourse(t, strings.Fields(args)...); code != 0 || !strings.Contains(out, want) {
			t.Errorf("bourse %s: exit %d, no %q in\n%s", args, code, want, out)
		}
	}
	if _, out, _ := bourse(t, "trace", "-h"); strings.Contains(out, "replay TRACE") {
		t.Errorf("bourse trace -h shows other commands:\n%s", out)
	}
}
