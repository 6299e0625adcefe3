package catalog_test

import (
	"testing"

	"bourse/policies/catalog"
)

// FuzzSpecs makes everything that a text may name: it is made, or refused without harm.
func FuzzSpecs(f *testing.F) {
	for _, text := range []string{"hb", "easy(order=expr(wait*procs),reservations=2)", "posted:3", "family:norm(1e300)",
		"srg(beta=.5,share=2)", "lend(fl,every=5m)",
		"expr(((wait", "uniform(users=40,machines=100)", "tperiod:-1", "priority(by=queue,preemptions=3)", "a(b(c(d", ")",
		"hb(,)", "kth:\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(_ *testing.T, text string) {
		_, _ = catalog.Policies.Make(text)
		_, _ = catalog.Orders.Make(text)
		_, _ = catalog.Payments.Make(text)
		_, _ = catalog.Values.Make(text)
		_, _ = catalog.Behaviours.Make(text)
		_, _ = catalog.Mechanisms.Make(text)
		_, _ = catalog.Lenders.Make(text)
		_, _ = catalog.Preferences.Make(text)
	})
}
