package sched

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/vm"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/suggest"
)

// ExpressionFields are the names an order's expression may use: times in
// seconds, -1 for unknown, users, groups, queues and partitions as numbers,
// size what the job pays for (its processors, or machines of a pool). run is the true run time: naming it makes the order clairvoyant.
var ExpressionFields = []string{"wait", "estimate", "procs", "bid", "submit", "run", "user", "group", "queue", "partition",
	"priority", "class", "size"}

// expressionValues take the fields from a job, in the order of ExpressionFields.
var expressionValues = [...]func(events.Time, *policies.Job) float64{
	func(now events.Time, j *policies.Job) float64 { return (now - j.Submit).Seconds() },
	func(_ events.Time, j *policies.Job) float64 { return told(j.Estimate) },
	func(_ events.Time, j *policies.Job) float64 { return float64(j.Procs) },
	func(_ events.Time, j *policies.Job) float64 { return j.Bid },
	func(_ events.Time, j *policies.Job) float64 { return j.Submit.Seconds() },
	func(_ events.Time, j *policies.Job) float64 { return told(j.Run) },
	func(_ events.Time, j *policies.Job) float64 { return float64(j.User) },
	func(_ events.Time, j *policies.Job) float64 { return float64(j.Group) },
	func(_ events.Time, j *policies.Job) float64 { return float64(j.Queue) },
	func(_ events.Time, j *policies.Job) float64 { return float64(j.Partition) },
	func(_ events.Time, j *policies.Job) float64 { return float64(j.Priority) },
	func(_ events.Time, j *policies.Job) float64 { return float64(j.Class) },
	func(_ events.Time, j *policies.Job) float64 { return j.Size },
}

func told(t events.Time) float64 {
	if !t.Known() {
		return -1
	}
	return t.Seconds()
}

// Expression is a key that the user writes, such as "-bid * procs" or
// "-wait / estimate": least first. A job for which it is not a number (0/0) or
// fails ranks last; one for which it is infinite (1/0) ranks first or last, as its
// sign has it. Both are counted, each time a job is ranked.
// It costs a few hundred nanoseconds a job, and allocates.
type Expression struct {
	text    string
	program *vm.Program
	used    []int // indices into ExpressionFields
	machine vm.VM
	faults  int64 // keys that were not numbers
	bounds  int64 // keys that were infinite
	env     map[string]any
}

// NewExpression compiles text, which must give a number.
func NewExpression(text string) (*Expression, error) {
	x := &Expression{text: text, env: map[string]any{}}
	for _, name := range ExpressionFields {
		x.env[name] = 0.0
	}
	// now would make a replay depend on the day it is run.
	program, err := expr.Compile(text, expr.Env(x.env), expr.AsFloat64(), expr.DisableBuiltin("now"))
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		hint := ""
		if name, ok := strings.CutPrefix(first, "unknown name "); ok {
			name, _, _ = strings.Cut(name, " ")
			hint = suggest.DidYouMean(name, ExpressionFields)
		}
		return nil, fmt.Errorf("order %q: %s%s; an expression may use %s, times in seconds", text, first, hint, strings.Join(ExpressionFields, ", "))
	}
	x.program = program
	seen := names{}
	node := program.Node()
	ast.Walk(&node, seen)
	for i, name := range ExpressionFields {
		if seen[name] || seen["$env"] {
			x.used = append(x.used, i)
		}
	}
	return x, nil
}

type names map[string]bool

// Visit implements ast.Visitor.
func (v names) Visit(node *ast.Node) {
	if id, ok := (*node).(*ast.IdentifierNode); ok {
		v[id.Value] = true
	}
}

func (x *Expression) uses(field string) bool {
	for _, i := range x.used {
		if ExpressionFields[i] == field {
			return true
		}
	}
	return false
}

func (x *Expression) traits() traits {
	return traits{run: x.uses("run"), bid: x.uses("bid"), changes: x.uses("wait")}
}

func (x *Expression) key(now events.Time, j *policies.Job) float64 {
	for _, i := range x.used {
		x.env[ExpressionFields[i]] = expressionValues[i](now, j)
	}
	out, err := x.machine.Run(x.program, x.env)
	key, ok := out.(float64)
	if err != nil || !ok || math.IsNaN(key) {
		x.faults++
		return math.Inf(1)
	}
	if math.IsInf(key, 0) {
		x.bounds++
	}
	return key
}

// What a policy notes of an expression.
const (
	OddRank      = "ranks by an expression that were not numbers: last"
	OddUnbounded = "ranks by an expression that were infinite: first or last by their sign"
)

// notes are those of a policy with these rankings.
func notes(rankers ...*ranker) []traces.Note {
	all := []traces.Note{{What: OddRank}, {What: OddUnbounded}}
	for _, k := range rankers {
		if k.Expression != nil {
			all[0].Count += k.Expression.faults
			all[1].Count += k.Expression.bounds
		}
	}
	return slices.DeleteFunc(all, func(n traces.Note) bool { return n.Count == 0 })
}

// Notes implements policies.Noter.
func (p *List) Notes() []traces.Note { return notes(&p.rank) }

// Notes implements policies.Noter.
func (p *Easy) Notes() []traces.Note { return notes(&p.order, &p.backfill) }

// Notes implements policies.Noter.
func (p *EasyScan) Notes() []traces.Note { return notes(&p.order, &p.backfill) }

// Notes implements policies.Noter.
func (p *Preemptive) Notes() []traces.Note { return notes(&p.rank) }

// Notes implements policies.Noter.
func (p *Placed) Notes() []traces.Note { return notes(&p.rank) }

// clone returns a copy with a machine of its own; the program is never written.
func (x *Expression) clone() *Expression {
	if x == nil {
		return nil
	}
	env := make(map[string]any, len(x.env))
	for _, name := range ExpressionFields {
		env[name] = 0.0
	}
	return &Expression{text: x.text, program: x.program, used: x.used, faults: x.faults, bounds: x.bounds, env: env}
}
