package catalog

import (
	"strings"
	"testing"
)

// TestFaultyExpressions wants an order that cannot be compiled to be refused
// wherever one may stand.
func TestFaultyExpressions(t *testing.T) {
	for _, text := range []string{"expr(foo)", `expr("a")`, "expr(wait > 0)", "expr(by=runtime)", "easy(order=expr(foo))", "easy(backfill=expr(foo))", "priority(foo)"} {
		p, err := Policies.Make(text)
		if err == nil || p != nil || !strings.Contains(err.Error(), "an expression may use submit, wait") {
			t.Errorf("%s: %v, %v", text, p, err)
		}
	}
}

// TestComparisonsAreNoParameters wants an expression with a comparison to be taken
// whole, with or without the parameter's name.
func TestComparisonsAreNoParameters(t *testing.T) {
	for _, text := range []string{"expr(queue == 2 ? 0 : 1)", "expr(queue!=2 ? 0 : 1)", "expr(wait<=60?0:1)", "expr(wait >= 60 ? 0 : 1)", "expr(by=queue==2?0:1)",
		"priority(queue==2?0:1)", "priority(queue==2?0:1,preemptions=2)", "easy(order=expr(queue==2?0:1))"} {
		if _, err := Policies.Make(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
