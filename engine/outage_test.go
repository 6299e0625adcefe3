package engine_test

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/engine/causes"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/traces"
)

// outageList serves outages in order of start.
type outageList []engine.Outage

func (l *outageList) Next() (o engine.Outage, ok bool) {
	if len(*l) == 0 {
		return o, false
	}
	o, *l = (*l)[0], (*l)[1:]
	return o, true
}

func (l *outageList) Fork() engine.Outages {
	c := slices.Clone(*l)
	return &c
}

// site replays jobs on processors with outages in the plainest way: at each instant it looks at all jobs,
// and at all outages. It shares no code with the engine.
type site struct {
	procs   int
	skip    bool // jobs that do not fit are passed over
	outages []engine.Outage
	jobs    []*siteJob // in order of submission
	now     events.Time
}

type siteJob struct {
	job        traces.Job
	left       events.Time
	expected   events.Time // end
	here       bool
	running    bool
	begun      bool
	done       bool
	held       bool
	until      events.Time
	since      events.Time
	start, end events.Time
	stops      int32
}

// there is how many processors there are at t, as is known now.
func (s *site) there(t events.Time) int {
	n := s.procs
	for _, o := range s.outages {
		if o.Start <= t && t < o.End && (o.Planned || o.Start <= s.now) {
			if o.Procs == 0 {
				return 0
			}
			n -= int(o.Procs)
		}
	}
	return max(n, 0)
}

func (s *site) free() int {
	n := s.there(s.now)
	for _, j := range s.jobs {
		if j.running {
			n -= int(j.job.Procs)
		}
	}
	return n
}

// admits reports whether a job may start beside those that run, else until when it surely may not.
func (s *site) admits(j *siteJob) (bool, events.Time) {
	end := s.now + j.job.Estimate
	for _, o := range s.outages {
		if !o.Planned || o.Start <= s.now || o.Start >= end {
			continue
		}
		past := 0
		for _, k := range s.jobs {
			if k.running && k.expected > o.Start {
				past += int(k.job.Procs)
			}
		}
		if past+int(j.job.Procs) <= s.there(o.Start) {
			continue
		}
		if int(j.job.Procs) <= s.there(o.Start) {
			return false, o.Start
		}
		for at := s.now; ; at += 100_000 { // all times are tenths of seconds
			fits := int(j.job.Procs) <= s.there(at)
			for _, x := range s.outages {
				fits = fits && (!x.Planned || x.Start <= at || x.Start >= at+j.job.Estimate || int(j.job.Procs) <= s.there(x.Start))
			}
			if fits {
				return false, at
			}
		}
	}
	return true, 0
}

func (s *site) run() {
	s.now = -1
	for {
		next := events.Never
		soon := func(t events.Time) {
			if t > s.now {
				next = min(next, t)
			}
		}
		for _, j := range s.jobs {
			switch {
			case j.done:
				continue
			case !j.here:
				soon(j.job.Submit)
			case j.running:
				soon(s.now + j.left)
			case j.held:
				soon(j.until)
			}
			for _, o := range s.outages {
				soon(o.Start)
				soon(o.End)
			}
		}
		if next == events.Never {
			return
		}
		for _, j := range s.jobs {
			if j.running {
				j.left -= next - s.now
			}
		}
		s.now = next
		s.instant()
	}
}

// instant lets jobs end, outages begin, jobs arrive, and jobs start until nothing more happens.
func (s *site) instant() {
	freed := s.finish()
	running := []*siteJob{}
	for _, j := range s.jobs {
		if j.running {
			running = append(running, j)
		}
	}
	sort.SliceStable(running, func(a, b int) bool {
		x, y := running[a], running[b]
		return x.since > y.since || x.since == y.since && slices.Index(s.jobs, x) > slices.Index(s.jobs, y)
	})
	for _, j := range running {
		if s.free() < 0 {
			j.running = false
			j.stops++
			freed = true
		}
	}
	for _, j := range s.jobs {
		j.here = j.here || j.job.Submit == s.now
	}
	for again := true; again; {
		s.readmit(freed)
		again = s.decide()
		freed = s.finish()
		again = again || freed
	}
}

func (s *site) finish() (any bool) {
	for _, j := range s.jobs {
		if j.running && j.left == 0 {
			j.running, j.done, j.end = false, true, s.now
			any = true
		}
	}
	return any
}

func (s *site) readmit(freed bool) {
	for _, j := range s.jobs {
		if ok, _ := s.admits(j); j.held && (j.until <= s.now || freed && ok) {
			j.held = false
		}
	}
}

// decide starts what may start in order, and reports whether it held any job back.
func (s *site) decide() (held bool) {
	for _, j := range s.jobs {
		if !j.here || j.done || j.running || j.held {
			continue
		}
		if int(j.job.Procs) > s.free() {
			if s.skip {
				continue
			}
			return held
		}
		if ok, until := s.admits(j); !ok {
			j.held, j.until, held = true, until, true
			continue
		}
		if !j.begun {
			j.begun, j.start = true, s.now
		}
		j.running, j.since, j.expected = true, s.now, s.now+j.job.Estimate
	}
	return held
}

