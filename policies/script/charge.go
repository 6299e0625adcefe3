package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"bourse/policies"
)

// pricedPlan is a plan that sets prices itself, round.charge(job, price), for the payment asked; with feePlan's also
// round.fee(job, amount).
type pricedPlan struct{ *planner }

// planner is Plan by a name that its method leaves free.
type planner = Plan

// Asked is 0: each job has its own price.
func (pricedPlan) Asked() float64 { return 0 }

// Agreed is what the plan has charged last.
func (p pricedPlan) Agreed(ref policies.Ref) float64 { return amountOf(p.agreed, ref) }

// Repriced implements policies.Repricer.
func (p pricedPlan) Repriced() []policies.Ref { return p.repriced }

// Clone keeps what the copy is.
func (p pricedPlan) Clone() policies.Policy { return pricedPlan{p.planner.Clone().(*Plan)} }

type feePlan struct{ pricedPlan }

// Fee is what the plan has charged for the job as a whole.
func (p feePlan) Fee(ref policies.Ref) float64 { return amountOf(p.fees, ref) }

// Clone keeps what the copy is.
func (p feePlan) Clone() policies.Policy { return feePlan{pricedPlan{p.planner.Clone().(*Plan)}} }

func amountOf(list []float64, ref policies.Ref) float64 {
	if int(ref) < len(list) {
		return list[ref]
	}
	return 0
}

// leave is the script's round.leave(job, why): a waiting job goes elsewhere, where it runs at once.
func (s *round) leave(args starlark.Tuple) (starlark.Value, error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("leave: want a job, and a text that says why")
	}
	j, err := jobArg("leave", args[:1], 0)
	if err != nil {
		return nil, err
	}
	why, ok := starlark.AsString(args[1])
	if !ok || why == "" {
		return nil, fmt.Errorf("leave: why job %d leaves is %s; want a text", j.ID, brief(args[1]))
	}
	if err := s.requireState("let go of", j, policies.Waiting); err != nil {
		return nil, err
	}
	s.mark(j, "let go of")
	s.r.Leave(j.ref, policies.Elsewhere, printable(why))
	return starlark.None, nil
}

// charge is the script's round.charge(job, price): what the job pays per processor-second while it runs, from now on.
func (s *round) charge(args starlark.Tuple) (starlark.Value, error) {
	j, x, err := s.money("charge", args)
	if err != nil {
		return nil, err
	}
	s.p.agreed[j.ref] = x
	if j.State == policies.Running {
		s.p.repriced = append(s.p.repriced, j.ref)
	}
	return starlark.None, nil
}

// fee is the script's round.fee(job, amount): what a job that has not run yet pays per processor, however long it runs.
func (s *round) fee(args starlark.Tuple) (starlark.Value, error) {
	j, x, err := s.money("fee", args)
	if err != nil {
		return nil, err
	}
	if j.State == policies.Running {
		return nil, fmt.Errorf("fee: job %d runs already; a fee is agreed on before a job starts", j.ID)
	}
	s.p.fees[j.ref] = x
	return starlark.None, nil
}

// money reads a job that is there and an amount of 0 or more.
func (s *round) money(of string, args starlark.Tuple) (*job, float64, error) {
	j, err := jobArg(of, args, 1)
	if err != nil {
		return nil, 0, err
	}
	x, ok := starlark.AsFloat(args[1])
	if !ok || !(x >= 0 && x <= policies.MostMoney) {
		return nil, 0, fmt.Errorf("%s: job %d would pay %s; want a number from 0 to %g", of, j.ID, brief(args[1]),
			policies.MostMoney)
	}
	if j.State == policies.Gone || s.p.jobs[j.ref] != j {
		return nil, 0, fmt.Errorf("%s: job %d is over", of, j.ID)
	}
	for int(j.ref) >= len(s.p.agreed) {
		s.p.agreed, s.p.fees = append(s.p.agreed, 0), append(s.p.fees, 0)
	}
	return j, x, nil
}
