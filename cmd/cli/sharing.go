package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"bourse/policies/catalog"
	"bourse/policies/lending"
	"bourse/reports/ask/allocation"
	"bourse/reports/ask/lend"
	result "bourse/reports/table"
	"bourse/traces/files"
	"bourse/traces/table"
)

// allocateFlags are the flags of `bourse allocate`.
type allocateFlags struct {
	mechanism string
	totals    string
	weights   string
	lies      bool
	seed      uint64
	optimum   bool
	out       resultTable
}

func (c *allocateFlags) define(f *flags) {
	f.StringVar(&c.mechanism, "mechanism", "drf", "allocation mechanism: "+strings.Join(catalog.Mechanisms.Names(),
		", "))
	f.StringVar(&c.totals, "totals", "", "total of each resource, as `cpu=96,memory=512`, if demands are amounts")
	f.StringVar(&c.weights, "weights", "", "take agents' weights from this `COLUMN`")
	f.BoolVar(&c.lies, "strategy-proofness", false, "search for a false report that pays")
	f.Uint64Var(&c.seed, "seed", 1, "seed of that search")
	f.BoolVar(&c.optimum, "optimum", false,
		"compare with the fair optimum at any size (slow for more than 300 agents with three resources or more)")
	c.out.define(f)
}

func allocate(a *app, f *flags) action {
	var c allocateFlags
	c.define(f)
	return func() error {
		m, err := catalog.Mechanisms.Make(c.mechanism)
		if err != nil {
			return &usageError{err}
		}
		if c.weights != "" && m.Weighted == nil {
			return usagef("--weights has no meaning under %s; drf, unb and family take weights", c.mechanism)
		}
		t, err := table.Read(f.Arg(0), a.stdin)
		if err != nil {
			return err
		}
		in, err := allocation.Read(t, c.weights, c.totals)
		if err != nil {
			return err
		}
		mechanism := m.Share
		if c.weights != "" {
			mechanism = m.Weighted(in.Weights)
		}
		result, err := allocation.Run(in, c.mechanism, mechanism)
		if err != nil {
			return err
		}
		report := result.Report(c.optimum, "--optimum computes it")
		if !c.lies {
			return c.out.print(a, report)
		}
		lie, err := result.Lies(c.seed)
		if err == nil {
			report.Answers = append(report.Answers, lie)
		}
		return cmp.Or(c.out.print(a, report), err)
	}
}

// lendFlags are the flags of `bourse lend`.
type lendFlags struct {
	mechanism  string
	endowments string
	rounds     int
	high, low  float64
	lies       bool
	liar       string
	agents     string
	noTable    bool
	out        resultTable
}

func (c *lendFlags) define(f *flags) {
	f.StringVar(&c.mechanism, "mechanism", "fl", "allocation mechanism: "+strings.Join(catalog.Lenders.Names(),
		", ")+", as in tperiod:2, tperiod:R/2, karma:0.5")
	f.StringVar(&c.endowments, "endowments", lend.MeanDemand,
		"what each agent contributes to a round: its mean demand (mean), 1 (equal), or a table `FILE` with agent "+
			"and endowment")
	f.IntVar(&c.rounds, "rounds", 0, "the number of rounds, where the input is a stream and the mechanism needs it")
	f.Float64Var(&c.high, "high", 1, "utility H of a unit within the demand")
	f.Float64Var(&c.low, "low", 0, "utility L of a unit beyond the demand")
	f.BoolVar(&c.lies, "strategy-proofness", false, "search for false demands that pay, agent by agent (small series)")
	f.StringVar(&c.liar, "liar", "", "search for false demands of this `AGENT` only")
	f.StringVar(&c.agents, "agents", "", "write utility and sharing index of each agent to table `FILE`")
	f.BoolVar(&c.noTable, "summary", false, "print the summary only, no table of allocations")
	f.atLeast("rounds", &c.rounds, 0, "want a number of rounds")
	f.check(c.validate)
	c.out.define(f, &c.agents)
}

