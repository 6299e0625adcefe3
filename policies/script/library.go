package script

import (
	"fmt"
	"path/filepath"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"bourse/traces/files"
)

// A script may load functions and constants of others in its folder, load("lib.star", "f"), and these of none: what a
// script reads is then a list of files that its text gives. What is loaded cannot change.

// Files lists the file that a text for Load names, and those that it loads.
func Files(text string) (paths []string) {
	path := Path(text)
	if path == "" {
		return nil
	}
	paths = []string{path}
	source, err := files.ReadSmall(path, longest)
	if err != nil {
		return paths
	}
	tree, err := dialect.Parse(path, source, 0)
	if err != nil {
		return paths
	}
	for _, s := range tree.Stmts {
		if l, ok := s.(*syntax.LoadStmt); ok {
			paths = append(paths, filepath.Join(filepath.Dir(path), filepath.Base(l.ModuleName())))
		}
	}
	return paths
}

// loadOthers compiles the files that a script loads.
func (f *File) loadOthers() error {
	f.loaded = map[string]*starlark.Program{}
	for i := range f.program.NumLoads() {
		name, at := f.program.Load(i)
		if filepath.Base(name) != name || !strings.HasSuffix(name, ".star") {
			return fmt.Errorf("%v: load of %q; want the name of a file in the same folder, as in \"lib.star\"", at,
				printable(name))
		}
		source, err := files.ReadSmall(filepath.Join(filepath.Dir(f.path), name), longest)
		if err != nil {
			return fmt.Errorf("%v: %w", at, err)
		}
		if f.loaded[name], err = f.compile(filepath.Join(filepath.Dir(f.path), name), source); err != nil {
			return err
		}
		if f.loaded[name].NumLoads() > 0 {
			_, within := f.loaded[name].Load(0)
			return fmt.Errorf("%v: load within a file that is loaded; only the script itself loads others", within)
		}
	}
	return nil
}

// loader runs each file once that a module loads.
func (f *File) loader(env starlark.StringDict) func(*starlark.Thread, string) (starlark.StringDict, error) {
	done := map[string]starlark.StringDict{}
	return func(t *starlark.Thread, name string) (starlark.StringDict, error) {
		if names, ok := done[name]; ok {
			return names, nil
		}
		names, err := f.loaded[name].Init(t, env)
		names.Freeze()
		done[name] = names
		return names, err
	}
}
