//go:build unix && !linux

package remote

import (
	"os/exec"
	"syscall"
)

// Lead lets a command lead a process group of its own.
func Lead(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
