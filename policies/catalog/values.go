package catalog

import (
	"fmt"
	"slices"

	"bourse/policies"
	"bourse/policies/bidding"
)

// plainValues lists the models without a shape.
var plainValues = List[bidding.Values]{"values", []Entry[bidding.Values]{
	{
		Name: "bimodal", Paper: shudler + ", Fig. 1",
		Line: "80 % N(30,15), 20 % N(150,15), redrawn until 0 < w <= 180",
		Params: []policies.Param{
			{Name: "low", Default: "30", Doc: "mean of the low mode"},
			{Name: "high", Default: "150", Doc: "mean of the high mode"},
			{Name: "sd", Default: "15", Doc: "deviation of both"},
			{Name: "share", Default: "0.8", Doc: "share of the low mode"},
			{Name: "max", Default: "180", Doc: "largest value"},
		},
		New: func(a *policies.Args) (bidding.Values, error) {
			low, high := a.Float("low", 0, 1e12), a.Float("high", 0, 1e12)
			sd, share, limit := a.Float("sd", 0, 1e12), a.Float("share", 0, 1), a.Float("max", 0, 1e12)
			return bidding.NewBimodal(low, high, sd, share, limit)
		},
	},
	{
		Name: "priority",
		Line: "by the trace's priority: jobs of a tier have values around its mean; the default takes Google's free, other " +
			"and production tiers of 2011",
		Params: []policies.Param{
			{Name: "tiers", Default: "0:30/2:90/9:150",
				Doc: "least priority and mean of each tier; of 2019 as in 0:30/100:60/116:90/120:150"},
			{Name: "sd", Default: "15", Doc: "deviation of all"},
			{Name: "max", Default: "180", Doc: "largest value"},
		},
		New: func(a *policies.Args) (bidding.Values, error) {
			sd, limit := a.Float("sd", 0, 1e12), a.Float("max", 0, 1e12)
			return bidding.NewTiers(a.Text("tiers"), sd, limit)
		},
	},
}}

// Values lists the models of private values.
var Values = List[bidding.Values]{"values", append(slices.Clip(plainValues.Entries), []Entry[bidding.Values]{
	{
		Name: "deadline",
		Line: "values of another model, and a deadline, (1 + slack) x run time after submission: a job that ends later is " +
			"worth nothing",
		Params: []policies.Param{
			{Name: "values", Default: "bimodal", Doc: "the model of the values"},
			{Name: "slack", Default: ".5/3", Doc: "range from which the slack is drawn"},
		},
		New: newDeadlines,
	},
	{
		Name: "steps",
		Line: "values of another model, and what a job is worth falls in steps, at multiples of its run time after " +
			"submission",
		Params: []policies.Param{
			{Name: "values", Default: "bimodal", Doc: "the model of the values"},
			{Name: "times", Default: "1.5/2/4", Doc: "multiples of the run time up to which the factors hold"},
			{Name: "factors", Default: "1/.8/.5", Doc: "parts of value x processors x run time; nothing after the last"},
		},
		New: newSteps,
	},
}...)}

func newDeadlines(a *policies.Args) (bidding.Values, error) {
	v, err := plainValues.Make(a.Text("values"))
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
	v, err := plainValues.Make(a.Text("values"))
	if err != nil {
		return nil, err
	}
	times, factors, err := policies.ParseSteps(a.Text("times"), a.Text("factors"))
	if err != nil {
		return nil, fmt.Errorf("steps: %w", err)
	}
	return bidding.Steps{Values: v, Times: times, Factors: factors}, nil
}
