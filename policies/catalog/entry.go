// Package catalog is the only list of names: of policies, payment schemes,
// value models and behaviours. An entry is a documented value in a literal
// slice; adding one is adding a line here.
package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bourse/policies"
	"bourse/traces/suggest"
)

// Group is a kind of policies.
type Group string

// The groups that no trait tells.
const (
	Preemptive Group = "preemptive"
	Prices     Group = "prices" // markets, bids and posted prices alike
	Quotas     Group = "quotas"
)

// Entry is one named thing that a command line can ask for.
type Entry[T any] struct {
	Name string
	// Also is another name that people know it by.
	Also string
	// Line says in one line what it is.
	Line string
	// Paper is the source, empty for common knowledge.
	Paper  string
	Params []policies.Param
	// Yours means that it needs what the user brings, a script, a program or an input series: there is none to
	// try it with.
	Yours bool
	// Group is what lists file a policy under whose traits do not say it.
	Group Group
	// Example is a text for an entry with a parameter that has no default.
	Example string
	// New makes it. A fault of the arguments (Args.Err) is found by Make.
	New func(*policies.Args) (T, error)
}

// Text is an example of the entry: its name, where that is enough.
func (e *Entry[T]) Text() string { return cmp.Or(e.Example, e.Name) }

func (e *Entry[T]) hasParam(param string) bool {
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
	// Kind names the entries, in the singular: "policy".
	Kind    string
	Entries []Entry[T]
}

// Add adds entries. A name that is there already, or could not be typed, is an error.
func (l *List[T]) Add(own ...Entry[T]) error {
	for _, e := range own {
		if spec, err := policies.ParseSpec(e.Name); err != nil || spec.Name != e.Name || len(spec.Args) > 0 || e.New == nil {
			return fmt.Errorf("%s %q: want a name, and what makes it", l.Kind, e.Name)
		}
		if slices.Contains(l.Names(), e.Name) {
			return fmt.Errorf("%s %q is there already", l.Kind, e.Name)
		}
		l.Entries = append(l.Entries, e)
	}
	return nil
}

// Names returns the entries' names in their order.
func (l *List[T]) Names() []string {
	names := make([]string, len(l.Entries))
	for i := range l.Entries {
		names[i] = l.Entries[i].Name
	}
	return names
}

// Error says why what a text names cannot be made.
type Error struct {
	Kind string // as in List
	Err  error
}

func (e *Error) Error() string { return e.Kind + " " + e.Err.Error() }

// Unwrap returns the fault, without the kind.
func (e *Error) Unwrap() error { return e.Err }

// Make builds what text asks for, as in "hb" or "srg(beta=.5)". Its error is an *Error.
func (l *List[T]) Make(text string) (made T, err error) {
	if made, err = l.make(text); err != nil {
		var none T
		return none, &Error{l.Kind, err}
	}
	return made, nil
}

func (l *List[T]) make(text string) (made T, err error) {
	spec, err := policies.ParseSpec(text)
	if err != nil {
		return made, err
	}
	if strings.HasSuffix(spec.Name, ".star") {
		return made, fmt.Errorf("%q is a file; want %s:%s", spec.Name, scriptEntry, text)
	}
	i := slices.IndexFunc(l.Entries, func(e Entry[T]) bool { return spec.Name != "" && (e.Name == spec.Name || e.Also == spec.Name) })
	if i < 0 {
		return made, fmt.Errorf("%q is unknown%s", spec.Name, suggest.Among(spec.Name, l.Names()))
	}
	args, err := policies.Bind(spec, l.Entries[i].Params)
	if err != nil {
		return made, err
	}
	made, err = l.Entries[i].New(args)
	if fault := args.Err(); fault != nil && !errors.Is(err, fault) { // which is what led to err, if anything did
		err = fault
	}
	return made, err
}

// fromArgs makes an Entry's New of a function that cannot fail but by its arguments.
func fromArgs[T any](make func(*policies.Args) T) func(*policies.Args) (T, error) {
	return func(a *policies.Args) (T, error) { return make(a), nil }
}

// withoutArgs makes a New that needs no arguments.
func withoutArgs[T any](make func() T) func(*policies.Args) (T, error) {
	return func(*policies.Args) (T, error) { return make(), nil }
}
