package synth

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/rng"
	"bourse/traces/suggest"
)

// models are the models that "synth:NAME?..." may name.
var models = []string{"lublin", "google2011"}

// Parameters lists the parameters of synth:lublin, with one line each.
var Parameters = []input.Parameter{
	{Name: "jobs", Line: "number of jobs (default 10000)"},
	{Name: "procs", Line: "processors of the machine (default 128)"},
	{Name: "seed", Line: "seed of all random streams (default 1)"},
	{Name: "types", Line: "mixed (batch and interactive, the default), batch, interactive or typeless"},
	{Name: "load", Line: "expected load, run time x processors over machine x time; default: the model's"},
	{Name: "serial", Line: "share of one-processor jobs; default: the model's"},
	{Name: "pow2", Line: "share of powers of two, serial jobs apart; default: the model's"},
	{Name: "umed", Line: "log2 of the size that separates small from large jobs (default log2(procs) - 2.5)"},
	{Name: "uprob", Line: "share of small jobs among the others; default: the model's"},
	{Name: "estimates", Line: "none (default), exact, or a factor X: run time times a number drawn from [1, X]"},
}

// FolderError says that a model writes a folder of tables.
type FolderError struct{ Model, Spec string }

func (e *FolderError) Error() string {
	return fmt.Sprintf("synth:%s is a folder of tables, not a stream of jobs", e.Model)
}

// Open generates what rest, "lublin?jobs=...", asks for.
func Open(rest string, _ traces.Options) (traces.Source, error) {
	model, query, _ := strings.Cut(rest, "?")
	if !slices.Contains(models, model) {
		return nil, fmt.Errorf("unknown model %q%s", model, suggest.Among(model, models))
	}
	if model == "google2011" {
		return nil, &FolderError{Model: model, Spec: rest}
	}
	src, err := newLublin("synth:"+rest, query)
	if err != nil {
		return nil, fmt.Errorf("synth:%s: %w", model, err)
	}
	return src, nil
}

func newLublin(name, query string) (*lublin, error) {
	p, err := input.ParseParameters(query, Parameters)
	if err != nil {
		return nil, err
	}
	l := &lublin{jobs: p.Whole("jobs", 10_000, 1, math.MaxInt64)}
	procs := int(p.Whole("procs", 128, 1, 1<<30))
	seed := uint64(p.Whole("seed", 1, 0, math.MaxInt64))
	for _, t := range lublinTypesOf(p) {
		t.serial = p.Real("serial", t.serial, 0, 1)
		t.pow2 = p.Real("pow2", t.pow2, 0, 1)
		t.uProb = p.Real("uprob", t.uProb, 0, 1)
		s := newLublinStream(t, procs, seed)
		s.uMed = p.Real("umed", s.uMed, s.uLow, s.uHi)
		l.streams = append(l.streams, s)
	}
	if load := p.Real("load", 0, 1e-3, 1e3); load > 0 && p.Err() == nil {
		p.Check(setLoad(l.streams, load))
	}
	l.estimate = estimateFactors(p, seed)
	if p.Err() != nil {
		return nil, p.Err()
	}
	for _, s := range l.streams {
		s.advance()
	}
	l.header = traces.Header{Name: name, Format: "synth", Procs: procs, Ledger: &traces.Ledger{}, Fields: []traces.Field{
		{Label: "Computer", Text: "none: the Lublin-Feitelson model"}, {Label: "Information", Text: name},
	}}
	return l, nil
}

func lublinTypesOf(p *input.Parameters) []lublinType {
	switch name := p.Text("types"); name {
	case "", "mixed":
		return []lublinType{lublinTypes["interactive"], lublinTypes["batch"]}
	case "batch", "interactive", "typeless":
		return []lublinType{lublinTypes[name]}
	default:
		known := []string{"mixed", "batch", "interactive", "typeless"}
		p.Fail("types=%s%s", name, suggest.Among(name, known))
		return nil
	}
}

// estimates returns how a job's requested time follows from its run time: nil
// for not at all, exactly, or by a factor drawn uniformly, up to the next second.
func estimateFactors(p *input.Parameters, seed uint64) func(events.Time) events.Time {
	switch text := p.Text("estimates"); text {
	case "", "none":
		return nil
	case "exact":
		return func(run events.Time) events.Time { return max(run, events.Second) }
	}
	x := p.Real("estimates", 1, 1, 1e6)
	r := rng.New(seed, "lublin/estimate")
	return func(run events.Time) events.Time {
		// A factor in millionths keeps this in whole numbers; the product of 18
		// digits has its place in 128 bits.
		factor := 1_000_000 + r.Int64N(int64((x-1)*1e6)+1)
		hi, lo := bits.Mul64(uint64(run), uint64(factor))
		us, _ := bits.Div64(hi, lo, 1_000_000)
		return max((events.Time(us)+events.Second-1)/events.Second*events.Second, events.Second)
	}
}
