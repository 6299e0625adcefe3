package calibrate

import (
	"cmp"
	"slices"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/traces"
	"bourse/traces/transform"
)

const (
	hour = 3600 * events.Second
	day  = 24 * hour
	week = 7 * day
)

// job is a job as the log records it.
type job struct {
	seq                int64 // its place among the jobs of the log
	submit, start, end events.Time
	request            events.Time
	procs              int32
	user, queue        traces.Label
	class              int8  // of requested time
	others             int32 // jobs of its user that run when it starts
}

func (j *job) wait() float64 { return (j.start - j.submit).Seconds() }

// record is the schedule that a log records.
type record struct {
	jobs           []job // in order of submission
	byStart, byEnd []int
	procs          int64
	first, last    events.Time // submissions
	end            events.Time // of the last job
	calendar       *events.Calendar
	dated          bool // the calendar is the log's
	header         *traces.Header
	slots          []slot
	unknown        int  // jobs without a recorded wait
	users          int  // jobs with one
	asks           bool // most jobs have a requested time; run times stand for those of others
}

// edges divide requested times into classes: up to each of them, and above all.
var edges = []events.Time{hour / 4, hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour, 15 * hour, 18 * hour, 36 * hour, 60 * hour}

// classes is their number.
const classes = 11

// classOf is the class of a requested time. Requests a little above a round number are meant to be that.
func classOf(request events.Time) int8 {
	c, _ := slices.BinarySearch(edges, (request*100+100)/101)
	return int8(c)
}

// newRecord takes the recorded schedule out of the jobs of a log; ErrNoWaits if there is none.
func newRecord(jobs *scenario.Loaded) (*record, error) {
	h := jobs.Memory.Header()
	procs, ok := jobs.Hardware.Machine.(engine.Processors)
	if !ok {
		return nil, ErrMachine
	}
	r := &record{procs: int64(procs), calendar: h.Calendar(), header: h}
	if r.dated = r.calendar != nil; !r.dated {
		r.calendar = scenario.ClockOfLog()
	}
	for i := range jobs.Memory.Len() {
		j := jobs.Memory.Job(i)
		if !j.Wait.Known() || j.Procs < 1 {
			r.unknown++
			continue
		}
		k := job{seq: int64(i), submit: j.Submit, start: j.Submit + j.Wait, end: j.Submit + j.Wait + max(j.Run, 0),
			request: j.Estimate, procs: j.Procs, user: j.User, queue: j.Queue}
		if j.User != traces.NoLabel {
			r.users++
		}
		k.class = classOf(k.request)
		r.jobs = append(r.jobs, k)
		r.end = max(r.end, k.end)
	}
	if !slices.ContainsFunc(r.jobs, func(j job) bool { return j.start > j.submit }) {
		return nil, ErrNoWaits
	}
	r.asks = 2*h.Ledger.Oddities[transform.OddNoEstimate] < int64(len(r.jobs))
	r.first, r.last = r.jobs[0].submit, r.jobs[len(r.jobs)-1].submit
	r.byStart = r.order(func(j *job) events.Time { return j.start })
	r.byEnd = r.order(func(j *job) events.Time { return j.end })
	r.readOthers()
	r.readSlots()
	return r, nil
}

// readOthers counts for each job those of its user that run when it starts.
func (r *record) readOthers() {
	runs, ended := map[traces.Label]int32{}, 0
	for _, i := range r.byStart {
		j := &r.jobs[i]
		for ; ended < len(r.byEnd) && r.jobs[r.byEnd[ended]].end <= j.start; ended++ {
			if k := &r.jobs[r.byEnd[ended]]; k.start < k.end {
				runs[k.user]--
			}
		}
		j.others = runs[j.user]
		if j.start < j.end {
			runs[j.user]++
		}
	}
}

// order lists the jobs by an instant of theirs.
func (r *record) order(of func(*job) events.Time) []int {
	list := make([]int, len(r.jobs))
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(of(&r.jobs[a]), of(&r.jobs[b])) })
	return list
}

// instant is the state of the recorded schedule at a full hour: the jobs that wait, in order of submission, those that
// run, and the processors in use.
type instant struct {
	at               events.Time
	waiting, running []int
	used             int64
}

// hourly calls do for each full hour of the record at which jobs wait.
func (r *record) hourly(do func(*instant)) {
	var s instant
	a, b, c := 0, 0, 0
	left := make([]bool, len(r.jobs)) // waits no longer, or runs no longer
	for s.at = r.first / hour * hour; s.at <= r.last; s.at += hour {
		for ; b < len(r.byStart) && r.jobs[r.byStart[b]].start <= s.at; b++ {
			i := r.byStart[b]
			left[i] = true
			s.running, s.used = append(s.running, i), s.used+int64(r.jobs[i].procs)
		}
		for ; a < len(r.jobs) && r.jobs[a].submit <= s.at; a++ {
			if !left[a] {
				s.waiting = append(s.waiting, a)
			}
		}
		s.waiting = slices.DeleteFunc(s.waiting, func(i int) bool { return left[i] })
		for ; c < len(r.byEnd) && r.jobs[r.byEnd[c]].end <= s.at; c++ {
			s.used -= int64(r.jobs[r.byEnd[c]].procs)
		}
		s.running = slices.DeleteFunc(s.running, func(i int) bool { return r.jobs[i].end <= s.at })
		if len(s.waiting) > 0 {
			do(&s)
		}
	}
}
