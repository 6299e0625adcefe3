// Package sweep runs grids of replays and keeps their aggregates as a dataset:
// one directory a cell, named in the hive style, so that DuckDB, pandas or Arrow
// read them all at once with the settings as columns.
//
// Cells of one seed use the same values, the same aggressive jobs and the same
// uniform draws, so they are paired. Cells that differ only in payment share one
// replay, billed under all of them. Results do not depend on the number of
// workers, on shards, or on how often a sweep was interrupted.
package sweep

import (
	"fmt"
	"slices"
	"strconv"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/reports/run"
	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/suggest"
	"bourse/traces/transform"
)

// The axes of a sweep, in the order of its directories.
const (
	Trace     = "trace"
	Nodes     = "nodes"
	Load      = "load-factor"
	Policy    = "policy"
	Values    = "values"
	Behaviour = "behaviour"
	Seed      = "seed"
	Payment   = "payment"

	// These are axes only of sweeps that ask for them.
	Machines   = "machines"
	Estimates  = "estimates"
	Preemption = "preemption"
	Shake      = "shake"
)

// Names lists the axes, payment last: it varies fastest, and the cells of one
// schedule stand together. Those before Policy say what is drawn, so that the
// cells of one set of draws stand together, too.
func Names() []string {
	return []string{Trace, Nodes, Machines, Load, Shake, Estimates, Values, Seed, Policy, Preemption, Behaviour, Payment}
}

// Optional reports whether an axis is left out where nobody asks for it.
func Optional(axis string) bool {
	return axis == Machines || axis == Estimates || axis == Preemption || axis == Shake
}

// Plan is a sweep: what is fixed, and the grid. It is kept as sweep.json.
type Plan struct {
	Bourse string         `json:"bourse"`
	Traces []run.TraceRef `json:"traces"`
	// Fixed holds the settings all cells share.
	Fixed []run.Setting `json:"fixed"`
	Axes  []Axis        `json:"axes"`
}

// Settings are what all cells of a sweep share.
type Settings struct {
	Where       string
	From, Until events.Time
	Serial      bool
	Migration   events.Time
	// Resample deals users anew under each cell's seed.
	Resample *transform.Resample
	// QueueLimits say what jobs of a queue have to be.
	QueueLimits string
	// Kill ends jobs at their estimates, Resubmit submits those again; Feedback
	// submits jobs when those they follow have ended.
	Kill, Resubmit, Feedback bool
	// Edges are left out of the aggregates.
	Edges traces.Edges
	// Records keeps every cell's job records beside its aggregates.
	Records bool
	Version string
}

// fixed lists the settings that change results, for the plan.
func (s *Settings) fixed() []run.Setting {
	return []run.Setting{
		{Key: "where", Value: s.Where}, {Key: "from", Value: s.From.String()}, {Key: "until", Value: s.Until.String()},
		{Key: "serial", Value: fmt.Sprint(s.Serial)}, {Key: "migration-cost", Value: s.Migration.String()},
		{Key: "resample", Value: s.resample()}, {Key: "kill-at-estimate", Value: fmt.Sprint(s.Kill)},
		{Key: "resubmit-killed", Value: fmt.Sprint(s.Resubmit)}, {Key: "feedback", Value: fmt.Sprint(s.Feedback)},
		{Key: "queue-limits", Value: s.QueueLimits},
		{Key: "warm-up", Value: s.Edges.WarmUp.String()}, {Key: "cool-down", Value: s.Edges.CoolDown.String()},
	}
}

func (s *Settings) resample() string {
	if s.Resample == nil {
		return ""
	}
	return fmt.Sprintf("weeks=%d,users=%g,long=%d", s.Resample.Weeks, s.Resample.Users, s.Resample.Long)
}

// Input is one trace, read once.
type Input struct {
	Ref   run.TraceRef
	Jobs  *traces.Memory
	Label string // the axis value
	// Hardware is what the jobs run on by the values of the axis Machines, under ""
	// where there is no such axis; nil is the processors the trace tells of.
	Hardware map[string]Hardware
}

// Hardware is what the jobs of a cell run on.
type Hardware interface {
	// Config is an engine's configuration for it.
	Config() engine.Config
	// Limit leaves out jobs that are larger.
	Limit(*transform.Options)
	// Place makes a policy place jobs on its machines, if it has any.
	Place(policies.Policy) (policies.Policy, error)
}

// processors is a machine of processors.
type processors int

// Config implements Hardware.
func (p processors) Config() engine.Config { return engine.Config{Machine: engine.Processors(p)} }

// Limit implements Hardware.
func (p processors) Limit(t *transform.Options) { t.Procs = int(p) }

// Place implements Hardware.
func (processors) Place(p policies.Policy) (policies.Policy, error) { return p, nil }

// hardware is what a cell's jobs run on.
func (in *Input) hardware(c Cell) Hardware {
	if nodes, _ := strconv.Atoi(c.Get(Nodes)); nodes > 0 {
		return processors(nodes)
	}
	if h, ok := in.Hardware[c.Get(Machines)]; ok {
		return h
	}
	return processors(in.Jobs.Header().Procs)
}

// group is a set of cells with one replay: they differ in payment only. Where
// users react each cell has its own, since who is counted depends on the replay,
// and so do the run-time groups that bills are told apart by.
type group struct {
	cells []Cell
	input *Input
}

// groups cuts the cells, which stand in order, into schedules.
func (s *Settings) groups(cells []Cell, inputs []Input) ([]group, error) {
	var out []group
	for _, c := range cells {
		if n := len(out); n > 0 && !s.Feedback && sameSchedule(out[n-1].cells[0], c) {
			out[n-1].cells = append(out[n-1].cells, c)
			continue
		}
		i := slices.IndexFunc(inputs, func(in Input) bool { return in.Label == c.Get(Trace) })
		if i < 0 {
			return nil, fmt.Errorf("cell %v: no such trace", c)
		}
		out = append(out, group{[]Cell{c}, &inputs[i]})
	}
	return out, nil
}

func sameSchedule(a, b Cell) bool {
	for i := range a {
		if a[i].Name != Payment && a[i] != b[i] {
			return false
		}
	}
	return true
}

// Check builds every value of the axes once, so that a misspelt name fails
// before any time is spent.
func Check(axes []Axis) error {
	for _, a := range axes {
		if len(a.Values) == 0 {
			return fmt.Errorf("the grid is empty: axis %s has no values", a.Name)
		}
		for _, v := range a.Values {
			var err error
			switch a.Name {
			case Policy:
				_, err = catalog.Policies.Make(v)
			case Payment:
				_, err = catalog.Payments.Make(v)
			case Values:
				_, err = catalog.Values.Make(v)
			case Behaviour:
				_, err = catalog.Behaviours.Make(v)
			case Estimates:
				_, err = transform.ParseEstimates(v, 1)
			case Shake:
				_, err = input.ParseDuration(v)
			case Preemption:
				if v != "resume" && v != "restart" {
					err = fmt.Errorf("preemption %q; resume or restart was expected", v)
				}
			case Trace, Nodes, Machines, Load, Seed:
			default:
				err = fmt.Errorf("unknown axis %q%s", a.Name, suggest.DidYouMean(a.Name, Names()))
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
