package fair_test

import (
	"context"
	"testing"

	"bourse/engine"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/policies/payment"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/tracetest"
	"bourse/traces/transform"
)

// BenchmarkGoogle shares the first parts of Google's trace of 2011 among its users, from
// memory: on an eighth of its machines, which is fully used, and on all of them with the
// tasks that outlive these parts.
func BenchmarkGoogle(b *testing.B) {
	dir := tracetest.Shared(b, "data/google2011")
	for _, load := range []struct {
		name     string
		censored bool
		part     float64
	}{{"loaded", false, 1. / 8}, {"censored", true, 1}} {
		source, err := formats.Open("google2011:"+dir, traces.Options{Censored: load.censored})
		if err != nil {
			b.Fatal(err)
		}
		defer traces.Close(source)
		treated, err := transform.Apply(source, transform.Options{})
		if err != nil {
			b.Fatal(err)
		}
		jobs, err := traces.Load(treated)
		if err != nil {
			b.Fatal(err)
		}
		total := source.Header().Capacity
		pool := engine.Pool{CPU: total.CPU * load.part, Memory: total.Memory * load.part, Machines: 12477 * load.part}
		for _, name := range []string{"drf", "unb", "bal*", "hybrid-sw", "nash"} {
			b.Run(load.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				seen := int64(0)
				for b.Loop() {
					p, err := catalog.Policies.Make(name)
					if err != nil {
						b.Fatal(err)
					}
					sum, err := engine.Run(context.Background(),
						engine.Config{Machine: pool, Policy: p, Pricer: payment.NewPosted(0), Bidder: nobody{}}, jobs.Source(), ignored{})
					if err != nil {
						b.Fatal(err)
					}
					seen += sum.Events
				}
				b.ReportMetric(float64(seen)/b.Elapsed().Seconds(), "events/s")
			})
		}
	}
}

type nobody struct{}

func (nobody) Bid(*traces.Job) (policies.Offer, error) { return policies.Offer{}, nil }

type ignored struct{}

func (ignored) Record(*engine.Outcome) error { return nil }
