package papers

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"bourse/reports/run"
)

// Manifest records how the files of a reproduction were made.
type Manifest struct {
	Bourse  string `json:"bourse"`
	Version int    `json:"manifest"`
	Study   string `json:"study"`
	// Flags are what decides the outcome, as the user could have typed it.
	Flags []Flag        `json:"flags"`
	Files []run.FileRef `json:"files"`
}

// Flag is one value of a flag of a study. SHA256 is that of the trace it names, if it is
// an Input.
type Flag struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	SHA256 string `json:"sha256,omitempty"`
	Input  bool   `json:"-"`
}

// writeManifest lists the files of a study, but for manifest and page, which names the inputs
// by their paths. The hashes of the flags are filled in.
func (s *Study) writeManifest(m Manifest) (err error) {
	m.Version = run.ManifestVersion
	for i := range m.Flags {
		f := &m.Flags[i]
		path := run.InputPath(f.Value)
		if !f.Input || path == "" {
			continue
		}
		if f.SHA256, err = run.HashFile(path)(); err != nil {
			return err
		}
	}
	for _, f := range s.claim.Files() {
		file, err := run.Pin(f.Final(), f.Path())
		if err != nil {
			return err
		}
		if file.File != PageFile {
			m.Files = append(m.Files, *file)
		}
	}
	slices.SortFunc(m.Files, func(a, b run.FileRef) int { return strings.Compare(a.File, b.File) })
	return s.write(run.ManifestFile, func(w io.Writer) error { return run.WriteJSON(w, m) })
}

// ReadManifest reads the manifest of a reproduction; nil if the file is that of
// something else.
func ReadManifest(path string) (*Manifest, error) {
	text, err := run.ReadText(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s: not a manifest: %w", path, err)
	}
	if m.Study == "" {
		return nil, nil
	}
	if m.Version != run.ManifestVersion {
		return nil, &run.VersionError{Path: path, Version: m.Version}
	}
	if err := run.Strict(path, text, m); err != nil {
		return nil, err
	}
	return m, m.check(path)
}

// Unrecorded are the flags of every study that do not decide its outcome, so that no
// manifest has them.
var Unrecorded = []string{"out", "overwrite", "workers", "quiet", "help", "config"}

// check refuses a manifest that names files outside of its folder, or flags that write elsewhere:
// it may be another person's, and is carried out as a command line.
func (m *Manifest) check(path string) error {
	names := make([]string, 0, len(m.Files))
	for _, f := range m.Files {
		names = append(names, f.File)
	}
	if err := run.Local(path, names...); err != nil {
		return err
	}
	if strings.HasPrefix(m.Study, "-") {
		return fmt.Errorf("%s: %q is no study", path, m.Study)
	}
	for _, f := range m.Flags {
		if slices.Contains(Unrecorded, f.Name) || f.Name == "" || strings.HasPrefix(f.Name, "-") ||
			strings.Contains(f.Name, "=") {
			return fmt.Errorf("%s: the flag %q decides no outcome of a study, and no manifest has it", path, f.Name)
		}
	}
	return nil
}
