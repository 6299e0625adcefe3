package transform

import (
	"math"

	"bourse/traces"
)

// machines are those of a cluster, by what they have.
type machines struct {
	shapes      []shape // no two equal
	names       traces.Names
	partitioned bool
	whole       bool
}

// shape is what a machine has, the model of its GPUs and its partitions; Machines counts them.
type shape struct {
	traces.Capacity
	model, partitions string
}

func machinesOf(list []traces.MachineEvent, names traces.Names) *machines {
	m := &machines{names: names, partitioned: traces.Partitioned(list), whole: traces.Whole(list)}
	index := map[shape]int{}
	for _, e := range list { // each that there ever is
		s := shape{traces.Capacity{CPU: e.CPU, Memory: e.Memory, GPU: e.GPU}, e.Model, e.Partitions}
		if e.Gone {
			continue
		}
		k, known := index[s]
		if !known {
			k = len(m.shapes)
			index[s], m.shapes = k, append(m.shapes, s)
		}
		m.shapes[k].Machines++
	}
	return m
}

// hold reports whether the machines could ever hold a job, or a row of it if each becomes
// a job of its own: all its pieces at once.
func (m *machines) hold(j *traces.Job, rows bool) bool {
	pieces, procs := float64(j.Workers()), float64(j.Procs)
	if rows {
		pieces, procs = 1, 1
	}
	if m.whole {
		pieces = 1
	}
	var ask traces.Capacity
	ask.CPU, ask.Memory, ask.GPU, ask.Disk = j.Ask(procs / pieces)
	if ask.GPU > 1 && math.Abs(ask.GPU-math.Round(ask.GPU)) > 1e-6 {
		return false // neither whole devices nor a share of one
	}
	left := pieces
	for i := range m.shapes {
		s := &m.shapes[i]
		if ask.GPU > 0 && !m.names.Allows(j.Model, s.model) || m.partitioned && !m.names.Within(j.Partition, s.partitions) {
			continue
		}
		if left -= float64(s.times(&ask, left) * float64(s.Machines)); left <= 0 {
			return true
		}
	}
	return false
}

// times is how often a machine holds what is asked, up to a number.
func (s *shape) times(ask *traces.Capacity, most float64) float64 {
	for _, r := range [...]struct{ has, asked float64 }{{s.CPU, ask.CPU}, {s.Memory, ask.Memory}, {s.Disk, ask.Disk}} {
		if r.asked > 0 {
			most = min(most, math.Floor(r.has/r.asked))
		}
	}
	switch {
	case ask.GPU >= 1:
		most = min(most, math.Floor(s.GPU/math.Round(ask.GPU)))
	case ask.GPU > 0:
		most = min(most, float64(s.GPU*math.Floor(1/ask.GPU)))
	}
	return most
}
