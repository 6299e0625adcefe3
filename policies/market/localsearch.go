package market

import (
	"math"
	"slices"
	"sort"
)

// localSearch is the heuristic of section 4.2: begin with the k machines that
// rank best, swap one in for one out while that is better. Swaps are not tried by
// answering again: the chosen machines are in order of rank with prefix sums, so
// that a set with one machine exchanged has its sums for the asking, and how many
// of them are bid on is found by bisection, O(log k) a swap.
//
// Most swaps need not be tried. The best response on a set B is worth at most
//
//	mu X + sum over B of gain(mu),  gain = max(0, root(w) - root(mu y))^2
//
// for every mu (Lagrange), with equality on the present set at mu = lambda^2. So a
// swap can be better only if its gain, at that mu, is larger than that of the
// machine it replaces; and if there is none, the set is the best there is.
type localSearch struct {
	items                  []item
	budget                 float64
	chosen                 []int // positions in items, in order
	weights, roots, monies []float64
	gains                  []float64 // of the chosen
	outside                []ranked  // not chosen, by their gains
	sorted                 int       // so many of those outside are the first, in order
	left                   int       // the machine that the last swap took out
	answer                 []item
	proved                 bool
	rounds                 int
}

// Searches counts the answers by local search; those of them that were proved to
// be the best of all answers, where no swap had to be tried in the end (the paper
// suspects that all are); and the rounds they took, the last of each finding no
// better swap. Brief are those of at most two rounds.
type Searches struct{ Made, Proved, Rounds, Brief int }

// Searches returns the counts since the market was made.
func (m *Market) Searches() Searches { return m.work.searches }

// choose returns the machines to bid on, at most k, in order of rank.
func (s *localSearch) choose(items []item, budget float64, k int) []item {
	s.begin(items, budget, k)
	for s.rounds = 1; s.improve(); s.rounds++ {
	}
	s.answer = s.answer[:0]
	for _, p := range s.chosen {
		s.answer = append(s.answer, items[p])
	}
	return s.answer
}

func (s *localSearch) begin(items []item, budget float64, k int) {
	s.items, s.budget = items, budget
	s.chosen = s.chosen[:0]
	for p := range min(k, len(items)) {
		s.chosen = append(s.chosen, p)
	}
	s.sum()
}

// sum makes the prefix sums of the chosen machines: entry t is that of the first
// t of them, money beginning with the budget.
func (s *localSearch) sum() {
	s.weights, s.roots, s.monies = append(s.weights[:0], 0), append(s.roots[:0], 0), append(s.monies[:0], s.budget)
	for t, p := range s.chosen {
		it := &s.items[p]
		s.weights = append(s.weights, s.weights[t]+it.weight)
		s.roots = append(s.roots, s.roots[t]+it.root)
		s.monies = append(s.monies, s.monies[t]+it.other)
	}
}

// value is the utility of the best response on the chosen machines: with w, r and
// t the sums over those that are bid on, w - r^2/t.
func (s *localSearch) value() (value, lambda float64) {
	n := 0
	for n < len(s.chosen) && s.items[s.chosen[n]].rank > s.roots[n]/s.monies[n] {
		n++
	}
	lambda = s.roots[n] / s.monies[n]
	return s.weights[n] - float64(s.roots[n]*lambda), lambda
}

// betterBy is how much better, of its value, a set must be: more than rounding.
const betterBy = 1e-12

// improve makes the best swap there is and reports whether it did. proved tells
// whether the set it leaves is the best of all.
func (s *localSearch) improve() bool {
	now, lambda := s.value()
	s.list(lambda)
	best, leaves, comes := now+float64(betterBy*now), -1, -1
	s.proved = len(s.outside) == 0
	for a, loses := range s.gains {
		for t := range s.outside {
			// By the bound a swap brings no more than its gain: no need to try it.
			q := s.nth(t)
			if q.rank <= loses || now+(q.rank-loses) < best-float64(1e-9*now) {
				break
			}
			if v := s.swapped(a, q.at); v > best {
				best, leaves, comes = v, a, q.at
			}
		}
	}
	if leaves < 0 {
		return false
	}
	s.swap(leaves, comes)
	if v, _ := s.value(); v <= now {
		// The prefix sums flattered: undo it and stop.
		s.unswap(comes)
		return false
	}
	return true
}

// list takes what a machine contributes to the bound above of each that is chosen, and
// gathers those outside that gain more than one of them. What ranks below lambda gains
// nothing, and no user gains more than the weight.
func (s *localSearch) list(lambda float64) {
	gain := func(it *item) float64 {
		g := max(0, 1-lambda/it.rank)
		return it.weight * (g * g)
	}
	floor := math.Inf(1)
	s.gains, s.outside, s.sorted = s.gains[:0], s.outside[:0], 0
	for _, p := range s.chosen {
		g := gain(&s.items[p])
		s.gains, floor = append(s.gains, g), min(floor, g)
	}
	next := 0
	for p := range s.items {
		it := &s.items[p]
		if it.rank <= lambda {
			break
		}
		if next < len(s.chosen) && s.chosen[next] == p {
			next++
		} else if it.weight > floor {
			if g := gain(it); g > floor {
				s.outside = append(s.outside, ranked{g, p})
			}
		}
	}
}

// nth is the machine outside with the t-th largest gain. They are sorted as far as they are asked for.
func (s *localSearch) nth(t int) ranked {
	const few = 8
	for ; s.sorted <= t; s.sorted++ {
		rest := s.outside[s.sorted:]
		if s.sorted == few {
			slices.SortFunc(rest, ranked.compare)
			s.sorted = len(s.outside)
			break
		}
		first := 0
		for k := range rest {
			if rest[k].compare(rest[first]) < 0 {
				first = k
			}
		}
		rest[0], rest[first] = rest[first], rest[0]
	}
	return s.outside[t]
}

// prefix is the sums of the first t machines of a set, and the rank of the next.
type prefix struct{ weight, root, money float64 }

// swapped is the value of the set with its a-th machine replaced by q.
func (s *localSearch) swapped(a, q int) float64 {
	out, in := &s.items[s.chosen[a]], &s.items[q]
	// place is where q is placed among the others.
	place := sort.SearchInts(s.chosen, q)
	if place > a {
		place--
	}
	first := func(t int) prefix { // of the others
		if t <= a {
			return prefix{s.weights[t], s.roots[t], s.monies[t]}
		}
		return prefix{s.weights[t+1] - out.weight, s.roots[t+1] - out.root, s.monies[t+1] - out.other}
	}
	sums := func(t int) prefix {
		if t <= place {
			return first(t)
		}
		f := first(t - 1)
		return prefix{f.weight + in.weight, f.root + in.root, f.money + in.other}
	}
	rank := func(t int) float64 {
		if t == place {
			return in.rank
		}
		if t > place {
			t--
		}
		if t >= a {
			t++
		}
		return s.items[s.chosen[t]].rank
	}
	n := sort.Search(len(s.chosen), func(t int) bool {
		p := sums(t)
		return !(rank(t) > p.root/p.money)
	})
	p := sums(n)
	return p.weight - float64(p.root*(p.root/p.money))
}

// swap replaces the a-th chosen machine by q and remembers what left.
func (s *localSearch) swap(a, q int) {
	s.left = s.chosen[a]
	s.chosen = slices.Delete(s.chosen, a, a+1)
	s.chosen = slices.Insert(s.chosen, sort.SearchInts(s.chosen, q), q)
	s.sum()
}

// unswap undoes the last swap, in which q came.
func (s *localSearch) unswap(q int) {
	s.swap(sort.SearchInts(s.chosen, q), s.left)
}
