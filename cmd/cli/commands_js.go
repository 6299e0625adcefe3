package cli

import "os"

// commands are those of a program that runs in a page: what the others bring along is
// several times as large.
func commands() []command {
	return []command{replayCommand(), explainCommand(), compareCommand(), reportCommand(), listCommand(), versionCommand()}
}

func studies() []command { return nil }

func notifyHangup(chan<- os.Signal) {}
