package engine

import (
	"slices"

	"bourse/policies"
	"bourse/traces"
)

// Power is what a machine draws: each of its processors, or CPUs, and GPUs. A machine that is away draws nothing.
type Power struct {
	CPU Draw
	// GPU is what devices draw, by model; "" is that of models without an entry.
	GPU map[string]Draw
}

// Draw is in watts: Idle while no job uses it, Busy while one does, and in between for a part of it.
type Draw struct{ Idle, Busy float64 }

// times is the draw of so many.
func (d Draw) times(n float64) Draw { return Draw{d.Idle * n, d.Busy * n} }

// plus is the sum; the conversions keep products from being fused with it.
func (d Draw) plus(o Draw) Draw {
	return Draw{float64(d.Idle) + float64(o.Idle), float64(d.Busy) + float64(o.Busy)}
}

// Device returns what a GPU of a model draws, false if that is not known.
func (p *Power) Device(model string) (Draw, bool) {
	d, ok := p.GPU[model]
	if !ok {
		d, ok = p.GPU[""]
	}
	return d, ok
}

// meter reads the power that is drawn at any time:
//
//	sum of Idle over all that is there + sum over running jobs of rate x (Busy - Idle) of what they hold
//
// A job's energy is the integral of rate x Busy over the time it runs.
type meter struct {
	power    *Power // nil if there are charges only
	charges  [NumCharges]*Charge
	extra    float64 // the second sum
	idle     float64 // the first, of single machines
	machines []Draw  // of these, of one device
}

func newMeter(cfg *Config) *meter {
	if cfg.Power == nil && cfg.Charges == ([NumCharges]*Charge{}) {
		return nil
	}
	return &meter{power: cfg.Power, charges: cfg.Charges}
}

func (m *meter) clone() *meter {
	if m == nil {
		return nil
	}
	c := *m
	c.machines = slices.Clone(m.machines)
	return &c
}

// change takes note of a machine that had another capacity, in units.
func (m *meter) change(ev *traces.MachineEvent, at int32, was, is policies.Amount) {
	if m.power == nil {
		return
	}
	for int(at) >= len(m.machines) {
		m.machines = append(m.machines, Draw{})
	}
	m.idle -= float64(m.power.CPU.Idle*was.CPU) + float64(m.machines[at].Idle*was.GPU)
	m.machines[at], _ = m.power.Device(ev.Model)
	m.idle += float64(m.power.CPU.Idle*is.CPU) + float64(m.machines[at].Idle*is.GPU)
}

// of is what a job's processors and devices draw, which has its places.
func (m *meter) of(e *Replay, ref policies.Ref) Draw {
	j := e.jobs.At(ref)
	need := e.machine.units(j.Need)
	d := m.power.CPU.times(need.CPU)
	c, placed := e.machine.placement.(*cluster)
	switch {
	case need.GPU == 0:
	case placed:
		gpus := need.GPU / float64(j.Pieces)
		for s := int32(ref); s != none; {
			l, _ := c.pieceAt(s)
			d, s = d.plus(m.machines[l.machine].times(gpus)), l.next
		}
	default:
		device, _ := m.power.Device("")
		d = d.plus(device.times(need.GPU))
	}
	return d
}

// run takes account of a job that from now on runs at a rate.
func (m *meter) run(e *Replay, ref policies.Ref, rate float64) {
	if m.power == nil {
		return
	}
	d := m.of(e, ref)
	m.extra += float64((d.Busy - d.Idle) * rate)
	e.sum.PeakPower = max(e.sum.PeakPower, m.watts(e))
}

// stop takes account of one that does no more, and of its energy since.
func (m *meter) stop(e *Replay, ref policies.Ref) {
	j, l := e.jobs.At(ref), e.lives.At(ref)
	d := Draw{}
	if m.power != nil {
		d = m.of(e, ref)
	}
	m.charge(e, l, d.Busy*j.Rate, l.Size*j.Rate)
	if m.power == nil {
		return
	}
	joules := float64(d.Busy * j.Rate * (e.now - l.since).Seconds())
	l.Energy += joules
	e.sum.JobEnergy += joules
	if m.extra -= float64((d.Busy - d.Idle) * j.Rate); e.running == 1 {
		m.extra = 0 // sheds what rounding has left
	}
}

// watts is what is drawn now.
func (m *meter) watts(e *Replay) float64 {
	if m == nil || m.power == nil {
		return 0
	}
	if _, placed := e.machine.placement.(*cluster); placed {
		return float64(m.idle*(e.there.CPU/e.sum.Capacity.CPU)) + m.extra
	}
	device, _ := m.power.Device("")
	return float64(m.power.CPU.Idle*e.there.CPU) + float64(device.Idle*e.there.GPU) + m.extra
}
