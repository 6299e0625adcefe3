package tracetest

import (
	"os"
	"testing"
)

// Long skips a test that takes long unless BOURSE_LONG is 1, as under make test-long, which
// runs the tests whose names begin with TestLong.
func Long(t testing.TB) {
	t.Helper()
	if os.Getenv("BOURSE_LONG") != "1" {
		t.Skip("it takes long; make test-long runs it")
	}
}
