package model

import (
	"strconv"

	"bourse/events"
	"bourse/traces/google"
)

// The rows are written with the columns that google/schema.go lists, in their order.

// taskRow is a row of task_events. tail is what the rows of its job share, from
// the user on.
type taskRow struct {
	at      events.Time
	job     int64
	tail    string
	index   int32
	machine int32 // -1 for none
	kind    google.Kind
	missing bool // put in by the trace's makers
}

// jobRow is a row of job_events.
type jobRow struct {
	at    events.Time
	job   int64
	user  int32
	kind  google.Kind
	class int8
}

func (r *taskRow) append(b []byte) []byte {
	b = strconv.AppendInt(b, int64(r.at), 10)
	b = append(b, ',')
	if r.missing {
		b = append(b, '2')
	}
	b = append(b, ',')
	b = strconv.AppendInt(b, r.job, 10)
	b = append(b, ',')
	b = strconv.AppendInt(b, int64(r.index), 10)
	b = append(b, ',')
	if r.machine >= 0 {
		b = strconv.AppendInt(b, machineNumber(r.machine), 10)
	}
	b = append(b, ',', '0'+byte(r.kind))
	return append(b, r.tail...)
}

func (r *jobRow) append(b []byte, user string) []byte {
	b = strconv.AppendInt(b, int64(r.at), 10)
	b = append(b, ',', ',')
	b = strconv.AppendInt(b, r.job, 10)
	b = append(b, ',', '0'+byte(r.kind), ',')
	b = append(b, user...)
	b = append(b, ',', '0'+byte(r.class), ',')
	b = append(b, word("job", uint64(r.job))...)
	b = append(b, ',')
	b = append(b, word("logical", uint64(r.user)*8+uint64(r.job)%8)...)
	return append(b, '\n')
}
