package fields

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"bourse/traces/suggest"
)

// Expression is a compiled expression. It is evaluated on Env, one map in which the
// owner sets the fields in Used anew for each job: a value put into it costs an
// allocation, and most expressions name two or three.
type Expression struct {
	Used    []string
	Env     map[string]any
	program *vm.Program
	machine vm.VM
}

// Error says why an expression does not compile.
type Error struct {
	What    string // in the compiler's own words, and a field that may be meant
	Picture string // lines that show the place
}

func (e *Error) Error() string { return e.What }

// Compile compiles an expression over the fields in env, whose values give their types;
// as is the type of what it yields.
func Compile(text string, env map[string]any, as expr.Option) (*Expression, error) {
	// now would make a replay depend on the day it is run.
	program, err := expr.Compile(text, expr.Env(env), as, expr.DisableBuiltin("now"))
	names := slices.Sorted(maps.Keys(env))
	if err != nil {
		return nil, faulty(err, names)
	}
	seen := identifiers{}
	node := program.Node()
	ast.Walk(&node, seen)
	if !seen["$env"] {
		names = slices.DeleteFunc(names, func(name string) bool { return !seen[name] })
	}
	return &Expression{Used: names, Env: env, program: program}, nil
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
	return &Expression{Used: x.Used, Env: maps.Clone(x.Env), program: x.program}
}

type identifiers map[string]bool

// Visit implements ast.Visitor.
func (v identifiers) Visit(node *ast.Node) {
	if id, ok := (*node).(*ast.IdentifierNode); ok {
		v[id.Value] = true
	}
}
