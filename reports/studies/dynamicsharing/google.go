package dynamicsharing

import (
	"context"
	"fmt"

	"bourse/events"
	"bourse/traces/demand"
	"bourse/traces/google"
)

// userDemand reads the demand for CPU by user, the sum of what the tasks request that
// are submitted and not ended, or that run, for several lengths of a round in one
// pass. Rounds count from the beginning of the window; tasks that were there before are
// there from its first.
type userDemand struct {
	running bool
	meters  []*demand.Meter
	users   map[string]int
	tasks   map[[2]int64]task
	now     events.Time
	// submits counts submissions, unseen those of tasks that appear later in
	// their lives, without those that request no CPU.
	submits, unseen, without, parts int
}

// task is one that is alive; counts is true if it is in its user's demand.
type task struct {
	user   int
	cpu    float64
	counts bool
}

// part is what the task adds to the demand.
func (t task) part() float64 {
	if t.counts {
		return t.cpu
	}
	return 0
}

// readGoogle returns an instance for each length of a round. The last round, cut
// by the end of the parts, is left out.
func readGoogle(ctx context.Context, dir string, lengths []events.Time, running bool) ([]*instance, *userDemand, error) {
	g := &userDemand{running: running, users: map[string]int{}, tasks: map[[2]int64]task{}}
	out := make([]*instance, len(lengths))
	for k, every := range lengths {
		out[k] = &instance{name: "Google"}
		g.meters = append(g.meters, demand.NewMeter(every, out[k].add))
	}
	var err error
	if g.parts, err = google.EachPart(ctx, dir, google.TaskTable, func(path string) error { return google.EachTaskEvent(path, g.event) }); err != nil {
		return nil, nil, err
	}
	for k, x := range out {
		if err := x.trim(dir, lengths[k]); err != nil {
			return nil, nil, err
		}
	}
	return out, g, nil
}

// event follows one event of a task.
func (g *userDemand) event(e *google.TaskEvent, name []byte) error {
	at := max(0, e.At-google.WindowStart)
	if at < g.now {
		return fmt.Errorf("time %d follows %d; want parts in order of time", e.At, g.now+google.WindowStart)
	}
	g.now = at
	id := [2]int64{e.Job, int64(e.Task)}
	old, alive := g.tasks[id]
	switch e.Kind {
	case google.Submit, google.Schedule, google.UpdatePending, google.UpdateRunning:
		return g.alive(e, name, old, alive, at)
	}
	if !alive {
		return nil
	}
	delete(g.tasks, id)
	return g.change(at, old.user, -old.part())
}

// alive notes what a task that is not over requests now.
func (g *userDemand) alive(e *google.TaskEvent, name []byte, old task, known bool, at events.Time) error {
	cpu := old.cpu // a record without a request changes nothing
	if e.CPU > 1e6 {
		return fmt.Errorf("CPU is %g; want a fraction of the largest machine", e.CPU)
	}
	if e.CPU >= 0 {
		cpu = e.CPU
	}
	if e.Kind == google.Submit {
		g.submits++
		if cpu == 0 {
			g.without++
		}
	} else if !known {
		g.unseen++
	}
	user, met := g.users[string(name)]
	if !met {
		user = len(g.users)
		g.users[string(name)] = user
	}
	now := task{user, cpu, !g.running || old.counts || e.Kind == google.Schedule || e.Kind == google.UpdateRunning}
	if g.tasks[[2]int64{e.Job, int64(e.Task)}] = now; now == old {
		return nil
	}
	if err := g.change(at, old.user, -old.part()); err != nil {
		return err
	}
	return g.change(at, user, now.part())
}

func (g *userDemand) change(at events.Time, user int, amount float64) error {
	if amount == 0 {
		return nil
	}
	for _, m := range g.meters {
		if err := m.Change(at, user, amount); err != nil {
			return err
		}
	}
	return nil
}
