//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package files

import (
	"errors"
	"os"
	"syscall"
)

// flock locks a file or folder for this process: errHeld if another one has it, another
// error where the disk has no locks. A lock ends with the process, and works between
// containers and, as the system allows, between machines that share a disk.
func flock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errHeld
	}
	return err
}

// renamesOpen: a file can get another name while it is open, and so stay locked.
const renamesOpen = true

// nonblock lets a pipe be opened at whose other end is nobody.
const nonblock = syscall.O_NONBLOCK
