package model

import (
	"strconv"

	"bourse/events"
	"bourse/traces/google"
	"bourse/traces/rng"
)

// The pauses after which a task is submitted again, the medians of the parts: 7
// microseconds after an eviction, 11 after a failure, 3 after a kill.
var pause = [4]events.Time{7, 11, 0, 3}

// taskPause is the time between the submissions of a job's tasks, the parts' median.
const taskPause = 2

// The month holds more rows a task than its first 19.5 hours, 5.7 against 5.0. Who
// adds them the parts do not say. The model has them fail: after the calm begin
// each job is with lateFailing one whose tasks fail with failingAgain, again and
// again, each after failingFor on average.
const (
	calm         = google.WindowStart + 20*hour
	lateFailing  = 0.05
	failingAgain = 0.93
	failingFor   = 85 * events.Second
)

// task is a task that is alive. What happens to it next is in the queue, unless it
// is after the end.
type task struct {
	job     int32
	index   int32
	machine int32
	next    google.Kind
	cause   int8
	started bool // it was scheduled before
	end     events.Time
}

// job is a job with tasks alive.
type job struct {
	number    int64
	tail      string // of its tasks' rows
	tier      int8
	class     int8
	user      int32
	before    bool // there when the window began
	missing   bool
	failing   bool
	scheduled bool
	worst     google.Kind // of its tasks' ends
	e, u      float64     // the life that a part of its tasks shares
	left      int64
}

// simulation takes all tasks through their lives in order of time. What happens to
// tasks by chance is drawn from streams of the whole, in the order of events, which
// nothing but the options decides.
type simulation struct {
	o        *Options
	out      *collector
	queue    events.Queue
	seq      int64
	tasks    []task
	jobs     []job
	freeTask []int32
	freeJob  []int32
	machines *cluster
	users    []float64
	names    [users]string
	wait     *rng.Rand
	life     *rng.Rand
	chance   *rng.Rand
	end      events.Time
}

func newSimulation(o *Options, c *cluster, out *collector) *simulation {
	s := &simulation{o: o, out: out, machines: c, users: userShares(), end: o.end()}
	for i := range s.names {
		s.names[i] = word("user", uint64(i))
	}
	s.wait, s.life, s.chance = rng.New(o.Seed, "google2011/wait"), rng.New(o.Seed, "google2011/life"),
		rng.New(o.Seed, "google2011/chance")
	return s
}

// run writes everything.
func (s *simulation) run() error {
	there := s.addEarlierJobs()
	a := newArrivals(s.o, s.o.Tasks-there)
	d, more := a.next()
	for {
		if more && (s.queue.Len() == 0 || d.at <= s.queue.Head().At) {
			s.arrive(&d, a.of)
			d, more = a.next()
		} else if s.queue.Len() > 0 {
			e := s.queue.Pop()
			s.step(e.Slot, e.At)
		} else {
			return s.out.err()
		}
		if s.out.stopped {
			return s.out.err()
		}
	}
}

// addEarlierJobs makes the jobs that are there when the window begins, in proportion to
// the machines but no more than half of all tasks, and returns their tasks.
func (s *simulation) addEarlierJobs() (tasks int64) {
	of := rng.New(s.o.Seed, "google2011/before")
	number := int64(0)
	for t := range measured().Tiers {
		p := &measured().Tiers[t].Before
		n := int(p.Jobs*float64(s.o.Machines)/realMachines + 0.5)
		for i := range n {
			of.Key(uint64(number))
			// One from each n-th of the distribution, so that the sum is near its own.
			size := int64(p.Size.quantile((float64(i)+float64(of.Float64()))/float64(n), sizeGrid[:]) + 0.5)
			if tasks+size <= s.o.Tasks/2 {
				s.addRunningJob(s.newJob(draft{number: number, tier: t, size: size}, of, true), p, size)
				tasks += size
			}
			number++
		}
	}
	return tasks
}

