package artifact

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"bourse/reports/run"
	"bourse/reports/terminal"
	"bourse/traces/files"
	"bourse/traces/named"
)

// Folders of a bundle: Inputs is where its command runs, Expected holds the results.
const (
	Inputs   = "inputs"
	Expected = "expected"
)

// Limit is the size of the largest trace or result that is copied unless asked for.
const Limit = 100 << 20

// Bundle is what a folder says of itself.
type Bundle struct {
	Kind, Name    string // Kind is replay, sweep or study
	Command       string // run in Inputs
	Version       string // of the program
	Program       string // the program, its commit, its compiler
	Date, Licence string // of publication: as in 2026-01-31, as SPDX names it, "" if none is chosen
	Results       string // as a person reads them
	Traces        []Trace
	Programs      []string      // policies that are programs
	Left          []run.FileRef // results that are too large to be copied
	Files         []File
	// What repeating the work took: time, bytes of results, and most memory at a time, 0 where
	// the system does not report it.
	Seconds       float64
	Bytes, Memory int64
	Machine       string

	box   string   // where it is made
	at    []string // paths of its traces on this machine
	moved []string // paths that are others in the bundle, each followed by the other
}

// Trace is a log that the command reads, or a model of one.
type Trace struct {
	Spec, SHA256 string // as the command names it; SHA256 is empty for a model
	Bytes        int64
	Copied       bool
	Why          string       // it is copied, or not
	Known        *named.Trace // nil if the catalogue does not have it
}

// File is one of the bundle's.
type File struct {
	Path, SHA256 string
	Bytes        int64
}

//go:embed forms
var forms embed.FS

// Write completes the bundle in dir, in which there are inputs and results.
func (b *Bundle) Write(dir string) error {
	form, err := template.New("").Funcs(template.FuncMap{
		"mb": func(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) },
		"indent": func(text string) string {
			return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
		},
		"json": func(text string) (string, error) { b, err := json.Marshal(text); return string(b), err },
	}).ParseFS(forms, "forms/*")
	if err != nil {
		return err
	}
	// each lists those before it
	for _, name := range []string{"verify.sh", "SHA256SUMS", "ARTIFACT.md", "ro-crate-metadata.json"} {
		if b.Files, err = List(dir); err != nil {
			return err
		}
		if err := files.Write(filepath.Join(dir, name), func(w io.Writer) error {
			return form.ExecuteTemplate(w, name,
				b)
		}); err != nil {
			return err
		}
	}
	return os.Chmod(filepath.Join(dir, "verify.sh"), 0o755)
}

// List lists the files of a folder in order of their names.
func List(dir string) (list []File, err error) {
	err = filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		sum, err := run.HashFile(at)()
		if info, ierr := d.Info(); ierr == nil {
			list = append(list, File{filepath.ToSlash(at[len(filepath.Clean(dir))+1:]), sum, info.Size()})
		}
		return err
	})
	return list, err
}

// Size is that of files.
func Size(list []File) (n int64) {
	for _, f := range list {
		n += f.Bytes
	}
	return n
}

// Size is that of the folder, Took the time that the work took, for a person.
func (b *Bundle) Size() int64  { return Size(b.Files) }
func (b *Bundle) Took() string { return terminal.Seconds.Text(max(b.Seconds, .1)) }

// Within reports whether a file is in a folder of the bundle.
func (f File) Within(folder string) bool { return strings.HasPrefix(f.Path, folder+"/") }

// ID is the path as a URI.
func (f File) ID() string { return (&url.URL{Path: f.Path}).EscapedPath() }

// ID is a URI: where the trace is to be had, or a name in the bundle.
func (t Trace) ID() string {
	if t.Known != nil {
		return cmp.Or(t.Known.URL, t.Known.From().Home)
	}
	return "#" + url.PathEscape(t.Spec)
}

// Named reports whether the command names it by its name in the catalogue.
func (t Trace) Named() bool { return t.Known != nil && t.Known.Name == t.Spec }
