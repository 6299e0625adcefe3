package script

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// What a script may take. A step of the interpreter may be one operation of any size, so what
// walks over much takes two steps for each item or 16 bytes of text, and what makes a value one for
// some 10 bytes of it. With mostSteps a call so makes some 200 MB at most.
const (
	mostItems = 1_000_000 // of what one operation makes: items of a list, bytes of a text
	mostBits  = 4096      // of a whole number
	mostDepth = 10_000    // of lists within lists that are kept
	// mostKept is what variables of a script may hold between calls, in items: some 150 MB.
	mostKept = 10_000_000
	perEntry = 10
)

// guard hands operations that can make much of little to functions with bounds: operators,
// displays, slices, calls with a star, and the methods of bounded.
func guard(tree *syntax.File) (err error) {
	syntax.Walk(tree, func(n syntax.Node) bool {
		if l, ok := n.(*syntax.Literal); ok && err == nil {
			if x, ok := l.Value.(*big.Int); ok && x.BitLen() > mostBits {
				err = fmt.Errorf("%v: %w", l.TokenPos, tooLarge(x.BitLen()))
			}
		}
		return err == nil
	})
	rewrite(tree, guarded)
	return err
}

func tooLarge(bits int) error {
	return fmt.Errorf("a number of %d bits; want %d at most", bits, mostBits)
}

// operators are those with bounds.
var operators = []syntax.Token{syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.PERCENT, syntax.LTLT, syntax.PIPE,
	syntax.AMP, syntax.CIRCUMFLEX}

// The functions have names that no script can write, as the operators have their signs.
const (
	methodName = "."
	madeName   = "[]"
	entryName  = "[]="
	grownName  = "+="
)

func guarded(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.BinaryExpr:
		grows := x.Op != syntax.PLUS && x.Op != syntax.MINUS || !isSmall(x.X) && !isSmall(x.Y)
		if slices.Contains(operators, x.Op) && grows {
			return call(x.OpPos, x.Op.String(), x.X, x.Y)
		}
	case *syntax.DotExpr:
		if bounded[x.Name.Name] != nil {
			return call(x.Dot, methodName, x.X, &syntax.Literal{Token: syntax.STRING, TokenPos: x.NamePos, Value: x.Name.Name})
		}
	case *syntax.CallExpr:
		for _, arg := range x.Args {
			if u, ok := arg.(*syntax.UnaryExpr); ok && (u.Op == syntax.STAR || u.Op == syntax.STARSTAR) {
				u.X = call(u.OpPos, madeName, call(u.OpPos, madeName, u.X)) // by the caller and by the called
			}
		}
	case *syntax.DictEntry:
		x.Value = call(x.Colon, entryName, x.Value)
	case *syntax.Comprehension:
		switch x.Body.(type) {
		case *syntax.BinaryExpr, *syntax.UnaryExpr: // each may make a number
			x.Body = call(x.Lbrack, entryName, x.Body)
		}
		return call(x.Lbrack, madeName, x)
	case *syntax.SliceExpr, *syntax.ListExpr, *syntax.TupleExpr, *syntax.DictExpr, *syntax.LambdaExpr:
		start, _ := x.Span()
		return call(start, madeName, x)
	}
	return x
}

// call is a call of a function by its name.
func call(at syntax.Position, name string, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: args, Rparen: at}
}

// isSmall reports whether a sum or difference with x is one of numbers, and so grows by little:
// attributes that are no methods or labels are numbers.
func isSmall(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Literal:
		return x.Token != syntax.STRING && x.Token != syntax.BYTES
	case *syntax.DotExpr:
		return !slices.Contains(labels, x.Name.Name)
	}
	return false
}

// take lets work of n items cost as many steps, if it is not too much for one operation.
func take(t *starlark.Thread, what string, n int) error {
	if n > mostItems || n < 0 {
		return fmt.Errorf("%s of %d items; want %d at most", what, n, mostItems)
	}
	t.Steps += 2 * uint64(n)
	return nil
}

// count is how many items a value has, at most. What walks over the characters of a text does not
// tell, but begins with that text.
func count(v starlark.Value) int {
	if n := starlark.Len(v); n >= 0 {
		return n
	}
	if s := reflect.ValueOf(v); s.Kind() == reflect.Struct && s.Field(0).Kind() == reflect.String {
		return s.Field(0).Len()
	}
	return 0
}

