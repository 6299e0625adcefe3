package share

import (
	"cmp"
	"fmt"
	"slices"
)

// pair is an instance of two competing resources after the first step of the
// two-step mechanisms. groups[0] are the agents whose dominant resource is the
// first of the two, groups[1] the others; left is what 1/n for every agent leaves
// of the two.
type pair struct {
	d      Demands
	groups [2]group
	left   [2]float64
}

// newPair finds the two resources between which agents compete. With more than
// two resources there must be two of which each agent demands at least as much
// as of any other (Bei, Li and Luo, section 3): the others never run out first.
func newPair(d Demands) (*pair, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	first, second, err := d.competing()
	if err != nil {
		return nil, err
	}
	p := &pair{d: d}
	even := make([]float64, len(d))
	for i := range even {
		even[i] = 1 / float64(len(d))
	}
	used := d.Used(even)
	p.left = [2]float64{1 - used[first], 1 - used[second]}
	p.part(first, second)
	return p, nil
}

// competing returns the two resources.
func (d Demands) competing() (int, int, error) {
	m := len(d[0])
	if m < 2 {
		return 0, 0, fmt.Errorf("bal, bal* and the hybrids are defined for two resources, there is 1; use drf")
	}
	sums := make([]float64, m)
	order := make([]int, m)
	for r := range sums {
		order[r] = r
		for _, row := range d {
			sums[r] += row[r]
		}
	}
	// A resource of which every agent demands at least as much as of another has
	// the larger sum.
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sums[b], sums[a]) })
	a, b := min(order[0], order[1]), max(order[0], order[1])
	for i, row := range d {
		for r, v := range row {
			if r != a && r != b && v > min(row[a], row[b]) {
				return 0, 0, fmt.Errorf("bal, bal* and the hybrids are defined for two resources and there are %d; agent %d "+
					"wants more of resource %d than of resource %d or %d; unb, drf and the families take any number",
					m, i+1, r+1, a+1, b+1)
			}
		}
	}
	return a, b, nil
}

// part makes the groups; agents with two dominant resources are with the
// majority.
func (p *pair) part(first, second int) {
	resources := [2]int{first, second}
	count := [2]int{}
	for _, row := range p.d {
		for k, r := range resources {
			if row[r] == 1 {
				count[k]++
			}
		}
	}
	major := 0
	if count[1] > count[0] {
		major = 1
	}
	var members [2][]member
	for i, row := range p.d {
		k := major
		if row[resources[major]] < 1 {
			k = 1 - major
		}
		members[k] = append(members[k], member{row[resources[1-k]], i})
	}
	for k := range p.groups {
		p.groups[k].build(members[k], len(p.d))
	}
}
