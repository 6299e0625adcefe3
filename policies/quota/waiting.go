package quota

import "bourse/policies"

// waiting are the jobs that wait, a search tree for each queue: by rank, highest first,
// then by age. A node knows the least of each resource that jobs below it need.
type waiting struct {
	policies.Tree[needs]
}

type needs struct{ own, least policies.Amount }

// insert adds a job to the tree of a queue, and returns its new root.
func (w *waiting) insert(root int32, ref policies.Ref, j *policies.Job, rank float64) int32 {
	own := w.Put(int32(ref), policies.FloatKey(-rank), j.Seq)
	own.own, own.least = j.Need, j.Need
	root, above, below := w.Link(root, int32(ref))
	w.pull(below)
	w.pull(above)
	return root
}

// remove takes a job out of the tree of a queue, and returns its new root.
func (w *waiting) remove(root int32, ref policies.Ref) int32 {
	root, above, below := w.Unlink(root, int32(ref))
	w.pull(below)
	w.pull(above)
	return root
}

func (w *waiting) pull(path []int32) {
	for i := len(path) - 1; i >= 0; i-- {
		n := &w.Nodes[path[i]]
		n.Of.least = n.Of.own
		for _, half := range [...]int32{n.Left, n.Right} {
			if half != policies.NilNode {
				n.Of.least = n.Of.least.Min(w.Nodes[half].Of.least)
			}
		}
	}
}

// first returns the first job that does not need at least what one of failed does, or -1.
func (w *waiting) first(x int32, failed []policies.Amount) policies.Ref {
	if x == policies.NilNode {
		return -1
	}
	n := &w.Nodes[x]
	if hopeless(n.Of.least, failed) {
		return -1
	}
	if ref := w.first(n.Left, failed); ref >= 0 {
		return ref
	}
	if !hopeless(n.Of.own, failed) {
		return policies.Ref(x)
	}
	return w.first(n.Right, failed)
}

func hopeless(need policies.Amount, failed []policies.Amount) bool {
	for i := range failed {
		if failed[i].Fits(need) {
			return true
		}
	}
	return false
}
