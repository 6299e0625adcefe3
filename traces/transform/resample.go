package transform

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/rng"
	"bourse/traces/suggest"
)

// Resample makes another log of a log, in whole weeks.
//
// With Blocks it puts together blocks of that many weeks each, drawn with repetition and with all
// users together (the moving-block bootstrap of Kunsch 1989): within a block the log is as it was,
// and users hold back when the machine is full, as they did.
//
// Without Blocks it makes another log of the same users (Zakay and Feitelson, "Workload
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
	// Blocks is the length of blocks in weeks; 0 resamples users one by one.
	Blocks int
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

// Blocks is how replicas are made where nothing else is said: blocks of four weeks.
const Blocks = "blocks=4"

// ParseResample reads "blocks=4" or "blocks=4,weeks=52" for blocks, and for users "users" (no
// parameters) or a list as "weeks=52,users=1.2,long=12,same=1".
func ParseResample(text string) (*Resample, error) {
	r := &Resample{}
	if text == "users" {
		return r, nil
	}
	for _, part := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		var err error
		switch name {
		case "blocks":
			if r.Blocks, err = strconv.Atoi(value); err == nil && r.Blocks < 1 {
				return nil, fmt.Errorf("%q: want blocks of 1 week or more", part)
			}
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
				suggest.Then(suggest.DidYouMean(name, []string{"blocks", "weeks", "users", "long", "same"}),
					"want blocks=WEEKS, or weeks=N, users=FACTOR, long=WEEKS and same=1, with commas between"))
		}
		if err != nil {
			return nil, fmt.Errorf("%q: want a number", part)
		}
	}
	return r, r.check()
}

func (r *Resample) check() error {
	if r.Blocks > 0 && (r.Users != 0 || r.Long != 0 || r.Same) {
		return errors.New("blocks keep all users together; of users=, long= and same= leave out all, or blocks=")
	}
	if r.Weeks < 0 || r.Weeks > 5200 || r.Blocks > 5200 || !(r.Users >= 0 && r.Users <= 1000) || r.Long < 0 {
		return fmt.Errorf("resampling to %d weeks with %g times the users, long-term from %d weeks; want up to 5,200 weeks "+
			"and up to 1,000 times the users", r.Weeks, r.Users, r.Long)
	}
	return nil
}

// resampled reads all jobs, resamples them and passes them on, numbered from 1.
type resampled struct {
	traces.Wrapped
	how  Resample
	seed uint64
	log  *newLog // nil before the first job
}

// Next implements Source.
func (s *resampled) Next(j *traces.Job) error {
	if s.log == nil {
		s.log = &newLog{}
		if err := s.assign(); err != nil {
			return err
		}
	}
	return s.log.next(j)
}

// owner is one user's part of the log: places in old, and their span in weeks.
type owner struct {
	label       traces.Label
	jobs        []int
	first, last int64
}

// assign makes the new log.
func (s *resampled) assign() error {
	old, err := traces.Load(s.Inner)
	if err != nil || old.Len() == 0 {
		return err
	}
	jobs, followed := make([]who, old.Len()), map[int64]bool{}
	for i := range jobs {
		j := old.Job(i)
		jobs[i] = who{j.Submit, j.User}
		if j.Prev > 0 {
			followed[j.Prev] = true
		}
	}
	// Weeks are counted from the first job's, on the trace's own clock: a shift by
	// whole weeks keeps days and hours whatever the zero is.
	base := jobs[0].submit / events.Week
	weeks := int64(jobs[len(jobs)-1].submit/events.Week-base) + 1
	if s.how.Blocks > 0 {
		out, err := s.blocks(jobs)
		s.log = &newLog{old: old, copies: out, followed: followed, latest: map[jobOf]latest{}}
		return err
	}
	owners := split(jobs, base)
	d := resampler{same: s.how.Same, jobs: jobs, base: base, weeks: weeks, length: int64(s.how.Weeks), users: s.how.Users,
		used: make([]bool, len(jobs)), r: rng.New(s.seed, "resample"), names: newcomers(s.Inner.Header().Names.Users, jobs)}
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
	d.finish(s.Inner.Header().Ledger)
	s.log = &newLog{old: old, copies: d.out, followed: followed, latest: map[jobOf]latest{}}
	return nil
}

// ShortLogError says that a log is too short to draw blocks from.
type ShortLogError struct {
	Weeks, Blocks int64
}

func counted(weeks int64) string {
	if weeks == 1 {
		return "1 whole week"
	}
	return fmt.Sprintf("%d whole weeks", weeks)
}

func (e *ShortLogError) Error() string {
	return fmt.Sprintf("the log has %s, and to draw blocks of %d from it takes %d or more; shorter blocks, as in "+
		"--resample=blocks=1, or --resample=users may do", counted(e.Weeks), e.Blocks, 2*e.Blocks)
}

// Fits says why a log with these first and last submissions cannot be resampled, nil if it can.
func (r *Resample) Fits(first, last events.Time) error {
	if weeks := int64((last - first) / events.Week); weeks < 2*int64(r.Blocks) {
		return &ShortLogError{weeks, int64(r.Blocks)}
	}
	return nil
}

