package catalog

import (
	"bourse/events"
	"bourse/policies"
	"bourse/policies/sched"
)

const (
	santos = "Carastan-Santos and de Camargo, SC'17"
	tang   = "Tang, Lan, Desai and Buettner, Cluster 2009"
)

var runtime = policies.Param{Name: "runtime", Default: "false", Doc: "true: know true run times and look at them instead of estimates"}

// Orders lists what waiting jobs can be ranked by. Each is also a policy of its
// own, the list scheduler of that order, where no other policy has its name.
var Orders = List[sched.Ranking]{"order", []Entry[sched.Ranking]{
	{Name: "fcfs", Line: "by submission", New: plain(sched.BySubmit)},
	{Name: "bid", Paper: shudler, Line: "highest bid first", New: plain(sched.ByBid)},
	{Name: "wspt", Paper: "Smith 1956", Line: "highest bid / run time first, clairvoyant", New: plain(sched.ByBidPerRun)},
	{Name: "wsept", Paper: shudler, Line: "highest bid / estimate first", New: plain(sched.ByBidPerEstimate)},
	{Name: "sjf", Line: "shortest estimate first", Params: []policies.Param{runtime}, New: twin(sched.ByShortest)},
	{Name: "ljf", Line: "longest estimate first", Params: []policies.Param{runtime}, New: twin(sched.ByLongest)},
	{Name: "saf", Line: "smallest estimate x processors first", Params: []policies.Param{runtime}, New: twin(sched.BySmallest)},
	{Name: "laf", Line: "largest estimate x processors first", Params: []policies.Param{runtime}, New: twin(sched.ByLargest)},
	{Name: "xfactor", Line: "largest (wait + estimate) / estimate first", Params: []policies.Param{runtime}, New: twin(sched.ByExpansion)},
	{Name: "wfp3", Paper: tang, Line: "largest (wait / estimate)^3 x processors first", Params: []policies.Param{runtime}, New: twin(sched.ByWFP3)},
	{Name: "unicef", Paper: tang, Line: "largest wait / (log2(processors) x estimate) first", Params: []policies.Param{runtime}, New: twin(sched.ByUNICEF)},
	{Name: "f1", Paper: santos, Line: "least log10(r) n + 870 log10(s) first: r estimate, n processors, s submission", Params: []policies.Param{runtime}, New: twin(sched.ByF1)},
	{Name: "f2", Paper: santos, Line: "least sqrt(r) n + 25,600 log10(s) first", Params: []policies.Param{runtime}, New: twin(sched.ByF2)},
	{Name: "f3", Paper: santos, Line: "least r n + 6,860,000 log10(s) first", Params: []policies.Param{runtime}, New: twin(sched.ByF3)},
	{Name: "f4", Paper: santos, Line: "least r sqrt(n) + 530,000 log10(s) first", Params: []policies.Param{runtime}, New: twin(sched.ByF4)},
	{
		Name: "fairshare", Paper: "Kay and Lauder 1988",
		Line:   "jobs of the user with the least decayed usage in processor-seconds first",
		Params: []policies.Param{{Name: "halflife", Default: "604800", Doc: "seconds in which past usage loses half its weight"}},
		New: func(a *policies.Args) (sched.Ranking, error) {
			half, _ := events.FromSeconds(a.Float("halflife", 1e-6, events.MaxSeconds))
			return sched.Ranking{Order: sched.ByUsage, HalfLife: half}, a.Err()
		},
	},
	{
		Name: "expr", Line: "least value of an expression first, as in expr(-bid*procs) or expr(by=wait>60?0:estimate)",
		Params: []policies.Param{{Name: "by", Doc: "expression over wait, estimate, procs, bid, submit, run, user, group, queue, partition, priority, class, size"}},
		New: func(a *policies.Args) (sched.Ranking, error) {
			x, err := sched.NewExpression(a.Text("by"))
			if err != nil {
				return sched.Ranking{}, err
			}
			return sched.Ranking{Order: sched.ByExpression, Expression: x}, nil
		},
	},
}}

func plain(order sched.Order) func(*policies.Args) (sched.Ranking, error) {
	return func(*policies.Args) (sched.Ranking, error) { return sched.Ranking{Order: order}, nil }
}

// twin builds an order that has a clairvoyant twin.
func twin(order sched.Order) func(*policies.Args) (sched.Ranking, error) {
	return func(a *policies.Args) (sched.Ranking, error) {
		return sched.Ranking{Order: order, Runtime: a.Bool("runtime")}, a.Err()
	}
}
