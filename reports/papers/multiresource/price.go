package multiresource

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"bourse/policies/share"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// strategic are mechanisms with all four properties for any number of resources.
var strategic = []mechanism{
	{"drf", share.DRF},
	{"family:1", share.Family(share.Coordinate(1), nil)},
	{"family:2", share.Family(share.Coordinate(2), nil)},
	{"family:sum", share.Family(share.Sum, nil)},
	{"family:product", share.Family(share.Product, nil)},
}

// trap is an instance of Lemma 15 or 16 after one agent of each small group, the
// j-th, has changed its report, with the fair allocation of the proof. Any
// strategy-proof mechanism does badly for some j.
type trap struct {
	demands share.Demands
	fair    []float64
}

// The entries that keep agents of a group from envying each other grow by a
// factor from one to the next. The paper takes n^2, which leaves the range of
// floating numbers for a few tens of agents; what its proofs use is that the
// factor is at least n for m = 3 and the size of the group for more, so that is
// taken here, and the allocation checked for envy.
//
// newTrap builds the instance for m resources, `small` agents in each of the
// groups 2 to m (only group 2 if m is 3) and n in all; j counts from 1.
func newTrap(m, n, small, j int) trap {
	c := trapShape{m, n, small, j}
	groups := c.groups()
	d := repeat(nil, n-groups*small, trapRow(m, n)...)
	x := make([]float64, n)
	for i := range x {
		x[i] = 1 / float64(n)
	}
	// lent is what the changed agents get in proportion to each other.
	lent := make([]float64, n)
	for k := 1; k <= groups; k++ {
		for i := 1; i <= small; i++ {
			v := c.row(k, i)
			// In Lemma 16 the first j agents get equal parts of resource 1, in
			// Lemma 15 only the changed ones are raised.
			if at := len(d); i == j || m == 3 && i < j {
				lent[at] = 1 / v[0]
			}
			d = append(d, v)
		}
	}
	level := math.Inf(1)
	kept := append([]float64(nil), x...)
	for i, l := range lent {
		if l > 0 {
			kept[i] = 0
		}
	}
	fixed, slope := d.Used(kept), d.Used(lent)
	for r := range fixed {
		if slope[r] > 0 {
			level = min(level, (1-fixed[r])/slope[r])
		}
	}
	for i, l := range lent {
		if l > 0 {
			x[i] = level * l
		}
	}
	return trap{d, x}
}

// trapShape is what newTrap is given.
type trapShape struct{ m, n, small, j int }

// groups is the number of small groups.
func (c trapShape) groups() int {
	if c.m == 3 {
		return 1
	}
	return c.m - 1
}

// row is the demand of the i-th agent, from 1, of the group whose dominant
// resource is k, from 0; that of the j-th after its change.
func (c trapShape) row(k, i int) []float64 {
	v := make([]float64, c.m)
	v[0], v[k] = .5, 1
	small, n := float64(c.small), float64(c.n)
	grow, factor := 2*small, small/n
	if c.m == 3 {
		v[0], grow, factor = 1/small, n, small*(small-1)/(float64(i)*n)
	}
	least := math.Pow(n, -3) * math.Pow(grow, -small)
	if c.m == 3 {
		v[2] = least * math.Pow(grow, float64(i))
	} else {
		v[1+k%(c.m-1)], v[1+(k+1)%(c.m-1)] = least*math.Pow(grow, float64(i)), least*math.Pow(grow, float64(-i))
	}
	for r := range v {
		if i == c.j && r != k {
			v[r] *= factor
		}
	}
	return v
}

// trapRow is the demand of the large group.
func trapRow(m, n int) []float64 {
	v := make([]float64, m)
	for r := range v {
		v[r] = 1 / float64(n)
	}
	v[0] = 1
	if m == 3 {
		v[2] = 1
	}
	return v
}

// smallGroups are the sizes with which the instances grow, doubling.
var smallGroups = []int{12, 24, 48}

// buildTrap is newTrap; tests break it.
var buildTrap = newTrap

// tableMany evaluates the instances of Lemmas 15 and 16: the ratio of the
// proof's fair allocation over the mechanism, at the worst j.
func (s *study) tableMany() error {
	s.Printf("\n")
	t := table.New(table.Col("m", "m", terminal.Number), table.Col("", "bound", terminal.Words),
		table.Col("small", "small groups of", terminal.Number),
		table.Col("n", "n", terminal.Number), table.Col("fair_welfare", "fair welfare", terminal.Fixed(3)))
	for _, f := range strategic {
		t.Columns = append(t.Columns, table.Col(f.name, f.name, terminal.Fixed(3)))
	}
	last := map[int][]float64{}
	fairly := true
	for _, c := range []struct {
		m     int
		bound string
	}{{3, "[2, 3]"}, {4, "4"}, {5, "5"}} {
		for _, small := range smallGroups {
			n := small * small * small
			ratios, welfare, fair, err := s.worstTrap(c.m, n, small)
			if err != nil {
				return err
			}
			fairly = fairly && fair
			cells := []any{c.m, c.bound, small, n, welfare}
			for _, v := range ratios {
				cells = append(cells, v)
			}
			last[c.m] = append(last[c.m], floats.Min(ratios))
			t.Add(cells...)
		}
	}
	s.Show(t)
	for m, price := range []float64{3: 2, 4: 4, 5: 5} {
		if price == 0 {
			continue
		}
		says, read := fmt.Sprintf("m = %d: price m", m),
			"the price is the best mechanism's ratio; five of the family are tried, so the limit is a lower bound of none but "+
				"theirs"
		if m == 3 {
			says = "m = 3: price 2 or more"
		}
		f := last[m]
		s.Hold("Table 2", says, f[0] < f[1] && f[1] < f[2] && math.Abs(limit(f)/price-1) <= .02,
			"the best of %d mechanisms loses %.3f at the largest n; extrapolated %.3f", len(strategic), f[2], limit(f)).
			Read("%s; the proof's instances lose as much without end of agents: three sizes are extrapolated in one over the "+
				"size of the small groups, of which n is the cube, and must come within 2 %%, the error of leaving out the third "+
				"order", read)
	}
	s.Hold("Table 2", "the proofs' allocations are fair", fairly, "SI and EF checked on each instance")
	return s.Keep("table2-many", t)
}

// worstTrap returns each mechanism's largest ratio over a few j, the fair
// welfare at the last of them, and whether all fair allocations are fair.
func (s *study) worstTrap(m, n, small int) (ratios []float64, welfare float64, fair bool, err error) {
	ratios, fair = make([]float64, len(strategic)), true
	for _, j := range []int{1, small / 2, small} {
		c := buildTrap(m, n, small, j)
		welfare = share.Welfare(c.fair)
		fair = fair && share.Feasible(c.demands, c.fair).Holds && share.SharingIncentive(c.demands, c.fair).Holds &&
			share.EnvyFree(c.demands, c.fair).Holds
		for k, f := range strategic {
			x, err := f.share(c.demands)
			if err != nil {
				return nil, 0, false, err
			}
			ratios[k] = max(ratios[k], welfare/share.Welfare(x))
		}
		if err := s.ctx.Err(); err != nil {
			return nil, 0, false, err
		}
	}
	return ratios, welfare, fair, nil
}
