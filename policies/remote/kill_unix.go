//go:build unix

package remote

import "syscall"

// kill ends the program and what it has started.
func (p *process) kill() { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }
