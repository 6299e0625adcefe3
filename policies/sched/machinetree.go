package sched

import "bourse/policies"

// machineTree finds the first machine with enough of everything: a binary tree
// over the machines in their order, each node with the most there is of each
// resource below it. A change costs O(log machines). A search goes down only where
// both maxima suffice; they may belong to different machines, so it may come back,
// which it seldom does.
type machineTree struct {
	leaves int
	most   []policies.Amount // most[1] is the root, most[leaves+i] machine i
}

// grow makes room for n machines.
func (t *machineTree) grow(n int) {
	if n <= t.leaves {
		return
	}
	old := t.most[t.leaves:]
	for t.leaves = max(1, t.leaves); t.leaves < n; {
		t.leaves *= 2
	}
	t.most = make([]policies.Amount, 2*t.leaves)
	for i := range t.most {
		t.most[i] = policies.Amount{-1, -1}
	}
	copy(t.most[t.leaves:], old)
	for i := t.leaves - 1; i >= 1; i-- {
		t.most[i] = larger(t.most[2*i], t.most[2*i+1])
	}
}

func larger(a, b policies.Amount) policies.Amount {
	return policies.Amount{max(a[policies.CPU], b[policies.CPU]), max(a[policies.Memory], b[policies.Memory])}
}

// at is what machine i has.
func (t *machineTree) at(i int) policies.Amount { return t.most[t.leaves+i] }

// set changes what machine i has; negative amounts hide it from every search.
func (t *machineTree) set(i int, a policies.Amount) {
	x := t.leaves + i
	for t.most[x] = a; x > 1; {
		x /= 2
		most := larger(t.most[2*x], t.most[2*x+1])
		if most == t.most[x] {
			return
		}
		t.most[x] = most
	}
}

// first returns the first machine that holds need, or -1.
func (t *machineTree) first(need policies.Amount) int {
	if t.leaves == 0 {
		return -1
	}
	return t.search(1, need)
}

func (t *machineTree) search(x int, need policies.Amount) int {
	if !need.Fits(t.most[x]) {
		return -1
	}
	if x >= t.leaves {
		return x - t.leaves
	}
	if i := t.search(2*x, need); i >= 0 {
		return i
	}
	return t.search(2*x+1, need)
}
