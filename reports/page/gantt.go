package page

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"bourse/reports/terminal"
	"bourse/traces/table"
)

// mostRectangles is how many the Gantt charts of a page may have: some 3 MB.
const mostRectangles = 100_000

// gantt is which processors ran which jobs over time: a rectangle for each segment and
// each range of its processors.
type gantt struct {
	Procs int        `json:"procs"`
	Zero  float64    `json:"zero"` // of rectangles' times, in units of the axis
	Per   float64    `json:"per"`  // seconds in the unit
	X     string     `json:"x"`
	Dates bool       `json:"dates,omitempty"`
	Until float64    `json:"until"` // in seconds, where the axis ends
	Users []string   `json:"users"`
	Runs  []ganttRun `json:"runs"`

	places map[string]int32 // of Users
}

// ganttRun are the rectangles of a run, a list for each figure; times are in seconds.
type ganttRun struct {
	Label string   `json:"label"`
	Start []int64  `json:"start"` // since the one before
	Len   []int64  `json:"len"`
	Low   []int32  `json:"low"` // the first processor
	Count []int32  `json:"count"`
	Job   []string `json:"job"`
	User  []int32  `json:"user"` // its place in Users
	Wait  []int64  `json:"wait"`
	// Away are the outages and caps: from when to when and how many processors, which the chart shows at the top.
	Away [][3]float64 `json:"away,omitempty"`
}

// rectangle is a range of processors over some time.
type rectangle struct {
	start, end float64
	low, count int32
	job        piece
}

// gantt draws the schedules, or says why not.
func (p *input) gantt(w Window) (*chart, string, error) {
	const name = "Gantt chart: "
	shown := p.schedules()
	c := &chart{ID: "gantt", Title: "Which job ran where?", Gantt: &gantt{places: map[string]int32{}, X: p.clock.title(),
		Per: p.clock.per, Dates: p.clock.dates}}
	from, until := p.grid.first, p.grid.last
	week, chosen := p.busiest()
	if chosen = chosen && w.Until <= w.From; chosen {
		w = week
	}
	if w.Until > w.From {
		from, until = w.From, w.Until
	}
	c.Gantt.Zero, c.Gantt.Until = p.clock.axisTime(from), until-from
	n, away := 0, false
	for _, s := range shown {
		r := p.runs[s.at]
		if r.Dataset("segments") == nil {
			return nil, name + "it takes segments, which record the processors of each job; " + s.label + " kept none", nil
		}
		found, err := r.rectangles(from, until, mostRectangles-n)
		if err != nil {
			return nil, "", err
		}
		n += len(found)
		if n >= mostRectangles {
			return nil, fmt.Sprintf("%sthere are more than %s rectangles; choose a shorter window of time", name,
				terminal.Thousands(mostRectangles)), nil
		}
		g, err := c.Gantt.run(r, s.label, found, from)
		if err != nil {
			return nil, "", err
		}
		g.Away = r.away(from, until)
		away = away || g.Away != nil
		c.Gantt.Runs = append(c.Gantt.Runs, g)
		c.Gantt.Procs = max(c.Gantt.Procs, r.Summary.Machine.Procs)
	}
	if n == 0 {
		return nil, name + "no job ran on processors of its own in the window (jobs that share processors have none)", nil
	}
	c.Caption = fmt.Sprintf("Processors from bottom to top, time from left to right: a rectangle is a job on its "+
		"processors, coloured by user. %s rectangles", terminal.Thousands(int64(n)))
	if w.Until > w.From {
		c.Caption += fmt.Sprintf(" from %s to %s", p.clock.day(from), p.clock.day(until))
	}
	if chosen {
		c.Caption += ", the week in which most jobs wait (gantt shows another)"
	}
	if away {
		c.Caption += "; grey is what outages take, or a cap on power keeps idle: how many processors, from the top"
	}
	c.Caption += "; those narrower than a dot are drawn as the share of time their processors were busy." + alike(shown)
	return c, "", nil
}

