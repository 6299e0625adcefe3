package engine_test

import (
	"context"
	"fmt"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/sched"
	"bourse/traces"
)

// A machine, a policy and jobs are enough: without a price scheme nobody pays, and without a
// sink only the summary is kept.
func ExampleRun() {
	job := func(id int64, submit events.Time, procs int32) traces.Job {
		j := traces.UnknownJob
		j.ID, j.Submit, j.Procs = id, submit*events.Second, procs
		j.Run, j.Estimate = 100*events.Second, 100*events.Second
		return j
	}
	jobs := traces.MemoryOf(job(1, 0, 3), job(2, 10, 4), job(3, 20, 1))
	for _, policy := range []policies.Policy{sched.EASY(), sched.NewEasy(sched.Rules{Reservations: sched.NoReservation})} {
		config := engine.Config{Machine: engine.Processors(4), Policy: policy}
		sum, err := engine.Run(context.Background(), config, jobs.Source(), nil)
		fmt.Println(sum.Jobs, sum.Last, err)
	}
	_, err := engine.Run(context.Background(), engine.Config{}, jobs.Source(), nil)
	fmt.Println(err)
	// Output:
	// 3 300s <nil>
	// 3 220s <nil>
	// a replay needs a policy
}
