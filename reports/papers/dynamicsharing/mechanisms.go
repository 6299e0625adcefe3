package dynamicsharing

import (
	"context"

	"bourse/policies/lending"
	"bourse/reports/experiment"
)

// mechanism is one that is compared.
type mechanism struct {
	name, label string
	make        func(endow []float64, rounds int) (lending.Lender, error)
}

func plain[T lending.Lender](of func([]float64) T) func([]float64, int) (lending.Lender, error) {
	return func(e []float64, _ int) (lending.Lender, error) { return of(e), nil }
}

func periods(half int) func([]float64, int) (lending.Lender, error) {
	return func(e []float64, rounds int) (lending.Lender, error) { return lending.NewTPeriod(e, half, rounds) }
}

// Places of the mechanisms in the list.
const (
	static = iota
	onePeriod
	twoPeriod
	halfPeriod
	flexible
	karma
	staticMaxMin
	dynamicMaxMin
)

// karmaCredits are enough that, as in its paper, no agent runs out of credits early.
const karmaCredits = 1000

var mechanisms = []mechanism{
	{"static", "static", plain(lending.NewStatic)},
	{"tperiod:1", "1-Period", periods(1)},
	{"tperiod:2", "2-Period", periods(2)},
	{"tperiod:R/2", "R/2-Period", func(e []float64, rounds int) (lending.Lender, error) {
		return lending.NewTPeriod(e, max(1, rounds/2), rounds)
	}},
	{"fl", "FL", func(e []float64, rounds int) (lending.Lender, error) { return lending.NewFL(e, rounds), nil }},
	{"karma:0.5", "Karma", func(e []float64, _ int) (lending.Lender, error) { return lending.NewKarma(e, .5, karmaCredits) }},
	{"smm", "SMM", plain(lending.NewSMM)},
	{"dmm", "DMM", plain(lending.NewDMM)},
}

// outcome is what all mechanisms made of an instance.
type outcome []*lending.Account

// welfare is the k-th mechanism's welfare over that of static shares.
func (o outcome) welfare(k int, low float64) float64 {
	w, s := o[k].Welfare(1, low)
	return w / s
}

// ofSMM is the k-th mechanism's welfare over that of SMM.
func (o outcome) ofSMM(k int) float64 { return o.welfare(k, 0) / o.welfare(staticMaxMin, 0) }

// runAll runs every mechanism on every instance.
func runAll(ctx context.Context, workers int, all []*instance, r rule) ([]outcome, error) {
	of := make([]int, len(mechanisms))
	for m := range of {
		of[m] = m
	}
	results, err := experiment.Run(ctx, workers, of, len(all),
		func(m, i int) (*lending.Account, error) { return all[i].run(mechanisms[m], r) }, nil)
	out := make([]outcome, len(all))
	for i := range out {
		for m := range mechanisms {
			out[i] = append(out[i], results[m][i])
		}
	}
	return out, err
}
