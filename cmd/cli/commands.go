//go:build !js

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// commands is the literal list, in the order help shows it.
func commands() []command {
	return []command{
		replayCommand(),
		explainCommand(),
		{
			Name: "sweep", Args: "TRACE...", Run: runSweep,
			Line:  "a grid of replays: policies, payments, behaviours, seeds ...",
			Takes: "one trace or more", Least: 1, Most: many,
			Example: "bourse sweep log.swf.gz --nodes 105 --serial --policy hb,nphb,wspt --payment first,kth \\\n" +
				"  --behaviour 'srg(beta={.05,.25,.5,.9})' --seeds 10 --out cells",
		},
		{
			Name: "merge", Args: "DIR", Run: merge,
			Line:  "complete a sweep that was run in shards",
			Takes: "the directory of a sweep", Least: 1, Most: 1,
			Example: "bourse merge cells",
		},
		{
			Name: "game", Args: "DIR...", Run: solveGame,
			Line:  "payoff matrices and equilibria from a sweep",
			Takes: "the directories of sweeps", Least: 1, Most: many,
			Example: "bourse sweep log.swf --policy hb,nphb,wspt --payment first,kth --behaviour " +
				"'srg(beta={.1,.5,.9})' --seeds 10 --out cells\n" +
				"bourse game cells",
		},
		{
			Name: "regret", Args: "TRACE", Run: measureRegret,
			Line:  "what jobs would gain by lying, all other bids held fixed",
			Takes: "one trace", Least: 1, Most: 1,
			Example: "bourse regret log.swf.gz --nodes 105 --serial --policy hb --payment first,kth --jobs 500",
		},
		{
			Name: "truth", Args: "TRACE", Run: askTruth,
			Line:  "which payments make honest bids best, and what they cost: k-th, critical, Clarke",
			Takes: "one trace", Least: 1, Most: 1,
			Example: "bourse truth log.swf.gz --policy hb,wspt --payment first,kth,critical,clarke --jobs 100",
		},
		{
			Name: "validate", Args: "TRACE", Run: validateLog,
			Line:  "compare simulated schedules with the one recorded in the log",
			Takes: "one trace", Least: 1, Most: 1,
			Example: "bourse validate log.swf.gz --policy easy,conservative,fcfs",
		},
		{
			Name: "calibrate", Args: "TRACE", Run: calibrateSite,
			Line:  "why jobs waited, and a model of the site fitted from the log, judged on weeks it was not fitted to",
			Takes: "one trace", Least: 1, Most: 1,
			Example: "bourse calibrate log.swf.gz --out site.toml\nbourse compare log.swf.gz --policy 'easy,easy(order=sjf)' --site site.toml",
		},
		{
			Name: "predict", Args: "TRACE", Run: predictWait,
			Line:  "when a job would start: its wait at many instants of the log",
			Takes: "one trace", Least: 1, Most: 1,
			Example: "bourse predict log.swf.gz --procs 64 --run 2h --at 'mon 09:00'",
		},
		{
			Name: "episodes", Args: "TRACE", Run: serveEpisodes,
			Line:  "replays that a program decides, one after the other over a socket: environments for learning",
			Takes: "one trace", Least: 1, Most: 1,
			Example: "bourse episodes 'synth:lublin?jobs=200&procs=64&seed={seed}' --socket PATH",
		},
		{
			Name: "learn", Args: "TRACE", Run: learnBids,
			Line:  "what owners learn to bid over many epochs, and what that costs",
			Takes: "one trace", Least: 1, Most: 1,
			Example: "bourse learn log.swf.gz --policy hb --payment first,kth,toll --figure paths\n" +
				"bourse learn log.swf.gz --rule exp3 --epochs 200 --resample=weeks=4",
		},
		{
			Name: "rerun", Args: "DIR", Usage: "DIR|manifest.json", Run: rerun,
			Line:  "rerun a finished replay, sweep or study from its manifest and compare the results",
			Takes: "the directory of a finished run, sweep or study, or its manifest", Least: 1, Most: 1,
			Example: "bourse rerun out\nbourse rerun cells --trace /data/log.swf.gz",
		},
		{
			Name: "bundle", Args: "DIR", Run: makeBundle,
			Line:  "one folder of a finished replay, sweep or study to hand over: inputs, command, results, verify.sh",
			Takes: "the directory of a finished run, sweep or study", Least: 1, Most: 1,
			Example: "bourse bundle out --out artifact\nsh artifact/verify.sh",
		},
		compareCommand(),
		reportCommand(),
		{
			Name: "plot", Args: "SWEEP | DIR...", Run: plotFigure,
			Line:  "a figure for a paper: a measure of a sweep, or a distribution over jobs",
			Takes: "the directory of a sweep, or those of finished runs", Least: 1, Most: many,
			Example: "bourse plot sweep --x load-factor --y bounded_slowdown --series policy\n" +
				"bourse plot out/easy out/fcfs --x wait_s --out waits",
		},
		{
			Name: "trace inspect", Args: "TRACE", Run: traceInspect,
			Line:  "header, counts, spans, anomalies, histograms; two traces side by side",
			Takes: "one trace", Least: 1, Most: 1,
			Example: "bourse trace inspect log.swf.gz\n" +
				"bourse trace inspect log.swf.gz --compare 'synth:lublin?jobs=10000'",
		},
		{
			Name: "trace convert", Args: "TRACE FILE", Run: traceConvert,
			Line:  "write a trace as workload Parquet or SWF",
			Takes: "a trace and the file to write", Least: 2, Most: 2,
			Example: "bourse trace convert log.swf.gz log.parquet --where 'run > 0'",
		},
		{
			Name: "trace synth", Args: "MODEL [FILE]", Run: traceSynth,
			Line:  "write a synthetic workload as SWF, or a synthetic Google trace",
			Takes: "a model and, if not to standard output, a file", Least: 1, Most: 2,
			Example: "bourse trace synth 'lublin?jobs=10000&procs=128&seed=1' log.swf.gz\n" +
				"bourse trace synth 'google2011?machines=12500&days=29&tasks=25e6&seed=1' DIR",
		},
		{
			Name: "trace list", Args: "[NAME...]", Run: traceList,
			Line:  "public traces by name: where they are, terms, what to cite, which are here",
			Takes: "names of traces", Most: many,
			Example: "bourse trace list\nbourse trace list kth-sp2\nbourse trace list --where 'requests > .9 && load > .6'",
		},
		{
			Name: "trace get", Args: "NAME...", Run: traceGet,
			Line:  "download public logs by name; verifies checksums, never overwrites",
			Takes: "names of traces; bourse trace list has them", Least: 1, Most: many,
			Example: "bourse trace get kth-sp2 ctc-sp2\nbourse trace get kth-sp2 --dir traces",
		},
		{
			Name: "trace verify", Args: "[NAME...]", Run: traceVerify,
			Line:  "check downloaded logs against their checksums, offline",
			Takes: "names of traces", Most: many,
			Example: "bourse trace verify\nbourse trace verify kth-sp2",
		},
		{
			Name: "trace demand", Args: "TRACE", Run: traceDemand,
			Line:  "demand of each agent in each round",
			Takes: "one trace", Least: 1, Most: 1,
			Example: "bourse trace demand log.swf.gz --by user --every 5m --out demand.parquet",
		},
		{
			Name: "allocate", Args: "FILE", Run: allocate,
			Line:  "share several resources among agents once",
			Takes: "one table", Least: 1, Most: 1,
			Example: "bourse allocate demands.csv --mechanism 'bal*' --totals cpu=96,memory=512\n\n" +
				"FILE has the columns agent and one for each resource: the demand of one task,\n" +
				"as a fraction of the total, or as an amount with --totals. - is standard input.",
		},
		{
			Name: "lend", Args: "FILE", Run: lendRounds,
			Line:  "share one resource round by round: static, smm, dmm, fl, tperiod, karma",
			Takes: "one table", Least: 1, Most: 1,
			Example: "bourse lend demands.parquet --mechanism fl --endowments equal\n\n" +
				"FILE has the columns round, agent and demand, in order of rounds, one row for each\n" +
				"agent that demands something. - is standard input.",
		},
		apportionCommand(),
		{
			Name: "equilibrium", Args: "[FILE]", Run: equilibrium,
			Line:  "equilibrium of the price-anticipating market: bids, shares and their worth",
			Takes: "one table or trace", Most: 1,
			Example: "bourse equilibrium weights.csv --budgets budgets.csv --max-machines 5\n" +
				"bourse equilibrium --preferences 'uniform(users=40,machines=100)'\n" +
				"bourse equilibrium --preferences trace log.swf.gz\n\n" +
				"FILE has the columns user, machine and weight; pairs that are not in it have\n" +
				"weight 0. - is standard input.",
		},
		{
			Name: "reproduce", Args: "STUDY", Run: reproduce,
			Line:  "a paper's tables and figures next to the published ones",
			Takes: "the name of a study", Most: many,
			Example: "bourse reproduce untruthful-bids --out study-a",
		},
		{
			Name: "policy check", Args: "POLICY", Run: checkPolicy,
			Line:  "try a policy of your own on random workloads: legal, repeatable, fair to copies",
			Takes: "one policy", Least: 1, Most: 1,
			Example: "bourse policy check 'script:fair.star(halflife=3600)'",
		},
		listCommand(),
		{
			Name: "completion", Args: "SHELL", Usage: "bash|zsh|fish", Run: completion,
			Line:  "a script that lets bash, zsh or fish complete commands, flags and names",
			Takes: "the name of a shell", Least: 1, Most: 1,
			Example: "source <(bourse completion bash)    # in ~/.bashrc\n" +
				"bourse completion fish > ~/.config/fish/completions/bourse.fish",
		},
		versionCommand(),
	}
}

// notifyHangup is for terminals that go, unless the program is to outlive them, as under nohup.
func notifyHangup(signals chan<- os.Signal) {
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
}
