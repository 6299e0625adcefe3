package catalog

import (
	"errors"
	"slices"

	"bourse/policies"
	"bourse/policies/bidding"
	"bourse/policies/order"
	"bourse/policies/payment"
	"bourse/policies/sched"
	"bourse/policies/script"
)

const shudler = "Shudler, Amar, Barak and Mu'alem"

// Policies lists the schedulers.
var Policies = List[policies.Policy]{"policy",
	slices.Concat(basic, backfilling, replaying, preemptive, urgent, []Entry[policies.Policy]{quotas}, selling,
		bothCapacities, deferring, inRounds,
		listSchedulers(basic), sharing(), yours)}

var basic = []Entry[policies.Policy]{
	{
		Name: "hb", Paper: shudler + ", Algorithm 1",
		Line:   "Highest-Bid, preemptive: the highest bids run, as many as fit",
		Params: []policies.Param{fit},
		New:    fitting(func() policies.Policy { return &sched.HighestBid{} }, true),
	},
	{
		Name: "nphb", Paper: shudler + ", section III.B",
		Line:   "Highest-Bid without preemption: the queue in order of bid",
		Params: []policies.Param{fit},
		New:    fitting(func() policies.Policy { return sched.NewList(order.ByBid) }, false),
	},
	{
		Name: "wspt", Paper: "Smith 1956",
		Line: "weighted shortest processing time: order bid / run time, clairvoyant",
		New:  list(order.ByBidPerRun),
	},
	{
		Name: "wsept", Paper: shudler + ", section III.B",
		Line: "weighted shortest estimated processing time: order bid / estimate",
		New:  list(order.ByBidPerEstimate),
	},
	{
		Name: "fcfs", Also: "fifo",
		Line: "first come, first served, without backfilling",
		Params: []policies.Param{{Name: fit.Name, Default: fit.Default,
			Doc: "strict: a job that does not fit keeps those behind it waiting; skip: it is passed over"}},
		New: fromArgs(func(a *policies.Args) policies.Policy {
			if a.Choice(fit.Name, "strict", "skip") == "skip" {
				return sched.NewFirstFit()
			}
			return sched.NewList(order.BySubmit)
		}),
	},
}

var fit = policies.Param{Name: "fit", Default: "strict",
	Doc: "strict: the first job that does not fit ends the round; skip: it is passed over, for parallel jobs"}

// fitting chooses by the rule of fit.
func fitting(strict func() policies.Policy, preempts bool) func(*policies.Args) (policies.Policy, error) {
	return fromArgs(func(a *policies.Args) policies.Policy {
		if a.Choice(fit.Name, "strict", "skip") == "skip" {
			return sched.NewSkipping(preempts)
		}
		return strict()
	})
}

func list(o *order.Order) func(*policies.Args) (policies.Policy, error) {
	return withoutArgs(func() policies.Policy { return sched.NewList(o) })
}

// Scheme builds a price scheme for the policy it is to work with.
type Scheme func(policies.Policy) (policies.Pricer, error)

var (
	reserve = policies.Param{Name: "reserve", Default: "1", Doc: "reservation price per processor-second"}
	price   = policies.Param{Name: "price", Doc: "price per processor-second"}
)

// priced makes schemes of one price, for any policy.
func priced(param policies.Param, build func(float64) policies.Pricer) func(*policies.Args) (Scheme, error) {
	return fromArgs(func(a *policies.Args) Scheme {
		p := a.Float(param.Name, 0, policies.MostMoney)
		return func(policies.Policy) (policies.Pricer, error) { return build(p), nil }
	})
}

// fitted is a scheme for policies with an optional behaviour.
func fitted[T any](otherwise string, build func(T) policies.Pricer) Scheme {
	return func(p policies.Policy) (policies.Pricer, error) {
		able, ok := policies.As[T](p)
		if !ok {
			return nil, errors.New(otherwise)
		}
		return build(able), nil
	}
}

// Payments lists the price schemes.
var Payments = Schemes{List[Scheme]{"payment", slices.Concat(schemes, metered)}}

