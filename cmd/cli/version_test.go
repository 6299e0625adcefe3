package cli

import (
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
)

// TestLicences wants the licence of each module that is linked in, at the version that is.
func TestLicences(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", ".").Output()
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

func TestBuilt(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.25", Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"},
		{Key: "GOARCH", Value: "arm64"}}}
	if got := built(info); got != ", go1.25, linux/arm64" || built(nil) != "" {
		t.Errorf("%q", got)
	}
	info.Settings = append(info.Settings, debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef"},
		debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	if got := built(info); got != ", commit 0123456789ab with changes, go1.25, linux/arm64" {
		t.Errorf("%q", got)
	}
}
