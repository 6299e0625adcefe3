package share

import (
	"fmt"
	"math"

	"bourse/traces/rng"
)

// Misreport is the best lie a search has found: agent Agent says Report instead
// of the truth and gains Gain dominant share. Agent is -1 if no lie tried
// changed nothing or more for anybody.
type Misreport struct {
	Agent        int
	Report       []float64
	Truth, Lie   float64 // utilities
	Gain         float64
	Tried        int // reports tried
	Refused      int // of those, reports that the mechanism refuses, as by an error
	AgentsProbed int
}

// Probe is a search for misreports.
type Probe struct {
	// Agents is the number of agents tried, spread over all; 0 means all.
	Agents int
	// Tries is the number of reports tried an agent before the best is refined;
	// 0 means 60.
	Tries int
	Seed  uint64
}

// Search looks for the agent and report of the largest gain under any
// mechanism: other agents' demands, the own ones with entries shrunk and grown
// around what rivals report, random ones, and then ever smaller steps around the
// best. It calls the mechanism about 2 Tries times an agent.
func (p Probe) Search(mechanism Mechanism, d Demands) (Misreport, error) {
	best := Misreport{Agent: -1, Gain: math.Inf(-1)}
	if err := d.Check(); err != nil {
		return best, err
	}
	honest, err := mechanism(d)
	if err != nil {
		return best, err
	}
	if len(honest) != len(d) {
		return best, fmt.Errorf("the mechanism returned %d shares for %d agents", len(honest), len(d))
	}
	agents, tries := p.Agents, p.Tries
	if agents <= 0 || agents > len(d) {
		agents = len(d)
	}
	if tries <= 0 {
		tries = 60
	}
	stream := rng.New(p.Seed, "misreports")
	lies := append(Demands(nil), d...)
	for k := range agents {
		i := k * len(d) / agents
		stream.Key(uint64(i))
		l := &liar{mechanism: mechanism, d: d, lies: lies, agent: i,
			best: Misreport{Agent: i, Truth: honest[i], Gain: math.Inf(-1)}}
		l.guess(stream, tries)
		l.refine(stream, tries)
		lies[i] = d[i]
		l.best.Tried += best.Tried
		l.best.Refused += best.Refused
		if l.best.Gain > best.Gain {
			best = l.best
		} else {
			best.Tried, best.Refused = l.best.Tried, l.best.Refused
		}
	}
	best.AgentsProbed = agents
	return best, nil
}

// liar searches for one agent.
type liar struct {
	mechanism Mechanism
	d, lies   Demands
	agent     int
	best      Misreport
}

// try tells the mechanism a report, scaled so that its largest entry is 1. What
// the agent then gets it uses by its true demands.
func (l *liar) try(report []float64) {
	most := 0.0
	for _, v := range report {
		most = max(most, v)
	}
	if !(most > 0) {
		return
	}
	for r := range report {
		report[r] = max(0, report[r]/most)
	}
	l.lies[l.agent] = report
	l.best.Tried++
	x, err := l.mechanism(l.lies)
	if err != nil || len(x) != len(l.lies) {
		l.best.Refused++
		return
	}
	held := make([]float64, len(report))
	for r, v := range report {
		held[r] = x[l.agent] * v
	}
	lie := l.d.worth(l.agent, held)
	if gain := lie - l.best.Truth; gain > l.best.Gain {
		l.best.Gain, l.best.Lie, l.best.Report = gain, lie, report
	}
}

// guess tries reports of all kinds.
func (l *liar) guess(stream *rng.Rand, tries int) {
	honest, m := l.d[l.agent], len(l.d[0])
	for t := range tries {
		report := append([]float64(nil), honest...)
		switch t % 4 {
		case 0: // another agent's
			copy(report, l.d[stream.IntN(len(l.d))])
		case 1: // one entry moved towards 1 or 0
			r, u := stream.IntN(m), stream.Float64()
			if stream.IntN(2) == 0 {
				report[r] = float64(u * report[r])
			} else {
				report[r] += float64(u * (1 - report[r]))
			}
		case 2: // an entry close to a rival's
			r := stream.IntN(m)
			report[r] = float64(l.d[stream.IntN(len(l.d))][r] * (1 + float64(1e-3*float64(stream.IntN(3)-1))))
		default: // anything
			for r := range report {
				report[r] = 1 - float64(stream.Float64())
			}
		}
		l.try(report)
	}
}

// refine goes from the best report in ever smaller steps.
func (l *liar) refine(stream *rng.Rand, tries int) {
	if l.best.Report == nil {
		return
	}
	for t := range tries {
		size := math.Pow(2, -float64(t)/float64(tries)*20)
		report := append([]float64(nil), l.best.Report...)
		for r := range report {
			report[r] = max(1e-6, float64(report[r]*(1+float64(size*(float64(2*float64(stream.Float64()))-1)))))
		}
		l.try(report)
	}
}
