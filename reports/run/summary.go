package run

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/reports/stats"
	"bourse/traces"
)

// Count is a number of records of one kind.
type Count struct {
	What    string `json:"what"`
	Records int64  `json:"records"`
}

// Counts accounts for every record read: Read + Added = Replayed + sum of Dropped.
type Counts struct {
	Read     int64 `json:"read"`
	Replayed int64 `json:"replayed"`
	// Added counts the jobs that resampling made beyond those read; Uncounted
	// those replayed in the warm-up or cool-down, which no aggregate of jobs holds.
	Added     int64 `json:"added,omitempty"`
	Uncounted int64 `json:"uncounted,omitempty"`
	// Dropped holds one entry per reason, in the order of traces.Reasons,
	// those with no records included.
	Dropped []Count `json:"dropped"`
	// Oddities counts what was tolerated, sorted by phrase.
	Oddities []Count `json:"oddities"`
}

// DroppedAs counts the records left out for a reason.
func (c *Counts) DroppedAs(reason string) int64 {
	for _, d := range c.Dropped {
		if d.What == reason {
			return d.Records
		}
	}
	return 0
}

// Machine describes the use of the machine in the whole replay, warm-up and cool-down
// included: it cannot be told apart by the jobs that use it.
type Machine struct {
	// Procs are the processors, or the machines of a pool.
	Procs int `json:"procs"`
	// Pool holds what a pool of several resources has in the trace's units.
	Pool *Pool `json:"pool,omitempty"`
	// MakespanS is from the first submission to the last completion, in
	// seconds.
	MakespanS float64 `json:"makespan_s"`
	// Utilisation is busy processor time / (procs x makespan), 0 to 1, without what outages take; on a pool
	// that of its CPU.
	Utilisation float64 `json:"utilisation"`
	// AwayPercent is how much of the machine's time from the first submission to the last completion outages
	// took, Stopped how many jobs they stopped, and HeldBack how often a rule of the site held a job back.
	AwayPercent float64 `json:"away_percent,omitempty"`
	Stopped     int64   `json:"stopped_by_outages,omitempty"`
	// Outages are those that were, in order of their begin.
	Outages  []Outage `json:"outages,omitempty"`
	HeldBack int64    `json:"starts_held_back,omitempty"`
	// Energy is what the machine drew, if that is measured.
	Energy *Energy `json:"energy,omitempty"`
	// Carbon and Tariff are what its jobs and the machine were charged, if that is asked for.
	Carbon *Charged `json:"carbon,omitempty"`
	Tariff *Charged `json:"tariff,omitempty"`
	// Events is the number of events applied.
	Events int64 `json:"events"`
	// Resubmissions counts how often a job was killed at its estimate and submitted
	// again; LostPercent is the share of the work that this and preemption cost.
	Resubmissions int64   `json:"resubmissions,omitempty"`
	LostPercent   float64 `json:"lost_percent,omitempty"`
	// Left counts the jobs that ran elsewhere, LeftBecause says why.
	Left        int64  `json:"left,omitempty"`
	LeftBecause string `json:"left_because,omitempty"`
	// Cluster describes the effects of placing jobs on single machines.
	Cluster *Cluster `json:"cluster,omitempty"`
}

// Cluster counts the events of a trace's machines, the jobs that these evicted and
// the others preempted, and for how much of the makespan a job waited that all
// machines together had room for, and none alone.
type Cluster struct {
	MachineEvents     int64   `json:"machine_events"`
	Evictions         int64   `json:"evictions"`
	Preemptions       int64   `json:"preemptions"`
	FragmentedPercent float64 `json:"fragmented_percent"`
	// GPUFragmentsPercent is how much of the GPUs is free but of no use to typical jobs, on
	// the average over time, of all and of the free ones.
	GPUFragmentsPercent     float64 `json:"gpu_fragments_percent,omitempty"`
	GPUFragmentsFreePercent float64 `json:"gpu_fragments_of_free_percent,omitempty"`
}

// Outage is a time in which so many processors were away, or were to stay idle under a cap on power; Procs 0 is all. It
// has no end if it was to last for ever.
type Outage struct {
	Start  float64  `json:"start_s"`
	End    *float64 `json:"end_s,omitempty"`
	Procs  float64  `json:"processors"`
	Capped bool     `json:"capped,omitempty"`
}

