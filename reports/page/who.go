package page

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"bourse/reports/stats"
)

// waited sums up the waits of some jobs.
type waited struct {
	jobs int64
	wait float64 // seconds
}

func (w *waited) add(wait float64) {
	w.jobs++
	w.wait += max(0, wait)
}

func (w *waited) mean() float64 { return w.wait / float64(w.jobs) }

// waits counts a job by its size and its user.
func (g *gathered) waits(x *[numColumns]float64, user []byte) {
	g.sizes[stats.SizeClass(x[procs])].add(x[wait])
	u := g.users[string(user)]
	if u == nil {
		u = &waited{}
		g.users[string(user)] = u
	}
	u.add(x[wait])
}

// mixed is a hash of numbers.
func mixed(numbers ...float64) uint64 {
	h := fnv.New64a()
	var b [8]byte
	for _, x := range numbers {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
		h.Write(b[:])
	}
	return h.Sum64()
}

// mostUsers is how many users are drawn: those that wait most in any run.
const mostUsers = 15

// whoWaits draws mean waits by size, and the waits of users.
func whoWaits(p *input) []*chart {
	var sizes, users []group
	for class := range stats.NumSizes {
		if p.any(func(g *gathered) bool { return g.sizes[class].jobs > 0 }) {
			sizes = append(sizes, group{stats.SizeName(class), func(g *gathered) *waited { return &g.sizes[class] }})
		}
	}
	shown := p.schedules()
	for _, name := range p.waitingUsers(shown) {
		users = append(users, group{userName(name), func(g *gathered) *waited { return g.users[name] }})
	}
	return []*chart{
		p.dots("sizes", "Which sizes of jobs wait?", "Mean wait by processors of a job.", "processors", sizes, shown),
		p.dots("users", "Which users wait?",
			fmt.Sprintf("Mean wait of a user's jobs, for the %d users whose jobs wait longest together.", len(users)), "user",
			users, shown),
	}
}

// group is some jobs of a run, nil or empty where it has none of them.
type group struct {
	name string
	of   func(*gathered) *waited
}

func userName(name string) string {
	if name == "" {
		return "unknown"
	}
	return name
}

// waitingUsers are the users who wait most in any run, the most first.
func (p *input) waitingUsers(shown []shown) []string {
	most := map[string]float64{}
	for _, s := range shown {
		for name, w := range p.data[s.at].users {
			most[name] = max(most[name], w.wait)
		}
	}
	names := make([]string, 0, len(most))
	for name := range most {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(most[b], most[a]), cmp.Compare(a, b)) })
	return names[:min(len(names), mostUsers)]
}

// dots draws a point for each run in a row for each group; nothing for a single group.
func (p *input) dots(id, title, caption, y string, groups []group, shown []shown) *chart {
	if len(groups) < 2 {
		return nil
	}
	c := &chart{ID: id, Title: title, Data: &data{Names: []string{"run", "who", "wait", "jobs"}}, Caption: caption +
		" Waits under 1 s are drawn at 1 s." + alike(shown)}
	var names []string
	for _, g := range groups {
		names = append(names, g.name)
		for _, s := range shown {
			if w := g.of(p.data[s.at]); w != nil && w.jobs > 0 {
				c.Data.add(s.label, g.name, short(max(1, w.mean())), w.jobs)
			}
		}
	}
	c.Spec = document("dots", object{"height": 24 * len(names), "title": y, "names": names, "axis": waits("mean wait")})
	c.byRun(shown)
	delete(c.Spec["encoding"].(object), "strokeDash")
	for i := range c.Legend {
		c.Legend[i].Dash = nil
	}
	if len(shown) == 1 {
		c.Legend = c.Legend[:0:0]
		c.Spec["encoding"].(object)["color"].(object)["legend"] = nil
	}
	return c
}