var schemes = []Entry[Scheme]{
	{
		Name: "first", Paper: shudler + ", section IV", Params: []policies.Param{reserve},
		Line: "a running job pays its bid; the reservation price while there is room for all",
		New:  priced(reserve, func(r float64) policies.Pricer { return payment.NewFirst(r) }),
	},
	{
		Name: "kth", Paper: shudler + ", sections IV and V", Params: []policies.Param{reserve},
		Line: "a running job pays its critical bid against the queue, at most its own bid",
		New:  kth("kth", payment.NewKth),
	},
	{
		Name: "kth-uncapped", Paper: shudler + ", section V, to the letter", Params: []policies.Param{reserve},
		Line: "the same, not capped at the job's own bid",
		New:  kth("kth-uncapped", payment.NewKthUncapped),
	},
	{
		Name: "posted", Params: []policies.Param{price}, Example: "posted:1",
		Line: "one fixed price, as in posted:3",
		New:  priced(price, func(p float64) policies.Pricer { return payment.NewPosted(p) }),
	},
	{
		Name: "toll", Paper: "after Mendelson and Whang, Operations Research 38, 1990", Params: []policies.Param{reserve},
		Line: "a running job pays for the queue it delays: the sum of bid x processors that wait, by the machine's",
		New:  priced(reserve, func(r float64) policies.Pricer { return payment.NewToll(r) }),
	},
	{
		Name: "asked",
		Line: "the price that the policy itself sets: exponential, menu, spot, greedy, uniform-progress, dlgm, or script and exec " +
			"where they charge",
		New: withoutArgs(func() Scheme {
			return fitted("payment asked needs a policy that sets prices: exponential, menu, spot, greedy, uniform-progress, dlgm, or "+
				"a script or a program that charges",
				func(s policies.Seller) policies.Pricer { return payment.NewAsked(s) })
		}),
	},
	{
		Name: "bids", Paper: feldman,
		Line: "users pay what they bid for their shares, under price-anticipating",
		New: withoutArgs(func() Scheme {
			return fitted("payment bids needs a policy under which users bid for shares: price-anticipating",
				func(s policies.Spender) policies.Pricer { return payment.NewBids(s) })
		}),
	},
	{
		Name: scriptEntry, Example: "script:price.star", Yours: true, Params: []policies.Param{scriptFile},
		Line: "a Starlark script: price(round) for all running jobs, or price(job, round) for each",
		New: scripted(func(f *script.File) (Scheme, error) {
			_, err := script.NewPrice(f)
			return func(p policies.Policy) (policies.Pricer, error) { return script.NewPriceFor(p, f) }, err
		}),
	},
	{
		Name: "none",
		Line: "jobs pay nothing",
		New: withoutArgs(func() Scheme {
			return func(policies.Policy) (policies.Pricer, error) { return payment.NewPosted(0), nil }
		}),
	},
}

// PaymentsBeside names the payment schemes other than the one charged that fit the policy, with
// its reservation price. The posted price is the reservation price.
func PaymentsBeside(charged, policy string) (names []string, err error) {
	p, err := Policies.Make(policy)
	if err != nil {
		return nil, err
	}
	own, err := policies.ParseSpec(charged)
	if err != nil {
		return nil, err
	}
	reservation := ""
	for i := range Payments.Entries {
		if e := &Payments.Entries[i]; e.Name == own.Name && e.hasParam(reserve.Name) {
			for _, arg := range own.Args {
				reservation = arg.Value
			}
		}
	}
	for i := range Payments.Entries {
		e := &Payments.Entries[i]
		name := e.Text()
		switch {
		case e.Name == own.Name || e.Yours:
			continue
		case reservation != "" && (e.hasParam(reserve.Name) || e.Name == "posted"):
			name = e.Name + ":" + reservation
		}
		scheme, err := Payments.Make(name)
		if err != nil {
			return nil, err
		}
		if _, err := scheme(p); err == nil { // else the two do not fit
			names = append(names, name)
		}
	}
	return names, nil
}

func kth(name string, build func(policies.Market, float64) policies.Pricer) func(*policies.Args) (Scheme, error) {
	return fromArgs(func(a *policies.Args) Scheme {
		r := a.Float(reserve.Name, 0, policies.MostMoney)
		return fitted("payment "+name+" needs a policy under which jobs compete by bid, which this one is not; use first, "+
			"posted:P or none",
			func(m policies.Market) policies.Pricer { return build(m, r) })
	})
}

// Behaviours lists the models of what owners say.
var Behaviours = List[bidding.Behaviour]{"behaviour", []Entry[bidding.Behaviour]{
	{
		Name: "truthful",
		Line: "bids are the values",
		New:  withoutArgs(func() bidding.Behaviour { return bidding.Truthful{} }),
	},
	{
		Name: "srg", Paper: shudler + ", section II.B",
		Line: "Small Risk-aggressive Group: bids are uniform in [(1-beta) w, w], beta large for a few; some may overbid",
		Params: []policies.Param{
			{Name: "beta", Default: "0.9", Doc: "beta of the aggressive"},
			{Name: "share", Default: "0.1", Doc: "probability of being aggressive"},
			{Name: "mild", Default: "0.1", Doc: "beta of the conservative"},
			{Name: "over", Default: "0", Doc: "share of both who overbid instead, up to w / (1-beta)"},
		},
		New: fromArgs(func(a *policies.Args) bidding.Behaviour {
			return bidding.SRG{Beta: a.Float("beta", 0, 1), Share: a.Float("share", 0, 1), Mild: a.Float("mild", 0, 1),
				Over: a.Float("over", 0, 1)}
		}),
	},
	{
		Name: scriptEntry, Example: "script:owner.star", Yours: true, Params: []policies.Param{scriptFile},
		Line: "a Starlark script: bid(value, job) is what the owner bids",
		New:  scripted(func(f *script.File) (bidding.Behaviour, error) { return script.NewBid(f) }),
	},
}}
