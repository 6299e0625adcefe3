// Package tracetest finds the real logs that tests and benchmarks read. They
// are no part of the project: a test that needs one is skipped where it is
// absent.
package tracetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Shared returns the path of the file or folder rel (slashes, relative to the
// shared folder, as in "data/swf/LCG.swf.gz"), or skips the test. It looks under
// $BOURSE_SHARED; for names below data/ also under $BOURSE_TRACES, which stands
// for the data folder itself; and last in a folder "shared" beside the module.
func Shared(t testing.TB, rel string) string {
	t.Helper()
	for _, path := range candidates(rel) {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("%s is not here: set BOURSE_SHARED to the folder that holds it (or BOURSE_TRACES to the one that holds its data/)", rel)
	return ""
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
