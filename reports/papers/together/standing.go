package together

import (
	"cmp"
	"slices"

	"bourse/engine"
	"bourse/events"
	"bourse/traces"
)

// fairnessTracker integrate over time what users hold of the machine and what they want,
// afterwards, from the records of a replay. Shares are of the whole machine: on a pool
// a job's is its dominant share.
type fairnessTracker struct {
	users map[traces.Label]int32
	steps []step
}

// step is a change of what a user's jobs that are not over want, or of what they hold.
type step struct {
	at           events.Time
	user         int32
	wants, holds float64
}

func (s *fairnessTracker) add(at events.Time, label traces.Label, wants, holds float64) {
	if s.users == nil {
		s.users = map[traces.Label]int32{}
	}
	user, met := s.users[label]
	if !met {
		user = int32(len(s.users))
		s.users[label] = user
	}
	s.steps = append(s.steps, step{at, user, wants, holds})
}

// Record implements engine.Sink.
func (s *fairnessTracker) Record(o *engine.Outcome) error {
	s.add(o.Job.Submit, o.Job.User, o.Size, 0)
	s.add(o.End, o.Job.User, -o.Size, 0)
	return nil
}

// Segment implements engine.SegmentSink.
func (s *fairnessTracker) Segment(g *engine.Segment) error {
	s.add(g.Start, g.Job.User, 0, g.Size*g.Share)
	s.add(g.End, g.Job.User, 0, -g.Size*g.Share)
	return nil
}

// fairness is what users got, all shares of time or work: envy of the time that users
// had jobs during which they would rather have had another's part of the machine;
// short of an equal share, capped by what they wanted, what they did not hold; idle of
// the machine's capacity what stood free while jobs that had come were not run with it.
type fairness struct{ envy, short, idle float64 }

// tiny is less than any share of a machine that counts.
const tiny = 1e-9

// result goes through the instants in order. Each costs time in the users with jobs.
func (s *fairnessTracker) result(capacity float64) fairness {
	slices.SortStableFunc(s.steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	wants, holds := make([]float64, len(s.users)), make([]float64, len(s.users))
	var active []int32
	var f fairness
	var time, entitled, total float64
	for i := 0; i < len(s.steps); {
		at := s.steps[i].at
		for ; i < len(s.steps) && s.steps[i].at == at; i++ {
			c := s.steps[i]
			if wants[c.user] <= tiny {
				active = append(active, c.user)
			}
			wants[c.user] += c.wants / capacity
			holds[c.user] += c.holds / capacity
		}
		slices.Sort(active)
		active = slices.DeleteFunc(slices.Compact(active), func(u int32) bool { return wants[u] <= tiny })
		if i == len(s.steps) {
			break
		}
		dt := (s.steps[i].at - at).Seconds()
		most, free, unmet := 0.0, 1.0, 0.0
		for _, u := range active {
			most, free, unmet = max(most, holds[u]), free-holds[u], unmet+wants[u]-holds[u]
		}
		total += dt
		if spare := min(free, unmet); spare > tiny {
			f.idle += float64(dt * spare)
		}
		for _, u := range active {
			equal := min(wants[u], 1/float64(len(active)))
			time, entitled = time+dt, entitled+float64(dt*equal)
			if equal > holds[u]+tiny {
				f.short += float64(dt * (equal - holds[u]))
			}
			if wants[u] > holds[u]+tiny && most > holds[u]+tiny {
				f.envy += dt
			}
		}
	}
	return fairness{f.envy / max(time, tiny), f.short / max(entitled, tiny), f.idle / max(total, tiny)}
}
