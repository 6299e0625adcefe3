package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bourse/traces/files"
)

// CheckNew refuses a path at which a file cannot be written, or exists and may not
// be overwritten, so that a command can say so before it computes anything. What a killed
// program left half published there is taken back first.
func CheckNew(path string, overwrite bool) error {
	if err := files.RecoverAt(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if dir, err := os.Stat(filepath.Dir(path)); err != nil || !dir.IsDir() {
			return fmt.Errorf("%s: there is no directory %s", path, filepath.Dir(path))
		}
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", path, files.Cause(err))
	case info.IsDir():
		return fmt.Errorf("%s is a directory; want the name of a file", path)
	case !overwrite:
		return &InTheWayError{path + " exists already"}
	}
	return nil
}

// InTheWayError says that something would have to be replaced, which was not asked for.
type InTheWayError struct{ What string }

func (e *InTheWayError) Error() string { return e.What }
