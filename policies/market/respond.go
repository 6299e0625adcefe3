package market

import (
	"fmt"
	"math"
	"slices"
)

// Update is a way of answering the others' bids.
type Update int

// The updates of the paper's section 4.
const (
	// BestResponse is the best there is, on any number of machines: sort and
	// scan, O(n log n) for n wants.
	BestResponse Update = iota
	// LocalSearch bids on at most Rule.Most machines, chosen by swaps.
	LocalSearch
	// Greedy moves one small sum, Rule.Step of the budget, from where the last
	// coin brings least to where it brings most: O(n).
	Greedy
)

// Updates are the names of the updates, in their order.
var Updates = []string{"best-response", "local-search", "greedy"}

// String returns the update's name.
func (u Update) String() string { return Updates[u] }

// Rule is how all users answer.
type Rule struct {
	Update Update
	// Most is the largest number of machines a user bids on, for LocalSearch.
	Most int
	// Step is the money that Greedy moves, as a part of the budget.
	Step float64
}

// Check returns an error if the rule is none.
func (r Rule) Check() error {
	switch {
	case r.Update < BestResponse || r.Update > Greedy:
		return fmt.Errorf("there is no update %d", int(r.Update))
	case r.Update == LocalSearch && r.Most < 1:
		return fmt.Errorf("at most %d machines per user: want 1 or more", r.Most)
	case r.Update == Greedy && !(r.Step > 0 && r.Step <= 1):
		return fmt.Errorf("a step of %g of the budget: want a number above 0 and at most 1", r.Step)
	}
	return nil
}

// Sweep lets every user answer once, in the order of their numbers, each facing
// the latest bids of all others. With u users of n wants each it costs u times
// what the update costs: for BestResponse of 100 wants about 15 us where all of them
// change their order and 1 us near rest, so that a re-bid of a hundred users is a matter
// of milliseconds. The rule must be good (Check).
func (m *Market) Sweep(r Rule) {
	m.recount()
	for i := range m.users {
		if m.users[i].present {
			m.Answer(i, r)
		}
	}
}

// Answer lets one user answer the others' bids.
func (m *Market) Answer(i int, r Rule) {
	u := m.userAt(i)
	if u.budget == 0 || len(u.weights) == 0 {
		return
	}
	if r.Update == Greedy {
		m.adjust(u, r.Step)
		return
	}
	few := r.Update == LocalSearch && r.Most < len(u.weights)
	m.gather(u, few)
	m.count(u, -1)
	clear(u.bids)
	items := m.work.items
	if few {
		items = m.work.search.choose(items, u.budget, r.Most)
		m.work.searches.Made++
		m.work.searches.Rounds += m.work.search.rounds
		if m.work.search.rounds <= 2 {
			m.work.searches.Brief++
		}
		if m.work.search.proved {
			m.work.searches.Proved++
		}
	}
	bid(u, items)
	m.count(u, 1)
}

// item is one machine as a user sees it when they decide: their weight, the others'
// bids, root(weight/others), by which machines are ranked, and root(weight *
// others).
type item struct {
	at            int // index into the user's wants
	weight, other float64
	rank, root    float64
}

// gather lists the user's machines, best first: by weight / others' bids, ties by
// machine. Unless all are wanted it ends with the first that level does not take.
func (m *Market) gather(u *user, all bool) {
	m.rank(u)
	items, roots, money := m.work.items[:0], 0.0, u.budget
	for _, r := range m.work.ranks {
		if !all && len(items) > 0 && r.rank <= roots/money {
			break
		}
		w, y := u.weights[r.at], m.rivalBids(u, r.at)
		it := item{r.at, w, y, r.rank, math.Sqrt(w) * math.Sqrt(y)}
		items, roots, money = append(items, it), roots+it.root, money+y
	}
	m.work.items = items
}

// rank sorts the user's machines. They begin in the order of the time before, which is
// nearly that of now, so that few have to move; if many do, they are sorted afresh.
func (m *Market) rank(u *user) {
	if len(u.order) != len(u.weights) {
		u.order = u.order[:0]
		for k := range u.weights {
			u.order = append(u.order, int32(k))
		}
	}
	ranks, moves := m.work.ranks[:0], 0
	for _, k := range u.order {
		r := ranked{math.Sqrt(u.weights[k] / m.rivalBids(u, int(k))), int(k)}
		ranks = append(ranks, r)
		if moves > 8*len(u.order) {
			continue
		}
		to := len(ranks) - 1
		for ; to > 0 && r.compare(ranks[to-1]) < 0; to-- {
			ranks[to] = ranks[to-1]
			moves++
		}
		ranks[to] = r
	}
	if moves > 8*len(u.order) {
		slices.SortFunc(ranks, ranked.compare)
	}
	for t, r := range ranks {
		u.order[t] = int32(r.at)
	}
	m.work.ranks = ranks
}

// ranked is a machine to be sorted by what it ranks by, the greatest first: little to move
// about.
type ranked struct {
	rank float64
	at   int
}

func (a ranked) compare(b ranked) int {
	switch {
	case a.rank > b.rank:
		return -1
	case a.rank < b.rank:
		return 1
	}
	return a.at - b.at
}

// level finds the best response on ranked machines (section 4.1): it bids on the
// first `count` of them, so that the last coin brings lambda^2 on each, where
//
//	lambda = sum root(w y) / (budget + sum y).
//
// A machine belongs to them as long as its first coin would bring more than the
// last coin brings on those before it: w/y > lambda^2.
func level(items []item, budget float64) (count int, lambda float64) {
	roots, money := 0.0, budget
	for count < len(items) && items[count].rank > roots/money {
		roots += items[count].root
		money += items[count].other
		count++
	}
	return count, roots / money
}

// bid sets the user's bids to the best response on ranked machines. They are
// scaled to the budget, since small bids against large ones are differences of
// nearly equal numbers.
func bid(u *user, items []item) {
	count, lambda := level(items, u.budget)
	sum := 0.0
	for _, it := range items[:count] {
		x := max(0, it.root/lambda-it.other)
		u.bids[it.at] = x
		sum += x
	}
	if sum == 0 {
		// Too little money to be seen next to the others' bids: all on the best.
		u.bids[items[0].at] = u.budget
		return
	}
	for _, it := range items[:count] {
		u.bids[it.at] = u.budget * (u.bids[it.at] / sum)
	}
}

// adjust is the local greedy adjustment (section 4.3). It asks only for the
// marginal utilities, which a user could measure. The least is searched for where they
// bids.
func (m *Market) adjust(u *user, step float64) {
	high, low, best, worst := m.margins(u)
	if worst < 0 || best == worst || !(high > low) {
		return
	}
	x := min(float64(step*u.budget), u.bids[worst])
	m.totals[u.machines[worst]] -= x
	u.bids[worst] -= x
	m.totals[u.machines[best]] += x
	u.bids[best] += x
}

// margins returns the largest marginal utility of all machines the user wants
// and the least of those they bid on, and where they are; -1 if they bid nowhere.
func (m *Market) margins(u *user) (high, low float64, best, worst int) {
	high, low, best, worst = -1, math.Inf(1), -1, -1
	for k, w := range u.weights {
		y := m.rivalBids(u, k)
		paid := u.bids[k] + y
		margin := w * y / (paid * paid)
		if margin > high {
			high, best = margin, k
		}
		if u.bids[k] > 0 && margin < low {
			low, worst = margin, k
		}
	}
	return high, low, best, worst
}
