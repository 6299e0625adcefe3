package files

import (
	"errors"
	"fmt"
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
	f := &Folder{Path: temporaryName(parent)}
	if err := os.Mkdir(f.Path, 0o777); err != nil {
		return nil, fmt.Errorf("creating a folder in %s: %w", parent, Cause(err))
	}
	var err error
	if f.held, err = os.Open(f.Path); err != nil {
		return nil, errors.Join(err, os.Remove(f.Path))
	}
	lock(f.held)
	living.add(f)
	return f, nil
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
