package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder is a directory of one process: for what it needs while it runs, or on its way
// to a final name.
type Folder struct {
	Path string
	held *os.File
}

// NewFolder makes a folder in parent, and removes what killed programs left there.
func NewFolder(parent string) (*Folder, error) {
	if err := clear(parent, false); err != nil {
		return nil, err
	}
	living.gate.RLock()
	defer living.gate.RUnlock()
	for {
		path := temporaryName(parent)
		if err := os.Mkdir(path, 0o777); err != nil {
			return nil, fmt.Errorf("creating a folder in %s: %w", parent, Cause(err))
		}
		held, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // taken for abandoned before it was locked
		}
		if err != nil {
			return nil, errors.Join(err, os.Remove(path))
		}
		if owned(held, path) {
			f := &Folder{path, held}
			living.add(f)
			return f, nil
		}
		held.Close()
	}
}

// Publish gives the folder its final name, at which there must be nothing.
func (f *Folder) Publish(path string) error {
	if !renamesOpen {
		f.held.Close()
	}
	living.gate.RLock()
	defer living.gate.RUnlock()
	if err := os.Rename(f.Path, path); err != nil {
		return fmt.Errorf("writing %s: %w", path, Cause(err))
	}
	living.drop(f)
	f.held.Close()
	return syncDir(filepath.Dir(path))
}

// Remove removes the folder with all that it holds. After Publish it does nothing.
func (f *Folder) Remove() error {
	if f == nil || !living.drop(f) {
		return nil
	}
	f.held.Close()
	return os.RemoveAll(f.Path)
}

func (f *Folder) abandon() {
	f.held.Close()
	_ = os.RemoveAll(f.Path)
}
