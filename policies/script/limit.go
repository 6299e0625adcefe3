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
	m.calls.Add(1)
	v, err := starlark.Call(m.thread, f, args, nil)
	m.calls.Add(1)
	if err == nil {
		err = m.weigh()
	}
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
	what := printable(e.Msg)
	switch {
	case what == "Starlark computation cancelled: too many steps":
		what = fmt.Sprintf("more than %d million steps in one call, in which what it makes counts, too: does a loop never end?", mostSteps/1_000_000)
	case strings.HasSuffix(what, tooLong):
		what = tooLong
	}
	return hinted(fmt.Errorf("%s%s%s", at, what, where))
}

// hinted adds advice where Starlark differs from Python.
func hinted(err error) error {
	if err == nil {
		return nil
	}
	if text := err.Error(); len(text) > 2000 {
		err = errors.New(printable(text))
	}
	for _, h := range []struct{ said, hint string }{
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

// predeclared are the names in addition to those of Starlark itself. Logarithms and powers are
// those of package rng, which gives the same bits on every machine.
var predeclared = withBounds(withDates(starlark.StringDict{
	"processors": processors,
	"series":     series,
	"inf":        starlark.Float(math.Inf(1)),
	"log":        number1("log", rng.Log),
	"exp":        number1("exp", rng.Exp),
	"sqrt":       number1("sqrt", math.Sqrt),
	"floor":      number1("floor", math.Floor),
	"ceil":       number1("ceil", math.Ceil),
}))

// sum adds up the numbers of a list.
func sum(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
	kwargs []starlark.Tuple) (starlark.Value, error) {
	var list starlark.Iterable
	var start starlark.Value = starlark.MakeInt(0)
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "iterable", &list, "start?", &start); err != nil {
		return nil, err
	}
	for x := range starlark.Elements(list) {
		if t := x.Type(); t != "int" && t != "float" {
			return nil, fmt.Errorf("sum: got a %s, want numbers", t)
		}
		var err error
		if start, err = starlark.Binary(syntax.PLUS, start, x); err != nil {
			return nil, err
		}
	}
	return start, nil
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
