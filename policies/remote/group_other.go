//go:build !unix

package remote

import "os/exec"

// There are no process groups: what a program starts is its own affair.
func lead(*exec.Cmd) {}

func (p *process) kill() { _ = p.cmd.Process.Kill() }
