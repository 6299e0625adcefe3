//go:build !unix

package remote

import "os/exec"

// Lead does nothing: there are no process groups, and what a program starts is its own affair.
func Lead(*exec.Cmd) {}

func (p *process) kill() { _ = p.cmd.Process.Kill() }
