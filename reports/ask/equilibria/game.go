// Package equilibria looks for an equilibrium of the price-anticipating market: it reads
// weights and budgets, runs package market, and prints what was found.
package equilibria

import (
	"fmt"
	"slices"

	"bourse/policies/market"
	result "bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/suggest"
	"bourse/traces/table"
)

// Game is the weights and budgets of users, with names: rows of (user, machine) in the
// order of the input, and the market they make.
type Game struct {
	name            string // of the input, for messages
	users, machines []string
	user, machine   []int // of each row
	weight          []float64
	budgets         []float64
	market          *market.Market
	budgetsFrom     string // the table of budgets, for messages
	unlisted        int    // users without a row in it
}

// FromTable reads rows of user, machine, weight.
func FromTable(t *table.Table) (*Game, error) {
	g := &Game{name: t.Name}
	users, err := t.Words("user")
	if err != nil {
		return nil, err
	}
	machines, err := t.Words("machine")
	if err != nil {
		return nil, err
	}
	g.weight, err = t.FloatsFor("weight", func(w float64) bool { return w >= 0 && w <= market.Largest },
		fmt.Sprintf("want a number from 0 to %g", market.Largest))
	if err != nil {
		return nil, err
	}
	userOf, machineOf := map[string]int{}, map[string]int{}
	taken := make(map[[2]int]bool, len(users))
	wants := []float64{}
	first := []int{} // row of each user
	for k := range users {
		i, known := userOf[users[k]]
		if !known {
			i = len(g.users)
			userOf[users[k]] = i
			g.users, wants, first = append(g.users, users[k]), append(wants, 0), append(first, k)
		}
		j, known := machineOf[machines[k]]
		if !known {
			j = len(g.machines)
			machineOf[machines[k]] = j
			g.machines = append(g.machines, machines[k])
		}
		if taken[[2]int{i, j}] {
			return nil, t.Fault(k, fmt.Sprintf("user %s has a weight for machine %s already", users[k], machines[k]),
				"want one row per pair")
		}
		taken[[2]int{i, j}] = true
		wants[i] = max(wants[i], g.weight[k])
		g.user, g.machine = append(g.user, i), append(g.machine, j)
	}
	for i, w := range wants {
		if w == 0 {
			return nil, t.Fault(first[i], "user "+g.users[i]+" wants no machine: all weights are 0",
				"leave the user out, or give a weight above 0")
		}
	}
	return g, nil
}

// FromWeights takes the weights above 0 of a whole table.
func FromWeights(name string, p *market.Preferences) *Game {
	g := &Game{name: name, users: p.Users, machines: p.Machines}
	for i, row := range p.Weights {
		for j, w := range row {
			if w > 0 {
				g.user, g.machine, g.weight = append(g.user, i), append(g.machine, j), append(g.weight, w)
			}
		}
	}
	return g
}

// ReadBudgets takes the users' budgets from a table; those not in it have 1.
func (g *Game) ReadBudgets(t *table.Table) error {
	names, err := t.Words("user")
	if err != nil {
		return err
	}
	amounts, err := t.FloatsFor("budget", func(b float64) bool { return b > 0 && b <= market.Largest },
		fmt.Sprintf("want a number above 0 and at most %g; leave out users without money", market.Largest))
	if err != nil {
		return err
	}
	g.budgets = slices.Repeat([]float64{1}, len(g.users))
	number := make(map[string]int, len(g.users))
	for i, name := range g.users {
		number[name] = i
	}
	listed := make([]bool, len(g.users))
	for k, name := range names {
		i, known := number[name]
		switch {
		case !known:
			return t.Fault(k, "user "+name+" has a budget and no weights"+suggest.DidYouMean(name, g.users), "")
		case listed[i]:
			return t.Fault(k, "user "+name+" has a budget already", "want one row per user")
		}
		listed[i], g.budgets[i] = true, amounts[k]
	}
	g.budgetsFrom, g.unlisted = t.Name, len(g.users)-len(names)
	return nil
}

// join builds the market, the reserve being the usual part of the mean budget. normalise
// makes the weights of each user sum to 1.
func (g *Game) join(normalise bool) error {
	if g.budgets == nil {
		g.budgets = slices.Repeat([]float64{1}, len(g.users))
	}
	mean := 0.0
	for _, b := range g.budgets {
		mean += b / float64(len(g.budgets))
	}
	m, err := market.New(len(g.machines), market.Reserve*mean)
	if err != nil {
		return fmt.Errorf("%s: %w", g.name, err)
	}
	wants := make([][]market.Want, len(g.users))
	for k, w := range g.weight {
		if w > 0 {
			wants[g.user[k]] = append(wants[g.user[k]], market.Want{Machine: g.machine[k], Weight: w})
		}
	}
	for i, list := range wants {
		if normalise {
			scale(list)
		}
		if _, err := m.Join(g.budgets[i], list); err != nil {
			return fmt.Errorf("%s: user %s: %w", g.name, g.users[i], err)
		}
	}
	g.market = m
	return nil
}

// scale makes weights sum to 1.
func scale(wants []market.Want) {
	sum := 0.0
	for _, w := range wants {
		sum += w.Weight
	}
	for k := range wants {
		wants[k].Weight /= sum
	}
}

// Columns are the bids and shares, a row for each of the input's.
func (g *Game) Columns() *result.Table {
	columns := &result.Table{Plain: true, Columns: []result.Column{
		result.KeyCol("user", "user"),
		result.KeyCol("machine", "machine"),
		result.Col("bid", "bid", terminal.Fixed(6)), result.Col("share", "share", terminal.Fixed(6))}}
	for k, i := range g.user {
		bid, part := 0.0, 0.0
		if at, ok := slices.BinarySearch(g.market.Wanted(i), int32(g.machine[k])); ok {
			bid, part = g.market.Bids(i)[at], g.market.Share(i, at)
		}
		columns.Add(g.users[i], g.machines[g.machine[k]], bid, part)
	}
	return columns
}

// contested counts the machines no user wants, and those one user wants.
func (g *Game) contested() (none, one int) {
	wanted := make([]int, len(g.machines))
	for k, w := range g.weight {
		if w > 0 {
			wanted[g.machine[k]]++
		}
	}
	for _, n := range wanted {
		switch n {
		case 0:
			none++
		case 1:
			one++
		}
	}
	return none, one
}
