// Package run is the directory that a replay leaves: datasets of records, a summary
// and a manifest. Files are written under temporary names and get their final ones
// when all are complete, the manifest last. It also has the sinks between an engine
// and that directory: Users and Schedule.
package run
