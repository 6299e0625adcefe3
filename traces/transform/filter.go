package transform

import (
	"errors"
	"fmt"
	"strings"

	"github.com/expr-lang/expr"

	"bourse/traces"
	"bourse/traces/fields"
)

// filter is a compiled condition on records.
type filter struct {
	*fields.Expression
	get   []func(*traces.Job, *traces.Names) any // the fields used
	names traces.Names
}

func newFilter(condition string, names traces.Names) (*filter, error) {
	f := &filter{names: names}
	env := map[string]any{}
	for _, field := range fields.Table {
		if field.Log != nil {
			env[field.Name] = field.Log(&traces.Job{}, &f.names)
		}
	}
	var err error
	if f.Expression, err = fields.Compile(condition, env, expr.AsBool()); err != nil {
		return nil, conditionError(err)
	}
	for _, name := range f.Used {
		f.get = append(f.get, fields.Named(name).Log)
	}
	return f, nil
}

// holds evaluates the condition for j.
func (f *filter) holds(j *traces.Job) (bool, error) {
	for i, name := range f.Used {
		f.Env[name] = f.get[i](j, &f.names)
	}
	out, err := f.Run()
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
	return fmt.Errorf("%w\n%s\nthe fields are %s; times in seconds, -1 for unknown", err, picture, strings.Join(fields.Names(false), ", "))
}
