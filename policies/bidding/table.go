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
	name string
	rows []Row // by job, then by time: a table may have millions, and maps take four times as much
}

// NoBidError says that a table has no row for a job.
type NoBidError struct {
	Table string
	Job   int64
}

func (e *NoBidError) Error() string { return fmt.Sprintf("%s: no bid for job %d", e.Table, e.Job) }

// jobRows returns the rows of a job.
func (t *Table) jobRows(job int64) []Row {
	i, _ := slices.BinarySearchFunc(t.rows, job, func(r Row, job int64) int { return cmp.Compare(r.Job, job) })
	return firstJob(t.rows[i:], job)
}

// firstJob returns the rows of the job that begin sorted.
func firstJob(sorted []Row, job int64) []Row {
	n := 0
	for n < len(sorted) && sorted[n].Job == job {
		n++
	}
	return sorted[:n]
}

// Bid returns the offer of the job's rows; a job without a row is an error.
func (t *Table) Bid(j *traces.Job) (policies.Offer, error) {
	rows := t.jobRows(j.ID)
	if len(rows) == 0 {
		return policies.Offer{}, &NoBidError{t.name, j.ID}
	}
	return policies.Offer{Value: rows[0].Value, Bid: rows[0].Bid, Shape: rows[0].Shape}, nil
}

// Rebids returns the later rows of the job. The bid in force at the submission
// is first if it is not the offer itself.
func (t *Table) Rebids(j *traces.Job) (later []policies.Rebid) {
	if rows := t.jobRows(j.ID); len(rows) > 1 {
		for _, r := range rows[1:] {
			later = append(later, policies.Rebid{At: r.At, Bid: r.Bid})
		}
	}
	return later
}

// Changes reports whether some job bids more than once.
func (t *Table) Changes() bool {
	for i := range t.rows[1:] {
		if t.rows[i].Job == t.rows[i+1].Job {
			return true
		}
	}
	return false
}

// Unmatched returns how many jobs of the table the trace does not hold, and a
// positioned error naming the first of them.
func (t *Table) Unmatched(seen func(id int64) bool) (int, error) {
	n, first, id := 0, int64(math.MaxInt64), int64(0)
	for rest := t.rows; len(rest) > 0; {
		rows := firstJob(rest, rest[0].Job)
		rest = rest[len(rows):]
		if seen(rows[0].Job) {
			continue
		}
		n++
		for _, r := range rows {
			if r.Line < first {
				first, id = r.Line, r.Job
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
	Shape      *policies.Shape
	At         events.Time // FromStart where the table gives no time
}

// FromStart is before every time of a trace.
const FromStart = events.Time(math.MinInt64)

// NewTable makes a Table of rows. name represents the table in messages; an error
// among the rows ends the reading.
func NewTable(name string, rows iter.Seq2[Row, error]) (*Table, error) {
	// Pages, so that no more than twice the rows is held while the table grows.
	var pages [][]Row
	for r, err := range rows {
		if err == nil {
			err = r.check(name)
		}
		if err != nil {
			return nil, err
		}
		if n := len(pages); n == 0 || len(pages[n-1]) == cap(pages[n-1]) {
			pages = append(pages, make([]Row, 0, 4096))
		}
		last := &pages[len(pages)-1]
		*last = append(*last, r)
	}
	all := slices.Concat(pages...)
	if len(all) == 0 {
		return nil, &traces.Error{File: name, What: "the bid table has no rows", Want: "want one row per job"}
	}
	slices.SortStableFunc(all, func(a, b Row) int { return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.At, b.At)) })
	t := &Table{name: name, rows: all}
	return t, t.duplicate()
}

// duplicate reports the first row, as the table has them, that bids again for the same time.
func (t *Table) duplicate() error {
	var first *Row
	for i := range t.rows[1:] {
		if a, b := &t.rows[i], &t.rows[i+1]; a.Job == b.Job && a.At == b.At && (first == nil || b.Line < first.Line) {
			first = b
		}
	}
	if first == nil {
		return nil
	}
	return &traces.Error{File: t.name, Line: first.Line,
		What: fmt.Sprintf("duplicate bid of job %d for the same time", first.Job),
		Want: "give later bids of a job different times in the column time_s"}
}

func (r *Row) check(name string) error {
	for _, f := range []struct {
		column string
		v      float64
	}{{"value", r.Value}, {"bid", r.Bid}} {
		if !(f.v >= 0 && f.v <= policies.MostMoney) {
			return &traces.Error{File: name, Line: r.Line, What: fmt.Sprintf("%s is %g", f.column, f.v),
				Want: fmt.Sprintf("want a number from 0 to %g", policies.MostMoney)}
		}
	}
	return nil
}
