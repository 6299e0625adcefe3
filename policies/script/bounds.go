package script

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What a script may take. A step of the interpreter may be one operation of any size, so what
// makes or walks over much takes steps for it: two for each item or 16 bytes of text, and perEntry
// for one of a dict or a set. With mostSteps a call so makes some 200 MB at most.
const (
	mostItems = 1_000_000 // of what one operation makes: items of a list, bytes of a text
	mostBits  = 10_000    // of a whole number
	// mostKept is what variables of a script may hold between calls, in items: some 150 MB.
	mostKept = 10_000_000
	perEntry = 10
)

// guard hands operations that can make much of little to functions with bounds: sums,
// products, formats, shifts and unions, slices, and the methods of bounded.
func guard(tree *syntax.File) { rewrite(tree, guarded) }

// operators are those with bounds.
var operators = map[syntax.Token]string{syntax.PLUS: "_plus", syntax.STAR: "_times", syntax.PERCENT: "_format",
	syntax.LTLT: "_shift", syntax.PIPE: "_union", syntax.AMP: "_both", syntax.CIRCUMFLEX: "_either"}

const (
	methodName = "_method"
	madeName   = "_made"
	entryName  = "_entry"
	grownName  = "_grown"
)

func guarded(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.BinaryExpr:
		if name := operators[x.Op]; name != "" && !(x.Op == syntax.PLUS && (isNumber(x.X) || isNumber(x.Y))) {
			return call(x.OpPos, name, x.X, x.Y)
		}
	case *syntax.DotExpr:
		if bounded[x.Name.Name] != nil {
			return call(x.Dot, methodName, x.X, &syntax.Literal{Token: syntax.STRING, TokenPos: x.NamePos, Value: x.Name.Name})
		}
	case *syntax.SliceExpr:
		return call(x.Lbrack, madeName, x)
	}
	return x
}

// call is a call of a function by its name.
func call(at syntax.Position, name string, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: args, Rparen: at}
}

// isNumber reports whether a sum with x is one of numbers, and so grows by little.
func isNumber(x syntax.Expr) bool {
	l, ok := x.(*syntax.Literal)
	return ok && l.Token != syntax.STRING && l.Token != syntax.BYTES
}

// take lets work of n items cost as many steps, if it is not too much for one operation.
func take(t *starlark.Thread, what string, n int) error {
	if n > mostItems || n < 0 {
		return fmt.Errorf("%s of %d items; want %d at most", what, n, mostItems)
	}
	t.Steps += 2 * uint64(n)
	return nil
}

// length is what one operation on a value walks over.
func length(v starlark.Value) int {
	if s, ok := v.(starlark.String); ok {
		return len(s) / 16
	}
	n := max(0, starlark.Len(v))
	switch v.(type) {
	case *starlark.Dict, *starlark.Set:
		n *= perEntry / 2
	}
	return n
}

// weight is the length of a value written out, with all that it holds, as often as it holds
// it, and little more than most.
func weight(v starlark.Value, most int) int {
	n := 1
	switch v := v.(type) {
	case starlark.String:
		n += len(v)
	case starlark.Bytes:
		n += len(v)
	case *starlark.Dict:
		for key, value := range v.Entries() {
			if n += weight(key, most-n) + weight(value, most-n); n > most {
				return n
			}
		}
	case *starlark.List, starlark.Tuple, *starlark.Set:
		for item := range starlark.Elements(v.(starlark.Iterable)) {
			if n += weight(item, most-n); n > most {
				return n
			}
		}
	}
	return n
}

// internal is a function that guard calls, so that its parameters are as they should be.
func internal(name string, f func(*starlark.Thread, starlark.Tuple) (starlark.Value, error)) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
		_ []starlark.Tuple) (starlark.Value, error) {
		return f(t, args)
	})
}

