package main

import (
	"errors"
	"fmt"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/policies/bidding"
	"bourse/reports/page"
	"bourse/reports/run"
	"bourse/reports/studies/sweep"
	"bourse/traces/google"
	"bourse/traces/input"
	"bourse/traces/synth"
)

// hint is what can be done about an error by flags, which the packages that find
// it know nothing of; "" if there is nothing to say.
func hint(err error) string {
	if e := (*policies.MismatchError)(nil); errors.As(err, &e) {
		return mismatchHints[e.Machine]
	}
	if e := (*scenario.UnknownMachineError)(nil); errors.As(err, &e) {
		return unknownHints[e.Missing]
	}
	if e := (*run.VersionError)(nil); errors.As(err, &e) {
		switch {
		case e.Newer():
			return "Use a newer bourse, or make it anew with this one."
		case e.Sweep:
			return "Run the sweep anew with this version, with --out DIR for another directory."
		}
		return "Make it anew with this version: a replay or a study replaces an earlier one with --overwrite."
	}
	if e := (*run.InTheWayError)(nil); errors.As(err, &e) {
		return "Use another name, or --overwrite to replace what is there."
	}
	if e := (*run.DirectoryError)(nil); errors.As(err, &e) {
		return directoryHints[e.Holds]
	}
	if e := (*page.RecordsError)(nil); errors.As(err, &e) {
		return "Replay the trace again with --overwrite and --format parquet or csv: that writes them."
	}
	if e := (*page.OtherTraceError)(nil); errors.As(err, &e) {
		return "Runs of different traces say nothing about each other; --any-trace shows them beside each other all the same."
	}
	if e := (*sweep.SeveralError)(nil); errors.As(err, &e) {
		return fmt.Sprintf("--at %s=%s chooses one.", e.Axis, e.Values[0])
	}
	if e := (*sweep.OtherSweepError)(nil); errors.As(err, &e) {
		return "Name another directory with --out DIR."
	}
	if e := (*engine.CapacityError)(nil); errors.As(err, &e) {
		return "--nodes N or --machines 'pool(cpu=C,memory=M)' say what the machine has."
	}
	if e := (*engine.NoEstimateError)(nil); errors.As(err, &e) {
		return "--where 'estimate > 0' leaves such jobs out; or choose a policy that needs no estimates."
	}
	if e := (*engine.NamedRankError)(nil); errors.As(err, &e) {
		return "--where leaves such jobs out; or choose another order: labels that are whole numbers have one"
	}
	if e := (*engine.OverflowError)(nil); errors.As(err, &e) {
		return "bourse trace inspect shows such jobs, and --where leaves them out."
	}
	if e := (*bidding.NoBidError)(nil); errors.As(err, &e) {
		return "Every job needs a row; --where leaves jobs out."
	}
	if e := (*input.LateError)(nil); errors.As(err, &e) {
		return fmt.Sprintf("--sort-window %d holds back that many records.", e.Window)
	}
	if e := (*synth.FolderError)(nil); errors.As(err, &e) {
		return fmt.Sprintf("bourse trace synth '%s' DIR writes it, and DIR can be replayed.", e.Spec)
	}
	if errors.Is(err, google.ErrMissingPart) {
		return "Fetch it; --on-error=skip reads on, and what happened in it is lost."
	}
	return ""
}

var directoryHints = map[run.Contents]string{
	run.Nothing:    "bourse replay TRACE --out DIR makes one.",
	run.Sweep:      "bourse compare prints a sweep if it is given alone.",
	run.Cell:       "bourse compare prints the whole sweep; with --records a sweep keeps its cells' records, too.",
	run.Incomplete: "Run the same replay again with --overwrite: it makes the directory complete.",
}

var unknownHints = map[string]string{
	"processors": "--nodes N says it.",
	"capacity":   "--machines 'pool(cpu=C,memory=M)' says it, in the trace's units.",
	"machines":   "--machines 'trace(events=DIR)' names the folder of a Google trace; or use --machines pool or nodes:N.",
}

var mismatchHints = map[string]string{
	policies.OnProcessors: "Use --machines pool, or drf.",
	policies.OnPool:       "Use hb, nphb, fcfs, priority or another list or sharing policy, or --machines nodes:N.",
	policies.OnCluster:    "Use fcfs, nphb, wspt, sjf, priority or another order that is fixed when jobs arrive, or --machines pool.",
}
