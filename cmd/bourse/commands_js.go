package main

// commands are those of a program that runs in a page: what the others bring along is
// several times as large.
func commands() []command {
	return []command{
		{"replay", "TRACE", "replay one trace through a policy and a price scheme", replay},
		{"explain", "TRACE --job ID", "explain one job of a replay: its waits, prices and bill", explainJob},
		{"compare", "DIR... | TRACE", "finished runs, or policies on one trace, side by side", compareRuns},
		{"report", "DIR...", "finished runs as one HTML page: tables, distributions, series", report},
		{"list", "[KIND]", "formats, policies, payments, values, behaviours, mechanisms, preferences, fits, columns", list},
		{"version", "", "the program's version", version},
	}
}

func studies() []study { return nil }
