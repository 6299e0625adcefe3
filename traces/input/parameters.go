package input

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"

	"bourse/traces/suggest"
)

// Parameter is a parameter of a model, with a line that says what it is.
type Parameter struct{ Name, Line string }

// Parameters reads a model's parameters and remembers the first fault.
type Parameters struct {
	values url.Values
	fault  error
}

// ParseParameters reads "name=value&name=value" of known names.
func ParseParameters(query string, list []Parameter) (*Parameters, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, fmt.Errorf("parameters %q: %w; want name=value&name=value", query, err)
	}
	known := make([]string, len(list))
	for i, p := range list {
		known[i] = p.Name
	}
	for _, name := range slices.Sorted(maps.Keys(values)) { // so that of several faults always the same is reported
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("unknown parameter %q%s", name, suggest.Among(name, known))
		}
		if len(values[name]) > 1 {
			return nil, fmt.Errorf("parameter %s is given %d times; want it once", name, len(values[name]))
		}
	}
	return &Parameters{values: values}, nil
}

// Err returns the first fault.
func (p *Parameters) Err() error { return p.fault }

// Text returns a parameter as it is written, empty if it is not given.
func (p *Parameters) Text(name string) string { return p.values.Get(name) }

// Whole returns a whole number from low to high, def if it is not given.
func (p *Parameters) Whole(name string, def, low, high int64) int64 {
	if !p.values.Has(name) {
		return def
	}
	v, err := strconv.ParseInt(p.values.Get(name), 10, 64)
	if err != nil || v < low || v > high {
		p.Fail("%s=%s; want a whole number from %d to %d", name, p.values.Get(name), low, high)
	}
	return v
}

// Real returns a number from low to high, def if it is not given.
func (p *Parameters) Real(name string, def, low, high float64) float64 {
	if !p.values.Has(name) {
		return def
	}
	v, err := strconv.ParseFloat(p.values.Get(name), 64)
	if err != nil || !(v >= low && v <= high) {
		p.Fail("%s=%s; want a number from %g to %g", name, p.values.Get(name), low, high)
	}
	return v
}

// Check remembers err if it is the first fault.
func (p *Parameters) Check(err error) {
	if p.fault == nil {
		p.fault = err
	}
}

func (p *Parameters) Fail(format string, args ...any) {
	if p.fault == nil {
		p.fault = fmt.Errorf(format, args...)
	}
}
