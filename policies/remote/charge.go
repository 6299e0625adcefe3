package remote

import (
	"encoding/json"
	"errors"
	"fmt"

	"bourse/policies"
)

// pricedExec is a program that sets prices, for the payment asked.
type pricedExec struct{ *Exec }

// Policy is the policy that the program is: one that sets prices, if it may.
func (x *Exec) Policy() policies.Policy {
	if x.o.Charges {
		return pricedExec{x}
	}
	return x
}

// Asked is 0: each job has its own price.
func (pricedExec) Asked() float64 { return 0 }

// Agreed is what the program has charged last.
func (x pricedExec) Agreed(ref policies.Ref) float64 {
	if int(ref) < len(x.agreed) {
		return x.agreed[ref]
	}
	return 0
}

// Repriced implements policies.Repricer.
func (x pricedExec) Repriced() []policies.Ref { return x.repriced }

// Clone keeps what the copy is.
func (x pricedExec) Clone() policies.Policy { return pricedExec{x.clone()} }

// leaving is [ID, "why"].
type leaving struct {
	id  int64
	why string
}

// UnmarshalJSON reads a pair.
func (l *leaving) UnmarshalJSON(text []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(text, &pair); err != nil {
		return err
	}
	if len(pair) != 2 || json.Unmarshal(pair[0], &l.id) != nil || json.Unmarshal(pair[1], &l.why) != nil || l.why == "" {
		return errors.New(`want ["leave"] pairs of a job's id and a text that says why it leaves`)
	}
	return nil
}

// letGo lets jobs leave.
func (x *Exec) letGo(r *policies.Round, list []leaving) error {
	for _, l := range list {
		ref, err := x.ref(l.id)
		if err != nil {
			return fmt.Errorf("it lets go of %w", err)
		}
		if !x.o.Leaves {
			return fmt.Errorf("it lets go of job %d, and jobs may leave only with leaves=true after the command", l.id)
		}
		r.Leave(ref, policies.Elsewhere, short([]byte(l.why)))
		delete(x.refs, l.id)
	}
	return nil
}

// charge takes over what jobs are to pay.
func (x *Exec) charge(r *policies.Round, list [][2]float64) error {
	x.repriced = x.repriced[:0]
	for _, c := range list {
		ref, err := x.ref(int64(c[0]))
		if err != nil {
			return fmt.Errorf("it charges %w", err)
		}
		switch {
		case !x.o.Charges:
			return fmt.Errorf("it charges job %g, and sets prices only with charges=true after the command", c[0])
		case !(c[1] >= 0 && c[1] <= policies.MostMoney):
			return fmt.Errorf("it charges job %g %g; want a number from 0 to %g", c[0], c[1], policies.MostMoney)
		}
		for int(ref) >= len(x.agreed) {
			x.agreed = append(x.agreed, 0)
		}
		x.agreed[ref] = c[1]
		if r.Job(ref).State == policies.Running {
			x.repriced = append(x.repriced, ref)
		}
	}
	return nil
}
