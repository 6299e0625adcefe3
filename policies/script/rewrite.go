package script

import (
	"reflect"
	"slices"

	"go.starlark.net/syntax"
)

// rewrite replaces the expressions of a tree, innermost first, but for those that are assigned
// to: of these only what is within their brackets and before their dots.
func rewrite(node any, with func(syntax.Expr) syntax.Expr) {
	switch n := node.(type) {
	case *syntax.AssignStmt:
		bound(n)
		rewriteTarget(n.LHS, with)
		n.RHS = rewritten(n.RHS, with)
	case *syntax.ForStmt:
		rewriteTarget(n.Vars, with)
		n.X = rewritten(n.X, with)
		rewriteFields(reflect.ValueOf(n.Body), with)
	case *syntax.ForClause:
		rewriteTarget(n.Vars, with)
		n.X = rewritten(n.X, with)
	default:
		rewriteFields(reflect.ValueOf(node).Elem(), with)
	}
}

func rewritten(x syntax.Expr, with func(syntax.Expr) syntax.Expr) syntax.Expr {
	rewrite(x, with)
	return with(x)
}

func rewriteTarget(x syntax.Expr, with func(syntax.Expr) syntax.Expr) {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		rewriteTarget(x.X, with)
	case *syntax.TupleExpr:
		for _, part := range x.List {
			rewriteTarget(part, with)
		}
	case *syntax.ListExpr:
		for _, part := range x.List {
			rewriteTarget(part, with)
		}
	default:
		rewrite(x, with)
	}
}

var (
	exprType = reflect.TypeFor[syntax.Expr]()
	nodeType = reflect.TypeFor[syntax.Node]()
)

// rewriteFields replaces the expressions that are fields of a node, or items of a list.
func rewriteFields(v reflect.Value, with func(syntax.Expr) syntax.Expr) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				rewriteFields(v.Field(i), with)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			rewriteFields(v.Index(i), with)
		}
	case reflect.Interface:
		if v.IsNil() || !v.Type().Implements(nodeType) {
			return
		}
		if v.Type() == exprType {
			v.Set(reflect.ValueOf(rewritten(v.Interface().(syntax.Expr), with)))
		} else {
			rewrite(v.Interface(), with)
		}
	}
}

// bound lets x op= y have the bounds of x op y. A product makes a value anew; a sum of lists
// grows the first one, so only what it will be is asked.
func bound(n *syntax.AssignStmt) {
	switch n.Op {
	case syntax.EQ:
		if _, ok := n.LHS.(*syntax.IndexExpr); ok { // maybe of a dict, which gets an entry
			n.RHS = call(n.OpPos, entryName, n.RHS)
		}
	case syntax.PLUS_EQ, syntax.PIPE_EQ:
		if isSmall(n.RHS) {
			return
		}
		if calls(n.LHS) { // once only: instead of its length that of what is added counts twice
			n.RHS = call(n.OpPos, grownName, n.RHS)
		} else {
			n.RHS = call(n.OpPos, grownName, n.LHS, n.RHS)
		}
	default:
		if op := n.Op - syntax.PLUS_EQ + syntax.PLUS; slices.Contains(operators, op) {
			n.Op, n.RHS = syntax.EQ, &syntax.BinaryExpr{X: n.LHS, OpPos: n.OpPos, Op: op, Y: n.RHS}
		}
	}
}

// calls reports whether an expression calls a function, which might do more than to give a value.
func calls(x syntax.Expr) (found bool) {
	syntax.Walk(x, func(n syntax.Node) bool {
		_, call := n.(*syntax.CallExpr)
		found = found || call
		return !found
	})
	return found
}
