package script

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"bourse/traces/rng"
)

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// call calls a function of the script. The first error is kept, and nothing is called
// any more.
func (m *module) call(where func() string, f *starlark.Function, args ...starlark.Value) starlark.Value {
	if m.err != nil || f == nil {
		return starlark.None
	}
	m.thread.Steps = 0
	v, err := starlark.Call(m.thread, f, args, nil)
	if err != nil {
		m.err = positioned(err, where())
		return starlark.None
	}
	return v
}

// positioned is an error with the innermost line of the script that it comes from.
func positioned(err error, where string) error {
	var e *starlark.EvalError
	if !errors.As(err, &e) {
		return hinted(err)
	}
	at := ""
	for i := range len(e.CallStack) {
		if pos := e.CallStack.At(i).Pos; pos.Line > 0 && pos.Filename() != "<builtin>" {
			at = fmt.Sprintf("%s:%d: ", pos.Filename(), pos.Line)
			break
		}
	}
	if where != "" {
		where = " (" + where + ")"
	}
	what := e.Msg
	if what == "Starlark computation cancelled: too many steps" {
		what = fmt.Sprintf("more than %d million steps in one call: does a loop never end?", mostSteps/1_000_000)
	}
	return hinted(fmt.Errorf("%s%s%s", at, what, where))
}

// hinted adds advice where Starlark differs from Python.
func hinted(err error) error {
	for _, h := range []struct{ said, hint string }{
		{"does not support while loops", "for i in range(N) is the loop there is, with a break"},
		{"got import", "there is nothing to import: exp, log, sqrt, floor, ceil and inf are built in"},
		{"referenced before assignment", "a function cannot set a variable of the file; keep what changes in a list or a " +
			"dict"},
	} {
		if strings.Contains(err.Error(), h.said) {
			return fmt.Errorf("%w; %s", err, h.hint)
		}
	}
	return err
}

// mostItems bounds what one operation may make: a range, a repeated list or text.
const mostItems = 1_000_000

// guard hands the operands of products to sizedName, so that no list or text of more
// than mostItems can be made of a small one: steps do not count what is inside one
// operation.
func guard(tree *syntax.File) {
	syntax.Walk(tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			if n.Op == syntax.STAR_EQ {
				n.Op, n.RHS = syntax.EQ, &syntax.BinaryExpr{X: n.LHS, OpPos: n.OpPos, Op: syntax.STAR, Y: n.RHS}
			}
		case *syntax.BinaryExpr:
			if n.Op == syntax.STAR {
				n.X, n.Y = sized(n.X), sized(n.Y)
			}
		}
		return true
	})
}

func sized(x syntax.Expr) syntax.Expr {
	if _, ok := x.(*syntax.Literal); ok {
		return x
	}
	at, end := x.Span()
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: sizedName}, Lparen: at, Args: []syntax.Expr{x},
		Rparen: end}
}

const sizedName = "_sized"

// repeated is a list, tuple or text that is to be multiplied.
type repeated struct{ starlark.Value }

// Binary implements starlark.HasBinary.
func (r repeated) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if n, err := starlark.AsInt32(y); op == syntax.STAR && err == nil {
		if size := starlark.Len(r.Value) * n; size > mostItems {
			return nil, fmt.Errorf("a %s of %d items; want %d at most", r.Type(), size, mostItems)
		}
	}
	if w, ok := y.(repeated); ok {
		y = w.Value
	}
	return starlark.Binary(op, r.Value, y)
}

// predeclared are the names in addition to those of Starlark itself. Logarithms and powers are
// those of package rng, which gives the same bits on every machine.
var predeclared = starlark.StringDict{
	sizedName: starlark.NewBuiltin(sizedName, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
		_ []starlark.Tuple) (starlark.Value, error) {
		switch args[0].(type) {
		case starlark.Int, starlark.Float:
			return args[0], nil
		}
		if starlark.Len(args[0]) >= 0 {
			return repeated{args[0]}, nil
		}
		return args[0], nil
	}),
	"range": starlark.NewBuiltin("range", limitedRange),
	"inf":   starlark.Float(math.Inf(1)),
	"log":   number1("log", rng.Log),
	"exp":   number1("exp", rng.Exp),
	"sqrt":  number1("sqrt", math.Sqrt),
	"floor": number1("floor", math.Floor),
	"ceil":  number1("ceil", math.Ceil),
}

// limitedRange is range of a bounded length.
func limitedRange(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
	kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := starlark.Call(t, starlark.Universe["range"], args, kwargs)
	if err != nil {
		return nil, err
	}
	if n := starlark.Len(v); n > mostItems {
		return nil, fmt.Errorf("range of %d numbers; want %d at most", n, mostItems)
	}
	return v, nil
}

func number1(name string, of func(float64) float64) starlark.Value {
	return starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
		kwargs []starlark.Tuple) (starlark.Value, error) {
		var x starlark.Value
		if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &x); err != nil {
			return nil, err
		}
		v, ok := starlark.AsFloat(x)
		if !ok {
			return nil, fmt.Errorf("%s: got %s, want a number", name, x.Type())
		}
		return starlark.Float(of(v)), nil
	})
}
