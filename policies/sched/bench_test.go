package sched_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
	"bourse/traces"
	"bourse/traces/tracetest"
)

// flood makes a workload like a log's: sizes mostly powers of two, log-normal run
// times, estimates of a few round values, and a first submission of depth jobs at
// once, so that about so many wait all the time.
func flood(jobs, depth, procs int) []traces.Job {
	r := rand.New(rand.NewPCG(7, uint64(depth)))
	widest := math.Log2(float64(procs))
	all := make([]traces.Job, jobs)
	at, rate := 0.0, 0.0
	for i := range all {
		n := int32(math.Exp2(widest * r.Float64() * r.Float64()))
		if r.Float64() < .25 && n > 2 {
			n -= r.Int32N(n / 2)
		}
		run := math.Exp(6 + 1.8*r.NormFloat64())
		estimate := 300.0
		for estimate < run*(1+3*r.Float64()) {
			estimate *= 2
		}
		all[i] = traces.Job{ID: int64(i + 1), Procs: n, Pieces: 1, Run: events.Time(run) * events.Second,
			Estimate: events.Time(estimate) * events.Second}
		rate += run * float64(n) / float64(procs)
	}
	gap := rate / float64(jobs) / 0.9 // a use of 90 %, about what backfilling can carry
	for i := range all {
		if i >= depth {
			at += r.ExpFloat64() * gap
		}
		all[i].Submit = events.Time(at) * events.Second
	}
	return all
}

// queueDepth wraps a policy and adds up how many jobs wait when it is asked.
type queueDepth struct {
	policies.Policy
	rounds, waiting, sum int
}

func (q *queueDepth) Unwrap() policies.Policy { return q.Policy }

func (q *queueDepth) Plan(r *policies.Round) {
	q.Policy.Plan(r)
	q.waiting += len(r.Arrived) + len(r.Preempted) - len(r.Started)
	q.sum += q.waiting
	q.rounds++
}

type count int

func (n *count) Record(*engine.Outcome) error { *n++; return nil }

func benchmark(b *testing.B, jobs []traces.Job, procs int, name string) {
	b.ReportAllocs()
	var done count
	var depth queueDepth
	for b.Loop() {
		depth = queueDepth{Policy: policy(b, name)}
		_, err := engine.Run(context.Background(),
			engine.Config{Machine: engine.Processors(procs), Policy: &depth, Pricer: payment.NewPosted(0), Bidder: nothing{}},
			tracetest.NewSlice(jobs), &done)
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "jobs/s")
	b.ReportMetric(float64(depth.sum)/float64(depth.rounds), "mean-queue")
}

// BenchmarkKTH replays a real log from memory.
func BenchmarkKTH(b *testing.B) {
	jobs := readSchedule(b, "ref_easy_batch_kth").jobs
	for _, name := range []string{"fcfs", "easy", "easy(backfill=sjf)", "easy(order=wfp3)", "sjf", "wfp3",
		"conservative"} {
		b.Run(name, func(b *testing.B) { benchmark(b, jobs, 100, name) })
	}
}

// BenchmarkQueueDepth shows what a job costs as the queue grows.
func BenchmarkQueueDepth(b *testing.B) {
	for _, name := range []string{"fcfs", "easy", "easy(backfill=sjf)"} {
		for _, depth := range []int{10, 1_000, 10_000, 100_000} {
			jobs := flood(200_000, depth, 1024)
			b.Run(fmt.Sprintf("%s/depth=%d", name, depth), func(b *testing.B) { benchmark(b, jobs, 1024, name) })
		}
	}
	// Compression moves promises in proportion to those who wait whenever a job ends
	// early (see BenchmarkDeepQueue); with exact estimates nothing is compressed.
	for _, depth := range []int{10, 1_000} {
		jobs := flood(20_000, depth, 1024)
		b.Run(fmt.Sprintf("conservative/depth=%d", depth), func(b *testing.B) { benchmark(b, jobs, 1024, "conservative") })
	}
	for _, depth := range []int{10, 1_000, 10_000} {
		jobs := flood(200_000, depth, 1024)
		for i := range jobs {
			jobs[i].Estimate = jobs[i].Run
		}
		b.Run(fmt.Sprintf("conservative/exact/depth=%d", depth),
			func(b *testing.B) { benchmark(b, jobs, 1024, "conservative") })
	}
}
