package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestLicences wants the licence of each module that is linked in, at the version that is.
func TestLicences(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	code, stdout, _ := bourse(t, "version", "--licences")
	if code != 0 || !strings.Contains(stdout, "SIL OPEN FONT LICENSE") {
		t.Errorf("exit %d, and the fonts' licence is missing", code)
	}
	for _, module := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if module != "" && !strings.Contains(stdout, "\n==== "+module+"\n") {
			t.Errorf("no licence of %s; sh scripts/licences.sh writes them anew", module)
		}
	}
}
