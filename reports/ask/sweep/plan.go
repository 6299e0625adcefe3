// Package sweep runs grids of replays and keeps their aggregates: a directory for each
// cell, and one table of all cells with the settings as columns, which DuckDB, pandas or
// Arrow read by the directory's name.
//
// Cells of one seed use the same values, the same aggressive jobs and the same
// uniform draws, so they are paired. Cells that differ only in payment share one
// replay, billed under all of them. Results do not depend on the number of
// workers, on shards, or on how often a sweep was interrupted.
package sweep

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/run"
	"bourse/traces"
	"bourse/traces/suggest"
)

// Names of axes.
const (
	Trace     = "trace"
	Nodes     = "nodes"
	Load      = "load-factor"
	Policy    = "policy"
	Values    = "values"
	Behaviour = "behaviour"
	Seed      = "seed"
	Payment   = "payment"
	Machines  = "machines"
	Shake     = "shake"
)

// AxisKind is what cells of a sweep may differ in.
type AxisKind struct {
	Name string
	// Example is a list of values, for help.
	Example string
	// Optional axes are left out of a sweep that does not ask for them.
	Optional bool
}

// Kinds lists the axes in the order of a sweep's directories, payment last: it varies
// fastest, and the cells of one schedule are together. Those before the policy say what
// is drawn, so that the cells of one set of draws are together, too.
var Kinds = []AxisKind{
	{Trace, "", false},
	{Nodes, "64,128", false},
	{Machines, "'pool,trace(fit=best),trace(fit=worst)'", true},
	{Load, "0.9,1,1.1", false},
	{Shake, "0,60,5m, under each seed", true},
	{"estimates", "'log,exact,scale:2,tsafrir'", true},
	{Values, "", false},
	{Seed, "", false},
	{Policy, "hb,nphb", false},
	{"preemption", "resume,restart,checkpoint:1h", true},
	{Behaviour, "'truthful,srg(beta={.05,.5,.9})'", false},
	{Payment, "first,kth (they share a replay)", false},
}

// Names lists the axes' names.
func Names() []string {
	names := make([]string, len(Kinds))
	for i, k := range Kinds {
		names[i] = k.Name
	}
	return names
}

// Kind returns the axis of that name; false if it is none.
func Kind(name string) (AxisKind, bool) {
	i := slices.IndexFunc(Kinds, func(k AxisKind) bool { return k.Name == name })
	if i < 0 {
		return AxisKind{}, false
	}
	return Kinds[i], true
}

// Plan is a sweep: what is fixed, and the grid. It is kept as sweep.json.
type Plan struct {
	Bourse string `json:"bourse"`
	// Version is that of a run's manifest.
	Version int        `json:"manifest"`
	Traces  []TraceRef `json:"traces"`
	// Bids is the SHA-256 of the table of bids, if there is one.
	Bids string `json:"bids_sha256,omitempty"`
	// Scripts are the files that policies, prices or behaviours of the cells are made of.
	Scripts []run.FileRef `json:"scripts,omitempty"`
	// Scenario is what all cells share: the options of the axes have their defaults.
	Scenario scenario.Scenario `json:"scenario"`
	// Records says that job records are kept.
	Records bool   `json:"records"`
	Axes    []Axis `json:"axes"`
}

// IsLog reports whether a cell is of the log itself, in a sweep over replicas of it.
func (p *Plan) IsLog(c Cell) bool {
	return p.Scenario.Resample != "" && c.Get(Seed) == strconv.Itoa(scenario.LogItself)
}

// TraceRef is a trace of a sweep: its value on the axis, its content, and how it was
// given.
type TraceRef struct {
	run.TraceRef
	Spec string `json:"spec"`
}

// Settings are what all cells of a sweep share.
type Settings struct {
	// Base is the scenario that cells vary.
	Base scenario.Scenario
	// Records keeps every cell's job records in addition to its aggregates.
	Records bool
	Version string
	bids    string // the SHA-256 of the table, once the sweep has begun
}

// scenario is a cell's. The window is left out: the traces were cut to it when they
// were read.
func (s *Settings) scenario(c Cell) (scenario.Scenario, error) {
	x := s.Base
	x.Where, x.From, x.Until = "", events.Instant{}, events.Instant{}
	for _, setting := range c {
		if setting.Name == Trace {
			continue
		}
		if err := x.Set(setting.Name, setting.Value); err != nil {
			return x, err
		}
	}
	return x, x.Validate()
}

// SeedsMatter reports whether cells that differ in their seed only may differ in anything
// else.
func (s *Settings) SeedsMatter(axes []Axis) bool {
	return slices.ContainsFunc(Cells(slices.DeleteFunc(slices.Clone(axes), func(a Axis) bool { return a.Name == Seed })),
		func(c Cell) bool {
			x, err := s.scenario(c)
			return err != nil || x.Draws()
		})
}

// manifest is that of a cell's records: the scenario of a replay that makes them.
func (s *Settings) manifest(in *Input, c Cell) (*run.Manifest, error) {
	x, err := s.scenario(c)
	if err != nil {
		return nil, err
	}
	x.Trace, x.Where, x.From, x.Until = in.Ref.Spec, s.Base.Where, s.Base.From, s.Base.Until
	text, err := json.Marshal(&x)
	return &run.Manifest{Trace: run.TraceRef{Name: in.Ref.Spec, Format: in.Ref.Format, SHA256: in.Ref.SHA256},
		Bids: s.bids, Seed: x.Seed, Scenario: text}, err
}

