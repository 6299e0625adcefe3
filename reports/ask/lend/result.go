package lend

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"bourse/policies/share"
	"bourse/reports/record"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Result is what a mechanism did in all rounds.
type Result struct {
	Mechanism string // with its parameters
	Pool      *Pool
	Account   *share.Account
	High, Low float64 // utility of a unit within the demand, and beyond it
}

// WriteShares shares all rounds and writes a row for each agent and round.
func WriteShares(w io.Writer, at, format, version string, in *Rounds, lender share.Lender,
	account *share.Account) error {
	out, err := record.NewShares(w, at, format, version)
	if err != nil {
		return err
	}
	var row record.AgentRound
	err = Share(in, lender, account, func(alloc []float64) error {
		for i, x := range alloc {
			row.Round, row.Agent, row.Demand, row.Allocation = in.Round, in.Pool.Names[i], in.Demand[i], x
			if err := out.Add(&row); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, out.Finish())
}

// Agents has a row for each agent.
func (r *Result) Agents() *table.Table {
	p, account := r.Pool, r.Account
	columns := table.Data("agent", "endowment", "demand", "allocation", "within_demand", "utility", "static_utility",
		"sharing_index")
	for i, name := range p.Names {
		index, known := account.SharingIndex(i)
		if !known {
			index = math.NaN()
		}
		columns.Add(name, p.Endow[i], account.Demand[i], account.Alloc[i], account.Within[i],
			account.Utility(i, r.High, r.Low), account.StaticUtility(i, r.High, r.Low), index)
	}
	return columns
}

// Print writes welfare beside that of static shares, and the sharing indices.
func (r *Result) Print(w io.Writer) error {
	p, account := r.Pool, r.Account
	sum := 0.0
	for _, e := range p.Endow {
		sum += e
	}
	fmt.Fprintf(w, "%s: %s agents, %s rounds of %g, H = %g, L = %g\n", r.Mechanism,
		terminal.Thousands(int64(len(p.Names))),
		terminal.Thousands(int64(account.Rounds)), sum, r.High, r.Low)
	if n := p.Idle(); n > 0 {
		fmt.Fprintf(w, "%d more agents demand nothing in any round and are left out\n", n)
	}
	welfare, static := account.Welfare(r.High, r.Low)
	demand, within, byStatic := 0.0, 0.0, 0.0
	for i := range p.Endow {
		demand, within, byStatic = demand+account.Demand[i], within+account.Within[i], byStatic+account.Static[i]
	}
	fmt.Fprintln(w)
	t := &table.Table{Columns: table.Headed(terminal.General, "result", r.Mechanism, "static", r.Mechanism+" / static")}
	row := func(name string, x, y float64) {
		t.Add(name, fmt.Sprintf("%.6g", x), fmt.Sprintf("%.6g", y), ratioText(x, y))
	}
	row("welfare", welfare, static)
	row("demand met", within, byStatic)
	if demand > 0 {
		t.Add("of all demand", fmt.Sprintf("%.4f", within/demand), fmt.Sprintf("%.4f", byStatic/demand))
	}
	if err := table.Print(w, &table.Report{Tables: []*table.Table{t}}); err != nil {
		return err
	}
	index := account.Indices()
	if len(index) == 0 {
		_, err := fmt.Fprintln(w, "\nsharing index: undefined, as no agent demands anything")
		return err
	}
	slices.Sort(index)
	mean, below := 0.0, 0
	for _, x := range index {
		if mean += x / float64(len(index)); x < 1-1e-9 {
			below++
		}
	}
	_, err := fmt.Fprintf(w, "\nsharing index of %d agents: least %.4f, median %.4f, mean %.4f, largest %.4f; %d are "+
		"below 1\n",
		len(index), index[0], index[len(index)/2], mean, index[len(index)-1], below)
	return err
}

func ratioText(x, y float64) string {
	if y == 0 {
		return "-"
	}
	return fmt.Sprintf("%.4f", x/y)
}
