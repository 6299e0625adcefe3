package allocation

import (
	"strings"
	"testing"

	"bourse/policies/share"
	"bourse/reports/table"
)

// TestOptimumNotFound: what an allocation is compared with may be missing; the rest is
// printed all the same.
func TestOptimumNotFound(t *testing.T) {
	in := &Instance{File: "a.csv", Agents: []string{"a", "b"}, Resources: []string{"x", "y", "z"},
		Demands: share.Demands{{.5, .2, .1}, {.1, .2, .5}}}
	r := &Result{Instance: in, Name: "drf", Shares: []float64{.5, .5}} // no demand is 1, so no program is made
	var out strings.Builder
	if err := table.Print(&out, r.Report(false, "")); err != nil ||
		!strings.Contains(out.String(), "The optimum was not found: ") || !strings.Contains(out.String(), "envy-freeness") {
		t.Errorf("%v\n%s", err, out.String())
	}
}
