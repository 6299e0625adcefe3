// Package tracetest finds the real logs that tests and benchmarks read. They
// are no part of the project: a test that needs one is skipped where it is
// absent, and fails there if BOURSE_REQUIRE_DATA is 1.
package tracetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Shared returns the path of the file or folder rel (slashes, relative to the
// shared folder, as in "data/swf/LCG.swf.gz"), or skips the test. It looks under
// $BOURSE_SHARED; for names below data/ also under $BOURSE_TRACES, which stands
// for the data folder itself; and last in a folder "shared" next to the module.
func Shared(t testing.TB, rel string) string {
	t.Helper()
	for _, path := range candidates(rel) {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	where := "%s is not here: set BOURSE_SHARED to the folder that holds it (or BOURSE_TRACES to the one that holds its " +
		"data/)"
	if os.Getenv("BOURSE_REQUIRE_DATA") == "1" {
		t.Fatalf(where, rel)
	}
	noteSkipped(t)
	t.Skipf(where, rel)
	return ""
}

// noteSkipped appends the test's package to the file that BOURSE_SKIPPED names:
// scripts/test.sh counts the lines, since go test shows nothing of what passes.
// The name is another in each run, so results from go test's cache are not used
// for packages that skip tests.
func noteSkipped(t testing.TB) {
	path := os.Getenv("BOURSE_SKIPPED")
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := filepath.Rel(moduleRoot(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(f, "%s %s\n", filepath.ToSlash(pkg), t.Name()); err != nil {
		t.Fatal(err)
	}
}

func candidates(rel string) []string {
	var paths []string
	if dir := os.Getenv("BOURSE_SHARED"); dir != "" {
		paths = append(paths, filepath.Join(dir, filepath.FromSlash(rel)))
	}
	if data, ok := strings.CutPrefix(rel, "data/"); ok {
		if dir := os.Getenv("BOURSE_TRACES"); dir != "" {
			paths = append(paths, filepath.Join(dir, filepath.FromSlash(data)))
		}
	}
	if root := moduleRoot(); root != "" {
		paths = append(paths, filepath.Join(root, "..", "shared", filepath.FromSlash(rel)))
	}
	return paths
}

// moduleRoot walks up from the test's folder to the one that holds go.mod.
func moduleRoot() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
