package lend

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"bourse/policies/lending"
	"bourse/reports/record"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Result is what a mechanism did in all rounds.
type Result struct {
	Mechanism string // with its parameters
	Pool      *Pool
	Account   *lending.Account
	High, Low float64 // utility of a unit within the demand, and beyond it
}

// WriteShares shares all rounds and writes a row for each agent and round.
func WriteShares(w io.Writer, at, format, version string, in *Rounds, lender lending.Lender,
	account *lending.Account) error {
	out, err := record.NewShares(w, at, format, version)
	if err != nil {
		return err
	}
	return errors.Join(eachShare(in, lender, account, out.Add), out.Finish())
}

// Shares shares all rounds into a table in memory.
func Shares(in *Rounds, lender lending.Lender, account *lending.Account) (*table.Table, error) {
	t := &table.Table{Plain: true, Columns: []table.Column{{Name: "round", Heading: "round", Key: true},
		table.KeyCol("agent", "agent"),
		table.Col("demand", "demand", terminal.Significant(6)),
		table.Col("allocation", "allocation", terminal.Significant(6))}}
	err := eachShare(in, lender, account, func(r *record.AgentRound) error {
		t.Add(r.Round, r.Agent, r.Demand, r.Allocation)
		return nil
	})
	return t, err
}

// eachShare shares all rounds and calls row for each agent and round.
func eachShare(in *Rounds, lender lending.Lender, account *lending.Account, row func(*record.AgentRound) error) error {
	var r record.AgentRound
	return Share(in, lender, account, func(alloc []float64) error {
		for i, x := range alloc {
			r.Round, r.Agent, r.Demand, r.Allocation = in.Round, in.Pool.Names[i], in.Demand[i], x
			if err := row(&r); err != nil {
				return err
			}
		}
		return nil
	})
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

// Report has welfare next to that of static shares, and the sharing indices.
func (r *Result) Report() *table.Report {
	p, account := r.Pool, r.Account
	sum := 0.0
	for _, e := range p.Endow {
		sum += e
	}
	t := &table.Table{Name: "welfare", Columns: []table.Column{
		table.KeyCol("result", "result"),
		table.Col("value", r.Mechanism, terminal.Significant(6)), table.Col("static", "static", terminal.Significant(6)),
		table.Col("ratio", r.Mechanism+" / static", terminal.Fixed(4))}}
	t.Title = fmt.Sprintf("%s: %s agents, %s rounds of %g, H = %g, L = %g", r.Mechanism,
		terminal.Thousands(int64(len(p.Names))), terminal.Thousands(int64(account.Rounds)), sum, r.High, r.Low)
	if n := p.Idle(); n > 0 {
		t.Title += fmt.Sprintf("; %d more agents demand nothing in any round and are left out", n)
	}
	demand, within, byStatic := 0.0, 0.0, 0.0
	for i := range p.Endow {
		demand, within, byStatic = demand+account.Demand[i], within+account.Within[i], byStatic+account.Static[i]
	}
	row := func(name string, x, y float64) {
		ratio := x / y
		if y == 0 {
			ratio = math.NaN()
		}
		t.Add(name, x, y, ratio)
	}
	welfare, static := account.Welfare(r.High, r.Low)
	row("welfare", welfare, static)
	row("demand met", within, byStatic)
	if demand > 0 {
		t.Add("of all demand", part(within/demand), part(byStatic/demand))
	}
	return &table.Report{Tables: []*table.Table{t}, Answers: []string{r.indices()}}
}

// part is a cell of a part of 1.
func part(x float64) table.Cell { return table.Number(x).As(terminal.Fixed(4).Text(x)) }

// indices says how the agents' sharing indices are distributed.
func (r *Result) indices() string {
	index := r.Account.Indices()
	if len(index) == 0 {
		return "sharing index: undefined, as no agent demands anything"
	}
	slices.Sort(index)
	mean, below := 0.0, 0
	for _, x := range index {
		if mean += x / float64(len(index)); x < 1-1e-9 {
			below++
		}
	}
	return fmt.Sprintf("sharing index of %d agents: least %.4f, median %.4f, mean %.4f, largest %.4f; %d are below 1",
		len(index), index[0], index[len(index)/2], mean, index[len(index)-1], below)
}
