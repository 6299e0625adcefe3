package market

import (
	"fmt"
	"math"
	"slices"
)

// Want is a user's weight for a machine, above 0.
type Want struct {
	Machine int
	Weight  float64
}

// Market is the state of the game: who wants what, who bids what. Users and
// machines are numbered from 0; numbers of users who left are given out again, the
// last first. A Market is plain data without maps, so that the same calls
// give the same bids, and it is for one goroutine.
//
// Memory is about 24 bytes a want, 28 once they answered, and does not grow with sweeps: a sweep
// allocates nothing once the buffers have their size.
type Market struct {
	reserve  float64
	users    []user
	totals   []float64 // the bids on each machine
	freeUser []int
	work     work
}

// user is one row. The three slices are parallel, in order of the machine.
type user struct {
	present  bool
	budget   float64
	worth    float64 // the sum of the weights: utility if all wants were met
	machines []int32
	weights  []float64
	bids     []float64
	order    []int32 // of the wants when they last answered, best first
}

// New returns a market of machines without users. The reserve is in the money of
// the budgets; Reserve of the mean budget is usual.
func New(machines int, reserve float64) (*Market, error) {
	if machines < 0 || machines > math.MaxInt32 {
		return nil, fmt.Errorf("%d machines: want a number from 0 to %d", machines, math.MaxInt32)
	}
	m := &Market{totals: make([]float64, machines)}
	if err := m.SetReserve(reserve); err != nil {
		return nil, err
	}
	return m, nil
}

// SetReserve replaces the reserve.
func (m *Market) SetReserve(reserve float64) error {
	if !(reserve >= 1/Largest && reserve <= Largest) {
		return fmt.Errorf("a reserve of %g: want a number from %g to %g, or a machine's only user would have no best bid",
			reserve, 1/Largest, Largest)
	}
	m.reserve = reserve
	return nil
}

// Reserve is the usual reserve as a part of the mean budget.
const Reserve = 1e-9

// Of makes the market of a whole table: weights has one row per user, nil budgets are
// all 1, and the reserve is the usual one. Weights of 0 are no wants. Bids are
// proportional to the weights.
func Of(weights [][]float64, budgets []float64) (*Market, error) {
	if budgets != nil && len(budgets) != len(weights) {
		return nil, fmt.Errorf("%d users have %d budgets", len(weights), len(budgets))
	}
	machines, mean := 0, 0.0
	for i, row := range weights {
		machines = max(machines, len(row))
		mean += budget(budgets, i) / float64(len(weights))
	}
	if !(mean > 0) {
		mean = 1 // no user has money, or Join will say what is wrong with it
	}
	m, err := New(machines, Reserve*mean)
	if err != nil {
		return nil, err
	}
	var wants []Want
	for i, row := range weights {
		wants = wants[:0]
		for j, w := range row {
			if w != 0 {
				wants = append(wants, Want{j, w})
			}
		}
		if _, err := m.Join(budget(budgets, i), wants); err != nil {
			return nil, fmt.Errorf("user %d: %w", i+1, err)
		}
	}
	return m, nil
}

func budget(budgets []float64, i int) float64 {
	if budgets == nil {
		return 1
	}
	return budgets[i]
}

// Join adds a user, whose first bids are proportional to their weights, and
// returns their number. A user without budget bids nothing and gets nothing, and so
// does one without wants; negative numbers, NaN, those above Largest, weights of
// 0, machines that are not there and machines named twice are refused. It costs the
// sorting of the wants.
func (m *Market) Join(budget float64, wants []Want) (int, error) {
	if err := m.check(budget, wants); err != nil {
		return 0, err
	}
	i := len(m.users)
	if n := len(m.freeUser); n > 0 {
		i, m.freeUser = m.freeUser[n-1], m.freeUser[:n-1]
	} else {
		m.users = append(m.users, user{})
	}
	u := &m.users[i]
	u.present, u.budget = true, budget
	u.machines, u.weights, u.bids = u.machines[:0], u.weights[:0], u.bids[:0]
	u.setWants(wants)
	u.spread(0, &m.work)
	m.count(u, 1)
	return i, nil
}

// Leave takes a user and their bids away. It costs the number of their wants.
func (m *Market) Leave(i int) {
	u := m.userAt(i)
	m.count(u, -1)
	u.present, u.budget, u.worth = false, 0, 0
	u.machines, u.weights, u.bids = u.machines[:0], u.weights[:0], u.bids[:0]
	m.freeUser = append(m.freeUser, i)
}

// SetBudget changes a user's budget and their bids in proportion.
func (m *Market) SetBudget(i int, budget float64) error {
	if err := checkBudget(budget); err != nil {
		return err
	}
	u := m.userAt(i)
	m.count(u, -1)
	u.budget = budget
	u.rescale(&m.work)
	m.count(u, 1)
	return nil
}

// Reserve returns the reserve of each machine.
func (m *Market) Reserve() float64 { return m.reserve }

// Users returns the number of user numbers given out so far: all users are below.
func (m *Market) Users() int { return len(m.users) }

// Machines is the same for machines.
func (m *Market) Machines() int { return len(m.totals) }

// Present reports whether user i is there.
func (m *Market) Present(i int) bool { return i >= 0 && i < len(m.users) && m.users[i].present }

// Budget returns a user's budget.
func (m *Market) Budget(i int) float64 { return m.userAt(i).budget }

// Wanted returns the machines a user wants, in order, and Weights and Bids what
// belongs to each. The slices are the market's own: they are for reading, until
// the next change.
func (m *Market) Wanted(i int) []int32 { return m.userAt(i).machines }

// Weights returns a user's weights, parallel to Wanted.
func (m *Market) Weights(i int) []float64 { return m.userAt(i).weights }

// Bids returns a user's bids, parallel to Wanted.
func (m *Market) Bids(i int) []float64 { return m.userAt(i).bids }

// SetBids replaces a user's bids, in the order of Wanted: a start chosen by the caller.
// They must sum to the budget, but for rounding.
func (m *Market) SetBids(i int, bids []float64) error {
	u := m.userAt(i)
	if len(bids) != len(u.bids) {
		return fmt.Errorf("%d bids for %d machines", len(bids), len(u.bids))
	}
	sum := 0.0
	for _, x := range bids {
		if !(x >= 0) {
			return fmt.Errorf("a bid of %g: want 0 or more", x)
		}
		sum += x
	}
	if !(math.Abs(sum-u.budget) <= 1e-9*u.budget) {
		return fmt.Errorf("the bids sum to %g, the budget is %g", sum, u.budget)
	}
	m.count(u, -1)
	copy(u.bids, bids)
	m.count(u, 1)
	return nil
}

// Price returns the sum of bids on a machine.
func (m *Market) Price(j int) float64 { return m.totals[j] }

// Clone returns an independent copy.
func (m *Market) Clone() *Market {
	c := &Market{
		reserve: m.reserve, users: slices.Clone(m.users), totals: slices.Clone(m.totals),
		freeUser: slices.Clone(m.freeUser),
	}
	for i := range c.users {
		u := &c.users[i]
		u.machines, u.weights, u.bids, u.order = slices.Clone(u.machines), slices.Clone(u.weights), slices.Clone(u.bids),
			slices.Clone(u.order)
	}
	return c
}

// userAt returns a user who must be there; anything else is a fault of the caller.
func (m *Market) userAt(i int) *user {
	if !m.Present(i) {
		panic(fmt.Sprintf("market: there is no user %d", i))
	}
	return &m.users[i]
}
