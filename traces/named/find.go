package named

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Variable names the environment variable that says in which folder traces are.
const Variable = "BOURSE_TRACES"

// Demo names the log that is in the program (traces/synth).
const Demo = "demo"

// Home is the folder where traces are stored: that of Variable, or else one in the user's
// cache; "" if there is neither.
func Home() string {
	if dir := os.Getenv(Variable); dir != "" {
		return dir
	}
	return cache()
}

func cache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "bourse")
}

// deepest is how many folders below the one searched a trace may be.
const deepest = 3

// Path returns where the trace is on this machine, "" if it is not: in the current folder, in Home or the user's
// cache, in these two or in folders below. Of several it is the first by name of those least deep.
func (t *Trace) Path() string {
	if path := t.directlyIn("."); path != "" {
		return path
	}
	var searched []string
	for _, dir := range []string{Home(), cache()} {
		if dir == "" || slices.Contains(searched, dir) {
			continue
		}
		searched = append(searched, dir)
		if path := t.findBelow(dir); path != "" {
			return path
		}
	}
	return ""
}

// findBelow looks for the trace findBelow a folder and those below, level by level.
func (t *Trace) findBelow(dir string) string {
	level := []string{dir}
	for range deepest + 1 {
		var next []string
		for _, dir := range level {
			if path := t.directlyIn(dir); path != "" {
				return path
			}
			entries, _ := os.ReadDir(dir) // what cannot be read is searched no further
			for _, e := range entries {
				if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
					next = append(next, filepath.Join(dir, e.Name()))
				}
			}
		}
		level = next
	}
	return ""
}

func (t *Trace) directlyIn(dir string) string {
	for _, name := range t.names() {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if st, err := os.Stat(path); err == nil && st.IsDir() == (t.Folder != "") && t.holds(path) {
			return path
		}
	}
	return ""
}

// holds reports whether a folder has in it what it should have.
func (t *Trace) holds(path string) bool {
	if t.Folder == "" {
		return true
	}
	found, _ := filepath.Glob(filepath.Join(path, t.Folder+"*"))
	return len(found) > 0
}

// names are those under which the trace may be, unpacked or packed otherwise.
func (t *Trace) names() (names []string) {
	for _, name := range append([]string{t.File}, t.Also...) {
		plain := strings.TrimSuffix(name, ".gz")
		for _, n := range []string{name, plain, plain + ".gz", plain + ".zst", plain + ".bz2"} {
			if !slices.Contains(names, n) && (n == name || t.Folder == "") {
				names = append(names, n)
			}
		}
	}
	return names
}

// Known returns the entry that a trace has by the name it was given, its SHA-256, or where the
// catalogue has no hash its file's name; nil if it has none.
func Known(name, file, sum string) *Trace {
	all := All()
	for i := range all {
		t := &all[i]
		if t.Name == name || sum != "" && t.SHA256 == sum || t.SHA256 == "" && t.File != "" && filepath.Base(t.File) == file {
			return t
		}
	}
	return nil
}

// AbsentError says that a trace of the catalogue is not on this machine.
type AbsentError struct {
	Trace *Trace
	// Home is where it should be.
	Home string
}

func (e *AbsentError) Error() string {
	return fmt.Sprintf("%s is in the catalogue of traces, but %s is not in %s", e.Trace.Name, e.Trace.File, e.Home)
}

// Unwrap makes it an error of a file that is not there.
func (*AbsentError) Unwrap() error { return fs.ErrNotExist }

// NoURLError says that it is unknown where the trace can be fetched.
type NoURLError struct {
	Trace *Trace
	Dir   string
}

func (e *NoURLError) Error() string {
	return fmt.Sprintf("%s cannot be fetched: see %s, and put it at %s", e.Trace.Name, e.Trace.Ask,
		filepath.Join(e.Dir, filepath.FromSlash(e.Trace.File)))
}

// Open returns the path and the format of the trace that a name represents; "" if the name is
// none of the catalogue.
func Open(name string) (path, format string, err error) {
	t, err := Find(name)
	if err != nil {
		return "", "", nil
	}
	if path = t.Path(); path == "" {
		return "", "", &AbsentError{t, Home()}
	}
	return path, t.Format, nil
}
