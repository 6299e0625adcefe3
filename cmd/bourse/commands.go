//go:build !js

package main

// commands is the literal list, in the order help shows it.
func commands() []command {
	return []command{
		{"replay", "TRACE", "replay one trace through a policy and a price scheme", replay},
		{"explain", "TRACE --job ID", "explain one job of a replay: its waits, prices and bill", explainJob},
		{"sweep", "TRACE...", "a grid of replays: policies, payments, behaviours, seeds ...", runSweep},
		{"merge", "DIR", "complete a sweep that was run in shards", merge},
		{"game", "DIR...", "payoff matrices and equilibria from a sweep", playGame},
		{"regret", "TRACE", "what jobs would gain by lying, all other bids held fixed", measureRegret},
		{"truth", "TRACE", "what makes honest bids pay, and what that costs: k-th, critical, Clarke payments", askTruth},
		{"validate", "TRACE", "how near simulated schedules of a log are to the one it records", validateLog},
		{"learn", "TRACE", "what owners learn to bid over many epochs, and what that costs", letLearn},
		{"rerun", "DIR", "repeat a finished replay, sweep or study from its manifest and say what differs", rerun},
		{"bundle", "DIR", "one folder of a finished replay, sweep or study to hand over: inputs, command, results, verify.sh", makeBundle},
		{"compare", "DIR... | TRACE", "finished runs, or policies on one trace, side by side", compareRuns},
		{"report", "DIR...", "finished runs as one HTML page: tables, distributions, series", report},
		{"plot", "SWEEP | DIR...", "a figure for a paper: a measure of a sweep, or a distribution over jobs", plotFigure},
		{"trace inspect", "TRACE", "header, counts, spans, anomalies, histograms; two traces side by side", traceInspect},
		{"trace convert", "TRACE FILE", "write a trace as workload Parquet or SWF", traceConvert},
		{"trace synth", "MODEL [FILE]", "write a synthetic workload as SWF, or a synthetic Google trace", traceSynth},
		{"trace list", "[NAME...]", "public traces by name: where they are, terms, what to cite, which are here", traceList},
		{"trace get", "NAME...", "fetch public traces by name, checked and never over a file that is there", traceGet},
		{"trace verify", "[NAME...]", "hold the public traces that are here against their hashes, without a network", traceVerify},
		{"trace demand", "TRACE", "demand of each agent in each round", traceDemand},
		{"allocate", "FILE", "share several resources among agents once", allocate},
		{"lend", "FILE", "share one resource round by round: static, smm, dmm, fl, tperiod, karma", lendRounds},
		{"equilibrium", "[FILE]", "equilibrium of the price-anticipating market: bids, shares and their worth", equilibrium},
		{"reproduce", "STUDY", "a paper's tables and figures beside the published ones", reproduce},
		{"policy check", "POLICY", "try a policy of your own on random workloads: legal, repeatable, fair to copies", checkPolicy},
		{"list", "[KIND]", "formats, policies, payments, values, behaviours, mechanisms, preferences, fits, columns", list},
		{"completion", "SHELL", "a script that lets bash, zsh or fish complete commands, flags and names", completion},
		{"version", "", "the program's version", version},
	}
}

// studies is the literal list, in the order help shows it.
func studies() []study {
	return []study{
		{"untruthful-bids", "Shudler, Amar, Barak and Mu'alem, The Effects of Untruthful Bids on User Utilities and Stability in Computing Markets",
			"who gains by underbidding, under which price: figures, payoff matrices, equilibria", reproduceUntruthful},
		{"price-anticipating", "Feldman, Lai and Zhang, A Price-Anticipating Resource Allocation Mechanism for Distributed Shared Clusters",
			"users who spread budgets over machines: equilibria, efficiency and fairness", reproducePriceAnticipating},
		{"dynamic-sharing", "Freeman, Zahedi, Conitzer and Lee, Dynamic Proportional Sharing: A Game-Theoretic Approach",
			"lending resources over time: welfare, sharing indices and lies on Google, random and log demands", reproduceDynamicSharing},
		{"multi-resource", "Bei, Li and Luo, Fair and Efficient Multi-Resource Allocation for Cloud Computing",
			"DRF and its successors: fair ratios, random and Google instances", reproduceMultiResource},
		{"fragmentation", "Weng et al., Beware of Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent",
			"GPU placement policies on 1,213 machines: allocation and fragmentation by load, digit by digit; with --closed-loop also who waits", reproduceFragmentation},
		{"together", "our own: the mechanisms of the four papers in one closed loop on the same logs",
			"cost of waiting, revenue, slowdown, fairness, envy and what lies gain, side by side", reproduceTogether},
		{"atlas", "our own: every scheduler on every log at hand",
			"which schedulers rank first, what holds on all logs, what depends on the log; at once from figures that come with the program", reproduceAtlas},
	}
}
