//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package files

import (
	"errors"
	"os"
	"runtime"
)

// flock does nothing: Windows refuses to remove a file that is open, which protects it as
// well. Elsewhere there are no locks.
func flock(*os.File) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	return errors.ErrUnsupported
}

// renamesOpen: a file can get another name while it is open, and so stay locked.
const renamesOpen = false

const nonblock = 0
