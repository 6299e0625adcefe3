package share

import "bourse/policies"

// runningSums add up what agents hold of each resource, agent by agent, and keep the sums up to
// each of them. When some change, only those from the first of them on are added up anew: the
// order of the additions stays, and with it the last bit.
type runningSums struct {
	upTo   []policies.Sum // a row an agent: of it and those before it
	agents int            // whose rows hold
}

// keep lets the rows before an agent hold, if they do.
func (s *runningSums) keep(from int) { s.agents = min(s.agents, from) }

// add works out the sums for dominant shares x.
func (s *runningSums) add(d Demands, x []float64, total []policies.Sum) {
	m := len(total)
	s.upTo = append(s.upTo[:m*s.agents], make([]policies.Sum, m*(len(d)-s.agents))...)
	if clear(total); s.agents > 0 {
		copy(total, s.upTo[m*(s.agents-1):])
	}
	for i := s.agents; i < len(d); i++ {
		row := s.upTo[m*i : m*i+m]
		for r, v := range d[i] {
			total[r].Add(float64(x[i] * v))
			row[r] = total[r]
		}
	}
	s.agents = len(d)
}
