package policies

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bourse/events"
	"bourse/traces/suggest"
)

// Spec is a name with arguments, as written on the command line: "hb",
// "srg(beta=.5,share=.1)", "posted:3", where the part behind the colon is
// the value of the first parameter, or "srg:beta=.5:share=.1", which a shell takes without quotes.
type Spec struct {
	Name string
	Args []Arg
}

// Arg is one argument. Key is empty for a positional value.
type Arg struct{ Key, Value string }

// ParseSpec reads "name", "name:value" or "name(key=value,...)". Values may
// hold balanced parentheses, so that specs nest.
func ParseSpec(text string) (Spec, error) {
	text = strings.TrimSpace(text)
	open := strings.IndexAny(text, "(:")
	if open < 0 {
		return Spec{Name: text}, nil
	}
	s := Spec{Name: strings.TrimSpace(text[:open])}
	if text[open] == ':' {
		s.Args = []Arg{{Value: strings.TrimSpace(text[open+1:])}}
		return s, nil
	}
	if !strings.HasSuffix(text, ")") {
		return s, fmt.Errorf("%q: the bracket opened after %s is not closed at the end", text, s.Name)
	}
	parts, err := SplitList(text[open+1 : len(text)-1])
	if err != nil {
		return s, fmt.Errorf("%q: %w", text, err)
	}
	for _, part := range parts {
		key, value, ok := strings.Cut(part, "=")
		if !ok || compares(key, value) || strings.Contains(key, "(") {
			key, value = "", part
		}
		s.Args = append(s.Args, Arg{strings.TrimSpace(key), strings.TrimSpace(value)})
	}
	return s, nil
}

// compares reports whether the sign between two halves is part of ==, !=, <= or >=,
// as in an expression, and gives no parameter its value.
func compares(left, right string) bool {
	return strings.HasPrefix(right, "=") || strings.HasSuffix(left, "!") || strings.HasSuffix(left, "<") ||
		strings.HasSuffix(left, ">")
}

// SplitList splits at the commas outside brackets, dropping blanks around the
// parts; an empty text has no parts.
func SplitList(text string) ([]string, error) {
	var parts []string
	depth, from := 0, 0
	for i, c := range text {
		switch c {
		case '(', '{':
			depth++
		case ')', '}':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, strings.TrimSpace(text[from:i]))
				from = i + 1
			}
		}
		if depth < 0 {
			return nil, fmt.Errorf("a bracket is closed that was not opened")
		}
	}
	if depth != 0 {
		return nil, fmt.Errorf("a bracket is not closed")
	}
	if last := strings.TrimSpace(text[from:]); last != "" || len(parts) > 0 {
		parts = append(parts, last)
	}
	return parts, nil
}

// Param documents one parameter of an entry. Entries without a Default must be
// given a value.
type Param struct{ Name, Default, Doc string }

// Args gives an entry its parameters by name, with defaults filled in. The
// first fault found is kept and returned by Err, so that a constructor reads
// all its parameters and then asks once.
type Args struct {
	of     string
	values map[string]string
	err    error
}

// Bind matches a spec's arguments with an entry's parameters.
func Bind(s Spec, params []Param) (*Args, error) {
	a := &Args{of: s.Name, values: map[string]string{}}
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.Name
	}
	for i, arg := range s.named(names) {
		key := arg.Key
		if key == "" {
			if i >= len(params) {
				return nil, fmt.Errorf("%s takes %s", s.Name, describe(names))
			}
			key = params[i].Name
		}
		if !slices.Contains(names, key) {
			return nil, fmt.Errorf("%s has no parameter %q; it takes %s%s", s.Name, key, describe(names),
				suggest.DidYouMean(key, names))
		}
		if _, twice := a.values[key]; twice {
			return nil, fmt.Errorf("%s: parameter %s is given twice", s.Name, key)
		}
		a.values[key] = arg.Value
	}
	for _, p := range params {
		if a.values[p.Name] != "" {
			continue
		}
		if p.Default == "" {
			return nil, fmt.Errorf("%s needs a value for %s (%s), as in %s:%s", s.Name, p.Name, p.Doc, s.Name,
				strings.ToUpper(p.Name))
		}
		a.values[p.Name] = p.Default
	}
	return a, nil
}

// named divides what is behind a colon before each name of a parameter with its sign: "order=sjf:tie=pyss".
func (s *Spec) named(names []string) []Arg {
	if len(s.Args) != 1 || s.Args[0].Key != "" {
		return s.Args
	}
	var list []Arg
	for i, part := range strings.Split(s.Args[0].Value, ":") {
		key, value, ok := strings.Cut(part, "=")
		switch {
		case ok && !compares(key, value) && slices.Contains(names, key):
			list = append(list, Arg{key, value})
		case i == 0:
			return s.Args
		default: // a colon of the value's own, as in order=script:mine.star
			list[len(list)-1].Value += ":" + part
		}
	}
	return list
}

// Text returns the parameter's value as written.
func (a *Args) Text(name string) string { return a.values[name] }

// Float returns the parameter as a number in [low, high].
func (a *Args) Float(name string, low, high float64) float64 {
	v, err := strconv.ParseFloat(a.values[name], 64)
	if err != nil || math.IsNaN(v) || v < low || v > high {
		a.fail("%s: %s=%q should be a number from %g to %g", a.of, name, a.values[name], low, high)
	}
	return v
}

// Seconds returns the parameter as seconds in [low, high]: a plain number, or a
// duration as in 5m.
func (a *Args) Seconds(name string, low, high float64) float64 {
	v, err := strconv.ParseFloat(a.values[name], 64)
	if err != nil {
		var t events.Time
		t, err = events.ParseDuration(a.values[name])
		v = t.Seconds()
	}
	if err != nil || math.IsNaN(v) || v < low || v > high {
		a.fail("%s: %s=%q should be a duration from %g s to %g s, as in 90, 90s, 5m, 1h30m, 2d", a.of, name, a.values[name],
			low, high)
	}
	return v
}

// Duration is Seconds on the clock of events.
func (a *Args) Duration(name string, low, high float64) events.Time {
	t, _ := events.FromSeconds(a.Seconds(name, low, min(high, events.MaxSeconds)))
	return t
}

// Int returns the parameter as a whole number in [low, high].
func (a *Args) Int(name string, low, high int) int {
	v, err := strconv.Atoi(a.values[name])
	if err != nil || v < low || v > high {
		a.fail("%s: %s=%q should be a whole number from %d to %d", a.of, name, a.values[name], low, high)
	}
	return v
}

// Bool returns the parameter as true or false.
func (a *Args) Bool(name string) bool {
	v, err := strconv.ParseBool(a.values[name])
	if err != nil {
		a.fail("%s: %s=%q should be true or false", a.of, name, a.values[name])
	}
	return v
}

// Choice returns the parameter, which is one of two values or more.
func (a *Args) Choice(name string, values ...string) string {
	last := len(values) - 1
	if v := a.values[name]; !slices.Contains(values, v) {
		a.fail("%s: %s=%q: want %s or %s", a.of, name, v, strings.Join(values[:last], ", "), values[last])
	}
	return a.values[name]
}

// Err returns the first fault found, nil if there was none.
func (a *Args) Err() error { return a.err }

func (a *Args) fail(format string, args ...any) {
	if a.err == nil {
		a.err = fmt.Errorf(format, args...)
	}
}

func describe(names []string) string {
	if len(names) == 0 {
		return "no parameters"
	}
	return strings.Join(names, ", ")
}