// operator is the function for an operator: cost says what it makes of two operands.
func operator(op syntax.Token, cost func(x, y starlark.Value) (what string, n int)) *starlark.Builtin {
	return internal(op.String(), func(t *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
		x, y := args[0], args[1]
		if i, ok := x.(starlark.Int); ok && y.Type() == "int" {
			return whole(op, i, y.(starlark.Int))
		}
		if _, ok := x.(starlark.Float); !ok {
			what, n := cost(x, y)
			if err := take(t, what, n); err != nil {
				return nil, err
			}
		}
		return starlark.Binary(op, x, y)
	})
}

// whole is an operation on whole numbers, of which none gets more than mostBits.
func whole(op syntax.Token, x, y starlark.Int) (starlark.Value, error) {
	_, smallX := x.Int64()
	shift, smallY := y.Int64()
	bits := 0
	switch {
	case op == syntax.LTLT && smallY && shift >= 0:
		bits = x.BigInt().BitLen() + int(min(shift, mostBits+1))
	case op == syntax.STAR && !(smallX && smallY):
		bits = x.BigInt().BitLen() + y.BigInt().BitLen()
	}
	if bits > mostBits {
		return nil, fmt.Errorf("a number of %d bits; want %d at most", bits, mostBits)
	}
	return starlark.Binary(op, x, y)
}

// bounded are the methods whose cost is counted: what they make or walk over, of the value
// that they belong to and their parameters.
var bounded = map[string]func(x starlark.Value, args starlark.Tuple) int{
	"join": func(x starlark.Value, args starlark.Tuple) int {
		return weight(args, mostItems) + length(args[0])*starlark.Len(x)
	},
	"format": func(x starlark.Value, args starlark.Tuple) int {
		text, _ := starlark.AsString(x)
		return len(text) + strings.Count(text, "{")*weight(args, mostItems)
	},
	"replace": func(x starlark.Value, args starlark.Tuple) int {
		text, _ := starlark.AsString(x)
		if len(args) < 2 {
			return len(text)
		}
		was, _ := starlark.AsString(args[0])
		is, _ := starlark.AsString(args[1])
		return len(text) + strings.Count(text, was)*len(is)
	},
	"add":        func(starlark.Value, starlark.Tuple) int { return perEntry / 2 },
	"setdefault": func(starlark.Value, starlark.Tuple) int { return perEntry / 2 },
	"extend":     both, "update": both, "union": both, "difference": both, "intersection": both,
	"symmetric_difference": both, "issubset": both, "issuperset": both, "index": both, "insert": both, "remove": both,
	"split": both, "rsplit": both, "splitlines": both, "count": both, "find": both, "rfind": both, "rindex": both,
	"keys": both, "values": both, "items": both, "lower": both, "upper": both, "title": both, "capitalize": both,
	"strip": both, "lstrip": both, "rstrip": both, "partition": both, "rpartition": both,
}

func both(x starlark.Value, args starlark.Tuple) int {
	n := length(x)
	for _, a := range args {
		n += length(a)
	}
	return n
}

// boundedMethod is x.name, which takes its cost when it is called.
func boundedMethod(_ *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
	x, name := args[0], string(args[1].(starlark.String))
	var m starlark.Value
	var err error
	if a, ok := x.(starlark.HasAttrs); ok {
		m, err = a.Attr(name)
	}
	if err != nil || m == nil {
		if err == nil {
			err = fmt.Errorf("%s has no .%s field or method", x.Type(), name)
		}
		return nil, err
	}
	switch x.(type) {
	case starlark.String, starlark.Bytes, *starlark.List, *starlark.Dict, *starlark.Set:
		return costing(name, m, func(args starlark.Tuple) int { return bounded[name](x, args) }), nil
	}
	return m, nil
}

// costing is a function that takes the steps of its cost when it is called.
func costing(name string, f starlark.Value, cost func(starlark.Tuple) int) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
		kwargs []starlark.Tuple) (starlark.Value, error) {
		all := args
		for _, pair := range kwargs {
			all = append(all[:len(all):len(all)], pair[1])
		}
		if len(all) > 0 {
			if err := take(t, name, cost(all)); err != nil {
				return nil, err
			}
		}
		return starlark.Call(t, f, args, kwargs)
	})
}

