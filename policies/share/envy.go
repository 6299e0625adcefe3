package share

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// EnvyFree wants no agent to prefer another's bundle (Bei, Li and Luo, Definition
// 2). By is the largest difference in utility.
func EnvyFree(d Demands, x []float64) Evidence {
	if len(d[0]) == 2 {
		return envyOfTwo(d, x)
	}
	// Agents of equal demands and shares need to be looked at once.
	order := make([]int, len(d))
	for i := range order {
		order[i] = i
	}
	alike := func(a, b int) int { return cmp.Or(slices.Compare(d[a], d[b]), cmp.Compare(x[a], x[b])) }
	slices.SortStableFunc(order, alike)
	order = slices.CompactFunc(order, func(a, b int) bool { return alike(a, b) == 0 })
	worst, who, whom := math.Inf(-1), -1, -1
	held := make([]float64, len(d[0]))
	for _, j := range order {
		for r, v := range d[j] {
			held[r] = x[j] * v
		}
		for _, i := range order {
			if by := d.worth(i, held) - x[i]; i != j && by > worst {
				worst, who, whom = by, i, j
			}
		}
	}
	return evidence("envy-freeness", worst, who, whom, -1)
}

// envyOfTwo uses that only bundles that no other bundle exceeds in both
// resources can be envied most. Of those, in order of the first resource, an
// agent's utility is at first bound by the first and then by the second, so the
// best is where that changes: O(n log n).
func envyOfTwo(d Demands, x []float64) Evidence {
	bundle := func(j, r int) float64 { return x[j] * d[j][r] }
	order := make([]int, len(d))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(bundle(b, 0), bundle(a, 0)), cmp.Compare(bundle(b, 1), bundle(a, 1)))
	})
	var top []int // first resource falling, second rising
	for _, j := range order {
		if len(top) == 0 || bundle(j, 1) > bundle(top[len(top)-1], 1) {
			top = append(top, j)
		}
	}
	worst, who, whom := math.Inf(-1), -1, -1
	for i, row := range d {
		at := sort.Search(len(top), func(k int) bool {
			return float64(bundle(top[k], 1)*row[0]) >= float64(bundle(top[k], 0)*row[1])
		})
		for _, k := range []int{at - 1, at} {
			if k < 0 || k >= len(top) || top[k] == i {
				continue
			}
			j := top[k]
			if by := d.worth(i, []float64{bundle(j, 0), bundle(j, 1)}) - x[i]; by > worst {
				worst, who, whom = by, i, j
			}
		}
	}
	return evidence("envy-freeness", worst, who, whom, -1)
}
