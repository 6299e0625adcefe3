package transform

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/rng"
	"bourse/traces/suggest"
)

// Resample makes another log of the same users (Zakay and Feitelson, "Workload
// resampling for performance evaluation of parallel job schedulers", ICPE 2013 and
// CCPE 2014): the log is split by user, and the parts are put together again with
// shifts of whole weeks, so that each user keeps their sessions, days and weeks, and
// only who is there at the same time is new.
//
// Long-term users, whose jobs span Long weeks or more, go around: each starts at
// a random week of their own and the log's end joins its beginning. Temporary users
// are drawn with repetition and each begins in a random week. Both are as many as
// in the log, per week, times Users.
//
// What the papers leave open is settled so: jobs of no known user are those of one
// user; temporary users go around at the end of the new log too, so that its last
// weeks are as full as others; Long is 12 weeks, or half the log if that is less.
type Resample struct {
	// Weeks is the length of the new log; 0 is that of the old one.
	Weeks int
	// Users multiplies the number of users, and with it the load; 0 is 1.
	Users float64
	// Long is the span in weeks from which a user is long-term; 0 is 12, or half
	// the log.
	Long int
	// Same gives all copies of a user the user's own name: they are one user, twice.
	Same bool
}

// ParseResample reads "users" (no parameters) or a list as "weeks=52,users=1.2,long=12,same=1".
func ParseResample(text string) (*Resample, error) {
	r := &Resample{}
	if text == "users" {
		return r, nil
	}
	for _, part := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		var err error
		switch name {
		case "weeks":
			r.Weeks, err = strconv.Atoi(value)
		case "users":
			r.Users, err = strconv.ParseFloat(value, 64)
		case "long":
			r.Long, err = strconv.Atoi(value)
		case "same":
			r.Same, err = strconv.ParseBool(value)
		default:
			return nil, fmt.Errorf("%q is unknown%s", part,
				suggest.Then(suggest.DidYouMean(name, []string{"weeks", "users", "long", "same"}), "want weeks=N, users=FACTOR, long=WEEKS and same=1, with commas between"))
		}
		if err != nil {
			return nil, fmt.Errorf("%q: want a number", part)
		}
	}
	return r, r.check()
}

func (r *Resample) check() error {
	if r.Weeks < 0 || r.Weeks > 5200 || !(r.Users >= 0 && r.Users <= 1000) || r.Long < 0 {
		return fmt.Errorf("resampling to %d weeks with %g times the users, long-term from %d weeks; want up to 5,200 weeks and up to 1,000 times the users", r.Weeks, r.Users, r.Long)
	}
	return nil
}

// resampled reads all jobs, resamples them and passes them on, numbered from 1.
type resampled struct {
	traces.Wrapped
	how  Resample
	seed uint64
	whole
}

// Next implements Source.
func (s *resampled) Next(j *traces.Job) error {
	return s.whole.next(j, s.assign)
}

// owner is one user's part of the log: places in old, and their span in weeks.
type owner struct {
	label       traces.Label
	jobs        []int
	first, last int64
}

// assign makes the new log.
func (s *resampled) assign() error {
	old, err := readAll(s.Inner)
	if err != nil || len(old) == 0 {
		return err
	}
	// Weeks are counted from the first job's, on the trace's own clock: a shift by
	// whole weeks keeps days and hours whatever the zero is.
	base := old[0].Submit / events.Week
	weeks := int64(old[len(old)-1].Submit/events.Week-base) + 1
	owners := split(old, base)
	d := resampler{same: s.how.Same, old: old, base: base, weeks: weeks, length: int64(s.how.Weeks), users: s.how.Users, used: make([]bool, len(old)), r: rng.New(s.seed, "resample"), names: newcomers(s.Inner.Header().Names.Users, old)}
	if d.length == 0 {
		d.length = weeks
	}
	if d.users == 0 {
		d.users = 1
	}
	long := int64(s.how.Long)
	if long == 0 {
		long = min(12, (weeks+1)/2)
	}
	var longTerm, temporary []owner
	for _, o := range owners {
		if o.last-o.first+1 >= long {
			longTerm = append(longTerm, o)
		} else {
			temporary = append(temporary, o)
		}
	}
	d.longTerm(longTerm)
	d.temporary(temporary)
	s.jobs = d.finish(s.Inner.Header().Ledger)
	return nil
}