// withBounds adds the functions that scripts have with bounds, and refuses those by which a
// script could look at what its text does not name.
func withBounds(names starlark.StringDict) starlark.StringDict {
	lengths := func(x, y starlark.Value) int {
		n := max(0, starlark.Len(x)) + max(0, starlark.Len(y))
		if x.Type() == "dict" || x.Type() == "set" {
			n *= perEntry / 2
		}
		return n
	}
	for _, op := range []syntax.Token{syntax.PLUS, syntax.PIPE, syntax.AMP, syntax.CIRCUMFLEX} {
		names[operators[op]] = operator(op, func(x, y starlark.Value) (string, int) {
			return "a " + x.Type(), lengths(x, y)
		})
	}
	names[operators[syntax.LTLT]] = operator(syntax.LTLT, func(_, _ starlark.Value) (string, int) { return "", 0 })
	names[operators[syntax.STAR]] = operator(syntax.STAR, func(x, y starlark.Value) (string, int) {
		if n, err := starlark.AsInt32(x); err == nil {
			return "a " + y.Type(), max(0, n) * max(0, starlark.Len(y))
		} else if n, err := starlark.AsInt32(y); err == nil {
			return "a " + x.Type(), max(0, n) * max(0, starlark.Len(x))
		}
		return "", 0
	})
	names[operators[syntax.PERCENT]] = operator(syntax.PERCENT, func(x, y starlark.Value) (string, int) {
		text, _ := starlark.AsString(x)
		return "a text", len(text) + weight(y, mostItems)
	})
	names[methodName] = internal(methodName, boundedMethod)
	names[madeName] = internal(madeName, func(t *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
		return args[0], take(t, "a slice", length(args[0]))
	})
	names[grownName] = internal(grownName, func(t *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
		if n := lengths(args[0], args[1]); n > mostItems {
			return nil, fmt.Errorf("a %s of %d items; want %d at most", args[0].Type(), n, mostItems)
		}
		n := length(args[1])
		if _, ok := args[0].(starlark.String); ok { // which is made anew
			n += length(args[0])
		}
		return args[1], take(t, "a sum", n)
	})
	names[entryName] = internal(entryName, func(t *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
		t.Steps += perEntry
		return args[0], nil
	})
	written := func(args starlark.Tuple) int { return weight(args, mostItems) }
	for _, name := range []string{"str", "repr", "print", "fail"} {
		names[name] = costing(name, starlark.Universe[name], written)
	}
	walked := func(args starlark.Tuple) int { return both(starlark.None, args) }
	for _, name := range []string{"all", "any", "bytes", "enumerate", "list", "max", "min", "reversed", "sorted", "tuple",
		"zip"} {
		names[name] = costing(name, starlark.Universe[name], walked)
	}
	for _, name := range []string{"dict", "set"} {
		names[name] = costing(name, starlark.Universe[name], func(args starlark.Tuple) int { return walked(args) * perEntry })
	}
	names["int"] = starlark.NewBuiltin("int", func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
		kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) > 0 && starlark.Len(args[0]) > mostBits/4 {
			return nil, fmt.Errorf("int of a text of %d characters; want %d at most", starlark.Len(args[0]), mostBits/4)
		}
		return starlark.Call(t, starlark.Universe["int"], args, kwargs)
	})
	names["range"] = starlark.NewBuiltin("range", func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
		kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := starlark.Call(t, starlark.Universe["range"], args, kwargs)
		if err != nil {
			return nil, err
		}
		if n := starlark.Len(v); n > mostItems {
			return nil, fmt.Errorf("range of %d numbers; want %d at most", n, mostItems)
		}
		return v, nil
	})
	for _, name := range []string{"getattr", "hasattr", "dir"} {
		names[name] = starlark.NewBuiltin(name, func(*starlark.Thread, *starlark.Builtin, starlark.Tuple,
			[]starlark.Tuple) (starlark.Value, error) {
			return nil, fmt.Errorf("there is no %s: what a script looks at is read from its text; name the attribute", name)
		})
	}
	return names
}
