package bidding

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Table is a Bidder whose offers come from the rows of a table. A job's first row in
// time is its offer; later rows are changes of its bid until it ends.
type Table struct {
	name   string
	offers map[int64]policies.Offer
	rebids map[int64][]policies.Rebid
	lines  map[int64]int64 // first line of each job, for messages
}

// NoBidError says that a table has no row for a job.
type NoBidError struct {
	Table string
	Job   int64
}

func (e *NoBidError) Error() string { return fmt.Sprintf("%s: no bid for job %d", e.Table, e.Job) }

// Bid returns the offer of the job's rows; a job without a row is an error.
func (t *Table) Bid(j *traces.Job) (policies.Offer, error) {
	offer, ok := t.offers[j.ID]
	if !ok {
		return offer, &NoBidError{t.name, j.ID}
	}
	return offer, nil
}

// Rebids returns the later rows of the job. The bid in force at the submission
// comes first if it is not the offer itself.
func (t *Table) Rebids(j *traces.Job) []policies.Rebid { return t.rebids[j.ID] }

// Unmatched returns how many jobs of the table the trace does not hold, and a
// positioned error naming the first of them.
func (t *Table) Unmatched(seen func(id int64) bool) (int, error) {
	n, first := 0, int64(math.MaxInt64)
	var id int64
	for job, line := range t.lines {
		if !seen(job) {
			n++
			if line < first {
				first, id = line, job
			}
		}
	}
	if n == 0 {
		return 0, nil
	}
	more := ""
	if n > 1 {
		more = fmt.Sprintf(" (and %d more such jobs)", n-1)
	}
	return n, &traces.Error{File: t.name, Line: first,
		What: fmt.Sprintf("bid for job %d, which is not in the trace%s", id, more),
		Want: "check that the bids belong to this trace; job_id is the trace's own number"}
}

// Row is one row of a table of bids.
type Row struct {
	Line       int64 // for messages
	Job        int64
	Value, Bid float64
	At         events.Time // FromStart where the table gives no time
}

// FromStart is before every time of a trace.
const FromStart = events.Time(math.MinInt64)

// NewTable makes a Table of rows. name stands for the table in messages; an error
// among the rows ends the reading.
func NewTable(name string, rows iter.Seq2[Row, error]) (*Table, error) {
	byJob, jobs := map[int64][]Row{}, []int64{} // in the order of their first rows
	for r, err := range rows {
		if err == nil {
			err = r.check(name)
		}
		if err != nil {
			return nil, err
		}
		if byJob[r.Job] == nil {
			jobs = append(jobs, r.Job)
		}
		byJob[r.Job] = append(byJob[r.Job], r)
	}
	if len(jobs) == 0 {
		return nil, &traces.Error{File: name, What: "the bid table has no rows", Want: "want one row per job"}
	}
	t := &Table{name: name, offers: make(map[int64]policies.Offer, len(jobs)),
		rebids: map[int64][]policies.Rebid{}, lines: make(map[int64]int64, len(jobs))}
	for _, job := range jobs {
		if err := t.put(job, byJob[job]); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (r *Row) check(name string) error {
	for _, f := range []struct {
		column string
		v      float64
	}{{"value", r.Value}, {"bid", r.Bid}} {
		if !(f.v >= 0 && f.v <= policies.MostMoney) {
			return &traces.Error{File: name, Line: r.Line, What: fmt.Sprintf("%s is %g", f.column, f.v), Want: fmt.Sprintf("want a number from 0 to %g", policies.MostMoney)}
		}
	}
	return nil
}

// put makes the first of a job's rows in time its offer and the others its
// later bids.
func (t *Table) put(job int64, rows []Row) error {
	t.lines[job] = rows[0].Line
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a.At, b.At) })
	for i := 1; i < len(rows); i++ {
		if rows[i].At == rows[i-1].At {
			return &traces.Error{File: t.name, Line: rows[i].Line, What: fmt.Sprintf("duplicate bid of job %d for the same time", job),
				Want: "give later bids of a job different times in the column time_s"}
		}
		t.rebids[job] = append(t.rebids[job], policies.Rebid{At: rows[i].At, Bid: rows[i].Bid})
	}
	t.offers[job] = policies.Offer{Value: rows[0].Value, Bid: rows[0].Bid}
	return nil
}
