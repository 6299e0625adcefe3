package transform

import (
	"errors"
	"fmt"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/suggest"
)

// Fields are the names a --where expression may use. Times are in seconds;
// -1 is unknown. procs is the number of processors allocated or else requested.
// User, group, queue and partition are numbers, or words ("" for unknown) in
// traces that name them by words.
var Fields = []string{
	"job", "submit", "wait", "run", "procs", "estimate", "memory", "status", "user", "group", "queue", "partition",
	"task", "cpu", "priority", "class", "attempt",
}

// getters take a field from a job, in the order of Fields.
var getters = [...]func(*traces.Job, *traces.Names) any{
	func(j *traces.Job, _ *traces.Names) any { return int(j.ID) },
	func(j *traces.Job, _ *traces.Names) any { return seconds(j.Submit) },
	func(j *traces.Job, _ *traces.Names) any { return seconds(j.Wait) },
	func(j *traces.Job, _ *traces.Names) any { return seconds(j.Run) },
	func(j *traces.Job, _ *traces.Names) any { return int(j.Procs) },
	func(j *traces.Job, _ *traces.Names) any { return seconds(j.Estimate) },
	func(j *traces.Job, _ *traces.Names) any { return max(j.Memory, -1) },
	func(j *traces.Job, _ *traces.Names) any { return int(j.Status) },
	func(j *traces.Job, n *traces.Names) any { return label(n.Users, j.User) },
	func(j *traces.Job, n *traces.Names) any { return label(n.Groups, j.Group) },
	func(j *traces.Job, n *traces.Names) any { return label(n.Queues, j.Queue) },
	func(j *traces.Job, n *traces.Names) any { return label(n.Partitions, j.Partition) },
	func(j *traces.Job, _ *traces.Names) any { return int(j.Task) },
	func(j *traces.Job, _ *traces.Names) any { return max(j.CPU, -1) },
	func(j *traces.Job, _ *traces.Names) any { return int(j.Priority) },
	func(j *traces.Job, _ *traces.Names) any { return int(j.Class) },
	func(j *traces.Job, _ *traces.Names) any { return int(j.Attempt) },
}

func seconds(t events.Time) float64 {
	if t < 0 {
		return -1
	}
	return t.Seconds()
}

func label(w *traces.Words, l traces.Label) any {
	if w == nil {
		return int(l)
	}
	text, _ := w.Text(l)
	return text
}

// filter is a compiled --where expression. The environment is one map, filled
// anew for each job with only the fields the expression names: a value put
// into it costs an allocation, and most expressions name two or three.
type filter struct {
	program *vm.Program
	machine vm.VM
	env     map[string]any
	used    []int // indices into Fields
	names   traces.Names
}

func newFilter(where string, names traces.Names) (*filter, error) {
	f := &filter{env: map[string]any{}, names: names}
	for i, name := range Fields {
		f.env[name] = getters[i](&traces.Job{}, &f.names)
	}
	// now would make a replay depend on the day it is run.
	program, err := expr.Compile(where, expr.Env(f.env), expr.AsBool(), expr.DisableBuiltin("now"))
	if err != nil {
		return nil, whereError(err)
	}
	f.program = program
	f.used = usedFields(program)
	return f, nil
}

// holds evaluates the expression for j.
func (f *filter) holds(j *traces.Job) (bool, error) {
	for _, i := range f.used {
		f.env[Fields[i]] = getters[i](j, &f.names)
	}
	out, err := f.machine.Run(f.program, f.env)
	if err != nil {
		return false, err
	}
	yes, ok := out.(bool)
	if !ok {
		return false, fmt.Errorf("it is %v, not true or false", out)
	}
	return yes, nil
}

// whereError explains why an expression does not compile: expr's own words,
// which show the place, then a near field if a name is unknown, then all fields.
func whereError(err error) error {
	hint := ""
	var at *file.Error
	if errors.As(err, &at) {
		if name, ok := strings.CutPrefix(at.Message, "unknown name "); ok {
			hint = suggest.DidYouMean(name, Fields)
		}
	}
	first, picture, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("--where: %s%s\n%s\nthe fields are %s; times in seconds, -1 for unknown", first, hint, picture, strings.Join(Fields, ", "))
}

// usedFields finds the fields an expression names.
func usedFields(p *vm.Program) []int {
	seen := identifiers{}
	node := p.Node()
	ast.Walk(&node, seen)
	var used []int
	for i, name := range Fields {
		if seen[name] || seen["$env"] {
			used = append(used, i)
		}
	}
	return used
}

type identifiers map[string]bool

// Visit implements ast.Visitor.
func (v identifiers) Visit(node *ast.Node) {
	if id, ok := (*node).(*ast.IdentifierNode); ok {
		v[id.Value] = true
	}
}
