//go:build unix && !linux

package remote

import (
	"os/exec"
	"syscall"
)

// lead lets a command lead a process group of its own.
func lead(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
