package catalog

import (
	"bourse/policies"
	"bourse/policies/rounds"
)

// inRounds lists the policies that decide every so often.
var inRounds = []Entry[policies.Policy]{{
	Name: "rounds", Group: Preemptive, Paper: "Narayanan et al., Gavel, OSDI 2020; Gu et al., Tiresias, NSDI 2019",
	Line: "in rounds: every so often it decides again who holds whole processors; jobs with a speed get more or fewer than " +
		"they ask for",
	Params: []policies.Param{
		{Name: "rule", Default: rounds.MaxMin, Doc: "las: what they ask for, least processor-seconds so far first; maxmin: least " +
			"work so far first, then a processor more to the slowest that gains by one; sum: most speed for each processor"},
		{Name: "every", Default: "120", Doc: "seconds from one round to the next, from the first submission on; what ends " +
			"early stays idle"},
	},
	New: fromArgs(func(a *policies.Args) policies.Policy {
		return &rounds.Rounds{Rule: a.Choice("rule", rounds.Rules...), Every: a.Duration("every", 1e-6, 1e9)}
	}),
}}

// Elastic lists the laws by which jobs of a log that says nothing of it run on more or fewer processors.
var Elastic = List[policies.Speeds]{"law", []Entry[policies.Speeds]{
	{
		Name: "amdahl", Paper: "Amdahl 1967", Line: "1 / (serial + (1 - serial) / n) on n processors",
		Params: append([]policies.Param{{Name: "serial", Default: ".05", Doc: "the part of the work on one processor that no " +
			"other can help with"}}, ranges...),
		New: func(a *policies.Args) (policies.Speeds, error) {
			return stretch(a, policies.Amdahl(a.Float("serial", 0, 1)), 0, 0), nil
		},
	},
	{
		Name: "downey", Paper: "Downey 1997", Line: "Downey's model of parallel programs",
		Params: append([]policies.Param{
			{Name: "a", Default: "1", Doc: "average parallelism, in times what the job asks for"},
			{Name: "sigma", Default: "1", Doc: "variation of the parallelism; 0: none"}}, ranges...),
		New: func(a *policies.Args) (policies.Speeds, error) {
			return stretch(a, nil, a.Float("a", 1, 1e6), a.Float("sigma", 0, 1e6)), nil
		},
	},
	{
		Name: "linear", Line: "as fast as it has processors", Params: ranges,
		New: func(a *policies.Args) (policies.Speeds, error) { return stretch(a, policies.Linear(0), 0, 0), nil },
	},
}}

// ranges are the parameters of every law.
var ranges = []policies.Param{
	{Name: "least", Default: "0", Doc: "the fewest processors, in times what the job asks for; at least one"},
	{Name: "most", Default: "2", Doc: "the most, in times what it asks for"},
	{Name: "share", Default: "1", Doc: "share of the jobs that are elastic, drawn by their numbers; the others are rigid"},
}

func stretch(a *policies.Args, law policies.Law, parallelism, sigma float64) *rounds.Elastic {
	return &rounds.Elastic{Law: law, A: parallelism, Sigma: sigma, Least: a.Float("least", 0, 1), Most: a.Float("most", 1, 1e6),
		Share: a.Float("share", 0, 1)}
}
