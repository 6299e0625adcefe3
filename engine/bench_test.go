package engine_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// stream makes serial jobs on the fly: exponential gaps, log-normal run times
// of some 50 minutes in the mean, offered load rho on the machine.
type stream struct {
	r     *rand.Rand
	left  int
	next  traces.Job
	gap   float64
	width int
}

func newStream(jobs, procs, width int, rho float64) *stream {
	mean := math.Exp(6.5 + 1.8*1.8/2)
	return &stream{r: rand.New(rand.NewPCG(1, 2)), left: jobs, width: width,
		gap: mean * (1 + float64(width)) / 2 / (rho * float64(procs))}
}

func (s *stream) Header() *traces.Header { return &traces.Header{Ledger: &traces.Ledger{}} }

func (s *stream) Next(j *traces.Job) error {
	if s.left == 0 {
		return io.EOF
	}
	s.left--
	s.next.ID++
	s.next.Submit += events.Time(s.r.ExpFloat64() * s.gap * 1e6)
	s.next.Run = events.Time(math.Exp(6.5+1.8*s.r.NormFloat64())) * events.Second
	s.next.Estimate = s.next.Run * 2
	s.next.Procs = int32(1 + s.r.IntN(s.width))
	*j = s.next
	return nil
}

// drawn bids like the bimodal model, without its package.
type drawn struct{ r *rand.Rand }

func (d drawn) Bid(*traces.Job) (policies.Offer, error) {
	b := 30.0
	if d.r.Float64() < .2 {
		b = 150
	}
	b = math.Abs(b + 15*d.r.NormFloat64())
	return policies.Offer{Value: b, Bid: b}, nil
}

type nowhere struct{ jobs int }

func (n *nowhere) Record(*engine.Outcome) error {
	n.jobs++
	return nil
}

func benchReplay(b *testing.B, jobs, procs, width int, rho float64, policy, pay string) {
	b.ReportAllocs()
	var events int64
	var peak int
	for b.Loop() {
		p := newPolicy(policy)
		cfg := engine.Config{Machine: engine.Processors(procs), Policy: p, Pricer: newPricer(pay, p),
			Bidder: drawn{rand.New(rand.NewPCG(3, 4))}}
		sum, err := engine.Run(context.Background(), cfg, newStream(jobs, procs, width, rho), &nowhere{})
		if err != nil {
			b.Fatal(err)
		}
		events += sum.Events
		peak = sum.PeakLive
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(peak), "peak-live")
}

// BenchmarkReplay measures the engine with each policy and price scheme on a
// busy machine of 105 processors.
func BenchmarkReplay(b *testing.B) {
	for _, policy := range policyNames {
		for _, pay := range []string{"none", "first", "kth"} {
			b.Run(policy+"/"+pay, func(b *testing.B) { benchReplay(b, 100_000, 105, 1, .97, policy, pay) })
		}
	}
	b.Run("hb/kth/gang", func(b *testing.B) { benchReplay(b, 100_000, 105, 16, .7, "hb", "kth") })
	b.Run("hb(fit=skip)/kth/gang", func(b *testing.B) { benchReplay(b, 100_000, 105, 16, .7, "hb(fit=skip)", "kth") })
}

// BenchmarkGrowth measures cost per event as the trace, the machine and the
// queue grow.
func BenchmarkGrowth(b *testing.B) {
	for _, jobs := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) { benchReplay(b, jobs, 105, 1, .9, "hb", "kth") })
	}
	for _, procs := range []int{100, 10_000} {
		for _, policy := range []string{"hb", "nphb"} {
			b.Run(fmt.Sprintf("running=%d/%s", procs, policy),
				func(b *testing.B) { benchReplay(b, 200_000, procs, 1, .97, policy, "kth") })
		}
	}
	for _, rho := range []float64{.5, 4} {
		for _, policy := range []string{"hb", "nphb"} {
			b.Run(fmt.Sprintf("load=%g/%s", rho, policy),
				func(b *testing.B) { benchReplay(b, 200_000, 105, 1, rho, policy, "kth") })
		}
	}
}
