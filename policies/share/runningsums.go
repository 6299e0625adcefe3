package share

import "bourse/policies"

// runningSums add up what agents hold of each resource, agent by agent, and keep the sums up to
// each of them. When some change, only those from the first of them on are added up again: the
// order of the additions stays, and with it the last bit.
type runningSums struct {
	terms [][]float64      // by resource and agent
	upTo  [][]policies.Sum // of it and those before it
	known int              // agents whose sums hold
}

// begin makes room for so many agents and resources.
func (s *runningSums) begin(n, m int) {
	if s.known = 0; len(s.terms) != m {
		s.terms, s.upTo = make([][]float64, m), make([][]policies.Sum, m)
	}
	for r := range m {
		s.terms[r], s.upTo[r] = resized(s.terms[r], n), resized(s.upTo[r], n)
	}
}

// set records the holding of an agent, given its demands and its dominant share.
func (s *runningSums) set(i int, row []float64, x float64) {
	for r, v := range row {
		s.terms[r][i] = float64(x * v)
	}
	s.known = min(s.known, i)
}

// add works out the sums.
func (s *runningSums) add(total []policies.Sum) {
	for r, terms := range s.terms {
		var sum policies.Sum
		if s.known > 0 {
			sum = s.upTo[r][s.known-1]
		}
		upTo := s.upTo[r][s.known:len(terms)]
		for i, x := range terms[s.known:] {
			sum = sum.Plus(x)
			upTo[i] = sum
		}
		total[r] = sum
	}
	s.known = len(s.terms[0])
}
