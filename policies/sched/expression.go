package sched

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/fields"
)

// expressionValues take fields from a job: those of fields.Table that a policy may
// see. users, groups, queues and partitions are numbers.
var expressionValues = map[string]func(events.Time, *policies.Job) float64{
	"wait":      func(now events.Time, j *policies.Job) float64 { return (now - j.Submit).Seconds() },
	"estimate":  func(_ events.Time, j *policies.Job) float64 { return fields.Seconds(j.Estimate) },
	"procs":     func(_ events.Time, j *policies.Job) float64 { return float64(j.Procs) },
	"bid":       func(_ events.Time, j *policies.Job) float64 { return j.Bid },
	"submit":    func(_ events.Time, j *policies.Job) float64 { return j.Submit.Seconds() },
	"run":       func(_ events.Time, j *policies.Job) float64 { return fields.Seconds(j.Run) },
	"user":      func(_ events.Time, j *policies.Job) float64 { return float64(j.User) },
	"group":     func(_ events.Time, j *policies.Job) float64 { return float64(j.Group) },
	"queue":     func(_ events.Time, j *policies.Job) float64 { return float64(j.Queue) },
	"partition": func(_ events.Time, j *policies.Job) float64 { return float64(j.Partition) },
	"priority":  func(_ events.Time, j *policies.Job) float64 { return float64(j.Priority) },
	"class":     func(_ events.Time, j *policies.Job) float64 { return float64(j.Class) },
	"size":      func(_ events.Time, j *policies.Job) float64 { return j.Size },
}

// Expression is a key that the user writes, such as "-bid * procs" or
// "-wait / estimate": least first. A job for which it is not a number (0/0) or
// fails ranks last; one for which it is infinite (1/0) ranks first or last by its
// sign. Both are counted, each time a job is ranked.
// It costs a few hundred nanoseconds a job, and allocates.
type Expression struct {
	of     *fields.Expression
	values []func(events.Time, *policies.Job) float64 // of the fields used
	faults int64                                      // keys that were not numbers
	bounds int64                                      // keys that were infinite
}

// NewExpression compiles text, which must give a number.
func NewExpression(text string) (*Expression, error) {
	names := fields.Names(true)
	env := make(map[string]any, len(names))
	for _, name := range names {
		env[name] = 0.0
	}
	of, err := fields.Compile(text, env, expr.AsFloat64())
	if err != nil {
		return nil, fmt.Errorf("order %q: %w; an expression may use %s, times in seconds", text, err, strings.Join(names, ", "))
	}
	x := &Expression{of: of}
	for _, name := range of.Used {
		x.values = append(x.values, expressionValues[name])
	}
	return x, nil
}

func (x *Expression) traits() traits {
	return traits{run: x.of.Uses("run"), bid: x.of.Uses("bid"), changes: x.of.Uses("wait")}
}

func (x *Expression) key(now events.Time, j *policies.Job) float64 {
	for i, name := range x.of.Used {
		x.of.Env[name] = x.values[i](now, j)
	}
	out, err := x.of.Run()
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

// labels are the fields that are labels.
var labels = map[string]func(*policies.Job) traces.Label{
	"user":      func(j *policies.Job) traces.Label { return j.User },
	"group":     func(j *policies.Job) traces.Label { return j.Group },
	"queue":     func(j *policies.Job) traces.Label { return j.Queue },
	"partition": func(j *policies.Job) traces.Label { return j.Partition },
}

// namedRank is policies.LabelRanker's of these rankings together.
func namedRank(j *policies.Job, rankers ...*ranker) string {
	for _, k := range rankers {
		if k.Expression == nil && k.Order == ByPriority && j.Priority < 0 && j.Queue.Named() {
			return "queue"
		}
		if k.Expression == nil {
			continue
		}
		for _, name := range k.Expression.of.Used {
			if of := labels[name]; of != nil && of(j).Named() {
				return name
			}
		}
	}
	return ""
}

// NamedRank implements policies.LabelRanker.
func (p *List) NamedRank(j *policies.Job) string { return namedRank(j, &p.rank) }

// NamedRank implements policies.LabelRanker.
func (p *Easy) NamedRank(j *policies.Job) string { return namedRank(j, &p.order, &p.backfill) }

// NamedRank implements policies.LabelRanker.
func (p *EasyScan) NamedRank(j *policies.Job) string { return namedRank(j, &p.order, &p.backfill) }

// NamedRank implements policies.LabelRanker.
func (p *Preemptive) NamedRank(j *policies.Job) string { return namedRank(j, &p.rank) }

// NamedRank implements policies.LabelRanker.
func (p *Placed) NamedRank(j *policies.Job) string { return namedRank(j, &p.rank) }

// clone returns a copy that can be evaluated beside it.
func (x *Expression) clone() *Expression {
	if x == nil {
		return nil
	}
	c := *x
	c.of = x.of.Clone()
	return &c
}