// Input is one trace, read once.
type Input struct {
	Ref   TraceRef
	Jobs  *traces.Memory
	Label string // the axis value
	// Hardware is what the jobs run on, by what scenarios say of it.
	Hardware map[scenario.Machine]scenario.Hardware
}

// Load reads a trace for all cells: the records within the window, and the machines
// that the axes name.
func (s *Settings) Load(src traces.Source, ref TraceRef, axes []Axis) (in Input, err error) {
	in = Input{Ref: ref, Label: ref.Name, Hardware: map[scenario.Machine]scenario.Hardware{}}
	in.Ref.Format = src.Header().Format
	for _, c := range Cells(slices.DeleteFunc(slices.Clone(axes),
		func(a Axis) bool { return a.Name != Nodes && a.Name != Machines })) {
		x, err := s.scenario(c)
		if err != nil {
			return in, err
		}
		if in.Hardware[x.Machine], err = x.On(src); err != nil {
			return in, err
		}
	}
	cut, err := scenario.Apply(src, s.Base.Window())
	if err != nil {
		return in, err
	}
	if in.Jobs, err = traces.Load(traces.Ahead(cut)); err != nil {
		return in, err
	}
	return in, s.Base.CanResample(in.Jobs)
}

// group is a set of cells with one replay: they differ in payment only. Where
// users react each cell has its own, since who is counted depends on the replay,
// and so do the run-time groups that bills are told apart by; with budgets, because who bids depends
// on what is paid.
type group struct {
	cells []Cell
	input *Input
}

// groups cuts the cells, which stand in order, into schedules.
func (s *Settings) groups(cells []Cell, inputs []Input) ([]group, error) {
	var out []group
	for _, c := range cells {
		if n := len(out); n > 0 && !s.Base.Feedback && s.Base.Budget == "" && sameSchedule(out[n-1].cells[0], c) {
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

// Settle fills in the axes of the market that have no values. A market that one cell
// asks for is every cell's.
func Settle(axes []Axis, base scenario.Market) error {
	values := func(name string) *[]string {
		return &axes[slices.IndexFunc(axes, func(a Axis) bool { return a.Name == name })].Values
	}
	named := func(name string) []string {
		if v := *values(name); len(v) > 0 {
			return v
		}
		return []string{""}
	}
	m := scenario.Market{Values: named(Values)[0], Behaviour: named(Behaviour)[0], Bids: base.Bids, Budget: base.Budget}
	asked := m.Asks()
	for _, m.Policy = range named(Policy) {
		for _, m.Payment = range named(Payment) {
			asked = asked || m.Asks()
		}
	}
	m.Payment = ""
	if asked {
		m.Values = m.Settled().Values
	}
	var last scenario.Market
	for i, policy := range named(Policy) {
		// A misspelt name has no default payment: it is told here, not as a difference.
		if s := scenario.Default(); policy != "" {
			if err := s.Set(Policy, policy); err != nil {
				return err
			}
		}
		m.Policy = policy
		now := m.Settled()
		if i > 0 && now.Payment != last.Payment && len(*values(Payment)) == 0 {
			return fmt.Errorf("payment: %s's is %s by default and %s's %s; name those of all cells", last.Policy, last.Payment,
				now.Policy, now.Payment)
		}
		last = now
	}
	for _, x := range []Setting{{Policy, last.Policy}, {Payment, last.Payment}, {Values, last.Values},
		{Behaviour, last.Behaviour}} {
		if v := values(x.Name); len(*v) == 0 {
			*v = []string{x.Value}
		}
	}
	return nil
}

// checkGrid wants axes that are known and have values, and no more cells than may be.
func checkGrid(axes []Axis) error {
	cells := 1
	for i, a := range axes {
		if cells *= max(1, len(a.Values)); cells > MostCells {
			return fmt.Errorf("a grid of more than %d cells; want fewer values", MostCells)
		}
		if len(a.Values) == 0 {
			return fmt.Errorf("the grid is empty: axis %s has no values", a.Name)
		}
		if !slices.Contains(Names(), a.Name) {
			return fmt.Errorf("unknown axis %q%s", a.Name, suggest.DidYouMean(a.Name, Names()))
		}
		if slices.ContainsFunc(axes[:i], func(b Axis) bool { return b.Name == a.Name }) {
			return fmt.Errorf("axis %s is there twice", a.Name)
		}
	}
	return nil
}

// Check sets every value of the axes once, so that a misspelt name fails before any
// time is spent.
func Check(axes []Axis) error {
	if err := checkGrid(axes); err != nil {
		return err
	}
	for _, a := range axes {
		for _, v := range a.Values {
			if n := len(Setting{a.Name, v}.directory()); n > longestName {
				return fmt.Errorf("%s %.40q... is too long for the name of its cell's directory (%d bytes, of %d at most)", a.Name,
					v, n, longestName)
			}
			s := scenario.Default()
			if a.Name == Trace {
				continue
			}
			if err := s.Set(a.Name, v); err != nil {
				return err
			}
		}
	}
	return nil
}
