package script

import (
	"fmt"
	"maps"
	"slices"

	"go.starlark.net/starlark"

	"bourse/traces/suggest"
)

// record is a value with attributes that cannot be set: the instant that a plan or a price
// is asked about.
type record[T any] struct {
	kind  string
	attrs map[string]func(T) starlark.Value
	of    T
}

// record implements starlark.HasAttrs.
func (r *record[T]) String() string        { return r.kind }
func (r *record[T]) Type() string          { return r.kind }
func (*record[T]) Freeze()                 {}
func (*record[T]) Truth() starlark.Bool    { return true }
func (r *record[T]) Hash() (uint32, error) { return 0, fmt.Errorf("a %s is no key", r.kind) }
func (r *record[T]) AttrNames() []string   { return slices.Sorted(maps.Keys(r.attrs)) }

// Attr returns an attribute.
func (r *record[T]) Attr(name string) (starlark.Value, error) {
	if of, ok := r.attrs[name]; ok {
		return of(r.of), nil
	}
	return nil, fmt.Errorf("a %s has no %q%s", r.kind, name, suggest.Among(name, r.AttrNames()))
}
