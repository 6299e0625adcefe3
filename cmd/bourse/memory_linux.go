package main

import (
	"os"
	"syscall"
)

// peakMemory is the most memory that an ended process has had, in bytes.
func peakMemory(s *os.ProcessState) int64 {
	if u, ok := s.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}
