// Package bundle writes a run, a sweep or a study as one folder that can be handed over: its
// inputs, the command, what is to be expected, how that is verified, and who is to be cited. It
// has what artifact-evaluation committees ask for (ARTIFACT.md), and is an RO-Crate
// (ro-crate-metadata.json), which archives and programs read.
package bundle

import (
	"embed"
	"fmt"
	"io"
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

// Limit is the size of the largest file that is copied: others are known by their hashes.
const Limit = 100 << 20

// Bundle is what a folder says of itself.
type Bundle struct {
	Kind    string // replay, sweep or study
	Name    string
	Command string // run in Inputs
	Version string // of the program
	Program string // the program, its commit, its compiler
	Date    string // of publication, as in 2026-01-31
	Licence string // an identifier of SPDX, "" if none is chosen
	Results string // as a person reads them
	Traces  []Trace
	// Left lists results that are too large to be copied.
	Left []run.FileRef
	Measured
}

// Trace is a log that the command reads, or a model of one.
type Trace struct {
	Spec   string // as the command names it
	SHA256 string // "" of a model
	Bytes  int64
	Copied bool
	Why    string       // it is copied, or not
	Known  *named.Trace // nil if the catalogue does not have it
}

// Measured is what repeating the work took.
type Measured struct {
	Seconds float64
	Bytes   int64 // of its results
	Memory  int64 // at its height; 0 where that is not told
	Cores   int
	System  string
}

// File is one of the bundle's.
type File struct {
	Path, SHA256 string
	Bytes        int64
}

//go:embed ARTIFACT.md verify.sh
var forms embed.FS

// Write completes the bundle in dir, in which there are inputs and results.
func (b *Bundle) Write(dir string) error {
	list, err := Files(dir)
	if err != nil {
		return err
	}
	for _, name := range []string{"verify.sh", "ARTIFACT.md"} {
		if err := b.fill(dir, name, list); err != nil {
			return err
		}
	}
	if err := os.Chmod(filepath.Join(dir, "verify.sh"), 0o755); err != nil {
		return err
	}
	err = files.Write(filepath.Join(dir, "SHA256SUMS"), func(w io.Writer) error {
		for _, f := range list {
			fmt.Fprintf(w, "%s  %s\n", f.SHA256, f.Path)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if list, err = Files(dir); err != nil {
		return err
	}
	return run.WriteFileJSON(filepath.Join(dir, "ro-crate-metadata.json"), b.crate(list))
}

// fill writes one of the forms.
func (b *Bundle) fill(dir, name string, list []File) error {
	form, err := template.New(name).Funcs(template.FuncMap{
		"mb": megabytes, "quote": Quote, "indent": indent,
	}).ParseFS(forms, name)
	if err != nil {
		return err
	}
	var all int64
	for _, f := range list {
		all += f.Bytes
	}
	return files.Write(filepath.Join(dir, name), func(w io.Writer) error {
		return form.Execute(w, struct {
			*Bundle
			Files []File
			Size  int64
		}{b, list, all})
	})
}

// Took is the time that the work took, for a person.
func (m Measured) Took() string { return terminal.Seconds.Text(max(m.Seconds, .1)) }

// Licences lists what is known of the terms of a trace's use.
func (t *Trace) Licences() string {
	if t.Known == nil {
		return "not known to Bourse; the authors say it"
	}
	return t.Known.From().Terms
}

// Read reports whether the trace is a file or folder: others are generated.
func (t *Trace) Read() bool { return t.SHA256 != "" }

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}

// Quote writes a word as a shell reads it.
func Quote(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+@%") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