// blocks puts blocks of weeks together. Weeks begin with the first job's submission, so that all
// that are drawn from are whole; shifts by whole weeks keep days and hours.
func (s *resampled) blocks(jobs []who) ([]copied, error) {
	first, block := jobs[0].submit, int64(s.how.Blocks)
	week := func(i int) int64 { return int64((jobs[i].submit - first) / events.Week) }
	if err := s.how.Fits(first, jobs[len(jobs)-1].submit); err != nil {
		return nil, err
	}
	weeks := week(len(jobs) - 1) // the last one is not whole
	length := cmp.Or(int64(s.how.Weeks), weeks)
	d := resampler{jobs: jobs, used: make([]bool, len(jobs)), r: rng.New(s.seed, "resample")}
	begins := make([]int, weeks+1) // the first job of each week
	for w := range begins {
		begins[w] = sort.Search(len(jobs), func(i int) bool { return week(i) >= int64(w) })
	}
	for at := int64(0); at < length; at += block {
		from := d.r.Int64N(weeks - block + 1)
		until := from + min(block, length-at)
		for i := begins[from]; i < begins[until]; i++ {
			d.used[i] = true
			submit := jobs[i].submit + events.Time(at-from)*events.Week
			d.out = append(d.out, copied{who{submit, jobs[i].user}, int32(i), int32(len(d.out)), int32(at)})
		}
	}
	d.finish(s.Inner.Header().Ledger)
	return d.out, nil
}

// split parts the log by user, in order of first sight.
func split(jobs []who, base events.Time) []owner {
	var owners []owner
	places := map[traces.Label]int{}
	for i := range jobs {
		l := jobs[i].user
		at, known := places[l]
		week := int64(jobs[i].submit/events.Week - base)
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
	jobs          []who // of the old log
	used          []bool
	base          events.Time
	weeks, length int64
	users         float64
	r             *rng.Rand
	names         func(l traces.Label, copy int) traces.Label
	copies        map[traces.Label]int
	out           []copied
}

// who is whose a job is and when it is submitted.
type who struct {
	submit events.Time
	user   traces.Label
}

// copied is a job of the new log: of, by its place in the old one, for a user; at is its
// place among those put into the new log. Jobs are large: these are sorted in their stead.
type copied struct {
	who
	of, at int32
	block  int32 // where its block begins, if there are blocks
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
			week := int64(d.jobs[i].submit/events.Week - d.base)
			for at := (week + shift) % d.weeks; at < d.length; at += d.weeks {
				d.placeJob(i, at, label)
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
			week := int64(d.jobs[i].submit/events.Week-d.base) - o.first
			d.placeJob(i, (begin+week)%d.length, label)
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

// placeJob copies job i into a week of the new log, at its own time of the week.
func (d *resampler) placeJob(i int, week int64, user traces.Label) {
	submit := (d.base+events.Time(week))*events.Week + d.jobs[i].submit%events.Week
	d.used[i] = true
	d.out = append(d.out, copied{who{submit, user}, int32(i), int32(len(d.out)), 0})
}

// finish sorts the jobs, and reports to the ledger what became of the old ones.
func (d *resampler) finish(l *traces.Ledger) {
	slices.SortFunc(d.out, func(a, b copied) int {
		return cmp.Or(cmp.Compare(a.submit, b.submit),
			cmp.Compare(a.at, b.at))
	})
	kept := int64(0)
	for _, u := range d.used {
		if u {
			kept++
		} else {
			l.Drop(traces.NotDrawn, nil)
		}
	}
	l.Added += int64(len(d.out)) - kept
}

// newLog numbers the jobs and passes them on.
type newLog struct {
	old    *traces.Memory
	copies []copied
	at     int
	// followed are the jobs of the old log that others follow, latest their new numbers.
	followed map[int64]bool
	latest   map[jobOf]latest
}

// latest is a job's number in the new log, and its block.
type latest struct {
	id    int64
	block int32
}

// jobOf is a job of the old log in a user's copy.
type jobOf struct {
	user traces.Label
	id   int64
}

func (n *newLog) next(j *traces.Job) error {
	if n.at == len(n.copies) {
		return io.EOF
	}
	c := &n.copies[n.at]
	n.at++
	*j = n.old.Job(int(c.of))
	old := jobOf{c.user, j.ID}
	j.ID, j.Submit, j.User = int64(n.at), c.submit, c.user
	// A preceding job is one of the same copy of the user: the last one before.
	if j.Prev > 0 {
		last, known := n.latest[jobOf{c.user, j.Prev}]
		if j.Prev = last.id; !known || last.block != c.block {
			j.Prev, j.Think = -1, events.Unknown
		}
	}
	if n.followed[old.id] {
		n.latest[old] = latest{j.ID, c.block}
	}
	return nil
}

// newcomers returns how copies of users are called: the first one as the user,
// others by numbers behind the greatest one, or where there are names as ann~2.
func newcomers(words *traces.Words, old []who) func(traces.Label, int) traces.Label {
	next := traces.Label(0)
	for i := range old {
		next = max(next, old[i].user)
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