// Energy is what a machine drew from the first submission to the last completion: in all, and the part of it that
// nothing used; on the average and at the most. CappedS is for how many seconds jobs waited while a cap kept processors
// idle, OverCapS how long jobs drew more than it that took longer than they had asked for.
type Energy struct {
	KWh       float64 `json:"energy_kwh"`
	UnusedKWh float64 `json:"unused_kwh"`
	MeanPower float64 `json:"mean_power_kw"`
	PeakPower float64 `json:"peak_power_kw"`
	CappedS   float64 `json:"waited_under_cap_s,omitempty"`
	OverCapS  float64 `json:"over_cap_s,omitempty"`
}

// Charged is what all jobs were charged, and, where it goes by power, in addition the machine for what no job used: in
// grams or money.
type Charged struct {
	Jobs   float64 `json:"jobs"`
	Unused float64 `json:"unused,omitempty"`
}

// charged is a charge, nil if there is none.
func charged(s *engine.Summary, kind int) *Charged {
	if s.JobCharged[kind] == 0 && s.Charged[kind] == 0 {
		return nil
	}
	c := &Charged{Jobs: s.JobCharged[kind]}
	if unused := s.Charged[kind] - c.Jobs; s.Charged[kind] != 0 &&
		math.Abs(unused) > 1e-9*math.Abs(c.Jobs) { // else it is of rounding
		c.Unused = unused
	}
	return c
}

// Pool is the capacity of a pool of several resources and how much was used.
type Pool struct {
	CPU               float64 `json:"cpu"`
	Memory            float64 `json:"memory"`
	MemoryUtilisation float64 `json:"memory_utilisation"`
	GPU               float64 `json:"gpu,omitempty"`
	GPUUtilisation    float64 `json:"gpu_utilisation,omitempty"`
	Disk              float64 `json:"disk,omitempty"`
	DiskUtilisation   float64 `json:"disk_utilisation,omitempty"`
}

// Total is what there is of each resource.
func (p *Pool) Total() policies.Amount {
	return policies.Amount{CPU: p.CPU, Memory: p.Memory, GPU: p.GPU, Disk: p.Disk}
}

// Used names the shares used of all resources that there are, CPU's being cpu.
func (p *Pool) Used(cpu float64) string {
	text, total := fmt.Sprintf("CPU used %.1f%%", 100*cpu), p.Total()
	for r, used := range [...]float64{1: p.MemoryUtilisation, 2: p.GPUUtilisation, 3: p.DiskUtilisation} {
		if r > 0 && total.At(r) > 0 {
			text += fmt.Sprintf(", %s %.1f%%", [...]string{"", "memory", "GPUs", "disk"}[r], 100*used)
		}
	}
	return text
}

// Unit states the unit of the figures named by Figures.
type Unit struct {
	Figures string `json:"figures"`
	Unit    string `json:"unit"`
}

// Summary is what summary.json holds: the counts, the machine and the
// aggregates of one replay. The order of keys is the order of the fields.
type Summary struct {
	Units []Unit `json:"units"`
	// Market says that a market was asked for or somebody pays: else what is said of
	// values, payments and utility is of no interest.
	Market   bool      `json:"market"`
	Warnings []Warning `json:"warnings"`
	Counts   Counts    `json:"counts"`
	Machine  Machine   `json:"machine"`
	// Recorded is what the log says of the jobs counted, as far as it has their waits.
	Recorded *stats.Times  `json:"recorded,omitempty"`
	Jobs     *stats.Result `json:"jobs"`
	// Waits is what jobs waited for, if that was asked for.
	Waits []Wait `json:"waits,omitempty"`
	// ChargedBy is what groups and hours drew and were charged, if anything was.
	ChargedBy *ChargedBy `json:"charged_by,omitempty"`
}

var units = []Unit{
	{"*_s", "seconds"},
	{"*_percent", "percent"},
	{"*_kwh, *_kw", "kilowatt-hours, kilowatts"},
	{"carbon", "grams"},
	{"tariff", "money"},
	{"*_payment, *_utility, aggressive_payoff", "money"},
	{"twft", "money (sum of value x processors x flow time)"},
	{"*_bounded_slowdown, *_bsd, utilisation, efficiency, designer_payoff", "ratio"},
}

// NewSummary puts a summary together. notes are anomalies that the policy counted.
func NewSummary(ledger *traces.Ledger, notes []traces.Note, machine Machine, jobs *stats.Result) *Summary {
	return &Summary{Units: units, Warnings: []Warning{}, Counts: countsOf(ledger, notes), Machine: machine,
		Recorded: jobs.Recorded, Jobs: jobs}
}

