package script

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"bourse/events"
	"bourse/policies"
	"bourse/traces/files"
	"bourse/traces/suggest"
)

// File is a script that has been read, with its parameters set.
type File struct {
	path    string
	args    map[string]string
	params  []policies.Param // that it declares
	roles   []string
	program *starlark.Program
	attrs   map[string]bool // attributes it names anywhere
	looks   int             // now, or what else changes, is named
	printed atomic.Int32    // lines
	loaded  map[string]*starlark.Program
}

// dialect is Starlark with what scripts may expect of Python: a loop that never ends runs out of steps.
var dialect = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true}

// longest is the length of a script, to which what its compiler takes is in proportion.
const longest = 64 << 10

// Load reads "FILE" or "FILE(name=value,...)".
func Load(text string) (*File, error) {
	spec, err := split(text)
	if err != nil {
		return nil, err
	}
	source, err := files.ReadSmall(spec.Name, longest)
	if err != nil {
		return nil, err
	}
	f := &File{path: spec.Name, args: map[string]string{}, attrs: map[string]bool{}}
	for _, a := range spec.Args {
		if a.Key == "" {
			return nil, fmt.Errorf("%s: %q names no parameter; want NAME=VALUE", spec.Name, a.Value)
		}
		f.args[a.Key] = a.Value
	}
	if f.program, err = f.compile(spec.Name, source); err != nil {
		return nil, err
	}
	if err = f.loadOthers(); err != nil {
		return nil, err
	}
	m, err := f.start()
	if err != nil {
		return nil, err
	}
	f.params, f.roles = m.params, m.roles()
	return f, f.check(m)
}

// compile parses and compiles a file, after a look at what it mentions.
func (f *File) compile(path string, source []byte) (*starlark.Program, error) {
	tree, err := dialect.Parse(path, source, 0)
	if err != nil {
		return nil, hinted(err)
	}
	f.look(tree)
	if err = guard(tree); err != nil {
		return nil, err
	}
	program, err := starlark.FileProgram(tree, isKnown)
	return program, hinted(err)
}

// Path is the name of the file that a text for Load names.
func Path(text string) string {
	spec, err := split(text)
	if err != nil {
		return ""
	}
	return spec.Name
}

// split separates a file from its parameters, in the last pair of brackets.
func split(text string) (policies.Spec, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return policies.Spec{}, errors.New("want the name of a script, as in script:fair.star")
	}
	open := strings.IndexByte(text, '(')
	if open < 0 {
		return policies.Spec{Name: text}, nil
	}
	s, err := policies.ParseSpec("x" + text[open:])
	s.Name = strings.TrimSpace(text[:open])
	return s, err
}

// Params are the parameters that the script declares, with their defaults.
func (f *File) Params() []policies.Param { return slices.Clone(f.params) }

// Roles are the uses for which the script has functions.
func (f *File) Roles() []string { return slices.Clone(f.roles) }

func (m *module) roles() (roles []string) {
	for _, r := range []struct{ function, as string }{{"plan", "a policy"}, {"rank", "an order"}, {"price", "a payment"},
		{"bid", "a behaviour"}, {"predict", "what easy takes jobs to run for"}, {"eligible", "a window"},
		{"submit", "a behaviour, of when to submit"}} {
		if m.function(r.function) != nil {
			roles = append(roles, r.as)
		}
	}
	if len(roles) == 0 {
		roles = []string{"nothing: it has no function plan, rank, price, bid, predict, eligible or submit"}
	}
	return roles
}

// look notes which attributes and names a script mentions.
func (f *File) look(tree *syntax.File) {
	syntax.Walk(tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DotExpr:
			f.attrs[n.Name.Name] = true
		case *syntax.Ident:
			if n.Name == "now" {
				f.looks++
			}
		case *syntax.DefStmt:
			for _, p := range n.Params { // a parameter that is called so is no use of it
				if id, ok := p.(*syntax.Ident); ok && id.Name == "now" {
					f.looks--
				}
			}
		}
		return true
	})
}

// isKnown tells the compiler which names a script need not define.
func isKnown(name string) bool { return predeclared[name] != nil || name == "param" }

// module is a script that has been started: its functions and its own variables.
type module struct {
	file   *File
	names  starlark.StringDict
	thread *starlark.Thread
	params []policies.Param
	err    error
	calls  atomic.Uint32 // twice the calls that have ended, and one more during one
	taken  uint64        // steps since the variables were weighed
	heavy  uint64        // what they weighed then
	site   *site         // nil before a replay
}

// mostSteps bounds what one call may do, in operations of the interpreter; about a
// second.
const mostSteps = 20_000_000

