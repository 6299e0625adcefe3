package scenario

import (
	"errors"
	"fmt"
	"io"

	"bourse/events"
	"bourse/policies/bidding"
	"bourse/traces/table"
)

// ReadBids reads a table of bids, CSV or Parquet by its name, with the columns job_id,
// value, bid and optionally time_s.
func ReadBids(path string) (*bidding.Table, error) {
	rows, err := table.OpenSome(path, nil, []string{"job_id", "value", "bid"}, []string{"time_s"})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return bidding.NewTable(path, func(yield func(bidding.Row, error) bool) {
		for {
			err := rows.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			var r bidding.Row
			if err == nil {
				r, err = bid(rows)
			}
			if !yield(r, err) {
				return
			}
		}
	})
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
