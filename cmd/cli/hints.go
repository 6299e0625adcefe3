package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/policies/bidding"
	"bourse/reports/artifact"
	"bourse/reports/ask/learn"
	"bourse/reports/ask/sweep"
	"bourse/reports/page"
	"bourse/reports/run"
	"bourse/traces/google"
	"bourse/traces/input"
	"bourse/traces/named"
	"bourse/traces/synth"
)

// hint is what can be done about an error by flags, which the packages that find
// it know nothing of; "" if there is nothing to say.
func hint(err error) string {
	for _, say := range hints {
		if text := say(err); text != "" {
			return text
		}
	}
	if errors.Is(err, engine.ErrComesBack) {
		return "Leave out --resubmit-killed."
	}
	if errors.Is(err, google.ErrMissingPart) {
		return "Fetch it; --on-error=skip reads on, and what happened in it is lost."
	}
	return ""
}

// hintOn makes a hint for the errors of one type; others have none.
func hintOn[E error](say func(E) string) func(error) string {
	return func(err error) string {
		var e E
		if !errors.As(err, &e) {
			return ""
		}
		return say(e)
	}
}

var hints = []func(error) string{
	hintOn(func(e *policies.MismatchError) string { return mismatchHints[e.Machine] }),
	hintOn(func(e *scenario.UnknownMachineError) string { return unknownHints[e.Missing] }),
	hintOn(func(e *run.VersionError) string {
		switch {
		case e.Newer():
			return "Use a newer bourse, or make it anew with this one."
		case e.Sweep:
			return "Run the sweep anew with this version, with --out DIR for another directory."
		}
		return "Make it anew with this version: a replay or a study replaces an earlier one with --overwrite."
	}),
	hintOn(func(e *run.InTheWayError) string { return "Use another name, or --overwrite to replace what is there." }),
	hintOn(func(e *run.DirectoryError) string { return directoryHints[e.Holds] }),
	hintOn(func(*page.RecordsError) string {
		return "Replay the trace again with --overwrite and --format parquet or csv: that writes them."
	}),
	hintOn(func(e *page.OtherTraceError) string {
		return "Runs of different traces say nothing about each other; --any-trace shows them side by side all " +
			"the same."
	}),
	hintOn(func(e *sweep.SeveralError) string { return fmt.Sprintf("--at %s=%s chooses one.", e.Axis, e.Values[0]) }),
	hintOn(func(*sweep.OtherSweepError) string { return "Name another directory with --out DIR." }),
	hintOn(func(*engine.CapacityError) string {
		return "--nodes N or --machines 'pool(cpu=C,memory=M)' say what the machine has."
	}),
	hintOn(func(*engine.SerialError) string { return "--serial splits jobs into pieces of one processor each." }),
	hintOn(func(*engine.NoEstimateError) string {
		return "--where 'estimate > 0' leaves such jobs out; or choose a policy that needs no estimates."
	}),
	hintOn(func(*engine.NamedRankError) string {
		return "--where leaves such jobs out; or choose another order: labels that are whole numbers have one"
	}),
	hintOn(func(*engine.OverflowError) string {
		return "bourse trace inspect shows such jobs, and --where leaves them out."
	}),
	hintOn(func(e *learn.FewJobsError) string {
		if e.Most == 0 {
			return "--agents group lets the risk-aggressive group of --behaviour srg learn as one."
		}
		return "--least N lowers that, and --agents group lets the risk-aggressive group of --behaviour srg learn " +
			"as one."
	}),
	hintOn(func(*learn.OneWeekError) string { return "--epochs N replays N resampled logs, each an epoch." }),
	hintOn(func(*artifact.OutsideError) string { return "--copy-inputs puts it in." }),
	hintOn(func(*artifact.ProgramError) string {
		return "It would run with your rights; --programs starts it, if you trust who made the folder."
	}),
	hintOn(func(*bidding.NoBidError) string { return "Every job needs a row; --where leaves jobs out." }),
	hintOn(func(e *input.LateError) string {
		return fmt.Sprintf("--sort-window %d holds back that many records.", e.Window)
	}),
	hintOn(func(e *named.AbsentError) string {
		at := filepath.Join(e.Home, filepath.FromSlash(e.Trace.File))
		if e.Trace.URL == "" {
			return fmt.Sprintf("See %s, and put it at %s; bourse trace list %s says more.", e.Trace.Ask, at,
				e.Trace.Name)
		}
		return fmt.Sprintf("bourse trace get %s fetches it; without a network bring it here from %s, to %s.",
			e.Trace.Name, e.Trace.URL, at)
	}),
	hintOn(func(*named.NoURLError) string {
		return "bourse trace get NAME --url URL fetches it from where you know it to be."
	}),
	hintOn(func(e *synth.FolderError) string {
		return fmt.Sprintf("bourse trace synth '%s' DIR writes it, and DIR can be replayed.", e.Spec)
	}),
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
	"GPUs":       "--machines 'pool(cpu=C,memory=M,gpu=G)' says it.",
	"disk":       "--machines 'pool(cpu=C,memory=M,disk=D)' says it, in the trace's units.",
	"partitions": "--machines parts.csv does, a table with columns partition and processors.",
	"machines": "--machines 'trace(events=DIR)' names the folder of a Google trace, --machines nodes.csv a table " +
		"of machines; or use --machines pool or nodes:N.",
}

var mismatchHints = map[string]string{
	policies.OnProcessors: "Use --machines pool, or drf.",
	policies.OnPool:       "Use hb, nphb, fcfs, priority or another list or sharing policy, or --machines nodes:N.",
	policies.OnCluster: "Use fcfs, fcfs(fit=skip), easy, conservative, nphb without fit=skip, wspt, sjf, priority or another order " +
		"that is fixed when jobs arrive, or --machines pool.",
}
