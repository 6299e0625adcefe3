//go:build !js

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyHangup is for terminals that go, unless the program is to outlive them, as under nohup.
func notifyHangup(signals chan<- os.Signal) {
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
}
