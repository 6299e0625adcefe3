package catalog

import (
	"fmt"
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
var Policies = List[policies.Policy]{"policy", slices.Concat(basic, backfilling, replaying, preemptive, urgent, []Entry[policies.Policy]{quotas}, selling, listSchedulers(basic), sharing(), yours)}

var basic = []Entry[policies.Policy]{
	{
		Name: "hb", Paper: shudler + ", Algorithm 1",
		Line:   "Highest-Bid, preemptive: the highest bids run, as many as fit",
		Params: []policies.Param{fit},
		New: func(a *policies.Args) (policies.Policy, error) {
			return fitting(a, &sched.HighestBid{}, sched.NewSkipping(true))
		},
	},
	{
		Name: "nphb", Paper: shudler + ", section III.B",
		Line:   "Highest-Bid without preemption: the queue in order of bid",
		Params: []policies.Param{fit},
		New: func(a *policies.Args) (policies.Policy, error) {
			return fitting(a, sched.NewList(order.ByBid), sched.NewSkipping(false))
		},
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
		Name: "fcfs",
		Line: "first come, first served, without backfilling",
		New:  list(order.BySubmit),
	},
}

var fit = policies.Param{Name: "fit", Default: "strict", Doc: "strict: the first job that does not fit ends the round; skip: it is passed over, for parallel jobs"}

// fitting chooses by the rule of fit.
func fitting(a *policies.Args, strict, skip policies.Policy) (policies.Policy, error) {
	if a.Choice(fit.Name, "strict", "skip") == "skip" {
		return skip, a.Err()
	}
	return strict, a.Err()
}

func list(order *order.Order) func(*policies.Args) (policies.Policy, error) {
	return func(*policies.Args) (policies.Policy, error) { return sched.NewList(order), nil }
}

// Scheme builds a price scheme for the policy it is to work with.
type Scheme func(policies.Policy) (policies.Pricer, error)

var reserve = policies.Param{Name: "reserve", Default: "1", Doc: "reservation price per processor-second"}

// Payments lists the price schemes.
var Payments = List[Scheme]{"payment", []Entry[Scheme]{
	{
		Name: "first", Paper: shudler + ", section IV", Params: []policies.Param{reserve},
		Line: "a running job pays its bid; the reservation price while there is room for all",
		New: func(a *policies.Args) (Scheme, error) {
			r := a.Float("reserve", 0, policies.MostMoney)
			return func(policies.Policy) (policies.Pricer, error) { return payment.NewFirst(r), nil }, a.Err()
		},
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
		Name: "posted", Params: []policies.Param{{Name: "price", Doc: "price per processor-second"}}, Example: "posted:1",
		Line: "one fixed price, as in posted:3",
		New: func(a *policies.Args) (Scheme, error) {
			p := a.Float("price", 0, policies.MostMoney)
			return func(policies.Policy) (policies.Pricer, error) { return payment.NewPosted(p), nil }, a.Err()
		},
	},
	{
		Name: "toll", Paper: "after Mendelson and Whang, Operations Research 38, 1990", Params: []policies.Param{reserve},
		Line: "a running job pays for the queue it delays: the sum of bid x processors that wait, by the machine's",
		New: func(a *policies.Args) (Scheme, error) {
			r := a.Float("reserve", 0, policies.MostMoney)
			return func(policies.Policy) (policies.Pricer, error) { return payment.NewToll(r), nil }, a.Err()
		},
	},
	{
		Name: "asked",
		Line: "the price that the policy itself sets, under exponential, spot and dlgm",
		New: func(*policies.Args) (Scheme, error) {
			return func(p policies.Policy) (policies.Pricer, error) {
				s, ok := policies.As[policies.Seller](p)
				if !ok {
					return nil, fmt.Errorf("payment asked needs a policy that sets prices: exponential, spot or dlgm")
				}
				return payment.NewAsked(s), nil
			}, nil
		},
	},
	{
		Name: "bids", Paper: feldman,
		Line: "users pay what they bid for their shares, under price-anticipating",
		New: func(*policies.Args) (Scheme, error) {
			return func(p policies.Policy) (policies.Pricer, error) {
				s, ok := policies.As[policies.Spender](p)
				if !ok {
					return nil, fmt.Errorf("payment bids needs a policy under which users bid for shares: price-anticipating")
				}
				return payment.NewBids(s), nil
			}, nil
		},
	},
	{
		Name: scriptEntry, Example: "script:price.star", Yours: true, Params: []policies.Param{scriptFile},
		Line: "a Starlark script: price(round) for all running jobs, or price(job, round) for each",
		New: scripted(func(f *script.File) (Scheme, error) {
			_, err := script.NewPrice(f)
			return func(policies.Policy) (policies.Pricer, error) { return script.NewPrice(f) }, err
		}),
	},
	{
		Name: "none",
		Line: "jobs pay nothing",
		New: func(*policies.Args) (Scheme, error) {
			return func(policies.Policy) (policies.Pricer, error) { return payment.NewPosted(0), nil }, nil
		},
	},
}}

// PaymentsBeside names the payment schemes beside the one charged that fit the policy, with
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
		if e := &Payments.Entries[i]; e.Name == own.Name && e.takes(reserve.Name) {
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
		case reservation != "" && (e.takes(reserve.Name) || e.Name == "posted"):
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
	return func(a *policies.Args) (Scheme, error) {
		r := a.Float("reserve", 0, policies.MostMoney)
		return func(p policies.Policy) (policies.Pricer, error) {
			m, ok := policies.As[policies.Market](p)
			if !ok {
				return nil, fmt.Errorf("payment %s needs a policy under which jobs compete by bid, which this one is not; use first, posted:P or none", name)
			}
			return build(m, r), nil
		}, a.Err()
	}
}

// Values lists the models of private values.
var Values = List[bidding.Values]{"values", []Entry[bidding.Values]{
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
			if a.Err() != nil {
				return nil, a.Err()
			}
			return bidding.NewBimodal(low, high, sd, share, limit)
		},
	},
	{
		Name: "priority",
		Line: "by the trace's priority: jobs of a tier have values around its mean; the default takes Google's free, other and production tiers of 2011",
		Params: []policies.Param{
			{Name: "tiers", Default: "0:30/2:90/9:150", Doc: "least priority and mean of each tier; of 2019 as in 0:30/100:60/116:90/120:150"},
			{Name: "sd", Default: "15", Doc: "deviation of all"},
			{Name: "max", Default: "180", Doc: "largest value"},
		},
		New: func(a *policies.Args) (bidding.Values, error) {
			sd, limit := a.Float("sd", 0, 1e12), a.Float("max", 0, 1e12)
			if a.Err() != nil {
				return nil, a.Err()
			}
			return bidding.NewTiers(a.Text("tiers"), sd, limit)
		},
	},
	{
		Name: "deadline",
		Line: "values of another model, and a deadline, (1 + slack) x run time after submission: a job that ends later is worth nothing",
		Params: []policies.Param{
			{Name: "values", Default: "bimodal", Doc: "the model of the values"},
			{Name: "slack", Default: ".5/3", Doc: "range from which the slack is drawn"},
		},
		New: newDeadlines,
	},
	{
		Name: "steps",
		Line: "values of another model, and what a job is worth falls in steps, at multiples of its run time after submission",
		Params: []policies.Param{
			{Name: "values", Default: "bimodal", Doc: "the model of the values"},
			{Name: "times", Default: "1.5/2/4", Doc: "multiples of the run time up to which the factors hold"},
			{Name: "factors", Default: "1/.8/.5", Doc: "parts of value x processors x run time; nothing after the last"},
		},
		New: newSteps,
	},
}}

// Behaviours lists the models of what owners say.
var Behaviours = List[bidding.Behaviour]{"behaviour", []Entry[bidding.Behaviour]{
	{
		Name: "truthful",
		Line: "bids are the values",
		New:  func(*policies.Args) (bidding.Behaviour, error) { return bidding.Truthful{}, nil },
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
		New: func(a *policies.Args) (bidding.Behaviour, error) {
			s := bidding.SRG{Beta: a.Float("beta", 0, 1), Share: a.Float("share", 0, 1), Mild: a.Float("mild", 0, 1), Over: a.Float("over", 0, 1)}
			return s, a.Err()
		},
	},
	{
		Name: scriptEntry, Example: "script:owner.star", Yours: true, Params: []policies.Param{scriptFile},
		Line: "a Starlark script: bid(value, job) is what the owner bids",
		New:  scripted(func(f *script.File) (bidding.Behaviour, error) { return script.NewBid(f) }),
	},
}}
