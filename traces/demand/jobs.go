package demand

import (
	"fmt"
	"slices"

	"bourse/events"
	"bourse/traces"
)

// Options say what becomes a demand.
type Options struct {
	// Every is the length of a round.
	Every events.Time
	// By is one of Keys: what makes an agent.
	By string
	// Resource is one of Resources: what is demanded.
	Resource string
	// Running counts a job from its recorded start instead of its submission.
	Running bool
}

// Keys are the labels that can make an agent, and Resources what a job demands:
// cpu its processors, times the CPU of each where the trace has it, and the others those
// times what each asks for.
var (
	Keys      = []string{"user", "group", "queue", "partition"}
	Resources = []string{"cpu", "memory", "gpu", "disk"}
)

// Counts say what was made of the jobs.
type Counts struct {
	Jobs int64
	// NoAgent are left out because the label is unknown, NoDemand because the
	// resource is unknown or 0, NoTime because they did not run any time.
	NoAgent, NoDemand, NoTime int64
	// NoWait have no recorded wait and count as started when submitted.
	NoWait int64
	Rounds int64
}

// key is a way to name an agent.
type key struct {
	label func(*traces.Job) traces.Label
	words func(*traces.Names) *traces.Words
}

var keys = map[string]key{
	"user": {func(j *traces.Job) traces.Label { return j.User },
		func(n *traces.Names) *traces.Words { return n.Users }},
	"group": {func(j *traces.Job) traces.Label { return j.Group },
		func(n *traces.Names) *traces.Words { return n.Groups }},
	"queue": {func(j *traces.Job) traces.Label { return j.Queue },
		func(n *traces.Names) *traces.Words { return n.Queues }},
	"partition": {func(j *traces.Job) traces.Label { return j.Partition },
		func(n *traces.Names) *traces.Words { return n.Partitions }},
}

// change is an amount of demand that begins or, negative, ends.
type change struct {
	agent  int
	amount float64
}

// series is one run over a trace.
type series struct {
	Options
	meter  *Meter
	next   events.Heap[events.Time, change]
	seq    int64
	agents map[traces.Label]int
	labels []traces.Label
	counts Counts
}

// Run reads a trace to its end and passes its rounds on, agents being spelled out
// by name.
func Run(src traces.Source, o Options, each func(r *Round, name func(agent int) string) error) (Counts, error) {
	by, known := keys[o.By]
	if !known || o.Every <= 0 || !slices.Contains(Resources, o.Resource) {
		return Counts{}, fmt.Errorf("demand of %q by %q every %v is not defined", o.Resource, o.By, o.Every)
	}
	s := &series{Options: o, agents: map[traces.Label]int{}}
	name := func(agent int) string {
		text, _ := by.words(&src.Header().Names).Text(s.labels[agent])
		return text
	}
	s.meter = NewMeter(o.Every, func(r *Round) error {
		s.counts.Rounds++
		return each(r, name)
	})
	err := traces.Each(src, func(j *traces.Job) error {
		err := s.applyUntil(j.Submit)
		if err == nil {
			s.job(j, by.label(j))
		}
		return err
	})
	if err == nil {
		err = s.applyUntil(events.Never)
	}
	if err != nil {
		return s.counts, err
	}
	return s.counts, s.meter.Finish()
}

// applyUntil applies the changes before an instant and at it.
func (s *series) applyUntil(at events.Time) error {
	for s.next.Len() > 0 && s.next.HeadKey() <= at {
		now := s.next.HeadKey()
		c := s.next.Pop()
		if err := s.meter.Change(now, c.agent, c.amount); err != nil {
			return err
		}
	}
	return nil
}

// job plans the beginning and the end of a job's demand.
func (s *series) job(j *traces.Job, label traces.Label) {
	s.counts.Jobs++
	cpu, memory, gpu, disk := j.Ask(float64(max(j.Procs, 0)))
	amount := [...]float64{cpu, memory, gpu, disk}[slices.Index(Resources, s.Resource)]
	start := j.Submit
	if j.Wait.Known() {
		start += j.Wait
	}
	end := start + max(0, j.Run)
	from := start
	if !s.Running {
		from = j.Submit
	}
	switch {
	case label == traces.NoLabel:
		s.counts.NoAgent++
		return
	case j.Procs <= 0 || !(amount > 0):
		s.counts.NoDemand++
		return
	case !j.Run.Known() || end <= from:
		s.counts.NoTime++
		return
	}
	if !j.Wait.Known() {
		s.counts.NoWait++
	}
	agent, known := s.agents[label]
	if !known {
		agent = len(s.labels)
		s.agents[label] = agent
		s.labels = append(s.labels, label)
	}
	s.plan(from, agent, amount)
	s.plan(end, agent, -amount)
}

func (s *series) plan(at events.Time, agent int, amount float64) {
	s.seq++
	s.next.Push(at, s.seq, change{agent, amount})
}
