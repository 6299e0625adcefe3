package equilibria

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bourse/engine/scenario"
	"bourse/policies/market"
	"bourse/traces/suggest"
)

// Options say how the equilibrium is searched for; what is empty or 0 is the usual choice.
type Options struct {
	Update    string // one of market.Updates
	Most      int    // machines that a user bids on
	Step      float64
	Until     string // one of market.Criteria
	Tolerance float64
	Limit     int // of sweeps
	Envy      bool
}

// refuse is the error of an option.
func refuse(option, format string, args ...any) error {
	return &scenario.OptionError{Option: option, Err: fmt.Errorf(format, args...)}
}

// Settle makes the usual choices, which depend on each other, and refuses what makes no sense;
// given reports whether an option was set.
func (o *Options) Settle(given func(option string) bool) (s market.Search, err error) {
	update, until, limit := market.BestResponse, market.UtilityGap, 200
	if given("max-machines") {
		update = market.LocalSearch
	}
	o.Update = cmp.Or(o.Update, update.String())
	greedy := o.Update == market.Greedy.String()
	if greedy {
		until, limit = market.MarginGap, 500
	}
	o.Until, o.Limit = cmp.Or(o.Until, until.String()), cmp.Or(o.Limit, limit)
	switch local := o.Update == market.LocalSearch.String(); {
	case !slices.Contains(market.Updates, o.Update):
		return s, refuse("update", "%q%s", o.Update, suggest.Among(o.Update, market.Updates))
	case !slices.Contains(market.Criteria, o.Until):
		return s, refuse("until", "%q%s", o.Until, suggest.Among(o.Until, market.Criteria))
	case given("max-machines") && o.Most < 1:
		return s, refuse("max-machines", "%d: a user needs 1 machine at least", o.Most)
	case local && o.Most == 0:
		return s, &scenario.ConflictError{One: "update", Other: "max-machines",
			Why: "local-search chooses a few machines; say how many at most"}
	case !local && o.Most > 0:
		return s, refuse("max-machines", "has no meaning under %s, which bids on any number; local-search chooses",
			o.Update)
	case given("step") && !greedy:
		return s, refuse("step", "has no meaning under %s; it is what greedy moves", o.Update)
	case !(o.Step > 0 && o.Step <= 1):
		return s, refuse("step", "%g: want a part of the budget above 0 and at most 1", o.Step)
	case !(o.Tolerance > 0) || math.IsInf(o.Tolerance, 1):
		return s, refuse("tolerance", "%g: want a number above 0", o.Tolerance)
	case o.Limit < 0:
		return s, refuse("limit", "%d: at least one sweep is needed", o.Limit)
	}
	s.Rule = market.Rule{Update: market.Update(slices.Index(market.Updates, o.Update)), Most: o.Most, Step: o.Step}
	s.Until = market.Criterion(slices.Index(market.Criteria, o.Until))
	s.Tolerance, s.Limit, s.Envy = o.Tolerance, o.Limit, o.Envy
	return s, nil
}