// length is what one operation on a value walks over.
func length(v starlark.Value) int {
	switch v := v.(type) {
	case starlark.String:
		return len(v) / 16
	case *starlark.Dict, *starlark.Set:
		return count(v) * perEntry / 2
	}
	return count(v)
}

// made takes steps for a value that is new: for itself, and for its items as far as they are.
func made(t *starlark.Thread, v starlark.Value) {
	n := 0
	switch v := v.(type) {
	case starlark.String:
		n = len(v) / 8
	case starlark.Bytes:
		n = len(v) / 8
	case *starlark.Dict, *starlark.Set:
		n = 5*perEntry + perEntry*count(v)
	case starlark.Int, starlark.Float, starlark.Bool, starlark.NoneType:
	case starlark.Indexable:
		each := 2
		if v.Len() > 0 {
			switch item := v.Index(0).(type) {
			case starlark.Tuple:
				each += 4 + 2*len(item)
			case starlark.String:
				each += 2
			}
		}
		n = perEntry + each*v.Len()
	default:
		n = perEntry
	}
	t.Steps += uint64(n)
}

// weight is the length of a value written out, with all that it holds, as often as it holds
// it, and little more than most. Within another a value costs as many more as it is deep, since each
// that holds others is looked for among those around it.
func weight(v starlark.Value, most int) int { return weightAt(v, most, 0) }

func weightAt(v starlark.Value, most, depth int) int {
	n := 1
	switch v := v.(type) {
	case starlark.String:
		n += len(v)
	case starlark.Bytes:
		n += len(v)
	case starlark.Float:
		n += 20
	case *starlark.Dict:
		if n += depth; n > most {
			return n
		}
		for key, value := range v.Entries() {
			n += weightAt(key, most-n, depth+1)
			if n += weightAt(value, most-n, depth+1); n > most {
				return n
			}
		}
	case *starlark.List, starlark.Tuple, *starlark.Set:
		if n += depth; n > most {
			return n
		}
		for item := range starlark.Elements(v.(starlark.Iterable)) {
			if n += weightAt(item, most-n, depth+1); n > most {
				return n
			}
		}
	default:
		n += len(v.String())
	}
	return n
}

// brief is a value in a sentence about it.
func brief(v starlark.Value) string {
	const most = 500
	if weight(v, most) > most {
		return "a long " + v.Type()
	}
	return v.String()
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
			return whole(t, op, i, y.(starlark.Int))
		}
		if x.Type() == "float" || y.Type() == "float" {
			return starlark.Binary(op, x, y)
		}
		what, n := cost(x, y)
		if err := take(t, what, n); err != nil {
			return nil, err
		}
		v, err := starlark.Binary(op, x, y)
		if err == nil {
			made(t, v)
		}
		return v, err
	})
}

// whole is an operation on whole numbers, of which none gets more than mostBits. Large ones take steps.
func whole(t *starlark.Thread, op syntax.Token, x, y starlark.Int) (starlark.Value, error) {
	_, smallX := x.Int64()
	shift, smallY := y.Int64()
	bits := 0
	switch {
	case op == syntax.LTLT && smallY && shift >= 0:
		bits = x.BigInt().BitLen() + int(min(shift, mostBits+1))
	case smallX && smallY:
	case op == syntax.STAR:
		bits = x.BigInt().BitLen() + y.BigInt().BitLen()
	case op == syntax.PLUS || op == syntax.MINUS:
		bits = max(x.BigInt().BitLen(), y.BigInt().BitLen()) + 1
	}
	if bits > mostBits {
		return nil, tooLarge(bits)
	}
	if words := uint64(bits / 64); op == syntax.STAR {
		t.Steps += words * words / 16
	} else {
		t.Steps += words / 4
	}
	if op == syntax.LTLT && smallY && shift >= 0 { // Starlark's own ends at 512
		return starlark.MakeBigInt(new(big.Int).Lsh(x.BigInt(), uint(shift))), nil
	}
	return starlark.Binary(op, x, y)
}

// bounded are the methods whose cost is counted: what they make or walk over, of the value
// that they belong to and their parameters.
var bounded = map[string]func(x starlark.Value, args starlark.Tuple) int{
	"join": func(x starlark.Value, args starlark.Tuple) int {
		n := weight(args, mostItems)
		for _, list := range args {
			n += count(list) * starlark.Len(x)
		}
		return n
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
		switch x.(type) {
		case *starlark.Dict, *starlark.Set: // which may get an entry for each
			n += count(a) * perEntry / 2
		default:
			n += length(a)
		}
	}
	return n
}

