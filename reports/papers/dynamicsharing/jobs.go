package dynamicsharing

import (
	"context"
	"fmt"
	"math"
	"os"

	"bourse/events"
	"bourse/traces/google"
)

// jobLives are the jobs of job_events: whose they are, and from when to when.
type jobLives struct {
	lives []life
	users map[string]int32
	last  events.Time // of the latest event, from the window's beginning
}

// life is a job's; before: it was there when the window begins; end is forever if it
// does not end in the window.
type life struct {
	user       int32
	before     bool
	start, end events.Time
}

const forever = events.Time(math.MaxInt64)

// readJobs reads job_events: one file, or the parts below a trace's folder.
func readJobs(ctx context.Context, path string) (*jobLives, error) {
	g := &jobLives{users: map[string]int32{}}
	at := map[int64]int{} // the place of each job that has not ended
	read := func(path string) error {
		return google.EachJobEvent(path, func(e *google.JobEvent, user []byte) error { return g.event(e, user, at) })
	}
	st, err := os.Stat(path)
	if err == nil && st.IsDir() {
		_, err = google.EachPart(ctx, path, google.JobTable, read)
	} else if err == nil {
		err = read(path)
	}
	if err != nil {
		return nil, err
	}
	if len(g.lives) == 0 {
		return nil, fmt.Errorf("%s: no job is submitted", path)
	}
	return g, nil
}

// event follows one event of a job.
func (g *jobLives) event(e *google.JobEvent, name []byte, at map[int64]int) error {
	if e.At == forever {
		return nil
	}
	now := max(0, e.At-google.WindowStart)
	if now < g.last {
		return fmt.Errorf("time %d follows %d; want rows in order of time", e.At, g.last+google.WindowStart)
	}
	g.last = now
	k, alive := at[e.Job]
	switch e.Kind {
	case google.Submit, google.Schedule:
		if alive {
			return nil
		}
		user, met := g.users[string(name)]
		if !met {
			user = int32(len(g.users))
			g.users[string(name)] = user
		}
		at[e.Job] = len(g.lives)
		g.lives = append(g.lives, life{user, e.At < google.WindowStart, now, forever})
	case google.Evict, google.Fail, google.Finish, google.Kill, google.Lost:
		if alive {
			g.lives[k].end = now
			delete(at, e.Job)
		}
	}
	return nil
}

// reading is a way to take demands from the lives of jobs, as the paper names none.
type reading struct {
	name, line string
	submitted  bool    // a job counts in the round of its submission, not while it is alive
	inside     bool    // only jobs that start and end within the horizon
	active     float64 // only users with a demand in this part of the rounds
}

var readings = []reading{
	{name: "alive", line: "jobs submitted and not ended, by time"},
	{name: "inside", line: "the same, only jobs that start and end within the horizon", inside: true},
	{name: "submitted", line: "jobs submitted in the round", submitted: true},
	{name: "active", line: "the same, only users who submit in 1 % of the rounds or more", submitted: true, active: .01},
}

// instance are the demands by user and whole round up to a horizon.
func (g *jobLives) instance(of reading, every, horizon events.Time) (*instance, error) {
	rounds := int(min(horizon, g.last) / every)
	until := events.Time(rounds) * every
	dense := make([][]float64, rounds)
	for r := range dense {
		dense[r] = make([]float64, len(g.users))
	}
	for _, l := range g.lives {
		switch {
		case l.start >= until || l.before && (of.submitted || of.inside) || of.inside && l.end > until:
		case of.submitted:
			dense[l.start/every][l.user]++
		default:
			for at := l.start; at < min(l.end, until); {
				next := min((at/every+1)*every, l.end)
				dense[at/every][l.user] += float64(next-at) / float64(every)
				at = next
			}
		}
	}
	return sparse(of, every, dense, len(g.users))
}

// sparse keeps the demands above 0 of the users who count.
func sparse(of reading, every events.Time, dense [][]float64, users int) (*instance, error) {
	x, busy := &instance{name: of.name, agents: users}, make([]int, users)
	for _, row := range dense {
		for i, d := range row {
			if d > 0 {
				busy[i]++
			}
		}
	}
	for _, row := range dense {
		var out []entry
		for i, d := range row {
			if d > 0 && float64(busy[i]) >= of.active*float64(len(dense)) {
				out = append(out, entry{int32(i), d})
			}
		}
		x.rounds = append(x.rounds, out)
	}
	return x, x.trim("job_events, "+of.name, every)
}
