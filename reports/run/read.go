package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bourse/reports/record"
	"bourse/traces/files"
)

// A sweep's directory has one table of all its cells, and everything else in a folder
// whose name tells the readers of data frames to pass it by.
const (
	CellsFile   = "cells.parquet"
	SweepFolder = "_sweep"
	PlanFile    = SweepFolder + "/sweep.json"
)

// Finished is a run read back from its directory.
type Finished struct {
	Dir      string
	Manifest *Manifest
	Summary  *Summary
}

// Contents is what a directory holds instead of a finished run.
type Contents int

// What a directory may hold.
const (
	Nothing    Contents = iota // no run, or there is no directory
	Sweep                      // a sweep, whose cells are aggregates
	Incomplete                 // a run of which files are missing or replaced
	Cell                       // a cell of a sweep that keeps no records
)

// DirectoryError says why a directory does not hold a finished run.
type DirectoryError struct {
	Dir   string
	Holds Contents
	Err   error
}

func (e *DirectoryError) Error() string {
	switch e.Holds {
	case Sweep:
		return fmt.Sprintf("%s holds a sweep, not a single run", e.Dir)
	case Cell:
		return fmt.Sprintf("%s holds a cell of a sweep, without its records", e.Dir)
	case Incomplete:
		return fmt.Sprintf("%s is incomplete: %v", e.Dir, e.Err)
	}
	return fmt.Sprintf("%s does not hold a finished run: %v", e.Dir, e.Err)
}

func (e *DirectoryError) Unwrap() error { return e.Err }

// Open reads the manifest and the summary of the run in dir. A directory without a
// finished run is a *DirectoryError, and a manifest of another version a *VersionError.
func Open(dir string) (*Finished, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, &DirectoryError{dir, Nothing, errors.New("no such directory")}
	case !info.IsDir():
		return nil, &DirectoryError{dir, Nothing, errors.New("it is a file")}
	}
	if exists(dir, PlanFile) {
		return nil, &DirectoryError{dir, Sweep, nil}
	}
	if err := files.Recover(dir); err != nil {
		return nil, err
	}
	f := &Finished{Dir: dir}
	if f.Manifest, err = ReadManifest(filepath.Join(dir, ManifestFile)); err != nil {
		return nil, withoutManifest(dir, err)
	}
	if f.Summary, err = ReadSummary(filepath.Join(dir, SummaryFile)); err != nil {
		return nil, &DirectoryError{dir, Incomplete, err}
	}
	return f, nil
}

// Complete wants the data files to be as long as the manifest says; their hashes are
// checked when they are read.
func (f *Finished) Complete() error {
	for _, d := range f.Manifest.Datasets {
		if err := f.whole(d); err != nil {
			return &DirectoryError{f.Dir, Incomplete, err}
		}
	}
	return nil
}

// Verify wants the data files to have the hashes that the manifest says.
func (f *Finished) Verify() error {
	if err := f.Complete(); err != nil {
		return err
	}
	for _, d := range f.Manifest.Datasets {
		sum, err := HashFile(filepath.Join(f.Dir, d.File))()
		if err == nil && sum != d.SHA256 {
			err = fmt.Errorf("%s has another SHA-256 than the manifest says; it is not the file of this run", d.File)
		}
		if err != nil {
			return &DirectoryError{f.Dir, Incomplete, err}
		}
	}
	return nil
}

// withoutManifest says what a directory whose manifest cannot be read holds.
func withoutManifest(dir string, err error) error {
	switch {
	case errors.As(err, new(*VersionError)):
		return err
	case !errors.Is(err, fs.ErrNotExist):
		return &DirectoryError{dir, Nothing, err}
	case exists(dir, SummaryFile) && slices.Contains(strings.Split(filepath.ToSlash(dir), "/"), SweepFolder):
		return &DirectoryError{dir, Cell, nil}
	case exists(dir, SummaryFile):
		return &DirectoryError{dir, Incomplete, fmt.Errorf("it has no %s, which is written last", ManifestFile)}
	}
	return &DirectoryError{dir, Nothing, fmt.Errorf("it has no %s", ManifestFile)}
}

func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}

// whole wants a data file to be as long as the manifest says.
func (f *Finished) whole(d record.DatasetRef) error {
	info, err := os.Stat(filepath.Join(f.Dir, d.File))
	switch {
	case err != nil:
		return fmt.Errorf("%s is missing", d.File)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no file", d.File)
	case info.Size() != d.Bytes:
		return fmt.Errorf("%s has %d bytes and the manifest says %d; it is not the file of this run", d.File, info.Size(),
			d.Bytes)
	}
	return nil
}

// Dataset finds a dataset by its name without the extension, nil if there is none.
func (f *Finished) Dataset(name string) *record.DatasetRef {
	for i := range f.Manifest.Datasets {
		if d := &f.Manifest.Datasets[i]; strings.TrimSuffix(d.File, filepath.Ext(d.File)) == name {
			return d
		}
	}
	return nil
}

// Setting returns the value of an option; "" if the run has none. Processors that the trace
// gives are those that there were.
func (f *Finished) Setting(key string) string {
	value := f.Manifest.Setting(key)
	if key == "nodes" && value == "0" && f.Summary != nil && f.Summary.Machine.Pool == nil {
		return fmt.Sprint(f.Summary.Machine.Procs)
	}
	return value
}
