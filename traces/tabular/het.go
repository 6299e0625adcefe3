package tabular

import (
	"regexp"
	"strconv"
	"strings"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
)

// FixedWidth reports whether a line is the column names that sacct prints without -P:
// words with blanks between, JobID among them.
func FixedWidth(line string) bool {
	return fixedWidth.MatchString(line) && !strings.Contains(line, "|")
}

var fixedWidth = regexp.MustCompile(`(?i)^\s*(\S+\s+)*jobid(raw)?(\s+\S+)*\s*$`)

// Components of heterogeneous jobs, 123+1, 123+2, have numbers of their own until all of
// the log is read: below zero, so that they meet no other job's.
func (t *Rows) component(id int64, text string) int64 {
	_, part, het := strings.Cut(text, "+")
	n, err := strconv.ParseInt(part, 10, 32)
	if !het || err != nil || n == 0 {
		return id
	}
	t.hets = true
	return -(id*ArrayStride + n%ArrayStride)
}

// OddComponent is a component that has been joined with the first of its job, OddApart one
// of other times.
const (
	OddComponent = "components of heterogeneous jobs, joined with the first"
	OddApart     = "components of heterogeneous jobs that ran at another time than the first: the job runs from the " +
		"first start to the last end"
)

// joinComponents makes one job of the components of each heterogeneous job, which Slurm
// starts together.
func joinComponents(g *input.Gatherer) {
	first := map[int64]int{} // by number, of jobs with components
	for i := range g.Jobs {
		if id := g.Jobs[i].ID; id < 0 {
			first[-id/ArrayStride] = -1
		}
	}
	for i := range g.Jobs {
		if _, ok := first[g.Jobs[i].ID]; ok {
			first[g.Jobs[i].ID] = i
		}
	}
	kept := g.Jobs[:0:0]
	for i := range g.Jobs {
		j := &g.Jobs[i]
		id := -j.ID / ArrayStride
		switch {
		case j.ID >= 0:
		case first[id] < 0: // the first was left out: this one replaces it
			j.ID = id
			g.Ids.Add(id)
			first[id] = i
		default:
			l := g.Header.Ledger
			l.Drop(traces.Step, j)
			l.Odd(OddComponent)
			if !join(&g.Jobs[first[id]], j) {
				l.Odd(OddApart)
			}
		}
	}
	for i := range g.Jobs {
		if g.Jobs[i].ID >= 0 {
			kept = append(kept, g.Jobs[i])
		}
	}
	g.Jobs = kept
}

// join adds component c to a job and reports whether both ran at the same time.
func join(j, c *traces.Job) bool {
	start, end := times(j)
	from, to := times(c)
	together := start == from && end == to
	switch {
	case !from.Known():
	case !start.Known():
		start, end = from, to
	default:
		start, end = min(start, from), max(end, to)
	}
	j.Submit = min(j.Submit, c.Submit)
	if start.Known() {
		j.Wait, j.Run = start-j.Submit, end-start
	}
	j.Estimate = max(j.Estimate, c.Estimate)
	if p, q := float64(max(j.Procs, 0)), float64(max(c.Procs, 0)); j.Memory >= 0 && c.Memory >= 0 && p+q > 0 {
		j.Memory = (float64(p*j.Memory) + float64(q*c.Memory)) / (p + q)
	}
	if p, q := float64(max(j.Procs, 0)), float64(max(c.Procs, 0)); max(j.GPU, c.GPU) >= 0 && p+q > 0 {
		j.GPU = (float64(p*max(j.GPU, 0)) + float64(q*max(c.GPU, 0))) / (p + q)
	}
	j.Procs = max(j.Procs, 0) + max(c.Procs, 0)
	if j.Status == 1 {
		j.Status = c.Status // completed only if all are
	}
	return together
}

// times are when a job started and ended.
func times(j *traces.Job) (start, end events.Time) {
	if !j.Wait.Known() || !j.Run.Known() {
		return events.Unknown, events.Unknown
	}
	return j.Submit + j.Wait, j.Submit + j.Wait + j.Run
}