// addRunningJob puts the rows of a job at time 0.
func (s *simulation) addRunningJob(x int32, p *population, size int64) {
	j := &s.jobs[x]
	s.jobRow(j, 0, google.Submit)
	for i := range size {
		t := s.newTask(x, int32(i))
		k := &s.tasks[t]
		k.machine = s.machines.machineAt(0)
		waits := !j.missing && s.chance.Float64() < p.Waiting
		s.row(k, 0, google.Submit)
		if waits {
			s.waits(t, google.WindowStart)
			continue
		}
		s.row(k, 0, google.Schedule)
		k.started = true
		life, cause := p.agedLife(exponential(s.life), s.life.Float64())
		s.endsAfter(t, google.WindowStart, life, cause)
		j = &s.jobs[x]
	}
	if !j.scheduled {
		j.scheduled = true
		s.jobRow(j, 0, google.Schedule)
	}
}

// arrive submits a job's tasks.
func (s *simulation) arrive(d *draft, of *rng.Rand) {
	x := s.newJob(*d, of, false)
	s.jobRow(&s.jobs[x], d.at, google.Submit)
	for i := range d.size {
		t := s.newTask(x, int32(i))
		s.later(t, d.at+events.Time(i)*taskPause, google.Submit)
	}
}

// newJob draws what its tasks have in common, from its own stream.
func (s *simulation) newJob(d draft, of *rng.Rand, before bool) int32 {
	tier := &measured().Tiers[d.tier]
	p, first := &tier.Arriving, int64(6_250_000_000)
	if before {
		p, first = &tier.Before, 3_418_309
	}
	j := job{number: first + d.number*5, tier: int8(d.tier), before: before, left: d.size}
	j.e, j.u = exponential(of), of.Float64()
	is := &p.Few
	if d.size > fewTasks {
		is = &p.Many
	}
	j.class = int8(draw(is.Class, of))
	j.user = int32(drawUser(s.users, of))
	priority, cpu := draw(is.Priority, of), draw(is.CPU, of)
	memory, space := p.Memory.draw(of, valueGrid[:]), measured().Disk.draw(of, valueGrid[:])
	apartness := of.Float64() < measured().Apart
	j.missing = of.Float64() < p.Missing
	j.failing = !before && d.at >= calm && of.Float64() < lateFailing
	b := make([]byte, 0, 100)
	b = append(append(b, ','), s.names[j.user]...)
	b = append(b, ',', '0'+byte(j.class), ',')
	b = strconv.AppendInt(b, int64(priority), 10)
	if j.missing {
		b = append(b, ",,,,\n"...)
	} else {
		for _, x := range [...]float64{cpu, memory, space} {
			b = append(b, ',')
			b = strconv.AppendFloat(b, x, 'g', 4, 64)
		}
		b = append(b, ",0\n"...)
		if apartness {
			b[len(b)-2] = '1'
		}
	}
	j.tail = string(b)
	return place(&s.jobs, &s.freeJob, j)
}

func (s *simulation) newTask(j, index int32) int32 {
	return place(&s.tasks, &s.freeTask, task{job: j, index: index, machine: -1})
}

// place puts x into a free place, or a new one.
func place[T any](all *[]T, free *[]int32, x T) int32 {
	if n := len(*free); n > 0 {
		at := (*free)[n-1]
		*free = (*free)[:n-1]
		(*all)[at] = x
		return at
	}
	*all = append(*all, x)
	return int32(len(*all) - 1)
}

// later puts into the queue what happens next to a task. What would happen after the
// end never does, and its task stays as it is.
func (s *simulation) later(t int32, at events.Time, next google.Kind) {
	s.tasks[t].next = next
	if at < s.end {
		s.queue.Push(events.New(at, events.Timer, s.seq, t, 0))
		s.seq++
	}
}

