package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/traces"
)

// narrow starts the narrowest waiting jobs that fit.
type narrow struct{ waiting []policies.Ref }

func (p *narrow) Clone() policies.Policy { return &narrow{slices.Clone(p.waiting)} }

func (p *narrow) Plan(r *policies.Round) {
	p.waiting = append(p.waiting, r.Arrived...)
	slices.SortStableFunc(p.waiting, func(a, b policies.Ref) int { return int(r.Job(a).Procs - r.Job(b).Procs) })
	free, n := r.Free, 0
	for n < len(p.waiting) && int(r.Job(p.waiting[n]).Procs) <= free {
		free -= int(r.Job(p.waiting[n]).Procs)
		r.Start(p.waiting[n])
		n++
	}
	p.waiting = slices.Delete(p.waiting, 0, n)
}

type mean struct{ sum, n float64 }

func (m *mean) Record(o *engine.Outcome) error {
	m.sum += o.BoundedSlowdown()
	m.n++
	return nil
}

// A scenario reads a trace as the program does, with its filters, estimates and machine; the policy may be one of your own.
func ExampleScenario_Prepare() {
	s := scenario.Default()
	s.Trace, s.Limit = "synth:lublin?jobs=2000&procs=64&load=0.9&seed=1", "12h"
	for _, mine := range []bool{false, true} {
		src, err := s.Open(scenario.Env{})
		if err != nil {
			fmt.Println(err)
			return
		}
		p, err := s.Prepare(src)
		if err != nil {
			fmt.Println(err)
			return
		}
		if mine {
			p.Config.Policy = &narrow{}
		}
		var m mean
		sum, err := engine.Run(context.Background(), p.Config, p.Source, &m)
		fmt.Printf("%d jobs, a mean bounded slowdown of %.2f %v\n", sum.Jobs, m.sum/m.n, errors.Join(err, traces.Close(p.Source)))
	}
	// Output:
	// 2000 jobs, a mean bounded slowdown of 688.82 <nil>
	// 2000 jobs, a mean bounded slowdown of 398.04 <nil>
}
