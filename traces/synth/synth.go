package synth

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"

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
	{Name: "round", Line: "1: requested times are rounded up to usual ones (5m, 15m, 30m, 1h, 2h, 4h ...); default 0"},
	{Name: "users", Line: "number of users: the k-th has 1/k as many jobs as the first, and every other job is of " +
		"the user of the job before; default 0, none"},
	{Name: "weekend", Line: "arrivals on the sixth and seventh day of a week, as a part of those of other days " +
		"(default 1)"},
	{Name: "start", Line: "date of the first day, as in 2024-01-01; default: no dates"},
}

// Demo is the log in the program: a model with the sizes and the load of KTH-SP2, an IBM SP2 of 100 processors, and
// about as many users and as quiet weekends as it has in two months.
const Demo = "lublin?jobs=2000&procs=100&types=batch&serial=.33&pow2=.41&umed=3&load=.7&estimates=5&round=1&users=60&weekend=.4&" +
	"start=2024-01-01&seed=1"

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
		s.weekend = p.Real("weekend", 1, 0, 10)
		s.uMed = p.Real("umed", s.uMed, s.uLow, s.uHi)
		l.streams = append(l.streams, s)
	}
	if load := p.Real("load", 0, 1e-3, 1e3); load > 0 && p.Err() == nil {
		p.Check(setLoad(l.streams, load))
	}
	l.estimate = estimateFactors(p, seed)
	if p.Whole("round", 0, 0, 1) == 1 && l.estimate != nil {
		drawn := l.estimate
		l.estimate = func(run events.Time) events.Time { return usual(drawn(run), run) }
	}
	l.users = newUsers(int(p.Whole("users", 0, 0, 1e6)), seed)
	start, err := startOf(p.Text("start"))
	p.Check(err)
	if p.Err() != nil {
		return nil, p.Err()
	}
	for _, s := range l.streams {
		s.advance()
	}
	l.header = traces.Header{Name: name, Format: "synth", Procs: procs, Start: start, Ledger: &traces.Ledger{}, Fields: []traces.Field{
		{Label: "Computer", Text: "none: the Lublin-Feitelson model"}, {Label: "Information", Text: name},
	}}
	return l, nil
}

// startOf is the Unix time of a date, 0 of none.
func startOf(date string) (int64, error) {
	if date == "" {
		return 0, nil
	}
	t, err := time.Parse(time.DateOnly, date)
	if err != nil || t.Unix() <= 0 {
		return 0, fmt.Errorf("start=%s is not a date after 1970-01-01, as in 2024-01-01", date)
	}
	return t.Unix(), nil
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
