package studies

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bourse/reports/run"
)

// Manifest records how the files of a reproduction were made.
type Manifest struct {
	Bourse  string `json:"bourse"`
	Version int    `json:"manifest"`
	Study   string `json:"study"`
	// Flags are what decides the outcome, as the user could have typed it.
	Flags []Flag `json:"flags"`
	Files []File `json:"files"`
}

// Flag is one flag of a study. SHA256 is that of the file it names, if it names one.
type Flag struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	SHA256 string `json:"sha256,omitempty"`
}

// File is one file of a reproduction.
type File struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// WriteManifest lists the files of a reproduction in its directory. The hashes of the
// flags are filled in.
func WriteManifest(dir string, m Manifest) error {
	m.Version = run.ManifestVersion
	for i := range m.Flags {
		f := &m.Flags[i]
		if info, err := os.Stat(f.Value); err != nil || !info.Mode().IsRegular() {
			continue
		}
		var err error
		if f.SHA256, err = run.HashFile(f.Value)(); err != nil {
			return err
		}
	}
	var err error
	if m.Files, err = Files(dir); err != nil {
		return err
	}
	return run.WriteFileJSON(filepath.Join(dir, run.ManifestFile), m)
}

// Files lists the files of a reproduction and their hashes, by name; the manifest is
// none of them.
func Files(dir string) (files []File, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Name() == run.ManifestFile || e.IsDir() {
			continue
		}
		sum, err := run.HashFile(filepath.Join(dir, e.Name()))()
		if err != nil {
			return nil, err
		}
		files = append(files, File{e.Name(), sum})
	}
	return files, nil
}

// ReadManifest reads the manifest of a reproduction; nil if the file is that of
// something else.
func ReadManifest(path string) (*Manifest, error) {
	text, err := os.ReadFile(path)
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
	return m, nil
}
