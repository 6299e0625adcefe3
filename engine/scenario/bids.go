package scenario

import (
	"errors"
	"fmt"
	"io"
	"os"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/bidding"
	"bourse/traces/table"
)

// ReadBids reads a table of bids, CSV or Parquet by its name, with the columns job_id,
// value, bid and optionally time_s; worth_until_s and worth_factors are steps of what the
// job is worth, as in 159-189 and 10-8: until so many seconds after its submission so many
// parts of the first factor.
func ReadBids(path string) (*bidding.Table, error) {
	rows, err := table.OpenSome(path, nil, []string{"job_id", "value", "bid"},
		[]string{"time_s", "worth_until_s", "worth_factors"})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	most := mostBids(path)
	return bidding.NewTable(path, func(yield func(bidding.Row, error) bool) {
		for n := int64(0); ; n++ {
			err := rows.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			var r bidding.Row
			if err == nil && n >= most {
				err = rows.Fault(fmt.Sprintf("more than %d bids in so small a file", most), "want it as CSV")
			}
			if err == nil {
				r, err = bid(rows)
			}
			if !yield(r, err) {
				return
			}
		}
	})
}

// mostBids bounds the rows by the size of the file, as a few bytes of Parquet may represent
// any number of rows and all of them are held: a row of CSV takes 6 bytes at least.
func mostBids(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0 // the file was open a moment ago
	}
	return 1<<20 + info.Size()/6
}

// bid reads the row.
func bid(rows *table.Rows) (r bidding.Row, err error) {
	r.Line, r.At = rows.Line(), bidding.FromStart
	if r.Job, err = rows.Int(0); err != nil {
		return r, err
	}
	if r.Value, err = rows.Float(1); err != nil {
		return r, err
	}
	if r.Bid, err = rows.Float(2); err != nil {
		return r, err
	}
	if r.Shape, err = shape(rows); err != nil {
		return r, err
	}
	at, known, err := rows.Known(3)
	if err != nil || !known {
		return r, err
	}
	var ok bool
	if r.At, ok = events.FromSeconds(at); !ok {
		return r, rows.Fault(fmt.Sprintf("time_s is %g", at), "want seconds on the trace's clock")
	}
	return r, nil
}

// shape reads what the job is worth in time, nil if the table does not say.
func shape(rows *table.Rows) (*policies.Shape, error) {
	times, factors := rows.Text(4), rows.Text(5)
	if times == "" && factors == "" {
		return nil, nil
	}
	at, worth, err := policies.ParseSteps(times, factors)
	if err == nil && worth[0] == 0 {
		err = errors.New("a job that is never worth anything")
	}
	if err != nil {
		return nil, rows.Fault(fmt.Sprintf("worth_until_s %q, worth_factors %q: %v", times, factors, err),
			"want steps, as in 159-189 and 10-8")
	}
	first := worth[0]
	for i := range worth {
		worth[i] /= first
	}
	return policies.NewShape(at, worth, events.Second), nil
}
