package main

import (
	"fmt"
	"slices"

	"bourse/policies/catalog"
	"bourse/policies/market"
	"bourse/reports/record"
	"bourse/traces/suggest"
	"bourse/traces/table"
)

// bidders are one game with its names: rows of (user, machine) in the order of
// the input, and the market they make.
type bidders struct {
	users, machines []string
	user, machine   []int // of each row
	weight          []float64
	market          *market.Market
	unlisted        int // users without a row in the table of budgets
	leftOut         int // jobs of a trace that have no part in the weights
}

// read makes the game.
func (c *equilibriumFlags) read(a *app, from catalog.Preference, path string) (*bidders, error) {
	g := &bidders{}
	var err error
	name := path
	switch {
	case from.Table:
		var t *table.Table
		if t, err = table.Read(path, a.stdin); err == nil {
			name = t.Name
			err = g.fromTable(t)
		}
	case from.Trace:
		err = c.fromTrace(a, g, path, from.By)
	default:
		name = c.preferences
		g.fromWeights(from.Draw(c.seed))
	}
	if err != nil {
		return nil, err
	}
	budgets := slices.Repeat([]float64{1}, len(g.users))
	if c.budgets != "" {
		if err := g.readBudgets(a, c.budgets, budgets); err != nil {
			return nil, err
		}
	}
	return g, g.join(name, budgets, !c.raw)
}

// fromTable reads rows of user, machine, weight.
func (g *bidders) fromTable(t *table.Table) error {
	users, err := t.Words("user")
	if err != nil {
		return err
	}
	machines, err := t.Words("machine")
	if err != nil {
		return err
	}
	if g.weight, err = t.Floats("weight"); err != nil {
		return err
	}
	if err := every(t, "weight", g.weight, func(w float64) bool { return w >= 0 && w <= market.Largest }, fmt.Sprintf("want a number from 0 to %g", market.Largest)); err != nil {
		return err
	}
	userOf, machineOf := map[string]int{}, map[string]int{}
	taken := make(map[[2]int]struct{}, len(users))
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
		if _, twice := taken[[2]int{i, j}]; twice {
			return t.Fault(k, fmt.Sprintf("user %s has a weight for machine %s already", users[k], machines[k]), "want one row per pair")
		}
		taken[[2]int{i, j}] = struct{}{}
		wants[i] = max(wants[i], g.weight[k])
		g.user, g.machine = append(g.user, i), append(g.machine, j)
	}
	for i, w := range wants {
		if w == 0 {
			return t.Fault(first[i], "user "+g.users[i]+" wants no machine: all weights are 0", "leave the user out, or give a weight above 0")
		}
	}
	return nil
}

// fromTrace makes weights of what users did.
func (c *equilibriumFlags) fromTrace(a *app, g *bidders, path string, by market.By) (err error) {
	c.reading.Trace = path
	src, err := a.open(&c.reading, nil)
	if err != nil {
		return err
	}
	defer func() { closing(src, &err) }()
	p, leftOut, err := market.FromTrace(interruptible{src, a}, by)
	if err != nil {
		return advise(&c.reading, err)
	}
	g.leftOut = leftOut
	g.fromWeights(p)
	return nil
}

// fromWeights takes the weights above 0 of a whole table.
func (g *bidders) fromWeights(p *market.Preferences) {
	g.users, g.machines = p.Users, p.Machines
	for i, row := range p.Weights {
		for j, w := range row {
			if w > 0 {
				g.user, g.machine, g.weight = append(g.user, i), append(g.machine, j), append(g.weight, w)
			}
		}
	}
}

// readBudgets sets the budgets of the users in the table.
func (g *bidders) readBudgets(a *app, path string, budgets []float64) error {
	t, err := table.Read(path, a.stdin)
	if err != nil {
		return err
	}
	names, err := t.Words("user")
	if err != nil {
		return err
	}
	amounts, err := t.Floats("budget")
	if err != nil {
		return err
	}
	if err := every(t, "budget", amounts, func(b float64) bool { return b > 0 && b <= market.Largest }, fmt.Sprintf("want a number above 0 and at most %g; leave out users without money", market.Largest)); err != nil {
		return err
	}
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
		listed[i], budgets[i] = true, amounts[k]
	}
	g.unlisted = len(g.users) - len(names)
	return nil
}

// join builds the market, the reserve being the usual part of the mean budget.
func (g *bidders) join(name string, budgets []float64, normalise bool) error {
	mean := 0.0
	for _, b := range budgets {
		mean += b / float64(len(budgets))
	}
	m, err := market.New(len(g.machines), market.Reserve*mean)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
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
		if _, err := m.Join(budgets[i], list); err != nil {
			return fmt.Errorf("%s: user %s: %w", name, g.users[i], err)
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

// columns are the bids and shares, a row for each of the input's.
func (g *bidders) columns() []record.Values {
	users, machines := make([]string, len(g.user)), make([]string, len(g.user))
	bids, shares := make([]float64, len(g.user)), make([]float64, len(g.user))
	for k, i := range g.user {
		users[k], machines[k] = g.users[i], g.machines[g.machine[k]]
		if at, ok := slices.BinarySearch(g.market.Wanted(i), int32(g.machine[k])); ok {
			bids[k], shares[k] = g.market.Bids(i)[at], g.market.Share(i, at)
		}
	}
	return []record.Values{
		{Name: "user", Words: users}, {Name: "machine", Words: machines}, {Name: "bid", Floats: bids}, {Name: "share", Floats: shares},
	}
}
