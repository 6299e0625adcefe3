package remote

import (
	"os/exec"
	"syscall"
)

// Lead lets a command lead a process group of its own, and end with this program even if
// that is killed.
func Lead(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
