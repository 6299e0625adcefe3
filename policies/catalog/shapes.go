package catalog

import (
	"fmt"

	"bourse/policies"
	"bourse/policies/bidding"
)

// valuesOf makes the model that a shape is put on.
func valuesOf(a *policies.Args) (bidding.Values, error) {
	v, err := shapeless.Make(a.Text("values"))
	if err != nil {
		return nil, err
	}
	if _, shaped := v.(bidding.Shaper); shaped {
		return nil, fmt.Errorf("values=%s has a shape of its own", a.Text("values"))
	}
	return v, nil
}

// shapeless breaks the circle of the list of values and what is made of its entries.
var shapeless List[bidding.Values]

func init() { shapeless = Values }

func newDeadlines(a *policies.Args) (bidding.Values, error) {
	v, err := valuesOf(a)
	if err != nil {
		return nil, err
	}
	slack, _, err := policies.ParseSteps(a.Text("slack"), "1/1")
	if err != nil {
		return nil, fmt.Errorf("deadline: slack=%q: want a range, as in .5/3", a.Text("slack"))
	}
	return bidding.Deadlines{Values: v, Least: slack[0], Most: slack[1]}, nil
}

func newSteps(a *policies.Args) (bidding.Values, error) {
	v, err := valuesOf(a)
	if err != nil {
		return nil, err
	}
	times, factors, err := policies.ParseSteps(a.Text("times"), a.Text("factors"))
	if err != nil {
		return nil, fmt.Errorf("steps: %w", err)
	}
	return bidding.Steps{Values: v, Times: times, Factors: factors}, nil
}
