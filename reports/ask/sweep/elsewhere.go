package sweep

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"bourse/reports/run"
)

// Store keeps the files of a sweep, by their names below its folder, elsewhere than in that.
type Store interface {
	// Fetch brings what is kept into dir, but for files that are there already.
	Fetch(ctx context.Context, dir string) error
	// Put keeps a file of dir, in place of one that is kept under that name.
	Put(ctx context.Context, dir, name string) error
	// Finish keeps a file unless there is one already, in one step that needs no lock. It is the last of a cell, and so the
	// sign that the cell is finished.
	Finish(ctx context.Context, dir, name string) error
}

// keep keeps a finished cell, and before the first the plan.
func (s *store) keep(ctx context.Context, c Cell) error {
	if s.to == nil {
		return nil
	}
	s.planned.Do(func() { s.planFault = s.to.Put(ctx, s.dir, filepath.ToSlash(PlanFile)) })
	if s.planFault != nil {
		return s.planFault
	}
	last := run.SummaryFile
	if s.settings.Records {
		last = run.ManifestFile
	}
	folder := filepath.ToSlash(c.Folder())
	entries, err := os.ReadDir(filepath.Join(s.dir, c.Folder()))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); name != last && !e.IsDir() && !strings.HasPrefix(name, ".") {
			if err := s.to.Put(ctx, s.dir, path.Join(folder, name)); err != nil {
				return err
			}
		}
	}
	return s.to.Finish(ctx, s.dir, path.Join(folder, last))
}

// Complete brings the cells that others have finished into a sweep's folder and, if none is missing, completes the dataset there
// and in the store: whoever is last does. It returns how many cells are missing.
func Complete(ctx context.Context, dir string, to Store) (missing int, err error) {
	if err := to.Fetch(ctx, dir); err != nil {
		return 0, err
	}
	d, err := Read(dir)
	if err != nil {
		return 0, err
	}
	if d.Missing > 0 {
		return d.Missing, nil
	}
	if _, err := Merge(dir); err != nil {
		return 0, err
	}
	for _, name := range []string{run.CellsFile, filepath.ToSlash(ManifestFile)} {
		err = errors.Join(err, to.Put(ctx, dir, name))
	}
	return 0, err
}
