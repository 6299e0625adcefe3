package fair

import "bourse/policies"

// pile is a binary heap of jobs by age: the oldest on top, or the youngest. Jobs
// are not taken out of the middle: who has moved or ended is skipped when it
// comes up.
type pile struct {
	youngest bool
	items    []item
}

type item struct {
	seq int64
	ref policies.Ref
}

func (p *pile) before(a, b item) bool {
	if p.youngest {
		return a.seq > b.seq
	}
	return a.seq < b.seq
}

func (p *pile) push(it item) {
	p.items = append(p.items, it)
	i := len(p.items) - 1
	for i > 0 && p.before(p.items[i], p.items[(i-1)/2]) {
		p.items[i], p.items[(i-1)/2] = p.items[(i-1)/2], p.items[i]
		i = (i - 1) / 2
	}
}

func (p *pile) pop() {
	last := len(p.items) - 1
	p.items[0] = p.items[last]
	p.items = p.items[:last]
	for i := 0; ; {
		first := i
		for c := 2*i + 1; c <= 2*i+2 && c < last; c++ {
			if p.before(p.items[c], p.items[first]) {
				first = c
			}
		}
		if first == i {
			return
		}
		p.items[i], p.items[first] = p.items[first], p.items[i]
		i = first
	}
}
