package catalog

import (
	"strings"
	"testing"
)

// TestFaultyExpressions wants an order that cannot be compiled to be refused
// wherever one may stand.
func TestFaultyExpressions(t *testing.T) {
	for _, text := range []string{"expr(foo)", `expr("a")`, "expr(wait > 0)", "expr(by=runtime)", "easy(order=expr(foo))",
		"easy(backfill=expr(foo))", "priority(foo)"} {
		p, err := Policies.Make(text)
		if err == nil || p != nil || !strings.Contains(err.Error(), "an expression may use submit, wait") {
			t.Errorf("%s: %v, %v", text, p, err)
		}
	}
}

// TestComparisonsAreNoParameters wants an expression with a comparison to be taken
// whole, with or without the parameter's name.
func TestComparisonsAreNoParameters(t *testing.T) {
	for _, text := range []string{"expr(queue == 2 ? 0 : 1)", "expr(queue!=2 ? 0 : 1)", "expr(wait<=60?0:1)",
		"expr(wait >= 60 ? 0 : 1)", "expr(by=queue==2?0:1)",
		"priority(queue==2?0:1)", "priority(queue==2?0:1,preemptions=2)", "easy(order=expr(queue==2?0:1))"} {
		if _, err := Policies.Make(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestExamples wants what could be typed for an entry to make one.
func TestExamples(t *testing.T) {
	examples(t, Policies)
	examples(t, Orders)
	examples(t, Payments.List)
	examples(t, Values)
	examples(t, Behaviours)
	examples(t, Mechanisms)
	examples(t, Lenders)
	examples(t, Preferences)
}

func examples[T any](t *testing.T, l List[T]) {
	for i := range l.Entries {
		if _, err := l.Make(l.Entries[i].Text()); err != nil && !l.Entries[i].Yours {
			t.Error(err)
		}
	}
}

// TestPaymentsBeside wants the schemes that fit, with the reservation price.
func TestPaymentsBeside(t *testing.T) {
	for _, c := range []struct{ charged, policy, want string }{
		{"kth", "hb", "first kth-uncapped posted:1 toll none"},
		{"kth:2", "hb", "first:2 kth-uncapped:2 posted:2 toll:2 none"},
		{"kth", "hb(fit=skip)", "first kth-uncapped posted:1 toll none"},
		{"posted:3", "drf", "first toll none"},
		{"none", "price-anticipating", "first posted:1 toll bids"},
	} {
		if got, err := PaymentsBeside(c.charged, c.policy); err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("beside %s under %s: %v, %v; want %s", c.charged, c.policy, got, err, c.want)
		}
	}
}
