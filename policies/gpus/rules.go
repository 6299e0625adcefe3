package gpus

import (
	"math"
	"slices"

	"bourse/policies"
	"bourse/traces/rng"
)

// Rule chooses among the machines that hold a job: the one of the highest score, the first
// in the machines' order if several have it. Rules says what each is.
type Rule uint8

// The rules.
const (
	First Rule = iota
	Random
	Best
	Worst
	Dot
	LeastDot
	Packing
	Clustering
	Gradient
)

// Rules names and describes the rules. The free part of a machine is its free CPU and its
// free GPUs, each over the most that any machine has.
var Rules = [...]struct{ Name, Line string }{
	First:    {"first", "the first machine with room"},
	Random:   {"random", "any machine with room, each as likely as another"},
	Best:     {"best", "the one with the least free afterwards"},
	Worst:    {"worst", "the one with the most free afterwards"},
	Dot:      {"dot", "the one where need . free is largest"},
	LeastDot: {"least-dot", "the one where need . free is least (the DotProd of Weng et al. 2023)"},
	Packing: {"packing", "a machine in use before an idle one, devices in use before idle ones, the fullest first " +
		"(Weng et al. 2023, after MLaaS in the Wild, NSDI 2022)"},
	Clustering: {"clustering", "the one that runs jobs of the same number of GPUs, shares of one apart (Weng et al. " +
		"2023, after Gandiva, OSDI 2018)"},
	Gradient: {"fgd", "the one where the least of the free GPUs becomes useless to typical jobs: fragmentation " +
		"gradient descent (Weng et al. 2023)"},
}

// Names lists the names of the rules.
func Names() []string {
	names := make([]string, len(Rules))
	for i := range Rules {
		names[i] = Rules[i].Name
	}
	return names
}

// Named returns the rule of a name.
func Named(name string) (Rule, bool) {
	i := slices.Index(Names(), name)
	return Rule(max(i, 0)), i >= 0
}

// String returns the rule's name.
func (r Rule) String() string { return Rules[r].Name }

// Scale is the unit of CPU and GPUs: the most that any machine has.
type Scale struct{ CPU, GPU float64 }

// scorer works out scores.
type scorer struct {
	rule Rule
	of   Scale
	mix  Mix
}

// score returns the score of a machine that holds what is asked, from 0 to 100.
func (s *scorer) score(n *Node, a *Ask) int8 {
	switch s.rule {
	case Best:
		return int8(100 * (1 - s.left(n, a)))
	case Worst:
		return int8(100 * s.left(n, a))
	case Dot:
		return int8(100 * s.dot(n, a))
	case LeastDot:
		return int8(100 * (1 - s.dot(n, a)))
	case Packing:
		return packing(n, a)
	case Clustering:
		return s.clustering(n, a)
	case Gradient:
		score, _ := s.gradient(n, a)
		return score
	}
	return 0
}

// left is the free part of a machine with the job on it.
func (s *scorer) left(n *Node, a *Ask) float64 {
	return float64(.5*((n.CPU-a.CPU)/s.of.CPU)) + float64(.5*(float64(n.Idle-a.GPU())/s.of.GPU))
}

// dot is the product of need and free part, halved.
func (s *scorer) dot(n *Node, a *Ask) float64 {
	return float64(.5 * (float64((n.CPU/s.of.CPU)*(a.CPU/s.of.CPU)) +
		float64((float64(n.Idle)/s.of.GPU)*(float64(a.GPU())/s.of.GPU))))
}

// packing prefers, from the best: shares of devices in use, the fuller the better; idle
// devices of a machine in use, the fewer the better; an idle machine, the smaller the better.
func packing(n *Node, a *Ask) int8 {
	if a.Devices == 0 {
		return 0
	}
	if k := len(n.Devices); int(n.Idle) == k*Whole {
		return int8(max(33-k, k))
	}
	if a.Each == Whole { // wholly free ones, all of them
		return int8(max(50-a.Devices, 33))
	}
	free := Whole
	for _, x := range n.Devices {
		if x >= a.Each {
			free = min(free, int(x))
		}
	}
	if free == Whole {
		return 49
	}
	return int8(max(100-free/10/10, 50))
}

// clustering prefers machines with jobs of the same kind only, then with others as well,
// then without any, and last with others only.
func (s *scorer) clustering(n *Node, a *Ask) int8 {
	if a.Devices == 0 {
		return 0
	}
	same, all := n.Held[a.kind()], int32(0)
	for _, k := range n.Held {
		all += k
	}
	base := 0
	switch {
	case all == 0:
		base = 25
	case same == all:
		base = 75
	case same > 0:
		base = 50
	}
	return int8(base + int(25*(s.of.GPU-float64(n.Idle))/s.of.GPU))
}

// gradient is 100 sigma(F - F'), F and F' being the fragments of the machine before and
// after, in devices, and the device on which a share would be at that score.
func (s *scorer) gradient(n *Node, a *Ask) (score int8, device int) {
	before := s.mix.Fragment(n)
	cpu := n.CPU - a.CPU
	switch {
	case a.Devices == 0:
		return sigmoid(before - s.mix.fragment(n, cpu, -1, 0)), 0
	case a.Each == Whole:
		devices := policies.FirstDevices(n.Devices, a.GPU())
		n.Put(a, devices)
		after := s.mix.Fragment(n)
		n.Take(a, devices)
		return sigmoid(before - after), 0
	}
	score, device = -1, -1
	for d, free := range n.Devices {
		if free < a.Each || d > 0 && slices.Contains(n.Devices[:d], free) { // equal ones give equal scores
			continue
		}
		if x := sigmoid(before - s.mix.fragment(n, cpu, d, a.Each)); x > score {
			score, device = x, d
		}
	}
	return score, device
}

// sigmoid turns a fall in fragmentation, in thousandths of a device, into a score.
func sigmoid(fall float64) int8 { return int8(math.Floor(100 / (1 + rng.Exp(-fall/Whole)))) }

// devices chooses the devices of a machine that has room.
func (s *scorer) devices(n *Node, a *Ask, random *rng.Rand) uint64 {
	switch {
	case a.Devices == 0:
		return 0
	case a.Each == Whole || s.rule == First:
		return policies.FirstDevices(n.Devices, a.GPU())
	case s.rule == Gradient:
		_, d := s.gradient(n, a)
		return 1 << d
	case s.rule == Random:
		var with []int
		for d, free := range n.Devices {
			if free >= a.Each {
				with = append(with, d)
			}
		}
		return 1 << with[random.IntN(len(with))]
	}
	return n.fullest(a.Each)
}
