package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"bourse/reports/record"
)

// Commit completes the run: it encodes what is left, syncs and renames the
// data files, then the summary, and last the manifest, to which it adds the
// datasets. Whatever fails, nothing of the run stays under a final name. An
// earlier run that was to be overwritten is removed just before the first
// rename.
//
// summary is any value that encoding/json can write; a nil summary or
// manifest leaves out that file. A stream takes neither.
func (r *Writer) Commit(summary any, manifest *Manifest) error {
	if r.ended {
		return errors.New("the run has ended already")
	}
	if err := r.commit(summary, manifest); err != nil {
		return errors.Join(err, r.Abort())
	}
	r.ended = true
	return nil
}

func (r *Writer) commit(summary any, manifest *Manifest) error {
	if err := r.finish(); err != nil {
		return err
	}
	if r.dir == "" {
		return nil
	}
	for _, p := range r.parts {
		if err := p.complete(); err != nil {
			return err
		}
	}
	if summary != nil {
		if err := r.writeJSON(SummaryFile, summary); err != nil {
			return err
		}
	}
	var last *part
	if manifest != nil {
		m := *manifest
		m.Bourse, m.Version, m.Datasets = r.options.Version, ManifestVersion, r.datasets()
		if err := r.writeJSON(ManifestFile, &m); err != nil {
			return err
		}
		last = r.parts[len(r.parts)-1]
	}
	return r.publish(last)
}

// finish ends the datasets. All goroutines have stopped when it returns.
func (r *Writer) finish() error {
	var err error
	if r.series != nil {
		err = r.grid.finish(r.series.Add)
	}
	for _, d := range r.all {
		if e := d.Finish(); err == nil {
			err = e
		}
	}
	return err
}

func (r *Writer) datasets() []record.DatasetRef {
	refs := make([]record.DatasetRef, len(r.all))
	for i, d := range r.all {
		refs[i] = d.Describe()
	}
	return refs
}

// writeJSON writes v under name's temporary name.
func (r *Writer) writeJSON(name string, v any) error {
	text, err := marshal(v)
	if err != nil {
		return fmt.Errorf("writing %s: %w", filepath.Join(r.dir, name), err)
	}
	p := &part{dir: r.dir, name: name}
	r.parts = append(r.parts, p)
	return writeWhole(r.options.create, p, text)
}

// publish gives the parts their final names, the manifest after all others
// are durable.
func (r *Writer) publish(manifest *part) error {
	if err := r.removeOld(); err != nil {
		return err
	}
	for _, p := range r.parts {
		if p == manifest {
			continue
		}
		if err := p.rename(); err != nil {
			return err
		}
	}
	if err := syncDir(r.dir); err != nil {
		return err
	}
	if manifest == nil {
		return nil
	}
	if err := manifest.rename(); err != nil {
		return err
	}
	return syncDir(r.dir)
}

// removeOld removes an earlier run: its manifest first, so that it never looks
// complete again, then the files that its manifest names and the new run will
// not replace by renaming.
func (r *Writer) removeOld() error {
	if r.old == nil {
		return nil
	}
	names := []string{ManifestFile, SummaryFile}
	for _, d := range r.old.Datasets {
		// A manifest is a file anyone may edit: names lead nowhere else.
		if d.File == filepath.Base(d.File) && slices.Contains(dataFiles(), d.File) {
			names = append(names, d.File)
		}
	}
	for _, name := range names {
		if err := os.Remove(filepath.Join(r.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("replacing the earlier run: %w", err)
		}
	}
	return nil
}

// dataFiles lists every name a data file of a run can have.
func dataFiles() []string {
	var names []string
	for _, set := range Datasets() {
		for _, f := range record.Formats() {
			names = append(names, set.Name+"."+f)
		}
	}
	return names
}

// Abort ends the run and removes what it has written, directories that it made and
// that are empty among it. After Commit or Abort
// it does nothing.
func (r *Writer) Abort() error {
	if r.ended {
		return nil
	}
	r.ended = true
	for _, d := range r.all {
		d.Stop()
	}
	var errs []error
	for _, p := range slices.Backward(r.parts) {
		errs = append(errs, p.discard())
	}
	for _, dir := range r.made {
		if os.Remove(dir) != nil {
			break // another process uses it
		}
	}
	return errors.Join(errs...)
}
