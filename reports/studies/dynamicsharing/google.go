package dynamicsharing

import (
	"context"
	"fmt"
	"strconv"

	"bourse/events"
	"bourse/reports/studies/clusterdata"
	"bourse/traces/demand"
)

// windowStart is when the trace begins; what was there before stands at time 0.
// Rounds count from here.
const windowStart = 600 * events.Second

// google reads the demand for CPU by user, the sum of what the tasks request that
// are submitted and not ended, or that run, for several lengths of a round in one
// pass.
type google struct {
	running bool
	meters  []*demand.Meter
	users   map[string]int
	tasks   map[[2]uint64]task
	now     events.Time
	// submits counts submissions, unseen those of tasks that appear later in
	// their lives, without those that request no CPU.
	submits, unseen, without, parts int
}

// task is one that is alive; counts tells whether it is in its user's demand.
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
func readGoogle(ctx context.Context, dir string, lengths []events.Time, running bool) ([]*instance, *google, error) {
	paths, err := clusterdata.Parts(dir, "task_events")
	if err != nil {
		return nil, nil, err
	}
	g := &google{running: running, users: map[string]int{}, tasks: map[[2]uint64]task{}, parts: len(paths)}
	out := make([]*instance, len(lengths))
	for k, every := range lengths {
		out[k] = &instance{name: "Google"}
		g.meters = append(g.meters, demand.NewMeter(every, out[k].add))
	}
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if err := clusterdata.EachLine(path, clusterdata.TaskFields, g.event); err != nil {
			return nil, nil, err
		}
	}
	for k, x := range out {
		if x.trim(); len(x.rounds) == 0 || x.agents < 2 {
			return nil, nil, fmt.Errorf("%s: %d users in %d rounds of %v; there should be 2 users and a round", dir, x.agents, len(x.rounds), lengths[k])
		}
	}
	return out, g, nil
}

// event follows one event of a task.
func (g *google) event(f [][]byte) error {
	micros, err := strconv.ParseUint(string(f[clusterdata.TaskTime]), 10, 63)
	if err != nil {
		return fmt.Errorf("time %q; microseconds were expected", f[clusterdata.TaskTime])
	}
	at := max(0, events.Time(micros)-windowStart)
	if at < g.now {
		return fmt.Errorf("time %s comes after %d; the parts should follow each other in time", f[clusterdata.TaskTime], g.now+windowStart)
	}
	g.now = at
	job, err := strconv.ParseUint(string(f[clusterdata.TaskJob]), 10, 64)
	if err != nil {
		return fmt.Errorf("job %q; a number was expected", f[clusterdata.TaskJob])
	}
	index, err := strconv.ParseUint(string(f[clusterdata.TaskIndex]), 10, 64)
	if err != nil {
		return fmt.Errorf("task index %q; a number was expected", f[clusterdata.TaskIndex])
	}
	if len(f[clusterdata.TaskType]) != 1 {
		return fmt.Errorf("event type %q; a digit was expected", f[clusterdata.TaskType])
	}
	id := [2]uint64{job, index}
	old, alive := g.tasks[id]
	switch kind := f[clusterdata.TaskType][0]; kind {
	case clusterdata.Evict, clusterdata.Fail, clusterdata.Finish, clusterdata.Kill, clusterdata.Lost:
		if !alive {
			return nil
		}
		delete(g.tasks, id)
		return g.change(at, old.user, -old.part())
	case clusterdata.Submit, clusterdata.Schedule, clusterdata.UpdatePending, clusterdata.UpdateRunning:
		return g.alive(f, id, old, alive, at)
	default:
		return fmt.Errorf("event type %q; 0 to 8 were expected", kind)
	}
}

// alive notes what a task that is not over requests now.
func (g *google) alive(f [][]byte, id [2]uint64, old task, known bool, at events.Time) error {
	first := f[clusterdata.TaskType][0] == clusterdata.Submit
	cpu := old.cpu // a record without a request changes nothing
	if text := f[clusterdata.TaskCPU]; len(text) > 0 {
		v, err := strconv.ParseFloat(string(text), 64)
		if err != nil || !(v >= 0 && v <= 1e6) {
			return fmt.Errorf("CPU is %q; a fraction of the largest machine was expected", text)
		}
		cpu = v
	}
	if first {
		g.submits++
		if cpu == 0 {
			g.without++
		}
	} else if !known {
		g.unseen++
	}
	user, met := g.users[string(f[clusterdata.TaskUser])]
	if !met {
		user = len(g.users)
		g.users[string(f[clusterdata.TaskUser])] = user
	}
	kind := f[clusterdata.TaskType][0]
	now := task{user, cpu, !g.running || old.counts || kind == clusterdata.Schedule || kind == clusterdata.UpdateRunning}
	if g.tasks[id] = now; now == old {
		return nil
	}
	if err := g.change(at, old.user, -old.part()); err != nil {
		return err
	}
	return g.change(at, user, now.part())
}

func (g *google) change(at events.Time, user int, amount float64) error {
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
