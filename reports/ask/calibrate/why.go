package calibrate

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
)

// The reasons for which a job waits at an instant: the first that applies.
const (
	noRoom = iota
	outsideWindow
	lessCapacity
	wouldDelay
	olderWaits
	ownRuns
	noReason
	reasons
)

// Shares are the parts of waiting time by reason.
type Shares struct {
	By     string `json:"by" head:"by" unit:"words" key:""`
	Part   string `json:"part" head:"part" unit:"words" key:""`
	Waited int    `json:"waited_job_hours" head:"job-hours"`
	// The reasons, in order: the first that applies is the one.
	NoRoom     float64 `json:"no_room" head:"no room %" unit:"share"`
	Window     float64 `json:"outside_window" head:"outside of a window %" unit:"share"`
	Capacity   float64 `json:"less_capacity" head:"less capacity %" unit:"share"`
	WouldDelay float64 `json:"would_delay" head:"would delay %" unit:"share"`
	Older      float64 `json:"older_waits" head:"own older waits %" unit:"share"`
	Runs       float64 `json:"own_runs" head:"own runs %" unit:"share"`
	None       float64 `json:"none" head:"none of these %" unit:"share"`
}

func sharesOf(by, part string, n *[reasons]int) Shares {
	s := Shares{By: by, Part: part}
	for _, k := range n {
		s.Waited += k
	}
	for i, to := range []*float64{&s.NoRoom, &s.Window, &s.Capacity, &s.WouldDelay, &s.Older, &s.Runs, &s.None} {
		*to = float64(n[i]) / float64(max(s.Waited, 1))
	}
	return s
}

// Waiting is why the jobs of a log waited, by the recorded schedule.
type Waiting struct {
	Rows  []Shares // all jobs first
	Notes []string
}

// Why says why the jobs of a log waited; ErrNoWaits if it does not record that they did.
func Why(jobs *scenario.Loaded) (*Waiting, error) {
	r, err := newRecord(jobs)
	if err != nil {
		return nil, err
	}
	w := r.why(r.eras(), r.capacity())
	if len(w.Rows) == 0 {
		return nil, ErrNever
	}
	return w, nil
}

// why looks at each full hour at the jobs that wait in the recorded schedule.
func (r *record) why(eras []era, c *capacities) *Waiting {
	type key struct {
		by   int
		part int64
	}
	counts := map[key]*[reasons]int{}
	r.hourly(func(s *instant) {
		free, there := r.procs-s.used, c.at(s.at)-s.used
		shadow, extra := r.shadow(s, there)
		runs, older := map[traces.Label]bool{}, map[traces.Label]bool{}
		for _, i := range s.running {
			runs[r.jobs[i].user] = true
		}
		for _, i := range s.waiting {
			j := &r.jobs[i]
			reason, n := noReason, int64(j.procs)
			switch {
			case n > free:
				reason = noRoom
			case r.isClosed(eras, j, s.at):
				reason = outsideWindow
			case n > there:
				reason = lessCapacity
			case shadow != events.Never && s.at+j.request > shadow && n > extra:
				reason = wouldDelay
			case runs[j.user] && j.user != traces.NoLabel:
				reason = ownRuns
			case older[j.user] && j.user != traces.NoLabel:
				reason = olderWaits
			}
			older[j.user] = true
			for _, k := range []key{{0, 0}, {1, int64(j.queue)}, {2, int64(bits.Len32(uint32(j.procs - 1)))}} {
				if counts[k] == nil {
					counts[k] = &[reasons]int{}
				}
				counts[k][reason]++
			}
		}
	})
	w := &Waiting{}
	keys := make([]key, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(a.part, b.part)) })
	for _, k := range keys {
		by, part := "all", "jobs"
		switch k.by {
		case 1:
			by, part = "queue", "none"
			if text, ok := r.header.Names.Queues.Text(traces.Label(k.part)); ok {
				part = text
			}
		case 2:
			by, part = "width", fmt.Sprintf("%d-%d", int64(1)<<k.part/2+1, int64(1)<<k.part)
			if k.part < 2 {
				part = fmt.Sprint(int64(1) << k.part)
			}
		}
		w.Rows = append(w.Rows, sharesOf(by, part, counts[k]))
	}
	w.notes(r, eras, c)
	return w
}