// away are a run's outages within a time, since its begin.
func (r *Run) away(from, until float64) (list [][3]float64) {
	for _, o := range r.Summary.Machine.Outages {
		start, end, procs := max(o.Start, from), until, o.Procs
		if o.End != nil {
			end = min(end, *o.End)
		}
		if procs == 0 {
			procs = float64(r.Summary.Machine.Procs)
		}
		if start < end {
			list = append(list, [3]float64{start - from, end - from, procs})
		}
	}
	return list
}

// rectangles reads those of a time, up to some number.
func (r *Run) rectangles(from, until float64, most int) (out []rectangle, err error) {
	err = r.rows("segments", []string{"job_id", "task", "start_s", "end_s", "nodes"}, func(in *table.Rows) error {
		var x [4]float64
		if err := in.Floats(x[:]); err != nil {
			return err
		}
		if x[2] >= until || x[3] <= from || len(out) >= most {
			return nil
		}
		nodes, err := in.Word(4)
		if err != nil {
			return nil // shared processors have no numbers
		}
		for _, part := range bytes.Fields(nodes) {
			low, high, ok := nodeRange(part)
			if !ok {
				return in.Fault(fmt.Sprintf("nodes is %q", nodes), `want ranges as "0-3 7"`)
			}
			job := piece{int64(x[0]), int64(x[1])}
			out = append(out, rectangle{x[2], x[3], low, high - low + 1, job})
		}
		return nil
	})
	slices.SortStableFunc(out,
		func(a, b rectangle) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.low, b.low)) })
	return joined(out), err
}

// joined puts together what follows on the same processors: a change of price ends a
// segment and not the stretch.
func joined(sorted []rectangle) []rectangle {
	type place struct {
		job piece
		low int32
	}
	last, out := map[place]int{}, sorted[:0]
	for _, x := range sorted {
		k := place{x.job, x.low}
		if i, ok := last[k]; ok && out[i].end == x.start && out[i].count == x.count {
			out[i].end = x.end
			continue
		}
		last[k] = len(out)
		out = append(out, x)
	}
	return out
}

// nodeRange reads "3" or "3-5".
func nodeRange(text []byte) (low, high int32, ok bool) {
	from, to, isRange := bytes.Cut(text, []byte("-"))
	a, err := strconv.ParseInt(string(from), 10, 32)
	b := a
	if isRange && err == nil {
		b, err = strconv.ParseInt(string(to), 10, 32)
	}
	return int32(a), int32(b), err == nil && a >= 0 && a <= b
}

// user returns the place of a user's name.
func (g *gantt) user(name string) int32 {
	i, ok := g.places[name]
	if !ok {
		i = int32(len(g.Users))
		g.places[name] = i
		g.Users = append(g.Users, userName(name))
	}
	return i
}

// run looks up the users and waits of a run's jobs.
func (g *gantt) run(r *Run, label string, found []rectangle, from float64) (ganttRun, error) {
	out := ganttRun{Label: label}
	type about struct {
		user int32
		wait float64
	}
	jobs := map[piece]about{}
	for _, x := range found {
		jobs[x.job] = about{}
	}
	err := r.rows("jobs", []string{"job_id", "task", "wait_s", "user"}, func(in *table.Rows) error {
		var x [3]float64
		if err := in.Floats(x[:]); err != nil {
			return err
		}
		k := piece{int64(x[0]), int64(x[1])}
		if _, ok := jobs[k]; !ok {
			return nil
		}
		name, err := in.Word(3)
		if err != nil {
			name = nil
		}
		jobs[k] = about{g.user(string(name)), x[2]}
		return nil
	})
	last := int64(0)
	for _, x := range found {
		start := int64(math.Round(x.start - from))
		name := strconv.FormatInt(x.job.id, 10)
		if x.job.task > 0 {
			name += "." + strconv.FormatInt(x.job.task, 10)
		}
		a := jobs[x.job]
		out.Start, out.Len = append(out.Start, start-last), append(out.Len, int64(math.Round(x.end-from))-start)
		out.Low, out.Count = append(out.Low, x.low), append(out.Count, x.count)
		out.Job, out.User, out.Wait = append(out.Job, name), append(out.User, a.user),
			append(out.Wait, int64(math.Round(a.wait)))
		last = start
	}
	return out, err
}
