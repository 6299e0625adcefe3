// Package demand turns jobs into series of demands: how much each agent asks for
// in each round, the mean over the round's time. It runs in memory of the agents
// and the jobs alive, whatever the length of the trace.
package demand

import "bourse/events"

// Meter adds up the levels of agents over rounds. Agents are numbered from 0.
type Meter struct {
	every events.Time
	each  func(*Round) error
	out   Round
	begun bool
	end   events.Time // of the round being filled
	// By agent: the present level and of how many parts it is made, since when,
	// and the level's integral over the round so far.
	level []float64
	parts []int
	since []events.Time
	area  []float64
	// live lists the agents to look at when the round ends: those with a level or
	// an area; listed marks them.
	live   []int
	listed []bool
}

// Round is one round of a series.
type Round struct {
	// Number counts from 1.
	Number int64
	// Start is when it begins, on the trace's clock.
	Start events.Time
	// Agents are those that demand something, in no particular but fixed order,
	// and Demand is each one's mean over the round.
	Agents []int
	Demand []float64
}

// NewMeter returns a meter that passes each round to each when it is over. The
// first begins at the last multiple of `every` before the first change.
func NewMeter(every events.Time, each func(*Round) error) *Meter {
	return &Meter{every: every, each: each}
}

// Change adds amount to an agent's level at an instant; a negative amount takes
// away what was added before. Instants must not go back.
func (m *Meter) Change(at events.Time, agent int, amount float64) error {
	if !m.begun {
		m.begun = true
		m.out.Start = at - ((at%m.every)+m.every)%m.every
		m.end = m.out.Start + m.every
	}
	for at >= m.end {
		if err := m.close(); err != nil {
			return err
		}
	}
	m.grow(agent)
	m.settle(agent, at)
	if m.level[agent] += amount; amount > 0 {
		m.parts[agent]++
	} else if m.parts[agent]--; m.parts[agent] == 0 {
		m.level[agent] = 0 // no residue of rounding
	}
	if !m.listed[agent] {
		m.listed[agent] = true
		m.live = append(m.live, agent)
	}
	return nil
}

// Finish passes on the last round if anything was demanded in it.
func (m *Meter) Finish() error {
	for _, i := range m.live {
		if m.area[i] > 0 || m.parts[i] > 0 {
			return m.close()
		}
	}
	return nil
}

func (m *Meter) grow(agent int) {
	for len(m.level) <= agent {
		m.level, m.parts = append(m.level, 0), append(m.parts, 0)
		m.since, m.area, m.listed = append(m.since, 0), append(m.area, 0), append(m.listed, false)
	}
}

// settle adds what an agent demanded since its level changed.
func (m *Meter) settle(agent int, at events.Time) {
	from := max(m.since[agent], m.out.Start)
	m.area[agent] += float64(m.level[agent] * float64(at-from))
	m.since[agent] = at
}

// close ends the round and begins the next one.
func (m *Meter) close() error {
	r := &m.out
	r.Number++
	r.Agents, r.Demand = r.Agents[:0], r.Demand[:0]
	kept := m.live[:0]
	for _, i := range m.live {
		m.settle(i, m.end)
		if m.area[i] > 0 {
			r.Agents, r.Demand = append(r.Agents, i), append(r.Demand, m.area[i]/float64(m.every))
		}
		m.area[i] = 0
		if m.listed[i] = m.parts[i] > 0; m.listed[i] {
			kept = append(kept, i)
		}
	}
	m.live = kept
	if err := m.each(r); err != nil {
		return err
	}
	r.Start, m.end = m.end, m.end+m.every
	return nil
}
