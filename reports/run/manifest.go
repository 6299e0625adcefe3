package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"bourse/reports/record"
	"bourse/traces/files"
)

// ManifestFile and SummaryFile are the names of a run's JSON files. The
// manifest is written last: a directory with one holds a complete run.
const (
	ManifestFile = "manifest.json"
	SummaryFile  = "summary.json"
)

// TraceRef names the input and pins its content.
type TraceRef struct {
	// Name is the path or specification as the user gave it.
	Name   string `json:"name"`
	Format string `json:"format"`
	// SHA256 is the hash of the input's bytes as stored (compressed, if it
	// is), in hexadecimal, as HashFile gives it; empty where there are none, as
	// for "synth:".
	SHA256 string `json:"sha256,omitempty"`
	// Start is the Unix time of the trace's zero, 0 if it has none or is itself at 0.
	Start int64 `json:"start,omitempty"`
}

// Same reports whether two runs had one input: by hash, or by name where there is
// none.
func (t TraceRef) Same(u TraceRef) bool {
	return t.SHA256 == u.SHA256 && (t.SHA256 != "" || t == u)
}

// ManifestVersion is the version of the manifest's form, and of the figures beside it. Version 1
// listed flags; slowdowns of version 2 were others.
const ManifestVersion = 3

// Manifest records how a run was made. It holds nothing but what is the same
// on every machine: no clock, host, user or path of the output.
type Manifest struct {
	// Bourse is the version of the program, Version that of the manifest.
	Bourse  string   `json:"bourse"`
	Version int      `json:"manifest"`
	Trace   TraceRef `json:"trace"`
	// Bids is the SHA-256 of the table of bids, if there is one.
	Bids string `json:"bids_sha256,omitempty"`
	// Scripts are the files that policy, prices or behaviour were made of, and the table of
	// machines.
	Scripts []FileRef `json:"scripts,omitempty"`
	Seed    uint64    `json:"seed"`
	// Scenario is the configuration: a JSON object with a member an option.
	Scenario json.RawMessage `json:"scenario"`
	Written  Written         `json:"written"`
	// Datasets is filled in by Commit.
	Datasets []record.DatasetRef `json:"datasets"`
}

// Written says which records a run keeps and how: what does not change what is
// replayed.
type Written struct {
	Format   string `json:"format"`
	Segments bool   `json:"segments"`
	Series   string `json:"series"`
	Causes   bool   `json:"causes,omitempty"`
	// SWF and Users are files beside the directory, by their names alone.
	SWF   *FileRef `json:"swf,omitempty"`
	Users *FileRef `json:"users,omitempty"`
	// Perfetto is a timeline.
	Perfetto *TimelineRef `json:"perfetto,omitempty"`
}

// files are those that w names.
func (w *Written) files() (refs []FileRef) {
	for _, ref := range []*FileRef{w.SWF, w.Users} {
		if ref != nil {
			refs = append(refs, *ref)
		}
	}
	if w.Perfetto != nil {
		refs = append(refs, w.Perfetto.FileRef)
	}
	return refs
}

// TimelineRef pins a timeline and says what of the replay is in it.
type TimelineRef struct {
	FileRef
	Window string `json:"window,omitempty"`
	Sample int64  `json:"sample,omitempty"`
}

// FileRef names a file and pins its content.
type FileRef struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// Pin refers to a file that is complete, and whose content is at a path of its own until
// it is published.
func Pin(path, content string) (*FileRef, error) {
	sum, err := HashFile(content)()
	return &FileRef{filepath.Base(path), sum}, err
}

// PinAll refers to input files by their paths.
func PinAll(paths []string) (refs []FileRef, err error) {
	for _, path := range paths {
		sum, err := HashFile(path)()
		if err != nil {
			return nil, err
		}
		refs = append(refs, FileRef{path, sum})
	}
	return refs, nil
}

// Setting is one option of a run's configuration, as the user could have typed it.
type Setting struct{ Key, Value string }

// Settings lists the options of a scenario in JSON, in its order.
func Settings(scenario json.RawMessage) (list []Setting) {
	d := json.NewDecoder(bytes.NewReader(scenario))
	d.UseNumber()
	if _, err := d.Token(); err != nil {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return list
		}
		value, err := d.Token()
		if err != nil {
			return list
		}
		list = append(list, Setting{strings.ReplaceAll(fmt.Sprint(key), "_", "-"), fmt.Sprint(value)})
	}
	return list
}

// Setting returns the value of an option; "" if the run has none.
func (m *Manifest) Setting(key string) string {
	for _, s := range Settings(m.Scenario) {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// VersionError says that a file was written by a program with other manifests.
type VersionError struct {
	Path    string
	Version int
	Sweep   bool // the file is a sweep's
}

// Newer reports whether the file is of a later version than this program reads.
func (e *VersionError) Newer() bool { return e.Version > ManifestVersion }

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s: a manifest of version %d, and this program reads version %d", e.Path, max(e.Version, 1),
		ManifestVersion)
}

// marshal writes v as indented JSON in the order of its struct's fields.
func marshal(v any) ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// WriteJSON writes v as the files of a run are written.
func WriteJSON(w io.Writer, v any) error {
	text, err := marshal(v)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// WriteFileJSON writes v as a file of its own.
func WriteFileJSON(path string, v any) error {
	return files.Write(path, func(w io.Writer) error { return WriteJSON(w, v) })
}

// ReadManifest reads the manifest of the run in path's file. The error of a
// missing file satisfies errors.Is(err, fs.ErrNotExist).
func ReadManifest(path string) (*Manifest, error) {
	text, err := ReadText(path)
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s: not a manifest: %w", path, err)
	}
	if m.Bourse == "" {
		return nil, fmt.Errorf("%s: not a manifest of bourse", path)
	}
	if m.Version != ManifestVersion {
		return nil, &VersionError{Path: path, Version: m.Version}
	}
	if err := Strict(path, text, m); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(m.Datasets)+3)
	for _, d := range m.Datasets {
		names = append(names, d.File)
	}
	for _, ref := range m.Written.files() {
		names = append(names, ref.File)
	}
	return m, Local(path, names...)
}

// MostManifest is the size of a manifest or a summary: that of a sweep names a million cells.
const MostManifest = 64 << 20

// mostValues is how many values a manifest or a summary has: they take more memory than their text.
const mostValues = 1 << 20

// ReadText reads a manifest or a summary whole.
func ReadText(path string) ([]byte, error) {
	text, err := files.ReadSmall(path, MostManifest)
	if err == nil && bytes.Count(text, []byte(",")) > mostValues {
		return nil, fmt.Errorf("%s has more than %d values; that is no file of this kind", path, mostValues)
	}
	return text, err
}

// Local refuses a manifest that names files of the work outside its own folder, which might
// be anybody's: a folder comes from other people, too.
func Local(path string, names ...string) error {
	for _, name := range names {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("%s: the file %q is named outside of its folder; nothing of it is read", path, name)
		}
	}
	return nil
}

// Strict reads JSON of this version into v; a field that it does not know is an error.
func Strict(path string, text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%s: %s; correct the file, or make it anew", path, strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}
