package catalog

import (
	"bourse/events"
	"bourse/policies"
	"bourse/policies/sched"
)

var runtime = policies.Param{Name: "runtime", Default: "false", Doc: "true: know true run times and look at them instead of estimates"}

// Orders lists what waiting jobs can be ranked by. Each is also a policy of its
// own, the list scheduler of that order, where no other policy has its name.
var Orders = List[sched.Ranking]{"order", append(fixedOrders(), []Entry[sched.Ranking]{
	{
		Name: sched.ByUsage.Name, Paper: sched.ByUsage.Paper, Line: sched.ByUsage.Line,
		Params: []policies.Param{{Name: "halflife", Default: "604800", Doc: "time in which past usage loses half its weight: seconds, or as in 1d"}},
		New: func(a *policies.Args) (sched.Ranking, error) {
			half := a.Duration("halflife", 1e-6, events.MaxSeconds)
			return sched.Ranking{Order: sched.ByUsage, HalfLife: half}, a.Err()
		},
	},
	{
		Name: "expr", Example: "expr(submit)", Line: "least value of an expression first, as in expr(-bid*procs) or expr(by=wait>60?0:estimate)",
		Params: []policies.Param{{Name: "by", Doc: "expression over wait, estimate, procs, bid, submit, run, user, group, queue, partition, priority, class, size"}},
		New: func(a *policies.Args) (sched.Ranking, error) {
			x, err := sched.NewExpression(a.Text("by"))
			if err != nil {
				return sched.Ranking{}, err
			}
			return sched.Ranking{Expression: x}, nil
		},
	},
}...)}

// fixedOrders are those that have no parameter but, perhaps, a clairvoyant twin.
func fixedOrders() []Entry[sched.Ranking] {
	var made []Entry[sched.Ranking]
	for _, o := range sched.Orders {
		e := Entry[sched.Ranking]{Name: o.Name, Line: o.Line, Paper: o.Paper}
		if o.Twin {
			e.Params = []policies.Param{runtime}
		}
		e.New = func(a *policies.Args) (sched.Ranking, error) {
			return sched.Ranking{Order: o, Runtime: o.Twin && a.Bool(runtime.Name)}, a.Err()
		}
		made = append(made, e)
	}
	return made
}
