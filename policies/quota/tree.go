package quota

import (
	"cmp"
	"math"
	"slices"

	"bourse/policies"
)

// tree is the machine divided among queues. Amounts are whole, so that all sums are exact.
type tree struct {
	nodes    []node
	children [][]int32
}

// node is a queue, a cohort or the machine. What a node takes from its parent is what it
// uses, and at least what it does not lend; a cohort uses what its children take. With
// nominal quotas N that add up, this makes "every child of a cohort is within its N" imply
// "the cohort is within its own", whatever is not lent below.
type node struct {
	parent   int32 // -1: none
	nominal  policies.Amount
	most     policies.Amount // nominal + what it may borrow
	unlent   policies.Amount // nominal - what it lends
	lendable policies.Amount // what all children of its parent lend
	weight   float64
	used     policies.Amount
}

// taken is the part of a node's use that its parent provides.
func (n *node) taken(used policies.Amount) policies.Amount { return used.Max(n.unlent) }

func (n *node) borrows() bool { return !n.used.Fits(n.nominal) }

// share is the share value: what is used above the nominal quota as a part of what can be
// lent, by the weight; of several resources the greatest.
func (n *node) share(used policies.Amount) float64 {
	share := 0.0
	for r := range policies.Resources {
		if over := used.At(r) - n.nominal.At(r); over > 0 {
			share = max(share, over/n.lendable.At(r)/n.weight) // infinite if either is 0
		}
	}
	return share
}

// newTree divides a machine by a table that has been checked.
func newTree(t *Table, parents []int32, total policies.Amount) tree {
	all := t.nodes()
	tr := tree{nodes: make([]node, len(parents)), children: make([][]int32, len(parents))}
	sum := 0.0
	for _, q := range t.Queues {
		sum += *q.Nominal
	}
	for i, a := range divide(t.Queues, sum, total) {
		for x := int32(len(t.Cohorts) + 1 + i); x >= 0; x = parents[x] {
			tr.nodes[x].nominal = tr.nodes[x].nominal.Plus(a)
		}
	}
	for x := range tr.nodes {
		n := &tr.nodes[x]
		n.parent, n.most, n.weight = parents[x], n.nominal, 1
		if x == 0 {
			continue
		}
		tr.children[n.parent] = append(tr.children[n.parent], int32(x))
		of := all[x-1]
		n.most = n.nominal.Plus(portion(of.Borrow, sum, total))
		n.unlent = n.nominal.Minus(n.nominal.Min(portion(of.Lend, sum, total)))
		if of.Weight != nil {
			n.weight = *of.Weight
		}
	}
	for x := range tr.nodes {
		lendable := policies.Amount{}
		for _, c := range tr.children[x] {
			lendable = lendable.Plus(tr.nodes[c].nominal.Minus(tr.nodes[c].unlent))
		}
		for _, c := range tr.children[x] {
			tr.nodes[c].lendable = lendable
		}
	}
	tr.empty(0)
	return tr
}

// empty works out what nodes use while nothing runs.
func (t *tree) empty(x int32) {
	for _, c := range t.children[x] {
		t.empty(c)
		t.nodes[x].used = t.nodes[x].used.Plus(t.nodes[c].taken(t.nodes[c].used))
	}
}

// portion is a part of the machine in whole units; nil is without end.
func portion(part *float64, sum float64, total policies.Amount) policies.Amount {
	if part == nil {
		return policies.Amount{CPU: math.Inf(1), Memory: math.Inf(1), GPU: math.Inf(1), Disk: math.Inf(1)}
	}
	a := total.Times(*part / sum)
	return policies.Amount{CPU: math.Round(a.CPU), Memory: math.Round(a.Memory), GPU: math.Round(a.GPU),
		Disk: math.Round(a.Disk)}
}

// divide gives each queue its part of each resource, whole units by the largest remainders.
func divide(queues []Node, sum float64, total policies.Amount) []policies.Amount {
	var parts [policies.Resources][]float64
	for r := range parts {
		parts[r] = whole(queues, sum, total.At(r))
	}
	made := make([]policies.Amount, len(queues))
	for i := range made {
		made[i] = policies.Amount{CPU: parts[0][i], Memory: parts[1][i], GPU: parts[2][i], Disk: parts[3][i]}
	}
	return made
}

func whole(queues []Node, sum, total float64) []float64 {
	parts, rests, order := make([]float64, len(queues)), make([]float64, len(queues)), make([]int, len(queues))
	left := total
	for i, q := range queues {
		exact := float64(total * (*q.Nominal / sum))
		parts[i], order[i] = math.Floor(exact), i
		rests[i] = exact - parts[i]
		left -= parts[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rests[b], rests[a]) })
	for k := 0; left > 0; k++ {
		if i := order[k%len(order)]; *queues[i].Nominal > 0 {
			parts[i]++
			left--
		}
	}
	return parts
}

// add books what a queue uses more.
func (t *tree) add(x int32, need policies.Amount) {
	for ; x >= 0; x = t.nodes[x].parent {
		n := &t.nodes[x]
		before := n.taken(n.used)
		n.used = n.used.Plus(need)
		need = n.taken(n.used).Minus(before)
	}
}

func (t *tree) sub(x int32, need policies.Amount) { t.add(x, policies.Amount{}.Minus(need)) }

// fits reports whether a queue may use so much more, in addition to what others do not lend.
func (t *tree) fits(x int32, need policies.Amount) bool {
	for ; x >= 0; x = t.nodes[x].parent {
		n := &t.nodes[x]
		used := n.used.Plus(need)
		if !used.Fits(n.most) {
			return false
		}
		need = n.taken(used).Minus(n.taken(n.used))
	}
	return true
}

// isWithin reports whether a queue stays within its nominal quota.
func (t *tree) isWithin(x int32, need policies.Amount) bool {
	return t.nodes[x].used.Plus(need).Fits(t.nodes[x].nominal)
}

// shareWith is the share value of node at, in which queue x is, if x used so much more.
func (t *tree) shareWith(x int32, need policies.Amount, at int32) float64 {
	for ; x != at; x = t.nodes[x].parent {
		n := &t.nodes[x]
		need = n.taken(n.used.Plus(need)).Minus(n.taken(n.used))
	}
	return t.nodes[at].share(t.nodes[at].used.Plus(need))
}

// holds reports whether queue x is in node c.
func (t *tree) holds(c, x int32) bool {
	for ; x >= 0 && x != c; x = t.nodes[x].parent {
	}
	return x == c
}

// below returns the children of the lowest node that two queues share in which they are.
func (t *tree) below(x, y int32) (ofX, ofY int32) {
	for ofX = x; !t.holds(t.nodes[ofX].parent, y); ofX = t.nodes[ofX].parent {
	}
	for ofY = y; t.nodes[ofY].parent != t.nodes[ofX].parent; ofY = t.nodes[ofY].parent {
	}
	return ofX, ofY
}

func (t *tree) clone() tree { return tree{slices.Clone(t.nodes), t.children} }
