// Bourse replays cluster logs through schedulers and markets, one record per job.
//
//	bourse COMMAND [flags] ARGS
//
// It is package cli with nothing added; a program with policies of its own adds them there.
package main

import "bourse/cmd/cli"

func main() { cli.Main(cli.Own{}) }
