package catalog

import (
	"fmt"
	"math"
	"strconv"

	"bourse/policies"
	"bourse/policies/lending"
)

const freeman = "Freeman, Zahedi, Conitzer and Lee 2018"

// Lending is a mechanism that shares one resource round by round.
type Lending struct {
	// Needs means that it requires the number of rounds; Uses that the
	// number changes what it does, if it is known.
	Needs, Uses bool
	// New makes it for agents of these endowments; rounds is 0 if unknown.
	New func(endow []float64, rounds int) (lending.Lender, error)
}

// Lenders lists the round-based sharing mechanisms.
var Lenders = List[Lending]{"mechanism", []Entry[Lending]{
	{
		Name: "static", Paper: freeman,
		Line: "each agent gets its own endowment",
		New:  memoryless(func(e []float64) lending.Lender { return lending.NewStatic(e) }),
	},
	{
		Name: "smm", Paper: freeman,
		Line: "static max-min: weighted max-min fairness in each round",
		New:  memoryless(func(e []float64) lending.Lender { return lending.NewSMM(e) }),
	},
	{
		Name: "dmm", Paper: freeman,
		Line: "dynamic max-min: weighted max-min fairness of accumulated allocations",
		New:  memoryless(func(e []float64) lending.Lender { return lending.NewDMM(e) }),
	},
	{
		Name: "fl", Paper: freeman + ", section 3",
		Line: "flexible lending: one token per unit, endowment x rounds of them at the start; needs the number of rounds",
		New: func(*policies.Args) (Lending, error) {
			return Lending{Needs: true, Uses: true, New: func(e []float64, rounds int) (lending.Lender, error) {
				if rounds < 1 {
					return nil, fmt.Errorf("fl issues tokens for all rounds at the start, so it needs their number")
				}
				return lending.NewFL(e, rounds), nil
			}}, nil
		},
	},
	{
		Name: "tperiod", Paper: freeman + ", section 3",
		Line: "T rounds of borrowing, T of paying back; a partial tail is static if the number of rounds is known; T = " +
			"R/2 is half of all rounds, which needs it",
		Params: []policies.Param{{Name: "t", Doc: "rounds of borrowing, or R/2"}}, Example: "tperiod:2",
		New: tperiod,
	},
	{
		Name: "karma", Paper: "Vuppalapati et al., OSDI 2023", Example: "karma:0.5",
		Line: "a guaranteed fraction, the rest borrowed for credits, the richest in credits per endowment first; what no " +
			"agent demands is not allocated",
		Params: []policies.Param{
			{Name: "alpha", Doc: "the guaranteed fraction of the endowment"},
			{Name: "credits", Default: "1000", Doc: "credits at the start, in rounds of the endowment"},
		},
		New: func(a *policies.Args) (Lending, error) {
			alpha, credits := a.Float("alpha", 0, 1), a.Int("credits", 0, math.MaxInt32)
			return Lending{New: func(e []float64, _ int) (lending.Lender, error) { return lending.NewKarma(e, alpha, credits) }}, nil
		},
	},
}}

func memoryless(make func([]float64) lending.Lender) func(*policies.Args) (Lending, error) {
	return withoutArgs(func() Lending {
		return Lending{New: func(e []float64, _ int) (lending.Lender, error) { return make(e), nil }}
	})
}

func tperiod(a *policies.Args) (Lending, error) {
	text := a.Text("t")
	if text == "R/2" || text == "r/2" {
		return Lending{Needs: true, Uses: true, New: func(e []float64, rounds int) (lending.Lender, error) {
			if rounds < 2 {
				return nil, fmt.Errorf("tperiod:R/2 needs the number of rounds, 2 or more of them")
			}
			return lending.NewTPeriod(e, rounds/2, rounds)
		}}, nil
	}
	t, err := strconv.Atoi(text)
	if err != nil || t < 1 || t > math.MaxInt32 {
		return Lending{}, fmt.Errorf("tperiod:%s: want a whole number of rounds, 1 or more, or R/2", text)
	}
	return Lending{Uses: true, New: func(e []float64, rounds int) (lending.Lender, error) {
		return lending.NewTPeriod(e, t, rounds)
	}}, nil
}
