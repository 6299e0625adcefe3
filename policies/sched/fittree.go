package sched

import (
	"math"

	"bourse/policies"
)

// fitTree holds jobs in order of a key, least first, then of submission. Of a subtree it
// knows what its running jobs hold and the least room that one of its waiting jobs
// needs: what those before it in the subtree hold, and its own need. So the first
// waiting job that fits into what is left over is found by one descent. With several
// resources the least is taken in each by itself, and the descent may turn back.
type fitTree struct {
	policies.Tree[fitting]
	root  int32
	there []bool // by Ref
}

// fitting is a job, and what is known of the jobs below it.
type fitting struct {
	need     policies.Amount
	bid      float64
	running  bool
	count    int32           // running jobs of the subtree
	sum, low policies.Amount // what they hold; the least room for a waiting one
}

// never is the room for a job where none waits, unlimited has room for any.
var (
	never     = uniform(math.Inf(1))
	unlimited = uniform(math.MaxFloat64)
)

func uniform(x float64) policies.Amount { return policies.Amount{CPU: x, Memory: x, GPU: x, Disk: x} }

// insert adds a job that is not there.
func (t *fitTree) insert(ref policies.Ref, j *policies.Job, key float64, running bool) {
	of := t.Put(int32(ref), policies.FloatKey(key), j.Seq)
	*of = fitting{need: j.Need, bid: j.Bid, running: running}
	for int(ref) >= len(t.there) {
		t.there = append(t.there, false)
	}
	t.there[ref] = true
	root, above, below := t.Link(t.root, int32(ref))
	t.root = root
	t.pullAll(below)
	t.pullAll(above)
}

// remove takes a job out, if it is there, and tells whether it ran.
func (t *fitTree) remove(ref policies.Ref) (running, there bool) {
	if int(ref) >= len(t.there) || !t.there[ref] {
		return false, false
	}
	t.there[ref] = false
	root, above, below := t.Unlink(t.root, int32(ref))
	t.root = root
	t.pullAll(below)
	t.pullAll(above)
	return t.Nodes[ref].Of.running, true
}

func (t *fitTree) pullAll(path []int32) {
	for i := len(path) - 1; i >= 0; i-- {
		t.pull(path[i])
	}
}

// pull sums a node's subtree up from its halves.
func (t *fitTree) pull(x int32) {
	n := &t.Nodes[x]
	of, before, low, count := &n.Of, policies.Amount{}, never, int32(0)
	if n.Left != nilNode {
		l := &t.Nodes[n.Left].Of
		before, low, count = l.sum, l.low, l.count
	}
	if of.running {
		before = before.Plus(of.need)
		count++
	} else {
		low = low.Min(before.Plus(of.need))
	}
	if n.Right != nilNode {
		r := &t.Nodes[n.Right].Of
		low = low.Min(before.Plus(r.low))
		before = before.Plus(r.sum)
		count += r.count
	}
	of.sum, of.low, of.count = before, low, count
}

// first returns the first waiting job behind another one (any if negative) that fits
// into what those before it leave of free, or nilNode.
func (t *fitTree) first(x int32, free policies.Amount, behind policies.Ref) int32 {
	for x != nilNode {
		n := &t.Nodes[x]
		if !n.Of.low.Fits(free) {
			break
		}
		inside := behind < 0 || t.Nodes[behind].Before(&n.Place)
		if inside {
			if found := t.first(n.Left, free, behind); found != nilNode {
				return found
			}
		}
		if n.Left != nilNode {
			free = free.Minus(t.Nodes[n.Left].Of.sum)
		}
		switch {
		case n.Of.running:
			free = free.Minus(n.Of.need)
		case inside && n.Of.need.Fits(free):
			return x
		}
		x = n.Right
	}
	return nilNode
}

// fillers appends the running jobs behind another one.
func (t *fitTree) fillers(x int32, behind policies.Ref, to []policies.Ref) []policies.Ref {
	if x == nilNode || t.Nodes[x].Of.count == 0 {
		return to
	}
	n := &t.Nodes[x]
	if t.Nodes[behind].Before(&n.Place) {
		to = t.fillers(n.Left, behind, to)
		if n.Of.running {
			to = append(to, policies.Ref(x))
		}
	}
	return t.fillers(n.Right, behind, to)
}

// walk yields all jobs in order until yield returns false.
func (t *fitTree) walk(x int32, yield func(seq int64, bid float64, need policies.Amount) bool) bool {
	if x == nilNode {
		return true
	}
	n := &t.Nodes[x]
	return t.walk(n.Left, yield) && yield(n.Seq, n.Of.bid, n.Of.need) && t.walk(n.Right, yield)
}
