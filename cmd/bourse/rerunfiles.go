package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"bourse/reports/ask/sweep"
	"bourse/reports/record"
	"bourse/reports/run"
	"bourse/reports/terminal"
)

// trace finds a trace whose specification and hash are known: among those of --trace by
// its bytes or its name, else where it was.
func (r *repeat) trace(spec, sum string, several bool) (string, error) {
	for _, given := range r.traces {
		if got, err := r.hash(given); err == nil && sum != "" && got == sum {
			return given, nil
		}
	}
	for _, given := range r.traces {
		if !several || sweep.Label(given) == sweep.Label(spec) {
			spec = given
		}
	}
	if spec == "-" {
		return "", errors.New("the run read its trace from standard input; --trace PATH says where that is now")
	}
	return spec, r.same(spec, sum, "trace", "--trace PATH")
}

// table finds the table of bids, if there was one.
func (r *repeat) table(path, sum string) (string, error) {
	switch {
	case path == "" && r.bids != "":
		return "", usagef("--bids %s: there was no table of bids", r.bids)
	case path == "":
		return "", nil
	case r.bids != "":
		path = r.bids
	}
	return path, r.same(path, sum, "table of bids", "--bids FILE")
}

// scripts wants the files that policies and machines were made of to be where they were, unchanged.
func (r *repeat) scripts(refs []run.FileRef) error {
	for _, f := range refs {
		switch got, err := r.hash(f.File); {
		case errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("the file %s does not exist; rerun in the directory it was named from", f.File)
		case err != nil:
			return err
		case got != f.SHA256:
			return fmt.Errorf("the file %s has changed since: its SHA-256 was %.12s and is %.12s", f.File, f.SHA256, got)
		}
	}
	return nil
}

// same wants an input to be there, with the bytes it had.
func (r *repeat) same(spec, sum, what, flag string) error {
	path := run.InputPath(spec)
	if path == "" {
		return nil // nothing is read
	}
	got, err := r.hash(spec)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist; %s says where the %s is now", path, flag, what)
	case err != nil:
		return err
	case sum != "" && got != sum:
		return fmt.Errorf("%s is not the %s of that run: its SHA-256 is %.12s..., and was %.12s...; %s names another", path, what, got, sum, flag)
	}
	return nil
}

// hash is that of an input.
func (r *repeat) hash(spec string) (string, error) {
	path := run.InputPath(spec)
	if sum, ok := r.hashes[path]; ok || path == "" {
		return sum, nil
	}
	sum, err := run.HashFile(path)()
	if err == nil {
		r.hashes[path] = sum
	}
	return sum, err
}

// expected lists the files of a run whose repetition is in fresh, those of a manifest
// and others.
func (r *repeat) expected(fresh string, known []record.DatasetRef, others ...string) (files []run.Repeated) {
	for _, d := range known {
		others = append(others, d.File)
	}
	slices.Sort(others)
	for _, name := range others {
		f := run.Repeated{Name: name, Was: filepath.Join(r.dir, name), Is: filepath.Join(fresh, name), Away: r.absent}
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
	n, err := run.Compare(r.a.stdout, files, r.tolerance)
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
	if n.Near > 0 {
		_, err = fmt.Fprintf(r.a.stdout, "same bytes: %s; same figures within %g of the larger: %d\n", terminal.Count(n.Same-n.Near, "file", "files"), r.tolerance, n.Near)
		return err
	}
	if n.ByHash {
		words = ", by the hashes in the manifest; the files themselves are not there"
	}
	_, err = fmt.Fprintf(r.a.stdout, "same bytes: %s%s\n", terminal.Count(n.Same, "file", "files"), words)
	return err
}
