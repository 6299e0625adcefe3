package cli

// These commands are in the program that runs in a page, too.

func replayCommand() command {
	return command{
		Name: "replay", Args: "TRACE", Run: replayTrace,
		Line:  "replay one trace through a policy and a price scheme",
		Takes: "one trace", Least: 1, Most: 1,
		Example: "bourse replay log.swf.gz --nodes 105 --serial --policy hb --payment kth --behaviour srg --out " +
			"out",
	}
}

func explainCommand() command {
	return command{
		Name: "explain", Args: "TRACE --job ID", Usage: "TRACE|DIR --job ID", Run: explainJob,
		Line:  "explain one job of a replay: its waits, prices and bill",
		Takes: "one trace, or the directory of a finished run", Least: 1, Most: 1,
		Example: "bourse explain log.swf.gz --job 4711 --policy hb --payment kth\n" +
			"bourse explain out --job 4711",
	}
}

func compareCommand() command {
	return command{
		Name: "compare", Args: "DIR... | TRACE", Usage: "DIR... | SWEEP | TRACE --policy A,B", Run: compareRuns,
		Line:  "finished runs, or policies on one trace, side by side",
		Takes: "the directories of finished runs, or one trace and --policy", Least: 1, Most: many,
		Example: "bourse compare out/hb-kth out/nphb-kth\n" +
			"bourse compare log.swf.gz --policy 'fcfs,easy,easy(backfill=sjf),conservative'",
	}
}

func reportCommand() command {
	return command{
		Name: "report", Args: "DIR...", Usage: "DIR... | SWEEP", Run: report,
		Line:  "finished runs as one HTML page: tables, distributions, series",
		Takes: "the folders of finished runs", Least: 1, Most: many,
		Example: "bourse report out\nbourse report out/hb out/wspt out/fcfs --out policies.html",
	}
}

func listCommand() command {
	return command{
		Name: "list", Args: "[KIND]", Run: list,
		Line:  "formats, policies, payments, values, behaviours, mechanisms, preferences, fits, columns",
		Takes: "one kind at most", Most: 1,
		Example: "bourse list policies",
	}
}

func versionCommand() command {
	return command{
		Name: "version", Run: version,
		Line:    "the program's version",
		Takes:   "no arguments",
		Example: "bourse version --licences",
	}
}
