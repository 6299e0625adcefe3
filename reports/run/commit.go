package run

import (
	"errors"
	"io"
	"path/filepath"
	"slices"

	"bourse/reports/record"
)

// Commit completes the run: it encodes what is left and publishes the data files, the
// summary and last the manifest, to which it adds the datasets. Whatever fails, or kills
// the program, nothing of the run stays, and an earlier run that was to be overwritten
// does.
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
	if err := r.finish(); err != nil || r.claim == nil {
		return err
	}
	r.replaceOld()
	if summary != nil {
		if err := r.writeJSON(SummaryFile, summary); err != nil {
			return err
		}
	}
	if manifest != nil {
		m := *manifest
		m.Bourse, m.Version, m.Datasets = r.options.Version, ManifestVersion, r.datasets()
		if err := r.writeJSON(ManifestFile, &m); err != nil {
			return err
		}
	}
	return r.claim.Commit()
}

// finish ends the datasets. All goroutines have stopped when it returns.
func (r *Writer) finish() error {
	err := r.End()
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

// writeJSON writes v as a file of the run.
func (r *Writer) writeJSON(name string, v any) error {
	f, err := r.create(name)
	if err != nil {
		return err
	}
	return f.Fill(func(w io.Writer) error { return WriteJSON(w, v) })
}

// replaceOld lets the new run replace an earlier one: the files that its manifest names,
// too, and that the new one will not have.
func (r *Writer) replaceOld() {
	if r.old == nil {
		return
	}
	names := []string{ManifestFile, SummaryFile}
	for _, d := range r.old.Datasets {
		// A manifest is a file anyone may edit: names lead nowhere else.
		if d.File == filepath.Base(d.File) && slices.Contains(dataFiles(), d.File) {
			names = append(names, d.File)
		}
	}
	for _, name := range names {
		r.claim.Replace(filepath.Join(r.dir, name))
	}
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
	if r.claim == nil {
		return nil
	}
	return r.claim.Abort()
}
