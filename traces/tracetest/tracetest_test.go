package tracetest

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAbsentLogs wants a test whose log is absent to be skipped and counted, and
// to fail where data is required.
func TestAbsentLogs(t *testing.T) {
	noted := filepath.Join(t.TempDir(), "skipped")
	t.Setenv("BOURSE_SKIPPED", noted)
	t.Setenv("BOURSE_REQUIRE_DATA", "")
	if !t.Run("skipped", func(t *testing.T) { Shared(t, "data/there-is-no-such.swf") }) {
		t.Error("a test without its log failed")
	}
	if text, err := os.ReadFile(noted); err != nil || string(text) != "traces/tracetest TestAbsentLogs/skipped\n" {
		t.Errorf("noted %q, %v", text, err)
	}
	t.Setenv("BOURSE_REQUIRE_DATA", "1")
	if f := (&failing{TB: t}); !f.run(func() { Shared(f, "data/there-is-no-such.swf") }) {
		t.Error("a test without the log it requires did not fail")
	}
}

// TestSharedLooksInTurn wants BOURSE_SHARED to come before BOURSE_TRACES.
func TestSharedLooksInTurn(t *testing.T) {
	shared, data := t.TempDir(), t.TempDir()
	t.Setenv("BOURSE_SHARED", shared)
	t.Setenv("BOURSE_TRACES", data)
	second := filepath.Join(data, "a.swf")
	if err := os.WriteFile(second, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := Shared(t, "data/a.swf"); got != second {
		t.Errorf("found %s, want %s", got, second)
	}
	first := filepath.Join(shared, "data", "a.swf")
	if err := os.MkdirAll(filepath.Dir(first), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(first, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := Shared(t, "data/a.swf"); got != first {
		t.Errorf("found %s, want %s", got, first)
	}
}

// failing stands for a test that is expected to fail.
type failing struct {
	testing.TB
	failed bool
}

type stop struct{}

func (f *failing) Fatalf(string, ...any) {
	f.failed = true
	panic(stop{})
}

// run reports whether do failed the test.
func (f *failing) run(do func()) bool {
	func() {
		defer func() {
			if err := recover(); err != nil && err != (stop{}) {
				panic(err)
			}
		}()
		do()
	}()
	return f.failed
}
