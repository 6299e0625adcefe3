package placed_test

import (
	"context"
	"testing"

	"bourse/engine"
	"bourse/policies"
	"bourse/policies/payment"
	"bourse/policies/placed"
	"bourse/policies/placement"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/google"
	"bourse/traces/tracetest"
	"bourse/traces/transform"
)

type count int

func (n *count) Record(*engine.Outcome) error { *n++; return nil }

type nothing struct{}

func (nothing) Bid(*traces.Job) (policies.Offer, error) { return policies.Offer{}, nil }

// BenchmarkPlaced replays the first parts of Google's trace of 2011 on its own
// 12,477 machines; the tasks that outlive these parts are kept, without which the
// machines stand empty.
func BenchmarkPlaced(b *testing.B) {
	dir := tracetest.Shared(b, "data/google2011")
	machines, err := google.ReadMachines(dir)
	if err != nil {
		b.Fatal(err)
	}
	source, err := formats.Open("google2011:"+dir, traces.Options{Censored: true})
	if err != nil {
		b.Fatal(err)
	}
	defer traces.Close(source)
	treated, err := transform.Apply(source, transform.Options{Machines: machines})
	if err != nil {
		b.Fatal(err)
	}
	jobs, err := traces.Load(treated)
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"fcfs", "priority"} {
		for rule, fit := range []string{"first", "best", "worst", "dot"} {
			b.Run(name+"/"+fit, func(b *testing.B) {
				var done count
				seen := int64(0)
				for b.Loop() {
					p, err := placed.New(policy(b, name), placement.Fit(rule))
					if err != nil {
						b.Fatal(err)
					}
					sum, err := engine.Run(context.Background(),
						engine.Config{Machine: engine.Cluster(machines), Policy: p, Pricer: payment.NewPosted(0), Bidder: nothing{}},
						jobs.Source(), &done)
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
