package compare

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/traces/table"
)

// jobRow is what is read of a job's record.
type jobRow struct {
	id              int64
	task            int32
	group           int32
	submit          events.Time
	run, start, end events.Time
	stopped         bool    // the job left, or was preempted
	x               float64 // its value of the column
}

// pairs is the jobs that all runs have, and what each run did with them.
type pairs struct {
	jobs      []jobRow
	schedules []*schedule // by run
	groups    []string
}

// pair reads the records of runs and pairs them job by job. It holds a few numbers for each
// job, and one more for each run.
func pair(runs []*run.Finished, m run.Measure, by string) (*pairs, error) {
	p := &pairs{}
	for i, r := range runs {
		rows, groups, err := readJobs(r, m.Column, by)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(rows, func(a, b jobRow) int {
			return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.task, b.task), cmp.Compare(a.submit, b.submit))
		})
		if i == 0 {
			p.jobs, p.groups = rows, groups
		}
		p.join(rows, m)
	}
	p.order()
	if len(p.jobs) == 0 {
		return nil, errors.New("the runs have no jobs in common")
	}
	return p, nil
}

// join adds the values of one more run, and keeps only jobs that it has.
func (p *pairs) join(rows []jobRow, m run.Measure) {
	keep, at := 0, 0
	own := newSchedule(len(p.jobs))
	for i := range p.jobs {
		j := &p.jobs[i]
		before := func(r *jobRow) bool { return r.id < j.id || r.id == j.id && r.task < j.task }
		for at < len(rows) && before(&rows[at]) {
			at++
		}
		if at == len(rows) || rows[at].id != j.id || rows[at].task != j.task {
			continue
		}
		r := &rows[at]
		if m.Part != nil {
			r.x = m.Part(r.x)
		}
		own.set(keep, r.start, r.end, r.run, r.stopped, r.x)
		for _, s := range p.schedules {
			s.start[keep], s.end[keep], s.x[keep] = s.start[i], s.end[i], s.x[i]
		}
		p.jobs[keep] = *j
		keep, at = keep+1, at+1
	}
	p.jobs, p.schedules = p.jobs[:keep], append(p.schedules, own)
	for _, s := range p.schedules {
		s.start, s.end, s.x = s.start[:keep], s.end[:keep], s.x[:keep]
	}
}

// order puts the jobs in order of submission.
func (p *pairs) order() {
	order := make([]int, len(p.jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.jobs[a].submit, p.jobs[b].submit) })
	p.jobs = permuted(p.jobs, order)
	for _, s := range p.schedules {
		s.start, s.end, s.x = permuted(s.start, order), permuted(s.end, order), permuted(s.x, order)
	}
}

func permuted[T any](x []T, order []int) []T {
	out := make([]T, len(x))
	for i, from := range order {
		out[i] = x[from]
	}
	return out
}

// log is the jobs as schedules have them. Those at the edges no summary counts.
func (p *pairs) log(s *scenario.Scenario) *jobs {
	l := &jobs{}
	for i := range p.jobs {
		l.submit = append(l.submit, p.jobs[i].submit)
	}
	l.from, l.until = s.Edges().Counted(len(p.jobs), func(i int) events.Time { return l.submit[i] })
	return l
}

// readJobs reads a run's records: a column, and what jobs are grouped by.
func readJobs(r *run.Finished, column, by string) (rows []jobRow, groups []string, err error) {
	d := r.Dataset("jobs")
	if d == nil || d.Format == "arrow" {
		return nil, nil, fmt.Errorf("%s has no records of jobs in Parquet or CSV", r.Dir)
	}
	columns := []string{"job_id", "task", "submit_s", "run_s", "start_s", "end_s", "preemptions", column}
	switch by {
	case "":
	case "hour":
		return nil, nil, errors.New("runs do not have the dates of their log: compare policies on it by hour")
	case "size":
		columns = append(columns, "procs")
	default:
		columns = append(columns, by)
	}
	in, err := table.OpenSome(filepath.Join(r.Dir, d.File), nil, columns, nil)
	if err != nil {
		return nil, nil, err
	}
	at := map[string]int32{} // looked up, never walked over
	err = in.Each(func() error {
		id, e1 := in.Int(0)
		task, e2 := in.Int(1)
		row := jobRow{id: id, task: int32(task)}
		var bad error
		for i, to := range []*events.Time{&row.submit, &row.run, &row.start, &row.end} {
			seconds, known, err := in.Known(2 + i)
			*to, _ = events.FromSeconds(seconds)
			row.stopped, bad = row.stopped || !known, cmp.Or(bad, err)
		}
		if row.stopped { // it left, and was gone when it had run elsewhere
			row.end = row.submit + 2*row.run
		}
		preempted, e3 := in.Int(6)
		x, e4 := in.Float(7)
		row.stopped, row.x = row.stopped || preempted > 0, x
		if by != "" {
			name, err := groupIn(in, by)
			if err != nil {
				return err
			}
			g, known := at[string(name)]
			if !known {
				g = int32(len(groups))
				at[string(name)], groups = g, append(groups, string(name))
			}
			row.group = g
		}
		rows = append(rows, row)
		return cmp.Or(e1, e2, bad, e3, e4)
	})
	return rows, groups, err
}

// groupIn is the name of a record's group; nothing if it is unknown.
func groupIn(in *table.Rows, by string) ([]byte, error) {
	if by == "size" {
		n, err := in.Float(8)
		return []byte(stats.SizeName(stats.SizeClass(n))), err
	}
	if name, err := in.Word(8); err == nil {
		return name, nil
	}
	return nil, nil
}

// sampled gives the entries of finished runs their samples. What keeps runs from being
// paired is why nothing is certain.
func (t *Ranking) sampled(runs []*run.Finished) {
	s, err := sameJobs(runs)
	if err != nil {
		t.Unsure = err.Error()
		return
	}
	if t.Unsure = unsureOf(t.Metric, s.Feedback); t.Unsure != "" {
		return
	}
	p, err := pair(runs, t.Metric, t.by)
	if err != nil {
		t.Unsure = err.Error()
		return
	}
	t.log = p.log(s)
	if t.log.zero = runs[0].Manifest.Trace.Start; t.log.from >= t.log.until {
		t.Unsure = "the jobs that the runs have in common are all at the edges"
		return
	}
	if t.Samples = samplesOfLog; t.by != "" {
		t.log.groupBy(func(i int) string { return p.groups[p.jobs[i].group] })
	}
	for r, e := range t.Entries {
		e.schedule = p.schedules[r]
	}
}

// sameJobs wants runs of one trace whose summaries leave out the same edges.
func sameJobs(runs []*run.Finished) (*scenario.Scenario, error) {
	var first scenario.Scenario
	for i, r := range runs {
		s, err := scenario.Parse(r.Manifest.Scenario)
		switch {
		case err != nil:
			return nil, err
		case i == 0:
			first = s
		case !runs[0].Manifest.Trace.Same(r.Manifest.Trace):
			return nil, errors.New("the runs are of different traces")
		case s.Edges() != first.Edges():
			return nil, errors.New("the runs leave out different jobs at their edges")
		case (s.Resample != "" || first.Resample != "") && (s.Resample != first.Resample || s.Seed != first.Seed):
			return nil, errors.New("the runs are of different replicas of the log")
		case s.Bound != first.Bound:
			return nil, errors.New("the runs have different bounds of bounded slowdown")
		}
	}
	return &first, nil
}