func (c *lendFlags) validate() error {
	switch {
	case !(c.high > 0) || math.IsInf(c.high, 1):
		return usagef("--high %g: want a number above 0", c.high)
	case !(c.low >= 0 && c.low <= c.high):
		return usagef("--low %g: want a number from 0 to --high %g", c.low, c.high)
	case c.noTable && c.out.path != "":
		return usagef("--summary writes no table; leave out --out")
	case c.agents == "-":
		return usagef("--agents -: want a file")
	}
	return nil
}

func lendRounds(a *app, f *flags) action {
	var c lendFlags
	c.define(f)
	return func() error {
		mechanism, err := catalog.Lenders.Make(c.mechanism)
		if err != nil {
			return &usageError{err}
		}
		series := &lend.Series{Path: f.Arg(0), Stdin: a.stdin, Stop: a.ctx.Err}
		if err := c.checkStream(series, mechanism); err != nil {
			return err
		}
		pool, err := series.Settle(c.endowments, c.rounds, mechanism.Uses)
		if err != nil {
			return err
		}
		return c.run(a, series, pool, mechanism)
	}
}

// checkStream refuses what cannot be done with a stream, which is read once.
func (c *lendFlags) checkStream(s *lend.Series, m catalog.Lending) error {
	switch {
	case !s.Stream():
		return nil
	case c.endowments == lend.MeanDemand:
		return usagef("a stream is read once, so mean demands are not known when the first round is shared; give " +
			"--endowments FILE or equal, or a file instead of standard input")
	case m.Needs && c.rounds == 0:
		return usagef("%s needs the number of rounds, which is unknown for a stream; give --rounds N, or a file "+
			"instead of standard input", c.mechanism)
	case c.lies || c.liar != "":
		return usagef("a search for lies reads the series again; give a file instead of standard input")
	}
	return nil
}

// run shares all rounds, writes the tables and prints the summary.
func (c *lendFlags) run(a *app, s *lend.Series, pool *lend.Pool, mechanism catalog.Lending) (err error) {
	in, err := s.Open(pool)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	lender, err := mechanism.New(pool.Endow, pool.Rounds)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name(), err)
	}
	account := lending.NewAccount(pool.Endow)
	lent := &lend.Result{Mechanism: c.mechanism, Pool: pool, Account: account, High: c.high, Low: c.low}
	var shares *result.Table
	err = files.Together(func(set *files.Set) error {
		if shares, err = c.share(a, set, in, lender, account); err != nil {
			return err
		}
		return c.out.add(a, set, c.agents, lent.Agents())
	})
	if err != nil {
		return err
	}
	if pool.Rounds > account.Rounds && (mechanism.Needs || mechanism.Uses) {
		fmt.Fprintf(a.stderr, "bourse: the series ended after %d of %d rounds; what %s still owed was not repaid\n",
			account.Rounds, pool.Rounds, c.mechanism)
	}
	report := lent.Report()
	report.Data = shares
	if c.lies || c.liar != "" {
		var lies []string
		lies, err = s.Lies(lent, mechanism, c.liar)
		report.Answers = append(report.Answers, lies...)
	}
	return cmp.Or(c.out.print(a, report), err)
}

// share shares all rounds. Series are as long as anybody likes: where the table is on its own
// it is written round by round, and nil is returned.
func (c *lendFlags) share(a *app, set *files.Set, in *lend.Rounds, lender lending.Lender,
	account *lending.Account) (*result.Table, error) {
	switch {
	case c.noTable:
		return nil, lend.Share(in, lender, account, func([]float64) error { return nil })
	case !c.out.alone():
		return lend.Shares(in, lender, account)
	}
	return nil, c.out.fill(a, set, func(w io.Writer, at, format string) error {
		return lend.WriteShares(w, at, format, Version, in, lender, account)
	})
}
