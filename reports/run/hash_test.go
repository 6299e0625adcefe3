package run

import (
	"os"
	"path/filepath"
	"testing"
)

// TestHashFolder wants a folder's hash to tell names, sizes and contents up to the bound,
// and not what is hidden.
func TestHashFolder(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("b/part-1", "one")
	put("a", "two")
	last := ""
	step := func(bound int64, changes bool) {
		t.Helper()
		sum, err := hashPath(dir, bound)
		if err != nil || (sum != last) != changes {
			t.Errorf("bound %d: hash %s, %v; changed should be %v", bound, sum, err, changes)
		}
		last = sum
	}
	step(folderBound, true)
	put(".lock", "x")
	step(folderBound, false)
	put("b/part-1", "eno")
	step(folderBound, true)
	step(4, true) // all of a, one byte of b/part-1
	put("b/part-1", "exx")
	step(4, false)
	put("b/part-1", "exxx")
	step(4, true)
	if err := os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "c")); err != nil {
		t.Fatal(err)
	}
	step(4, true)
}

// TestInputPath finds the file in a trace's specification.
func TestInputPath(t *testing.T) {
	odd := filepath.Join(t.TempDir(), "odd?name")
	if err := os.WriteFile(odd, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for spec, want := range map[string]string{"-": "", "synth:lublin?jobs=5": "", "log.swf": "log.swf",
		"csv:log.csv?submit=a": "log.csv", "log.csv?submit=a:b": "log.csv", odd: odd} {
		if got := InputPath(spec); got != want {
			t.Errorf("%s: %q, want %q", spec, got, want)
		}
	}
}
