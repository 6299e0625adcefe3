//go:build !js

package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"bourse/engine/scenario"
	"bourse/policies/catalog"
	"bourse/reports/ask/learn"
	"bourse/reports/ask/sweep"
	"bourse/reports/ask/truth"
	"bourse/reports/figures"
	"bourse/traces"
	"bourse/traces/files"
)

// learnFlags are the flags of `bourse learn`.
type learnFlags struct {
	cfg                              learn.Config
	payments, epochs, agents, figure string
	tableFormat
	out outFile
}

// replays is how many EXP3 replays where nothing is said.
const replays = 60

func (l *learnFlags) define(f *flags) {
	s := &l.cfg.Scenario
	*s = scenario.Default()
	s.Policy = catalog.Defaults.Policy // there is nothing to learn without a market
	f.StringVar(&l.payments, "payment", "first,kth,toll", "payment schemes; owners learn under each alone")
	f.StringVar(&l.cfg.Rule, "rule", learn.Hedge,
		"hedge: learn what all bids would have paid, by forks; exp3: what the own bid has paid")
	f.StringVar(&l.epochs, "epochs", "",
		fmt.Sprintf("`weeks` by submission, or the number of resampled logs that are replayed whole (default weeks "+
			"with hedge, %d with exp3)", replays))
	f.StringVar(&l.agents, "agents", "users", "who learns: users, each alone, or the aggressive group as one")
	f.IntVar(&l.cfg.Least, "least", 20, "least number of jobs of users who learn")
	f.IntVar(&l.cfg.Ask, "ask", 0, "hedge asks forks for `N` agents an epoch, at most, drawn anew (default 64 with "+
		"weeks, 4 with whole replays)")
	f.IntVar(&l.cfg.Movers, "movers", 8,
		"ask `N` agents, at most, what bidding another multiple alone would gain, at each that all bid: for the "+
			"game's equilibrium")
	f.Float64Var(&l.cfg.Stop, "stop", .01,
		"stop replays when the average regret has been less after each of 5 epochs; 0 goes on")
	f.IntVar(&l.cfg.Workers, "workers", runtime.NumCPU(), "replays at a time")
	f.StringVar(&l.figure, "figure", "", "also draw the mean factor by epoch as `FILE`.svg, .pdf and .png")
	l.tableFormat.define(f)
	defineScenario(f, s, "payment", "budget", "warm-up", "cool-down")
	l.out.flags(f, "also write what each agent did, knew and got in each epoch "+alsoLine)
	f.atLeast("least", &l.cfg.Least, 1, "want 1 or more")
	f.atLeast("movers", &l.cfg.Movers, 1, "want 1 or more")
	f.check(l.validate)
}

// validate settles what the flags say, before any time is spent.
func (l *learnFlags) validate() (err error) {
	s := &l.cfg.Scenario
	if err := cmp.Or(l.checkFiles(), l.settleEpochs()); err != nil {
		return err
	}
	switch {
	case l.cfg.Ask < 1:
		return usagef("--ask %d: want 1 or more", l.cfg.Ask)
	case !(l.cfg.Stop >= 0 && l.cfg.Stop <= 1):
		return usagef("--stop %g: want a regret from 0 to 1", l.cfg.Stop)
	}
	if err := among("agents", l.agents, []string{"users", learn.Group}); err != nil {
		return err
	}
	l.cfg.Group = l.agents == learn.Group
	if l.cfg.Payments, err = sweep.Expand(l.payments); err != nil || len(l.cfg.Payments) == 0 {
		return usagef("--payment %q: want names separated by commas", l.payments)
	}
	for _, payment := range l.cfg.Payments {
		if name, _, _ := strings.Cut(payment, ":"); slices.Contains(truth.Own, name) {
			return usagef("--payment %s is known only when copies have been followed past the job's end, for "+
				"critical often to the log's, and owners cannot learn from a bill that comes after it; bourse truth "+
				"reckons it", payment)
		}
		if err := s.Set("payment", payment); err != nil {
			return err
		}
	}
	return nil
}

func (l *learnFlags) checkFiles() error {
	if l.figure != "" {
		if err := checkFigure(l.figure, l.out.overwrite); err != nil || l.out.path == "" {
			return err
		}
	}
	return l.out.check()
}

// settleEpochs reads what --epochs says, and what depends on it.
func (l *learnFlags) settleEpochs() (err error) {
	if err := among("rule", l.cfg.Rule, learn.Rules); err != nil {
		return err
	}
	text, ask := l.epochs, 4
	if text == "" && l.cfg.Rule == learn.Hedge {
		text = "weeks"
	}
	switch text = strings.TrimPrefix(text, "replays:"); text {
	case "weeks":
		l.cfg.Weeks, ask = true, 64
	case "", "replays":
		l.cfg.Epochs = replays
	default:
		if l.cfg.Epochs, err = strconv.Atoi(text); err != nil || l.cfg.Epochs < 1 {
			return usagef("--epochs %s: want weeks, or a number of replays, 1 or more", l.epochs)
		}
	}
	if l.cfg.Ask == 0 {
		l.cfg.Ask = ask
	}
	return nil
}

// learnBids lets the owners of a log learn.
func learnBids(a *app, f *flags) action {
	var l learnFlags
	l.define(f)
	a.quietFlag(f)
	return func() (err error) {
		s := &l.cfg.Scenario
		s.Trace = f.Arg(0)
		var result *learn.Result
		line := a.cells()
		l.cfg.Progress = line.done
		err = a.reading(s, nil, func(src traces.Source) (err error) {
			if l.cfg.Jobs, err = traces.Load(traces.Ahead(src)); err == nil {
				result, err = learn.Run(a.ctx, l.cfg)
			}
			return err
		})
		line.end()
		if err != nil {
			return err
		}
		err = files.Together(func(set *files.Set) error {
			if err := l.out.add(a, set, l.out.path, result.Columns()); err != nil || l.figure == "" {
				return err
			}
			return figures.Save(set, l.figure, result.Figure())
		})
		if err != nil {
			return err
		}
		return a.skipped(l.print(a, learn.Report(result.Rows())), l.cfg.Jobs.Header().Ledger)
	}
}