// start runs the top level of the script.
func (f *File) start() (*module, error) {
	m := &module{file: f, thread: &starlark.Thread{Name: f.path, Print: f.print}}
	m.thread.SetMaxExecutionSteps(mostSteps)
	watch(m)
	m.calls.Add(1)
	defer m.calls.Add(1)
	env := starlark.StringDict{"param": starlark.NewBuiltin("param", m.param)}
	for name, v := range predeclared {
		env[name] = v
	}
	m.thread.Load = f.loader(env)
	names, err := f.program.Init(m.thread, env)
	if err != nil {
		return nil, positioned(err, "")
	}
	m.names = names
	return m, nil
}

// mostLines is how many lines of a script are printed.
const mostLines = 100

// print is the script's print: to standard error, for debugging. Copies of a replay print,
// too.
func (f *File) print(_ *starlark.Thread, text string) {
	switch n := f.printed.Add(1); {
	case n <= mostLines:
		fmt.Fprintf(os.Stderr, "%s: %s\n", f.path, printable(text))
	case n == mostLines+1:
		fmt.Fprintf(os.Stderr, "%s: what it prints after %d lines is not shown\n", f.path, mostLines)
	}
}

// printable is a text of at most 1,000 bytes without what steers a terminal, which the text of a
// log may hold.
func printable(text string) string {
	const longest = 1000
	var b strings.Builder
	for i, c := range text {
		if i >= longest {
			return b.String() + " ..."
		}
		if unicode.IsGraphic(c) || c == '\t' || c == '\n' {
			b.WriteRune(c)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(c), "'"))
		}
	}
	return b.String()
}

// check wants the parameters given to be declared, and run times to be asked for.
func (f *File) check(m *module) error {
	var names []string
	for _, p := range f.params {
		names = append(names, p.Name)
	}
	for key := range f.args {
		if !slices.Contains(names, key) {
			return fmt.Errorf("%s has no parameter %q; it declares %s%s", f.path, key, list(names),
				suggest.DidYouMean(key, names))
		}
	}
	for _, attr := range []string{"run", "left"} {
		if f.attrs[attr] && !m.flag("clairvoyant") && m.function("bid") == nil && m.function("submit") == nil { // owners know their jobs
			return fmt.Errorf("%s looks at .%s: run times are known only to scripts that say clairvoyant = True", f.path, attr)
		}
	}
	return nil
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// param is the script's param(name, default, doc): the value given on the command line,
// as the default's type has it, or the default.
func (m *module) param(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
	kwargs []starlark.Tuple) (starlark.Value, error) {
	var name, doc string
	var fallback starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &name, "default", &fallback, "doc?", &doc); err != nil {
		return nil, err
	}
	if m.names != nil {
		return nil, errors.New("param is for what is not within functions")
	}
	for _, p := range m.params {
		if p.Name == name {
			return nil, fmt.Errorf("param %q is declared twice", name)
		}
	}
	text := brief(fallback)
	if s, ok := starlark.AsString(fallback); ok {
		text = s
	}
	m.params = append(m.params, policies.Param{Name: name, Default: text, Doc: doc})
	given, ok := m.file.args[name]
	if !ok {
		return fallback, nil
	}
	switch fallback.(type) {
	case starlark.Int:
		if n, err := strconv.ParseInt(given, 10, 64); err == nil {
			return starlark.MakeInt64(n), nil
		}
		return nil, fmt.Errorf("parameter %s is %q; want a whole number, as its default %s", name, given, text)
	case starlark.Float:
		if x, err := strconv.ParseFloat(given, 64); err == nil && finite(x) {
			return starlark.Float(x), nil
		}
		return nil, fmt.Errorf("parameter %s is %q; want a number, as its default %s", name, given, text)
	case starlark.Bool:
		if v, err := strconv.ParseBool(given); err == nil {
			return starlark.Bool(v), nil
		}
		return nil, fmt.Errorf("parameter %s is %q; want true or false", name, given)
	case starlark.String:
		return starlark.String(given), nil
	}
	return nil, fmt.Errorf("parameter %s: want a default that is a number, a text, True or False; it is a %s", name,
		fallback.Type())
}

// flag reads a truth that the script declares at its top level.
func (m *module) flag(name string) bool {
	v, ok := m.names[name]
	return ok && bool(v.Truth())
}

// duration reads seconds that the script declares at its top level, 0 if it does not.
func (m *module) duration(name string) (events.Time, error) {
	v, ok := m.names[name]
	if !ok {
		return 0, nil
	}
	x, number := starlark.AsFloat(v)
	t, fine := events.FromSeconds(x)
	if !number || !fine || t <= 0 {
		return 0, fmt.Errorf("%s: %s = %s; want a number of seconds above 0", m.file.path, name, brief(v))
	}
	return t, nil
}

// function returns a function of the script, nil if it has none of that name.
func (m *module) function(name string) *starlark.Function {
	f, _ := m.names[name].(*starlark.Function)
	return f
}

// requireFunc returns the function that a script must have for what it is used as.
func (m *module) requireFunc(name, as string) (*starlark.Function, error) {
	f := m.function(name)
	if f == nil {
		return nil, fmt.Errorf("%s has no function %s; as %s it needs one", m.file.path, name, as)
	}
	return f, nil
}
