package fields

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"bourse/traces/rng"
	"bourse/traces/suggest"
)

// Expression is a compiled expression. It is evaluated on Env, one map in which the
// owner sets the fields in Used again for each job: a value put into it costs an
// allocation, and most expressions name two or three.
type Expression struct {
	Used    []string
	Env     map[string]any
	whole   bool // all of Env is used at once, by $env
	program *vm.Program
	machine vm.VM
}

// Error says why an expression does not compile.
type Error struct {
	What    string // in the compiler's own words, and a field that may be meant
	Picture string // lines that show the place
}

func (e *Error) Error() string { return e.What }

// longest is the length of an expression's text: the compiler descends into brackets.
const longest = 64 << 10

// withheld are functions that an expression cannot call. now would make a replay depend
// on the day it is run; the others make texts and tables of any size out of small ones,
// which the machine's bound on memory does not count.
var withheld = []string{"now", "repeat", "reduce", "replace", "join", "concat", "toJSON", "fromJSON", "toBase64",
	"fromBase64"}

// remainder is that of a division of numbers of which one at least is none of the whole ones that
// the compiler can divide itself: times are in seconds.
var remainder = expr.Function("mod", func(args ...any) (any, error) {
	var x [2]float64
	for i, arg := range args {
		switch n := arg.(type) {
		case float64:
			x[i] = n
		case int:
			x[i] = float64(n)
		}
	}
	return math.Mod(x[0], x[1]), nil
}, new(func(float64, float64) float64), new(func(float64, int) float64), new(func(int, float64) float64))

// log2 is the binary logarithm, the same to the last digit on all machines.
var log2 = expr.Function("log2", func(args ...any) (any, error) {
	x, ok := args[0].(float64)
	if !ok {
		x = float64(args[0].(int))
	}
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log2(x), nil
	}
	return rng.Log(x) / math.Ln2, nil
}, new(func(float64) float64), new(func(int) float64))

// Compile compiles an expression over the fields in env, whose values give their types;
// as is the type of what it yields.
func Compile(text string, env map[string]any, as expr.Option) (*Expression, error) {
	if len(text) > longest {
		return nil, &Error{What: fmt.Sprintf("an expression of %d bytes; want %d at most", len(text), longest)}
	}
	options := []expr.Option{expr.Env(env), as, remainder, log2, expr.Operator("%", "mod")}
	for _, name := range withheld {
		options = append(options, expr.DisableBuiltin(name))
	}
	program, err := expr.Compile(text, options...)
	names := slices.Sorted(maps.Keys(env))
	if err != nil {
		return nil, faulty(err, names)
	}
	seen := identifiers{}
	node := program.Node()
	ast.Walk(&node, seen)
	for _, name := range withheld { // reduce is no name that can be taken from the compiler
		if seen[name+"()"] {
			return nil, &Error{What: name + " cannot be called in an expression"}
		}
	}
	if seen[joining] {
		return nil, &Error{What: "texts cannot be joined in an expression; compare them one by one"}
	}
	if !seen["$env"] {
		names = slices.DeleteFunc(names, func(name string) bool { return !seen[name] })
	}
	return &Expression{Used: names, Env: env, whole: seen["$env"], program: program}, nil
}

func faulty(err error, names []string) error {
	hint := ""
	var at *file.Error
	if errors.As(err, &at) {
		if name, ok := strings.CutPrefix(at.Message, "unknown name "); ok {
			hint = suggest.DidYouMean(name, names)
		}
	}
	first, picture, _ := strings.Cut(err.Error(), "\n")
	return &Error{first + hint, picture}
}

// Run evaluates the expression on Env.
func (x *Expression) Run() (any, error) { return x.machine.Run(x.program, x.Env) }

// Uses reports whether the expression names a field.
func (x *Expression) Uses(field string) bool { return slices.Contains(x.Used, field) }

// Clone returns a copy with an Env and a machine of its own; the program is never
// written.
func (x *Expression) Clone() *Expression {
	return &Expression{Used: x.Used, Env: maps.Clone(x.Env), whole: x.whole, program: x.program}
}

type identifiers map[string]bool

// joining represents a sum of texts among the identifiers.
const joining = "+"

// Visit implements ast.Visitor.
func (v identifiers) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		v[n.Value] = true
	case *ast.BuiltinNode:
		v[n.Name+"()"] = true
	case *ast.BinaryNode:
		if t := n.Type(); n.Operator == "+" && t != nil && t.Kind() == reflect.String {
			v[joining] = true
		}
	}
}
