package inspect

import (
	"strings"
	"testing"

	"bourse/reports/table"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/tracetest"
)

// TestGooglePartsAreTold wants an inspection to say that a trace is a piece, and not to
// ask for processors where there are machines.
func TestGooglePartsAreTold(t *testing.T) {
	dir := tracetest.GoogleTrace(t, "0,1,0,p,0.5,0.25\n0,2,0,p,1,1\n700000000,2,1,p,,\n",
		tracetest.GoogleEvents("700 1 0 0", "710 1 0 1", "720 1 0 4"))
	src, err := formats.Open(dir, traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := Inspect(src)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := table.Print(&out, in.Report()); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "parts         1 of 500, from 0 to 0\n") ||
		strings.Contains(text, "--nodes") {
		t.Error(text)
	}
}