// shadow is when, by requested times, there is room for the oldest waiting job that does not fit, and the processors
// that are left then; Never if all fit.
func (r *record) shadow(s *instant, there int64) (at events.Time, extra int64) {
	first := slices.IndexFunc(s.waiting, func(i int) bool { return int64(r.jobs[i].procs) > there })
	if first < 0 {
		return events.Never, 0
	}
	need, free := int64(r.jobs[s.waiting[first]].procs), max(there, 0)
	expected := func(i int) events.Time { return max(r.jobs[i].start+r.jobs[i].request, s.at+60*events.Second) }
	order := slices.Clone(s.running)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(expected(a), expected(b)) })
	for _, i := range order {
		if free += int64(r.jobs[i].procs); free >= need {
			return expected(i), free - need
		}
	}
	return events.Never, 0
}

// notes say what the reasons are, and what is odd about the record.
func (w *Waiting) notes(r *record, eras []era, c *capacities) {
	w.Notes = append(w.Notes, "by the recorded schedule at each full hour, the first reason that applies: no room: "+
		"fewer of the machine's processors free than the "+
		"job asks for; outside of a window: hardly any job of its requested time starts at such a time; less capacity: "+
		"fewer free of the most in use "+
		"within 6 hours; would delay the oldest that does not fit, by requested times; own runs: a job of its user runs; "+
		"own older "+
		"waits: an older job of its user waits")
	if c.above > 0 {
		w.Notes = append(w.Notes, fmt.Sprintf("the record has up to %s processors in use at once, and the machine %s; for "+
			"%s in all",
			terminal.Thousands(c.most), terminal.Thousands(r.procs), events.FormatDuration(c.above/hour*hour)))
	}
	switch {
	case !r.dated:
		w.Notes = append(w.Notes, "the log has no dates: hours are those of its own clock, and its time 0 counts as a "+
			"Monday's midnight")
	case r.calendar.Zone() == "UTC":
		w.Notes = append(w.Notes, "hours are in UTC, as the log names no other time zone")
	}
	if slices.ContainsFunc(r.header.Fields, func(f traces.Field) bool { return strings.Contains(f.Text, "CLEANED") }) {
		w.Notes = append(w.Notes, "this is a cleaned log: what was cleaned away took room, which counts as free; the raw "+
			"log says more of its site")
	}
	if !r.asks {
		w.Notes = append(w.Notes, "most jobs have no requested time: run times stand for them, and windows are not looked for")
	}
}

// Tables are the reasons, for readers without the parts below a hundredth of the waiting, and for programs.
func (w *Waiting) Tables() []*table.Table {
	rows := slices.DeleteFunc(slices.Clone(w.Rows), func(s Shares) bool { return 100*s.Waited < w.Rows[0].Waited })
	t, all := table.Structs(rows).Readers(), table.Structs(w.Rows)
	t.Title, t.Notes, all.Name = "Why jobs waited, in parts of the waiting time:", w.Notes, "why"
	for i := range all.Columns {
		all.Columns[i].Heading = ""
	}
	return []*table.Table{t, all}
}

// Answer says it in a sentence.
func (w *Waiting) Answer() string {
	s := &w.Rows[0]
	had := 1 - s.NoRoom
	parts := []struct {
		share float64
		text  string
	}{{s.Window, "outside of a window"}, {s.Capacity, "as there was less of the machine"},
		{s.WouldDelay, "as it would have delayed an older job"}, {s.Older, "as an older job of the user waited"},
		{s.Runs, "as a job of the user ran"}}
	slices.SortStableFunc(parts, func(a, b struct {
		share float64
		text  string
	}) int {
		return cmp.Compare(b.share, a.share)
	})
	return fmt.Sprintf("%s %% of the waiting was with room for the job in the machine: %s %% %s, %s %% %s; %s %% has "+
		"none of the reasons looked for",
		terminal.Share.Text(had), terminal.Share.Text(parts[0].share), parts[0].text, terminal.Share.Text(parts[1].share), parts[1].text,
		terminal.Share.Text(s.None))
}