// split parts the log by user, in order of first sight.
func split(old []traces.Job, base events.Time) []owner {
	var owners []owner
	places := map[traces.Label]int{}
	for i := range old {
		l := old[i].User
		at, known := places[l]
		week := int64(old[i].Submit/events.Week - base)
		if !known {
			at = len(owners)
			places[l] = at
			owners = append(owners, owner{label: l, first: week})
		}
		owners[at].jobs, owners[at].last = append(owners[at].jobs, i), week
	}
	return owners
}

// resampler puts copies of users into the new log.
type resampler struct {
	same          bool
	old           []traces.Job
	used          []bool
	base          events.Time
	weeks, length int64
	users         float64
	r             *rng.Rand
	names         func(l traces.Label, copy int) traces.Label
	copies        map[traces.Label]int
	out           []traces.Job // with their old numbers
}

// count returns n x f, rounded.
func (d *resampler) count(n int, f float64) int { return int(float64(float64(n)*f) + 0.5) }

// longTerm copies the long-term users: all of them as often as the factor is whole,
// and a random choice for the rest.
func (d *resampler) longTerm(owners []owner) {
	n := d.count(len(owners), d.users)
	order := d.r.Perm(len(owners))
	for k := range n {
		o := &owners[order[k%len(owners)]]
		shift := d.r.Int64N(d.weeks)
		label := d.label(o.label)
		for _, i := range o.jobs {
			// One turn of the old log after the other until the new one is full.
			week := int64(d.old[i].Submit/events.Week - d.base)
			for at := (week + shift) % d.weeks; at < d.length; at += d.weeks {
				d.put(i, at, label)
			}
		}
	}
}

// temporary copies the temporary users.
func (d *resampler) temporary(owners []owner) {
	if len(owners) == 0 {
		return
	}
	n := d.count(len(owners), d.users*float64(d.length)/float64(d.weeks))
	for range n {
		o := &owners[d.r.IntN(len(owners))]
		begin := d.r.Int64N(d.length)
		label := d.label(o.label)
		for _, i := range o.jobs {
			week := int64(d.old[i].Submit/events.Week-d.base) - o.first
			d.put(i, (begin+week)%d.length, label)
		}
	}
}

// label names one more copy of a user.
func (d *resampler) label(l traces.Label) traces.Label {
	if d.same {
		return l
	}
	if d.copies == nil {
		d.copies = map[traces.Label]int{}
	}
	d.copies[l]++
	return d.names(l, d.copies[l])
}

// put copies job i into a week of the new log, at its own time of the week.
func (d *resampler) put(i int, week int64, user traces.Label) {
	j := d.old[i]
	j.Submit = (d.base+events.Time(week))*events.Week + j.Submit%events.Week
	j.User = user
	d.used[i] = true
	d.out = append(d.out, j)
}

// finish sorts and numbers the jobs, and reports to the ledger what became of the old ones.
func (d *resampler) finish(l *traces.Ledger) []traces.Job {
	sort.SliceStable(d.out, func(a, b int) bool { return d.out[a].Submit < d.out[b].Submit })
	// A preceding job is one of the same copy of the user: the last one before.
	type key struct {
		user traces.Label
		id   int64
	}
	latest := map[key]int64{}
	for n := range d.out {
		j := &d.out[n]
		old := j.ID
		j.ID = int64(n) + 1
		if j.Prev > 0 {
			if j.Prev = latest[key{j.User, j.Prev}]; j.Prev == 0 {
				j.Prev, j.Think = -1, events.Unknown
			}
		}
		latest[key{j.User, old}] = j.ID
	}
	kept := int64(0)
	for _, u := range d.used {
		if u {
			kept++
		} else {
			l.Drop(traces.NotDrawn, nil)
		}
	}
	l.Added += int64(len(d.out)) - kept
	return d.out
}

// newcomers returns how copies of users are called: the first one as the user,
// others by numbers behind the greatest one, or where there are names as ann~2.
func newcomers(words *traces.Words, old []traces.Job) func(traces.Label, int) traces.Label {
	next := traces.Label(0)
	for i := range old {
		next = max(next, old[i].User)
	}
	named := words != nil && next.Named()
	return func(l traces.Label, copy int) traces.Label {
		switch {
		case copy == 1 || l == traces.NoLabel:
			return l
		case named:
			text, _ := words.Text(l)
			return words.Label(fmt.Appendf(nil, "%s~%d", text, copy))
		}
		next++
		return next
	}
}