// boundedMethod is x.name, which takes its cost when it is called.
func boundedMethod(t *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
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
		t.Steps += perEntry
		return costing(name, m, func(args starlark.Tuple) int { return bounded[name](x, args) }).BindReceiver(x), nil
	}
	return m, nil
}

// costing is a function that takes steps for its cost when it is called, and for what it makes.
func costing(name string, f starlark.Value, cost func(starlark.Tuple) int) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
		kwargs []starlark.Tuple) (starlark.Value, error) {
		all := args
		for _, pair := range kwargs {
			all = append(all[:len(all):len(all)], pair[1])
		}
		if err := take(t, name, cost(all)); err != nil {
			return nil, err
		}
		v, err := starlark.Call(t, f, args, kwargs)
		if err == nil {
			made(t, v)
		}
		return v, err
	})
}

// withBounds adds the functions that scripts have with bounds, and refuses those by which a
// script could look at what its text does not name.
func withBounds(names starlark.StringDict) starlark.StringDict {
	lengths := func(x, y starlark.Value) int {
		n := count(x) + count(y)
		if x.Type() == "dict" || x.Type() == "set" {
			n *= perEntry / 2
		}
		return n
	}
	for _, op := range operators {
		names[op.String()] = operator(op, func(x, y starlark.Value) (string, int) {
			return "a " + x.Type(), lengths(x, y)
		})
	}
	names[syntax.LTLT.String()] = operator(syntax.LTLT, func(_, _ starlark.Value) (string, int) { return "", 0 })
	names[syntax.STAR.String()] = operator(syntax.STAR, func(x, y starlark.Value) (string, int) {
		if n, err := starlark.AsInt32(x); err == nil {
			return "a " + y.Type(), max(0, n) * max(0, starlark.Len(y))
		} else if n, err := starlark.AsInt32(y); err == nil {
			return "a " + x.Type(), max(0, n) * max(0, starlark.Len(x))
		}
		return "", 0
	})
	names[syntax.PERCENT.String()] = operator(syntax.PERCENT, func(x, y starlark.Value) (string, int) {
		text, _ := starlark.AsString(x)
		times := 1
		if _, ok := y.(starlark.Mapping); ok { // whose values are named as often as the text likes
			times = strings.Count(text, "%")
		}
		return "a text", len(text) + times*weight(y, mostItems)
	})
	names[methodName] = internal(methodName, boundedMethod)
	names[madeName] = internal(madeName, func(t *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
		made(t, args[0])
		return args[0], nil
	})
	names[grownName] = internal(grownName, func(t *starlark.Thread, args starlark.Tuple) (starlark.Value, error) {
		x, y := args[0], args[len(args)-1]
		if n := lengths(x, y); n > mostItems {
			return nil, fmt.Errorf("a %s of %d items; want %d at most", x.Type(), n, mostItems)
		}
		n := length(y)
		if _, ok := x.(starlark.String); ok { // which is made anew
			n += length(x)
		}
		return y, take(t, "a sum", n)
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
	names["sum"] = costing("sum", starlark.NewBuiltin("sum", sum), walked)
	for _, name := range []string{"all", "any", "bytes", "enumerate", "list", "max", "min", "reversed", "sorted", "tuple",
		"zip"} {
		names[name] = costing(name, starlark.Universe[name], walked)
	}
	for _, name := range []string{"dict", "set"} {
		names[name] = costing(name, starlark.Universe[name], func(args starlark.Tuple) int { return walked(args) * perEntry })
	}
	names["int"] = starlark.NewBuiltin("int", func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
		kwargs []starlark.Tuple) (starlark.Value, error) {
		const longest = 10 * mostBits
		if len(args) > 0 && starlark.Len(args[0]) > longest {
			return nil, fmt.Errorf("int of a text of %d characters; want %d at most", starlark.Len(args[0]), longest)
		}
		v, err := starlark.Call(t, starlark.Universe["int"], args, kwargs)
		if x, ok := v.(starlark.Int); ok && err == nil {
			if bits := x.BigInt().BitLen(); bits > mostBits {
				err = tooLarge(bits)
			}
		}
		return v, err
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
