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
func whoWaits(p *input) (charts []*chart) {
	shown := p.schedules()
	sizes := &chart{ID: "sizes", Title: "Which sizes of jobs wait?", Data: &data{Names: []string{"run", "who", "wait", "jobs"}},
		Caption: "Mean wait by processors of a job. Waits under 1 s are drawn at 1 s." + alike(shown)}
	var classes []string
	for class := range stats.NumSizes {
		if !p.any(func(g *gathered) bool { return g.sizes[class].jobs > 0 }) {
			continue
		}
		classes = append(classes, stats.SizeName(class))
		for _, s := range shown {
			if w := &p.data[s.at].sizes[class]; w.jobs > 0 {
				sizes.Data.add(s.label, stats.SizeName(class), short(max(1, w.mean())), w.jobs)
			}
		}
	}
	if len(classes) > 1 {
		dots(sizes, shown, "mean wait", "processors", classes)
		charts = append(charts, sizes)
	}
	names := p.waitingUsers(shown)
	if len(names) < 2 {
		return charts
	}
	users := &chart{ID: "users", Title: "Which users wait?", Data: &data{Names: []string{"run", "who", "wait", "jobs"}},
		Caption: fmt.Sprintf("Mean wait of a user's jobs, for the %d users whose jobs wait longest together. Waits under 1 s are drawn at 1 s.", len(names)) + alike(shown)}
	for _, name := range names {
		for _, s := range shown {
			if w := p.data[s.at].users[name]; w != nil {
				users.Data.add(s.label, userName(name), short(max(1, w.mean())), w.jobs)
			}
		}
	}
	var labels []string
	for _, name := range names {
		labels = append(labels, userName(name))
	}
	dots(users, shown, "mean wait", "user", labels)
	return append(charts, users)
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

// dots draws a point for each run in a row for each of who.
func dots(c *chart, shown []shown, x, y string, who []string) {
	encoding := object{
		"x":       positional("wait", x, "scale", object{"type": "log"}, "axis", waits(x)),
		"y":       object{"field": "who", "type": "nominal", "title": y, "sort": who, "axis": axis(y, "grid", true, "gridOpacity", .5)},
		"tooltip": []object{{"field": "run", "type": "nominal"}, {"field": "who", "type": "nominal", "title": y}, positional("wait", "mean wait (s)", "format", ",.0f"), positional("jobs", "jobs", "format", ",")},
	}
	c.Legend = byRun(encoding, shown)
	delete(encoding, "strokeDash")
	for i := range c.Legend {
		c.Legend[i].Dash = nil
	}
	c.Spec = object{"height": 24 * len(who), "mark": object{"type": "point", "filled": true, "size": 70, "opacity": .9}, "encoding": encoding}
}