// drawSite draws jobs and outages full of ties.
func drawSite(t *rapid.T) *site {
	tenths := func(name string, low, high int) events.Time {
		return events.Time(rapid.IntRange(low, high).Draw(t, name)) * 100_000
	}
	s := &site{procs: rapid.IntRange(1, 6).Draw(t, "procs")}
	for i := range rapid.IntRange(1, 15).Draw(t, "jobs") {
		run := tenths("run", 0, 30)
		s.jobs = append(s.jobs, &siteJob{left: run, job: traces.Job{ID: int64(i + 1), Submit: tenths("submit", 0, 60), Run: run,
			Estimate: tenths("estimate", 0, 40), Procs: int32(rapid.IntRange(1, s.procs).Draw(t, "width")), Pieces: 1,
			CPU: -1, Memory: -1, GPU: -1, Disk: -1}})
	}
	sort.SliceStable(s.jobs, func(a, b int) bool { return s.jobs[a].job.Submit < s.jobs[b].job.Submit })
	for range rapid.IntRange(0, 4).Draw(t, "outages") {
		from := tenths("from", 0, 80)
		s.outages = append(s.outages, engine.Outage{Start: from, End: from + tenths("long", 1, 30),
			Procs: float64(rapid.IntRange(0, s.procs).Draw(t, "away")), Planned: rapid.Bool().Draw(t, "planned")})
	}
	sort.SliceStable(s.outages, func(a, b int) bool { return s.outages[a].Start < s.outages[b].Start })
	return s
}

// siteSource serves the jobs of a site.
type siteSource struct {
	asSource
	s *site
}

func (s *siteSource) Fork() traces.Source {
	c := *s
	return &c
}

func (s *site) source() traces.Source {
	n := &naive{}
	for _, j := range s.jobs {
		n.jobs = append(n.jobs, &naiveJob{job: j.job})
	}
	return &siteSource{asSource{n: n}, s}
}

// divided wants the causes of each wait to be of time that passed, and no job to be slowed down.
type divided struct{ to engine.Sink }

func (d divided) Record(o *engine.Outcome) error {
	for c, part := range o.Causes {
		if part < 0 || engine.Cause(c) == engine.Slowed && part != 0 {
			return fmt.Errorf("job %d waits %v %s", o.Job.ID, part, engine.AllCauses[c].Words)
		}
	}
	return d.to.Record(o)
}

// replay replays a site in the engine.
func (s *site) replay(p policies.Policy) (*history, engine.Summary, error) {
	list := outageList(slices.Clone(s.outages))
	got := &history{charges: map[int64]float64{}, held: map[int64]events.Time{}}
	sum, err := engine.Run(context.Background(), engine.Config{Machine: engine.Processors(s.procs), Policy: p, Outages: &list,
		Check: true, Segments: got, Samples: got, Causes: causes.New(p)}, s.source(), divided{got})
	return got, sum, err
}

// TestOutagesAgainstNaiveSite wants every start, end and stop to be those of the plainest replay.
func TestOutagesAgainstNaiveSite(t *testing.T) {
	for _, policy := range []string{"fcfs", "nphb(fit=skip)"} {
		t.Run(policy, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := drawSite(t)
				s.skip = strings.Contains(policy, "skip")
				got, _, err := s.replay(newPolicy(policy))
				if err != nil {
					t.Fatal(err)
				}
				s.run()
				for _, o := range got.outcomes {
					j := s.jobs[o.Seq]
					is, want := fmt.Sprint(o.Start, o.End, o.Preemptions), fmt.Sprint(j.start, j.end, j.stops)
					if is != want {
						t.Fatalf("job %d: start, end and stops %s, naive site: %s", o.Job.ID, is, want)
					}
				}
			})
		})
	}
}

// TestPlannedOutagesStopNobody wants no job that keeps to its estimate to be stopped by an outage known in
// advance, under any policy; and policies that plan ahead to start nothing that has to be held back.
func TestPlannedOutagesStopNobody(t *testing.T) {
	for _, policy := range []string{"fcfs", "hb(fit=skip)", "easy", "easy(reservations=3)", "easy(order=xfactor)", "conservative"} {
		t.Run(policy, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := drawSite(t)
				for _, j := range s.jobs {
					j.job.Estimate = max(j.job.Estimate, j.job.Run)
				}
				for i := range s.outages {
					s.outages[i].Planned = true
				}
				p, err := catalog.Policies.Make(policy)
				if err != nil {
					t.Fatal(err)
				}
				_, sum, err := s.replay(p)
				if err != nil {
					t.Fatal(err)
				}
				if sum.Stopped > 0 && policy != "hb(fit=skip)" || sum.Preemptions > 0 && policy == "fcfs" {
					t.Fatalf("%d jobs stopped", sum.Stopped)
				}
				if plans := strings.HasPrefix(policy, "easy") || policy == "conservative"; plans && sum.Held > 0 {
					t.Fatalf("%d starts held back", sum.Held)
				}
			})
		})
	}
}
