package transform

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/fields"
)

// filter is a compiled condition on records. A label is compared as a number or as
// text, as the condition has it; where both are possible it is a number unless the
// record's is a name.
type filter struct {
	readings []reading // the more numbers, the earlier
	names    traces.Names
	calendar *events.Calendar
}

// reading is the condition with each label it names read one way.
type reading struct {
	*fields.Expression
	of     []*fields.Field // the fields used
	dates  []*fields.Date
	asText map[string]bool // labels
}

func newFilter(condition string, h *traces.Header) (*filter, error) {
	names := h.Names
	f := &filter{names: names, calendar: h.Calendar()}
	var mixed []string // labels that may be either
	for _, field := range fields.Table {
		if field.Label != nil && strings.Contains(condition, field.Name) {
			if _, words := field.Label(&traces.Job{}, &names); words != nil {
				mixed = append(mixed, field.Name)
			}
		}
	}
	var err error
	for texts := range 1 << len(mixed) {
		r := reading{asText: map[string]bool{}}
		for i, name := range mixed {
			r.asText[name] = texts>>i&1 == 1
		}
		if r.Expression, err = fields.Compile(condition, r.env(), expr.AsBool()); err == nil {
			for _, name := range r.Used {
				if field := fields.Named(name); field != nil {
					r.of = append(r.of, field)
				}
			}
			var named string
			if r.dates, named = r.Dates(); named != "" && f.calendar == nil {
				return nil, &traces.UndatedError{For: named, Trace: h.Name, Instead: "submit counts seconds from its zero"}
			}
			f.readings = append(f.readings, r)
		}
	}
	if f.readings == nil {
		return nil, conditionError(err) // the last: all labels that may be text are
	}
	return f, nil
}

// env has a value of its type for each field.
func (r *reading) env() map[string]any {
	env := map[string]any{}
	for _, field := range fields.Table {
		switch {
		case field.Log != nil:
			env[field.Name] = field.Log(&traces.Job{})
		case field.Label != nil && r.asText[field.Name]:
			env[field.Name] = ""
		case field.Label != nil:
			env[field.Name] = 0
		}
	}
	for _, d := range fields.Dates {
		env[d.Name] = 0
	}
	return env
}

// take fills in the fields used. It returns the name and the value of a label that
// should be a number and is a name.
func (r *reading) take(j *traces.Job, names *traces.Names, c *events.Calendar) (label, name string) {
	for _, d := range r.dates {
		r.Env[d.Name] = d.At(c, j.Submit)
	}
	for _, field := range r.of {
		if field.Label == nil {
			r.Env[field.Name] = field.Log(j)
			continue
		}
		l, words := field.Label(j, names)
		switch {
		case r.asText[field.Name]:
			r.Env[field.Name], _ = words.Text(l)
		case words != nil && l.Named():
			name, _ = words.Text(l)
			return field.Name, name
		default:
			r.Env[field.Name] = int(l)
		}
	}
	return "", ""
}

// holds evaluates the condition for j.
func (f *filter) holds(j *traces.Job) (bool, error) {
	var label, name string
	for i := range f.readings {
		if label, name = f.readings[i].take(j, &f.names, f.calendar); label == "" {
			return f.readings[i].holds()
		}
	}
	return false, fmt.Errorf("its %s %q is a name, and the condition takes it for a number", label, name)
}

func (r *reading) holds() (bool, error) {
	out, err := r.Run()
	if err != nil {
		return false, err
	}
	yes, ok := out.(bool)
	if !ok {
		return false, fmt.Errorf("it is %v, not true or false", out)
	}
	return yes, nil
}

// conditionError explains why a condition does not compile: the compiler's own words,
// which show the place, then all fields.
func conditionError(err error) error {
	picture := ""
	if e := (*fields.Error)(nil); errors.As(err, &e) {
		picture = e.Picture
	}
	return fmt.Errorf("%w\n%s\nthe fields are %s; times in seconds, -1 for unknown", err, picture,
		strings.Join(fields.Names(false), ", "))
}

// Condition is a condition on jobs, as filters have it, for other rules.
type Condition struct{ f *filter }

// NewCondition compiles a condition on a log's jobs.
func NewCondition(text string, log *traces.Header) (*Condition, error) {
	f, err := newFilter(text, log)
	if err != nil {
		return nil, err
	}
	return &Condition{f}, nil
}

// Holds evaluates it for a job.
func (c *Condition) Holds(j *traces.Job) (bool, error) { return c.f.holds(j) }

// Clone returns an independent copy.
func (c *Condition) Clone() *Condition {
	f := *c.f
	f.readings = slices.Clone(f.readings)
	for i := range f.readings {
		f.readings[i].Expression = f.readings[i].Expression.Clone()
	}
	return &Condition{&f}
}
