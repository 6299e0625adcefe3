package order

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
// see; dates are of the present. users, groups, queues and partitions are numbers.
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
	"gpu":       func(_ events.Time, j *policies.Job) float64 { return j.GPU },
	"disk":      func(_ events.Time, j *policies.Job) float64 { return j.Disk },
	"size":      func(_ events.Time, j *policies.Job) float64 { return j.Size },
}

// Expression is a key that the user writes, such as "-bid * procs" or
// "-wait / estimate": least first. A job for which it is not a number (0/0) or
// fails ranks last; one for which it is infinite (1/0) ranks first or last by its
// sign. Both are counted, each time a job is ranked.
// It costs a few hundred nanoseconds a job, and allocates.
type Expression struct {
	of       *fields.Expression
	values   []func(events.Time, *policies.Job) float64 // of the fields used, nil for dates
	dates    []*fields.Date                             // used
	needs    string                                     // the first of them that it names
	calendar *events.Calendar
	faults   int64 // keys that were not numbers
	bounds   int64 // keys that were infinite
	// known are the last keys that do not change while jobs wait, by Seq modulo its length: policies that rank their queue
	// afresh ask again and again.
	known []knownKey
}

type knownKey struct {
	seq      int64 // and one more, so that 0 is none
	estimate events.Time
	key      float64
}

const mostKnown = 1 << 12

// NewExpression compiles text, which must give a number.
func NewExpression(text string) (*Expression, error) {
	names := fields.Names(true)
	env := make(map[string]any, len(names))
	for _, name := range names {
		env[name] = 0.0
	}
	of, err := fields.Compile(text, env, expr.AsFloat64())
	if err != nil {
		return nil, fmt.Errorf("order %q: %w; an expression may use %s, times in seconds", text, err,
			strings.Join(names, ", "))
	}
	x := &Expression{of: of}
	for _, name := range of.Used {
		x.values = append(x.values, expressionValues[name])
	}
	x.dates, x.needs = of.Dates()
	return x, nil
}

// Looks implements Keys.
func (x *Expression) Looks() Looks {
	return Looks{Run: x.of.Uses("run"), Bid: x.of.Uses("bid"), Changes: x.of.Uses("wait") || len(x.dates) > 0}
}

// ReadCalendar implements policies.CalendarReader.
func (x *Expression) ReadCalendar(c *events.Calendar) (needs string) {
	if x.calendar = c; c == nil {
		return x.needs
	}
	return ""
}

// Key implements Keys.
func (x *Expression) Key(now events.Time, j *policies.Job) float64 {
	if looks := x.Looks(); looks.Changes || looks.Bid {
		return x.evaluate(now, j)
	}
	if x.known == nil {
		x.known = make([]knownKey, mostKnown)
	}
	k := &x.known[uint64(j.Seq)%mostKnown]
	if k.seq != j.Seq+1 || k.estimate != j.Estimate {
		faults := x.faults + x.bounds
		key := x.evaluate(now, j)
		if x.faults+x.bounds > faults {
			return key // to be counted again
		}
		*k = knownKey{j.Seq + 1, j.Estimate, key}
	}
	return k.key
}

// evaluate works a key out.
func (x *Expression) evaluate(now events.Time, j *policies.Job) float64 {
	for i, name := range x.of.Used {
		if of := x.values[i]; of != nil {
			x.of.Env[name] = of(now, j)
		}
	}
	for _, d := range x.dates {
		x.of.Env[d.Name] = float64(d.At(x.calendar, now))
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

// What a policy notes about an expression.
const (
	OddRank      = "ranks by an expression that were not numbers: last"
	OddUnbounded = "ranks by an expression that were infinite: first or last by their sign"
)

// Notes implements policies.Noter.
func (x *Expression) Notes() []traces.Note {
	all := []traces.Note{{What: OddRank, Count: x.faults}, {What: OddUnbounded, Count: x.bounds}}
	return slices.DeleteFunc(all, func(n traces.Note) bool { return n.Count == 0 })
}

// Labels implements labeller.
func (x *Expression) Labels() []string { return x.of.Used }

// Clone implements Keys.
func (x *Expression) Clone() Keys {
	c := *x
	c.of, c.known = x.of.Clone(), nil
	return &c
}
