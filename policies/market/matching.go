package market

import (
	"math"

	"bourse/policies"
)

// Edge joins a machine to a user, with a weight above 0.
type Edge struct {
	User   int
	Weight float64
}

// Matching is a maximum-weight b-matching and its proof.
type Matching struct {
	// Owner is the user of each machine, -1 for none.
	Owner  []int
	Weight float64
	// Machine and User are the duals, 0 or more: Machine[j] + User[i] >= w_ij for
	// every edge, with equality on those of the matching; User[i] is 0 unless i has
	// all machines they may have. So no matching weighs more than
	// sum Machine + sum User * most, which is Weight.
	Machine, User []float64
}

// Match gives each machine to at most one of the users its edges lead to, and
// each user at most `most` machines, so that the sum of the weights is largest:
// the Hungarian method in the form of shortest augmenting paths (Jonker and
// Volgenant 1987), machines coming in one by one. A user who has all they may have
// is a single node through which a path continues by taking any of their machines
// from them; to no user, a node without bound and of weight 0, a machine can always
// go. One path costs at most the edges of the machines it meets and the square of
// the users it meets; there are as many paths as machines.
func Match(edges [][]Edge, users, most int) Matching {
	s := &matcher{
		edges: edges, most: most,
		owner: make([]int, len(edges)), held: make([][]int, users),
		machine: make([]float64, len(edges)), user: make([]float64, users+1),
		far: make([]float64, users+1), from: make([]int, users+1), done: make([]bool, users+1),
	}
	for i := range s.far {
		s.far[i] = math.Inf(1)
	}
	for j := range edges {
		s.insert(j)
	}
	out := Matching{Owner: s.owner, Machine: s.machine, User: s.user[:users]}
	var sum policies.Sum
	for j, i := range s.owner {
		if i == users {
			s.owner[j] = -1
			continue
		}
		for _, e := range edges[j] {
			if e.User == i {
				sum.Add(e.Weight)
			}
		}
	}
	out.Weight = sum.Value()
	return out
}

// matcher is the state: the last node, number `users`, represents no user.
type matcher struct {
	edges         [][]Edge
	most          int
	owner         []int   // of each machine
	held          [][]int // machines of each user
	machine, user []float64
	// Of the path search: distance of each user, the machine before them, whether
	// the distance is final, and who was reached.
	far     []float64
	from    []int
	done    []bool
	reached []int
}

// insert finds the shortest path from machine j to a user with room, moves the
// duals, and augments.
func (s *matcher) insert(j int) {
	unassigned := len(s.user) - 1
	for _, e := range s.edges[j] {
		s.machine[j] = max(s.machine[j], e.Weight-s.user[e.User])
	}
	s.relax(j, 0)
	for {
		i := s.nearest()
		s.done[i] = true
		if i == unassigned || len(s.held[i]) < s.most {
			s.move(j, s.far[i])
			s.augment(j, i)
			break
		}
		for _, k := range s.held[i] {
			s.relax(k, s.far[i])
		}
	}
	for _, i := range s.reached {
		s.far[i], s.done[i] = math.Inf(1), false
	}
	s.reached = s.reached[:0]
}

// relax reaches on from machine k at a distance.
func (s *matcher) relax(k int, distance float64) {
	reach := func(i int, slack float64) {
		if d := distance + max(0, slack); d < s.far[i] {
			if math.IsInf(s.far[i], 1) {
				s.reached = append(s.reached, i)
			}
			s.far[i], s.from[i] = d, k
		}
	}
	for _, e := range s.edges[k] {
		if !s.done[e.User] {
			reach(e.User, s.machine[k]+s.user[e.User]-e.Weight)
		}
	}
	reach(len(s.user)-1, s.machine[k])
}

// nearest returns the user of least distance that is not final, the first of
// equals in the order they were reached.
func (s *matcher) nearest() int {
	best := -1
	for _, i := range s.reached {
		if !s.done[i] && (best < 0 || s.far[i] < s.far[best]) {
			best = i
		}
	}
	return best
}

// move changes the duals of all who are nearer than the end of the path, so that
// the path's edges become tight and no edge comes short.
func (s *matcher) move(j int, end float64) {
	s.machine[j] = max(0, s.machine[j]-end)
	for _, i := range s.reached {
		if !s.done[i] || s.far[i] >= end {
			continue
		}
		by := end - s.far[i]
		s.user[i] += by
		for _, k := range s.held[i] {
			s.machine[k] = max(0, s.machine[k]-by)
		}
	}
}

// augment returns along the path from its end: each machine on it goes to the
// user behind it.
func (s *matcher) augment(j, i int) {
	unassigned := len(s.user) - 1
	for {
		k := s.from[i]
		before := s.owner[k]
		s.owner[k] = i
		if i != unassigned {
			s.held[i] = append(s.held[i], k)
		}
		if k == j {
			return
		}
		s.drop(before, k)
		i = before
	}
}

// drop takes machine k from user i.
func (s *matcher) drop(i, k int) {
	for t, held := range s.held[i] {
		if held == k {
			s.held[i] = append(s.held[i][:t], s.held[i][t+1:]...)
			return
		}
	}
}
