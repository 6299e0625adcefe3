package share

import (
	"math"
	"slices"
)

// programOptimum solves the linear program of the optimum under sharing
// incentive and envy-freeness for any number of resources. With x_i = 1/n + v_i
// its rows are
//
//	sum_i d_ir v_i            <= 1 - sum_i d_ir / n         for each resource r
//	z - sum_i d_ir v_i        <= sum_i d_ir / n             the same, for utilisation z
//	c_ij v_j - v_i            <= (1 - c_ij) / n             for agents i, j
//
// where c_ij = min_r d_jr / d_ir is what a unit of j's share is worth to i: all
// right sides are 0 or more, so that the first step, every agent at 1/n, is a
// feasible beginning. The n^2 rows of envy are added only when violated, for
// each agent the one it envies most, and dropped when they do not bind. Where
// rounding errors have grown too large to continue, the program restarts with all
// the rows that were added.
//
// With three resources it takes about a millisecond for 100 agents of different
// demands and some seconds for 1,000; time grows with the cube of n or faster.
func programOptimum(d Demands, utilisation bool) ([]float64, error) {
	k := d.kinds()
	n, m := float64(len(d)), len(d[0])
	even := make([]float64, len(d))
	for i := range even {
		even[i] = 1 / n
	}
	used, fixed := d.Used(even), m
	if utilisation {
		fixed = 2 * m
	}
	t, envy := k.resourceRows(used, utilisation), newEnvies(k.rows)
	x := make([]float64, len(k.rows))
	last := math.Inf(1)
	for restarts := 0; ; {
		if err := t.optimise(); err != nil && restarts == mostRestarts {
			return nil, err
		} else if err != nil {
			restarts++
			t, last = k.resourceRows(used, utilisation), math.Inf(1)
			envy.readd(t, n)
			continue
		}
		for i := range x {
			x[i] = 1/n + max(0, t.valueOf(i))
		}
		// Rows are dropped only after progress, or the same would come and go.
		if t.value < last-1e-9 {
			t.relax(fixed)
			last = t.value
		}
		if added := envy.add(t, x, n); added == 0 {
			return k.spread(x), nil
		}
	}
}

// mostRestarts is how often a program is restarted.
const mostRestarts = 5

// kinds are the different rows of demands. Agents of equal demands envy each
// other unless they get the same, so the program has a variable a kind.
type kinds struct {
	rows  Demands
	count []float64
	of    []int // kind of each agent
}

func (d Demands) kinds() *kinds {
	k := &kinds{of: make([]int, len(d))}
	order := make([]int, len(d))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return slices.Compare(d[a], d[b]) })
	for at, i := range order {
		if at == 0 || !slices.Equal(d[i], d[order[at-1]]) {
			k.rows, k.count = append(k.rows, d[i]), append(k.count, 0)
		}
		k.of[i] = len(k.rows) - 1
		k.count[k.of[i]]++
	}
	return k
}

// spread gives each agent the share of its kind.
func (k *kinds) spread(x []float64) []float64 {
	all := make([]float64, len(k.of))
	for i, kind := range k.of {
		all[i] = x[kind]
	}
	return all
}

// resourceRows begins the program with the rows of the resources.
func (k *kinds) resourceRows(used []float64, utilisation bool) *tableau {
	n := len(k.rows)
	objective := make([]float64, n, n+1)
	if utilisation {
		objective = append(objective, 1)
	} else {
		copy(objective, k.count)
	}
	t := newTableau(objective)
	for r := range used {
		terms, back := make([]term, n), make([]term, n, n+1)
		for i, row := range k.rows {
			all := row[r] * k.count[i]
			terms[i], back[i] = term{i, all}, term{i, -all}
		}
		t.add(terms, max(0, 1-used[r]))
		if utilisation && k.rows.wanted(r) {
			t.add(append(back, term{n, 1}), used[r])
		} else if utilisation {
			t.add(nil, 0) // keeps the count of rows; binds no agent
		}
	}
	return t
}

// envies finds violated rows of envy.
type envies struct {
	d     Demands
	worth [][]float64 // c_ij
	added [][2]int    // rows: who envies whom
}

func newEnvies(d Demands) *envies {
	e := &envies{d: d, worth: make([][]float64, len(d))}
	for i := range d {
		e.worth[i] = make([]float64, len(d))
		for j := range d {
			e.worth[i][j] = d.worth(i, d[j])
		}
	}
	return e
}

// add adds to the program, for each agent, the row of the agent it envies most,
// and returns how many it added. n is the number of agents.
func (e *envies) add(t *tableau, x []float64, n float64) int {
	added := 0
	for i, worth := range e.worth {
		most, whom := 1e-11, -1
		for j, c := range worth {
			if envy := float64(c*x[j]) - x[i]; envy > most && j != i {
				most, whom = envy, j
			}
		}
		if whom < 0 {
			continue
		}
		e.row(t, i, whom, n)
		e.added = append(e.added, [2]int{i, whom})
		added++
	}
	return added
}

// readd adds the rows added so far to a new program, each once.
func (e *envies) readd(t *tableau, n float64) {
	slices.SortFunc(e.added, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	e.added = slices.Compact(e.added)
	for _, pair := range e.added {
		e.row(t, pair[0], pair[1], n)
	}
}

// row forbids i to envy j.
func (e *envies) row(t *tableau, i, j int, n float64) {
	c := e.worth[i][j]
	t.add([]term{{j, c}, {i, -1}}, (1-c)/n)
}
