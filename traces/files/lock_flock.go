//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package files

import (
	"os"
	"syscall"
)

// lock takes a file for this process, and reports false if another one has it. The
// lock ends with the process, and works between containers and, as the system allows,
// between machines that share a disk.
func lock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// renamesOpen: a file can get another name while it is open, and so stay locked.
const renamesOpen = true
