package bidding

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/suggest"
)

// Table is a Bidder whose offers were read from a table: job_id, value, bid and
// optionally time_s. A job's first row in time is its offer; later rows are
// changes of its bid while it lives.
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
		What: fmt.Sprintf("bid for job %d, which the trace does not hold%s", id, more),
		Want: "check that the bids belong to this trace; job_id is the trace's own number"}
}

// row is one line of a bid table. line is its place, for messages.
type row struct {
	line       int64
	id         int64
	value, bid float64
	at         events.Time // fromTheStart where the table gives no time
}

const fromTheStart = events.Time(math.MinInt64)

// ReadCSV reads a bid table from CSV with a header line. Columns may come in
// any order; columns of other names are ignored.
func ReadCSV(name string, in io.Reader) (*Table, error) {
	c := csv.NewReader(in)
	c.ReuseRecord = true
	header, err := c.Read()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &traces.Error{File: name, What: "the bid table is empty", Want: "the first line should be job_id,value,bid or job_id,value,bid,time_s"}
		}
		return nil, &traces.Error{File: name, Line: 1, What: "not CSV", Err: err}
	}
	cols, err := columnsOf(name, header)
	if err != nil {
		return nil, err
	}
	b := newBuilder(name)
	for {
		record, err := c.Read()
		if errors.Is(err, io.EOF) {
			return b.finish()
		}
		line, _ := c.FieldPos(0)
		if err != nil {
			return nil, &traces.Error{File: name, Line: int64(line), What: "not a row of the table", Err: err}
		}
		r, err := cols.parse(name, int64(line), record)
		if err == nil {
			err = b.add(r)
		}
		if err != nil {
			return nil, err
		}
	}
}

// bidColumns are the places of the columns in a record; time is -1 if absent.
type bidColumns struct{ id, value, bid, time int }

func columnsOf(name string, header []string) (bidColumns, error) {
	find := func(column string) int {
		return slices.IndexFunc(header, func(h string) bool {
			return strings.EqualFold(strings.TrimSpace(strings.TrimPrefix(h, "\ufeff")), column)
		})
	}
	c := bidColumns{find("job_id"), find("value"), find("bid"), find("time_s")}
	for _, need := range []struct {
		at     int
		column string
	}{{c.id, "job_id"}, {c.value, "value"}, {c.bid, "bid"}} {
		if need.at < 0 {
			return c, &traces.Error{File: name, Line: 1, What: "no column " + need.column,
				Want: "a bid table has the columns job_id, value, bid and optionally time_s" + suggest.DidYouMean(need.column, header)}
		}
	}
	return c, nil
}

func (c bidColumns) parse(name string, line int64, record []string) (row, error) {
	fail := func(column, text, want string) (row, error) {
		return row{}, &traces.Error{File: name, Line: line, What: fmt.Sprintf("%s is %q", column, text), Want: want}
	}
	r := row{line: line, at: fromTheStart}
	var err error
	if r.id, err = strconv.ParseInt(strings.TrimSpace(record[c.id]), 10, 64); err != nil {
		return fail("job_id", record[c.id], "want a job's number in the trace")
	}
	if r.value, err = strconv.ParseFloat(strings.TrimSpace(record[c.value]), 64); err != nil {
		return fail("value", record[c.value], "want a number")
	}
	if r.bid, err = strconv.ParseFloat(strings.TrimSpace(record[c.bid]), 64); err != nil {
		return fail("bid", record[c.bid], "want a number")
	}
	if c.time >= 0 && strings.TrimSpace(record[c.time]) != "" {
		s, err := strconv.ParseFloat(strings.TrimSpace(record[c.time]), 64)
		at, ok := events.FromSeconds(s)
		if err != nil || !ok {
			return fail("time_s", record[c.time], "want seconds on the trace's clock")
		}
		r.at = at
	}
	return r, nil
}

// builder gathers rows into a Table.
type builder struct {
	name  string
	rows  map[int64][]row
	ids   []int64 // in order of first sight
	count int64   // rows
}

func newBuilder(name string) *builder { return &builder{name: name, rows: map[int64][]row{}} }

func (b *builder) add(r row) error {
	for _, f := range []struct {
		column string
		v      float64
	}{{"value", r.value}, {"bid", r.bid}} {
		if !(f.v >= 0 && f.v <= policies.MostMoney) {
			return &traces.Error{File: b.name, Line: r.line, What: fmt.Sprintf("%s is %g", f.column, f.v), Want: fmt.Sprintf("want a number from 0 to %g", policies.MostMoney)}
		}
	}
	if b.rows[r.id] == nil {
		b.ids = append(b.ids, r.id)
	}
	b.rows[r.id] = append(b.rows[r.id], r)
	b.count++
	return nil
}

func (b *builder) finish() (*Table, error) {
	if len(b.ids) == 0 {
		return nil, &traces.Error{File: b.name, What: "the bid table has no rows", Want: "want one row a job"}
	}
	t := &Table{name: b.name, offers: make(map[int64]policies.Offer, len(b.ids)),
		rebids: map[int64][]policies.Rebid{}, lines: make(map[int64]int64, len(b.ids))}
	for _, id := range b.ids {
		if err := t.put(id, b.rows[id]); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// put makes the first of a job's rows in time its offer and the others its
// later bids.
func (t *Table) put(id int64, rows []row) error {
	t.lines[id] = rows[0].line
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.at, b.at) })
	for i := 1; i < len(rows); i++ {
		if rows[i].at == rows[i-1].at {
			return &traces.Error{File: t.name, Line: rows[i].line, What: fmt.Sprintf("a second bid of job %d for the same moment", id),
				Want: "give later bids of a job different times in the column time_s"}
		}
		t.rebids[id] = append(t.rebids[id], policies.Rebid{At: rows[i].at, Bid: rows[i].bid})
	}
	t.offers[id] = policies.Offer{Value: rows[0].value, Bid: rows[0].bid}
	return nil
}
