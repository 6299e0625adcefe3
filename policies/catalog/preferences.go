package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bourse/policies"
	"bourse/policies/market"
	"bourse/traces/rng"
	"bourse/traces/suggest"
)

const feldman = "Feldman, Lai and Zhang"

// Preference is where the weights of a market come from: one of a table, a
// trace, or a draw.
type Preference struct {
	Table bool
	Trace bool
	By    market.By // of a trace
	Draw  func(seed uint64) *market.Preferences
}

// Preferences lists the models of users' preferences for machines.
var Preferences = List[Preference]{"preferences", []Entry[Preference]{
	{
		Name: "table",
		Line: "FILE is a table of user, machine and weight",
		New:  withoutArgs(func() Preference { return Preference{Table: true} }),
	},
	{
		Name: "trace", Params: []policies.Param{{Name: "by", Default: market.Ways[0],
			Doc: "what a machine is: " + strings.Join(market.Ways, ", ")}},
		Line: "FILE is a trace; weights are a user's processor-seconds by partition and class of sizes",
		New: func(a *policies.Args) (Preference, error) {
			by := slices.Index(market.Ways, a.Text("by"))
			if by < 0 {
				return Preference{}, fmt.Errorf("trace by %q%s", a.Text("by"), suggest.Among(a.Text("by"), market.Ways))
			}
			return Preference{Trace: true, By: market.By(by)}, nil
		},
	},
	{
		Name: "uniform", Paper: feldman + ", section 5", Params: size(),
		Line: "weights drawn from U(0,1)",
		New: fromArgs(func(a *policies.Args) Preference {
			users, machines := a.Int("users", 1, mostDrawn), a.Int("machines", 1, mostDrawn)
			return Preference{Draw: func(seed uint64) *market.Preferences {
				return numbered(market.Uniform(rng.New(seed, "preferences uniform"), users, machines))
			}}
		}),
	},
	{
		Name: "correlated", Paper: feldman + ", section 5",
		Params: append(size(), policies.Param{Name: "resources", Default: "3", Doc: "length of the profiles"}),
		Line:   "scalar products of users' and machines' profiles, drawn from U(0,1)",
		New: fromArgs(func(a *policies.Args) Preference {
			users, machines, resources := a.Int("users", 1, mostDrawn), a.Int("machines", 1, mostDrawn),
				a.Int("resources", 1, 1000)
			return Preference{Draw: func(seed uint64) *market.Preferences {
				return numbered(market.Correlated(rng.New(seed, "preferences correlated"), users, machines, resources))
			}}
		}),
	},
}}

// mostDrawn keeps a slip of the keyboard from asking for more memory than there is.
const mostDrawn = 100_000

func size() []policies.Param {
	return []policies.Param{{Name: "users", Default: "40", Doc: "users"},
		{Name: "machines", Default: "100", Doc: "machines"}}
}

// numbered calls users u1, u2, ... and machines m1, m2, ...
func numbered(weights [][]float64) *market.Preferences {
	p := &market.Preferences{Weights: weights}
	for i := range weights {
		p.Users = append(p.Users, "u"+strconv.Itoa(i+1))
	}
	for j := range weights[0] {
		p.Machines = append(p.Machines, "m"+strconv.Itoa(j+1))
	}
	return p
}
