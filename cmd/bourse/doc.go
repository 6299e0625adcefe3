// Bourse replays cluster logs through schedulers and markets, one record per job.
//
//	bourse COMMAND [flags] ARGS
//
// A command is a value (command.go): commands.go lists them, and each file defines the flags of
// one and hands what they say to a package of reports. The manual is guide/manual.md, which
// bourse help manual prints.
package main