// step does what happens next to a task.
func (s *simulation) step(x int32, now events.Time) {
	t := &s.tasks[x]
	j := &s.jobs[t.job]
	tier := &measured().Tiers[j.tier]
	switch what := t.next; what {
	case google.Submit:
		t.machine = -1
		s.row(t, now, google.Submit)
		s.waits(x, now)
	case google.Schedule:
		t.machine = s.machines.machineAt(now)
		s.row(t, now, google.Schedule)
		if !j.scheduled {
			j.scheduled = true
			s.jobRow(j, now, google.Schedule)
		}
		s.scheduleEnd(x, now)
	case google.UpdateRunning:
		s.row(t, now, google.UpdateRunning)
		s.untilEnd(x, now)
	default:
		s.row(t, now, what)
		cause := what - google.Evict
		failsOn := what == google.Fail && j.failing
		if what != google.Finish && (failsOn || s.chance.Float64() < tier.Again[cause]) {
			s.later(x, now+pause[cause], google.Submit)
			return
		}
		s.endTask(x, now, what)
	}
}

// waits decides how a task's wait ends.
func (s *simulation) waits(x int32, now events.Time) {
	t := &s.tasks[x]
	tier := &measured().Tiers[s.jobs[t.job].tier]
	wait := seconds(tier.Wait.draw(s.wait, valueGrid[:]))
	t.next = google.Schedule
	if s.chance.Float64() < tier.KilledWaiting {
		t.machine = -1
		s.later(x, now+wait, google.Kill)
		return
	}
	s.later(x, now+wait, google.Schedule)
}

// scheduleEnd decides how an attempt ends.
func (s *simulation) scheduleEnd(x int32, now events.Time) {
	t := &s.tasks[x]
	j := &s.jobs[t.job]
	tier := &measured().Tiers[j.tier]
	p := &tier.Arriving
	if j.before {
		p = &tier.Before
	}
	e, u := exponential(s.life), s.life.Float64()
	if !t.started && s.chance.Float64() < tier.Alike {
		e, u = j.e, j.u
	}
	t.started = true
	life, cause := p.life(e, u)
	if j.failing && s.chance.Float64() < failingAgain {
		life, cause = e*failingFor.Seconds(), int(google.Fail-google.Evict)
	}
	s.endsAfter(x, now, life, cause)
}

// endsAfter sets an attempt's end.
func (s *simulation) endsAfter(x int32, now events.Time, life float64, cause int) {
	t := &s.tasks[x]
	t.end, t.cause = now+max(1, seconds(life)), int8(cause)
	s.untilEnd(x, now)
}

// untilEnd puts the attempt's end into the queue, or an update before.
func (s *simulation) untilEnd(x int32, now events.Time) {
	t := &s.tasks[x]
	if rate := measured().Tiers[s.jobs[t.job].tier].Updates; rate > 0 {
		if at := now + seconds(exponential(s.chance)/rate); at < t.end {
			s.later(x, at, google.UpdateRunning)
			return
		}
	}
	s.later(x, t.end, google.Evict+google.Kind(t.cause))
}

// endTask forgets a task, and its job with the last one.
func (s *simulation) endTask(x int32, now events.Time, how google.Kind) {
	at := s.tasks[x].job
	j := &s.jobs[at]
	s.freeTask = append(s.freeTask, x)
	switch {
	case how == google.Kill || j.worst == 0:
		j.worst = how
	case how == google.Fail && j.worst != google.Kill:
		j.worst = google.Fail
	}
	if j.left--; j.left > 0 {
		return
	}
	s.jobRow(j, now, j.worst)
	s.freeJob = append(s.freeJob, at)
}

func (s *simulation) row(t *task, at events.Time, what google.Kind) {
	j := &s.jobs[t.job]
	s.out.task(taskRow{at: at, job: j.number, tail: j.tail, index: t.index, machine: t.machine, kind: what,
		missing: j.missing && at == 0})
}

func (s *simulation) jobRow(j *job, at events.Time, what google.Kind) {
	s.out.job(jobRow{at: at, job: j.number, user: j.user, kind: what, class: j.class})
}

// exponential draws a standard exponential deviate.
func exponential(r *rng.Rand) float64 { return -rng.Log(r.Open()) }