// Uncount says how many jobs were replayed in the warm-up or cool-down and are not in
// the aggregates of jobs.
func (s *Summary) Uncount(n int64) {
	if s.Counts.Uncounted = n; n > 0 {
		s.Units = append(slices.Clone(s.Units), Unit{"machine", "of the whole replay, warm-up and cool-down included"})
	}
}

// NewMachine says what became of the machine in a replay.
func NewMachine(s *engine.Summary) Machine {
	m := Machine{Procs: s.Machines, MakespanS: (s.Last - s.First).Seconds(), Utilisation: s.Utilisation(),
		Events: s.Events, Resubmissions: s.Resubmissions, Left: s.Left, Stopped: s.Stopped, HeldBack: s.Held}
	for _, o := range s.Outages {
		x := Outage{Start: o.Start.Seconds(), Procs: o.Procs, Capped: o.Capped}
		if end := o.End.Seconds(); o.End != events.Never {
			x.End = &end
		}
		m.Outages = append(m.Outages, x)
	}
	if s.Energy > 0 {
		m.Energy = &Energy{KWh: s.Energy / 3.6e6, UnusedKWh: (s.Energy - s.JobEnergy) / 3.6e6, PeakPower: s.PeakPower / 1000,
			CappedS: s.Capped.Seconds(), OverCapS: s.OverCap.Seconds()}
		m.Energy.MeanPower = s.Energy / m.MakespanS / 1000
	}
	m.Carbon, m.Tariff = charged(s, engine.Carbon), charged(s, engine.Tariff)
	if s.Away > 0 {
		m.AwayPercent = 100 * s.Away / m.MakespanS
	}
	if m.Left > 0 {
		m.LeftBecause = s.WhyLeft
	}
	if s.Resubmissions > 0 && s.Work > 0 {
		m.LostPercent = 100 * s.Lost / s.Work
	}
	if s.Pool {
		m.Pool = &Pool{CPU: s.Capacity.CPU, Memory: s.Capacity.Memory, MemoryUtilisation: s.UtilisationOf(1),
			GPU: s.Capacity.GPU, GPUUtilisation: s.UtilisationOf(2), Disk: s.Capacity.Disk, DiskUtilisation: s.UtilisationOf(3)}
	}
	if s.MachineEvents > 0 {
		m.Cluster = &Cluster{MachineEvents: s.MachineEvents, Evictions: s.Evictions, Preemptions: s.Preemptions - s.Evictions}
		if m.MakespanS > 0 {
			m.Cluster.FragmentedPercent = 100 * s.Fragmented.Seconds() / m.MakespanS
			if all := float64(s.Capacity.GPU * m.MakespanS); all > s.Used.GPU {
				m.Cluster.GPUFragmentsPercent, m.Cluster.GPUFragmentsFreePercent = 100*s.Fragments/all,
					100*s.Fragments/(all-s.Used.GPU)
			}
		}
	}
	return m
}

func countsOf(l *traces.Ledger, notes []traces.Note) Counts {
	c := Counts{Dropped: []Count{}, Oddities: []Count{}}
	if l == nil {
		return c
	}
	c.Read, c.Replayed, c.Added = l.Read, l.Replayed(), l.Added
	for _, reason := range traces.Reasons() {
		c.Dropped = append(c.Dropped, Count{reason.String(), l.Dropped[reason]})
	}
	for _, n := range append(l.Notes(), notes...) {
		c.Oddities = append(c.Oddities, Count{n.What, n.Count})
	}
	slices.SortFunc(c.Oddities, func(a, b Count) int { return cmp.Compare(a.What, b.What) })
	return c
}

// ReadSummary reads a run's summary.json.
func ReadSummary(path string) (*Summary, error) {
	text, err := ReadText(path)
	if err != nil {
		return nil, err
	}
	s := &Summary{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%s: not a summary: %w", path, err)
	}
	if s.Jobs == nil {
		return nil, fmt.Errorf("%s: not a summary of bourse: it has no aggregates", path)
	}
	return s, wantFigures(path, text)
}

// wantFigures wants a summary to have every figure of all jobs: one that it lacks, since another
// version wrote it, would read as 0.
func wantFigures(path string, text []byte) error {
	var has struct {
		Jobs struct{ Total map[string]json.RawMessage }
	}
	if err := json.Unmarshal(text, &has); err != nil {
		return fmt.Errorf("%s: not a summary: %w", path, err)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[stats.Aggregate]()) {
		name, more, _ := strings.Cut(f.Tag.Get("json"), ",")
		if _, ok := has.Jobs.Total[name]; name != "" && more == "" && !ok {
			return fmt.Errorf("%s has no %s: another version wrote it; make it anew", path, name)
		}
	}
	return nil
}
