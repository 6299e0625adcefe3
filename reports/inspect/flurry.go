package inspect

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"bourse/events"
	"bourse/reports/terminal"
	"bourse/traces"
)

// A flurry is a burst of jobs by one user that outweighs all others for a while
// (Feitelson and Tsafrir, "Workload sanitation for performance evaluation", ISPASS
// 2006). It makes results those of one user's script. Here: a user's jobs of a
// week are a flurry if they are more than half of that week's, at least 500, and
// at least four times the jobs of all others in a usual (the median) week. Weeks
// that follow each other with the same user are one flurry. In a log of less than
// four weeks no week is usual, and none is found.
type Flurry struct {
	User        traces.Label
	From, Until events.Time // of whole weeks
	Jobs, Of    int64       // the user's jobs, and everybody's
}

const (
	flurryLeast = 500
	flurryTimes = 4
	flurryWeeks = 4
)

// weeklyCounts counts jobs by week and user: one map for the current week, and a line
// for each week that is over.
type weeklyCounts struct {
	week  events.Time
	begun bool
	users map[traces.Label]int64
	of    int64
	weeks []Flurry // each week's busiest user
}

// add counts a job; jobs come in order of submission.
func (c *weeklyCounts) add(j *traces.Job) {
	if week := j.Submit / events.Week; !c.begun || week != c.week {
		c.end()
		c.week, c.begun = week, true
	}
	c.of++
	if j.User == traces.NoLabel {
		return
	}
	if c.users == nil {
		c.users = map[traces.Label]int64{}
	}
	c.users[j.User]++
}

// end closes the current week.
func (c *weeklyCounts) end() {
	if !c.begun || c.of == 0 {
		return
	}
	f := Flurry{User: traces.NoLabel, From: c.week * events.Week, Until: (c.week + 1) * events.Week, Of: c.of}
	for u, n := range c.users { // the smaller label of two equal ones: the order cannot show
		if n > f.Jobs || n == f.Jobs && u < f.User {
			f.User, f.Jobs = u, n
		}
	}
	c.weeks = append(c.weeks, f)
	c.of = 0
	clear(c.users)
}

// flurries lists the flurries of the log, in order of time.
func (in *Inspection) flurries() []Flurry {
	c := in.weekly // a copy, whose current week can be closed
	c.users, c.weeks = maps.Clone(c.users), slices.Clone(c.weeks)
	c.end()
	if len(c.weeks) < flurryWeeks {
		return nil
	}
	others := make([]int64, len(c.weeks))
	for i, w := range c.weeks {
		others[i] = w.Of - w.Jobs
	}
	slices.Sort(others)
	usual := others[len(others)/2]
	var found []Flurry
	for _, w := range c.weeks {
		if w.User == traces.NoLabel || w.Jobs < flurryLeast || 2*w.Jobs <= w.Of || w.Jobs < flurryTimes*usual {
			continue
		}
		if n := len(found); n > 0 && found[n-1].User == w.User && found[n-1].Until == w.From {
			last := &found[n-1]
			last.Until, last.Jobs, last.Of = w.Until, last.Jobs+w.Jobs, last.Of+w.Of
			continue
		}
		found = append(found, w)
	}
	return found
}

// Where is the filter that leaves the flurry out.
func (f *Flurry) Where(users *traces.Words) string {
	name := strconv.FormatInt(int64(f.User), 10)
	if users != nil {
		text, _ := users.Text(f.User)
		name = strconv.Quote(text)
	}
	return fmt.Sprintf("!(user == %s && submit >= %d && submit < %d)", name, f.From/events.Second, f.Until/events.Second)
}

// text says who, when, how many, and what removes it.
func (f *Flurry) text(users *traces.Words) string {
	name, _ := users.Text(f.User)
	return fmt.Sprintf("a flurry: user %s submitted %s of %s jobs from %s to %s; this filter leaves it out: '%s'",
		name, terminal.Thousands(f.Jobs), terminal.Thousands(f.Of), f.From.Short(), f.Until.Short(), f.Where(users))
}
