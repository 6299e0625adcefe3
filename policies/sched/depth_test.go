package sched_test

import (
	"fmt"
	"testing"

	"bourse/engine"
	"bourse/policies/payment"
	"bourse/traces/tracetest"
)

// BenchmarkDeepQueue prints jobs/s against the number of jobs that wait: so many
// are submitted at once, and the time is taken from the first completion after
// that, while the queue is still as deep. An iteration is an instant.
func BenchmarkDeepQueue(b *testing.B) {
	for _, name := range []string{"easy", "easy(backfill=sjf)", "conservative"} {
		for depth := 100; depth <= 100_000; depth *= 10 {
			b.Run(fmt.Sprintf("%s/depth=%d", name, depth), func(b *testing.B) { benchmarkDeep(b, name, depth) })
		}
	}
}

func benchmarkDeep(b *testing.B, name string, depth int) {
	jobs := flood(depth+depth/10, depth, 1024)
	var done count
	var r *engine.Replay
	seen, sum, left := 0, 0, 0
	for b.Loop() {
		if left == 0 || !r.More() {
			b.StopTimer()
			seen += int(done)
			done = 0
			var err error
			r, err = engine.New(engine.Config{Machine: engine.Processors(1024), Policy: policy(b, name),
				Pricer: payment.NewPosted(0), Bidder: nothing{}}, tracetest.NewSlice(jobs), &done)
			if err == nil {
				err = r.Step() // all of them come
			}
			if err != nil {
				b.Fatal(err)
			}
			left = depth / 10
			b.StartTimer()
		}
		if err := r.Step(); err != nil {
			b.Fatal(err)
		}
		left--
		sum += depth - int(done)
	}
	b.ReportMetric(float64(seen+int(done))/b.Elapsed().Seconds(), "jobs/s")
	b.ReportMetric(float64(sum)/float64(b.N), "mean-queue")
}
