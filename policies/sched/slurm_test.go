package sched_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
	"bourse/policies/sched"
)

// plainSlurm is Slurm's two loops word by word: what is free at a time is summed up over all that runs and is
// reserved, for each job, time and other job.
type plainSlurm struct {
	policies.AsFCFS
	rules   sched.SlurmRules
	shorter bool // order sjf, else fcfs
	waiting []policies.Ref
	running []block
	passed  events.Time
	known   bool
}

// block is processors that are held from one time to another.
type block struct {
	ref         policies.Ref
	from, until events.Time
	procs       int
}

func (*plainSlurm) Needs() policies.Needs  { return policies.Needs{Estimates: true} }
func (*plainSlurm) Clone() policies.Policy { panic("not copied") }

func (p *plainSlurm) Plan(r *policies.Round) {
	p.running = slices.DeleteFunc(p.running, func(b block) bool { return slices.Contains(r.Ended, b.ref) })
	p.waiting = append(p.waiting, r.Arrived...)
	free, queue := r.Free, slices.Clone(p.waiting)
	slices.SortStableFunc(queue, func(a, b policies.Ref) int {
		if x, y := r.Job(a), r.Job(b); p.shorter {
			return cmp.Compare(max(x.Estimate, events.Second), max(y.Estimate, events.Second))
		}
		return 0
	})
	start := func(ref policies.Ref) {
		j := r.Job(ref)
		r.Start(ref)
		free -= int(j.Procs)
		p.running = append(p.running, block{ref: ref, until: r.Now + j.Estimate, procs: int(j.Procs)})
		p.waiting = slices.DeleteFunc(p.waiting, func(x policies.Ref) bool { return x == ref })
	}
	if free == 0 || len(queue) == 0 {
		return
	}
	for n := 0; n < p.rules.QueueDepth && len(queue) > 0 && int(r.Job(queue[0]).Procs) <= free; n++ {
		start(queue[0])
		queue = queue[1:]
	}
	if free == 0 || len(queue) == 0 {
		return
	}
	if p.known && r.Now < p.passed+p.rules.Interval {
		r.Wake(p.passed + p.rules.Interval)
		return
	}
	p.passed, p.known = r.Now, true
	s := p.rules.Resolution
	up := func(t events.Time) events.Time { return (t + s - 1) / s * s }
	total := free
	var held []block
	for _, b := range p.running {
		total += b.procs
		held = append(held, block{until: max(up(b.until), r.Now+s), procs: b.procs})
	}
	for _, ref := range queue[:min(len(queue), p.rules.MaxJobTest)] {
		j := r.Job(ref)
		length := max(up(j.Estimate), s)
		fits := func(t events.Time) bool {
			for u := t; u < t+length; u += events.Second {
				used := int(j.Procs)
				for _, b := range held {
					if b.from <= u && u < b.until {
						used += b.procs
					}
				}
				if used > total {
					return false
				}
			}
			return true
		}
		at := r.Now
		for !fits(at) {
			at += events.Second
		}
		if at == r.Now {
			start(ref)
		} else if at > r.Now+p.rules.Window {
			continue
		}
		held = append(held, block{from: at, until: at + length, procs: int(j.Procs)})
	}
}

// TestSlurmAgainstPlain wants both to start every job at the same time.
func TestSlurmAgainstPlain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		procs := rapid.IntRange(1, 20).Draw(rt, "procs")
		jobs := drawJobs(rt, procs, rapid.Bool().Draw(rt, "estimates hold"))
		seconds := func(least, most int, what string) events.Time {
			return events.Time(rapid.IntRange(least, most).Draw(rt, what)) * events.Second
		}
		rules := sched.SlurmRules{Order: order.Ranking{Order: order.BySubmit}, Interval: seconds(1, 9, "interval"),
			Window: seconds(0, 30, "window"), Resolution: seconds(1, 5, "resolution"),
			MaxJobTest: rapid.IntRange(1, 10).Draw(rt, "tests"), QueueDepth: rapid.IntRange(1, 10).Draw(rt, "depth")}
		plain := &plainSlurm{rules: rules}
		if plain.shorter = rapid.Bool().Draw(rt, "shorter"); plain.shorter {
			rules.Order.Order = order.ByShortest
		}
		p := sched.NewSlurm(rules)
		sameStarts(rt, p, replay(t, jobs, procs, p), replay(t, jobs, procs, plain))
	})
}
