package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"bourse/traces/tracetest"
)

// TestLongReproduce runs a whole study with few instances: tables, figures and a
// verdict on every claim, the same ones on any number of workers.
func TestLongReproduce(t *testing.T) {
	tracetest.Long(t)
	out := filepath.Join(t.TempDir(), "out")
	code, stdout, stderr := bourse(t, "reproduce", "multi-resource", "--instances", "3", "--out", out)
	if code != 0 || !strings.Contains(stderr, "give --google DIR") {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, want := range []string{"Table 1", "Table 2", "Figure 5", "30 claims: "} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	want := "claims.csv figure2.csv figure2.pdf figure2.png figure2.svg figure3-synthetic.csv figure3-synthetic.pdf " +
		"figure3-synthetic.png figure3-synthetic.svg figure4.csv figure4.pdf figure4.png figure4.svg figure5.csv " +
		"figure5.pdf figure5.png figure5.svg manifest.json properties.csv report.html report.txt table1.csv " +
		"table2-many.csv table2.csv theorem42.csv"
	if got := filesIn(t, out); got != want {
		t.Errorf("files %s, want %s", got, want)
	}
	// Nothing is overwritten unasked.
	if code, _, stderr := bourse(t, "reproduce", "multi-resource", "--out", out); code != 1 ||
		!strings.Contains(stderr, "--overwrite") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// TestReproduceDynamicSharing wants every table and figure, without Google's trace.
func TestReproduceDynamicSharing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	code, stdout, stderr := bourse(t, "reproduce", "dynamic-sharing", "--instances", "3", "--lies", "10", "--logs",
		file(t, "log.swf", smallSWF(100)), "--out", out)
	if code != 0 || !strings.Contains(stderr, "give --google DIR") {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, want := range []string{"Figure 2", "Figure 3", "Karma", "20 claims: "} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	want := "claims.csv figure2.csv figure2.pdf figure2.png figure2.svg figure3.csv figure3.pdf figure3.png " +
		"figure3.svg horizons.csv lies.csv low-value.csv low-value.pdf low-value.png low-value.svg manifest.json " +
		"report.html report.txt sensitivity.csv"
	if got := filesIn(t, out); got != want {
		t.Errorf("files %s, want %s", got, want)
	}
}
