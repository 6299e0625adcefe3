package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"bourse/reports/record"
	"bourse/reports/run"
	"bourse/reports/studies/sweep"
	"bourse/reports/terminal"
)

// expected lists the files of a run whose repetition is in fresh, those of a manifest
// and others.
func (r *repeat) expected(fresh string, known []record.DatasetRef, others ...string) (files []run.Repeated) {
	for _, d := range known {
		others = append(others, d.File)
	}
	slices.Sort(others)
	for _, name := range others {
		f := run.Repeated{Name: name, Was: filepath.Join(r.dir, name), Is: filepath.Join(fresh, name)}
		if i := slices.IndexFunc(known, func(d record.DatasetRef) bool { return d.File == name }); i >= 0 {
			f.SHA256 = known[i].SHA256
		}
		files = append(files, f)
	}
	return files
}

// beside adds a file that was written beside the run's directory, or in it. It returns
// where the repetition writes it; "" if there was none.
func (r *repeat) beside(ref *run.FileRef, files []run.Repeated) (string, []run.Repeated) {
	if ref == nil {
		return "", files
	}
	name := filepath.Base(ref.File)
	f := run.Repeated{Name: name, Was: filepath.Join(r.dir, name), Is: filepath.Join(r.fresh, name), SHA256: ref.SHA256, Away: true}
	if _, err := os.Stat(f.Was); err != nil {
		f.Was = filepath.Join(r.dir, "..", name)
	}
	return f.Is, append(files, f)
}

// manifest is that of a sweep or of one of its cells.
func (r *repeat) manifest(fresh, cell string) run.Repeated {
	name := filepath.Join(cell, run.ManifestFile)
	return run.Repeated{Name: name, Was: filepath.Join(r.dir, name), Is: filepath.Join(fresh, name), Differs: true}
}

// cells lists the files of a sweep whose repetition is in fresh.
func (r *repeat) cells(plan *sweep.Plan, fresh string) ([]run.Repeated, error) {
	files := append(r.expected(fresh, nil, run.CellsFile), r.manifest(fresh, run.SweepFolder))
	for _, c := range sweep.Cells(plan.Axes) {
		cell := c.Folder()
		var datasets []record.DatasetRef
		if plan.Records {
			m, err := run.ReadManifest(filepath.Join(r.dir, cell, run.ManifestFile))
			if err != nil { // that of the repetition names the same files
				if m, err = run.ReadManifest(filepath.Join(fresh, cell, run.ManifestFile)); err != nil {
					return nil, err
				}
				for i := range m.Datasets {
					m.Datasets[i].SHA256 = ""
				}
			}
			datasets = m.Datasets
			files = append(files, r.manifest(fresh, cell))
		}
		for i := range datasets {
			datasets[i].File = filepath.Join(cell, datasets[i].File)
		}
		files = append(files, r.expected(fresh, datasets, filepath.Join(cell, run.SummaryFile))...)
	}
	return files, nil
}

// errDiffers ends a rerun that did not give the same bytes.
var errDiffers = errors.New("the repetition differs")

// compare says whether the files of the second time are those of the first, and what
// else is there. known are further files that belong there.
func (r *repeat) compare(files []run.Repeated, what string, known ...string) error {
	n, err := run.Compare(r.a.stdout, files)
	if err != nil {
		return err
	}
	for _, f := range files {
		if name, err := filepath.Rel(r.dir, f.Was); err == nil && filepath.IsLocal(name) {
			known = append(known, name)
		}
	}
	unlisted, err := run.Unlisted(r.dir, known)
	if err != nil {
		return err
	}
	for _, name := range unlisted {
		fmt.Fprintf(r.a.stdout, "%s is not of this %s\n", name, what)
	}
	switch {
	case n.Differing > 0:
		return fmt.Errorf("%d of %d files: %w", n.Differing, n.Same+n.Differing, errDiffers)
	case n.Same == 0:
		return fmt.Errorf("%s has no files to compare", r.dir)
	}
	words := ""
	if n.ByHash {
		words = ", by the hashes in the manifest; the files themselves are not there"
	}
	_, err = fmt.Fprintf(r.a.stdout, "same bytes: %s%s\n", terminal.Count(n.Same, "file", "files"), words)
	return err
}
