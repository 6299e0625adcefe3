// Package catalog is the only list of names: of policies, payment schemes,
// value models and behaviours. An entry is a documented value in a literal
// slice; adding one is adding a line here.
package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bourse/policies"
	"bourse/traces/suggest"
)

// Entry is one named thing that a command line can ask for.
type Entry[T any] struct {
	Name string
	// Line says in one line what it is.
	Line string
	// Paper is the source, empty for common knowledge.
	Paper  string
	Params []policies.Param
	// Example is what could be typed for an entry with a parameter that has no default.
	Example string
	New     func(*policies.Args) (T, error)
}

// Text is an example of the entry: its name, where that is enough.
func (e *Entry[T]) Text() string { return cmp.Or(e.Example, e.Name) }

func (e *Entry[T]) takes(param string) bool {
	return slices.ContainsFunc(e.Params, func(p policies.Param) bool { return p.Name == param })
}

// Usage writes the name with its parameters' defaults, as it could be typed.
func (e *Entry[T]) Usage() string {
	if len(e.Params) == 0 {
		return e.Name
	}
	parts := make([]string, len(e.Params))
	for i, p := range e.Params {
		parts[i] = p.Name + "=" + p.Default
		if p.Default == "" {
			parts[i] = p.Name + "=" + strings.ToUpper(p.Name)
		}
	}
	return e.Name + "(" + strings.Join(parts, ",") + ")"
}

// List is one kind of entries.
type List[T any] struct {
	// Kind is what the entries are, in the singular: "policy".
	Kind    string
	Entries []Entry[T]
}

// Names returns the entries' names in their order.
func (l *List[T]) Names() []string {
	names := make([]string, len(l.Entries))
	for i := range l.Entries {
		names[i] = l.Entries[i].Name
	}
	return names
}

// Make builds what text asks for, as in "hb" or "srg(beta=.5)".
func (l *List[T]) Make(text string) (T, error) {
	var none T
	spec, err := policies.ParseSpec(text)
	if err != nil {
		return none, fmt.Errorf("%s %w", l.Kind, err)
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		if e.Name != spec.Name {
			continue
		}
		args, err := policies.Bind(spec, e.Params)
		if err != nil {
			return none, fmt.Errorf("%s %w", l.Kind, err)
		}
		made, err := e.New(args)
		if err != nil {
			return none, fmt.Errorf("%s %w", l.Kind, err)
		}
		return made, nil
	}
	return none, fmt.Errorf("unknown %s %q%s; known are %s", l.Kind, spec.Name,
		suggest.DidYouMean(spec.Name, l.Names()), strings.Join(l.Names(), ", "))
}
