package explain

import (
	"fmt"
	"math"

	"bourse/reports/terminal"
	"bourse/traces"
)

// DropFinder remembers why a job's record was dropped.
type DropFinder struct {
	Job     int64
	Name    func(id int64) string // what the trace's log calls the job of a number
	dropped bool
	line    int64
	reason  traces.Reason
}

// Look is told of every record that is dropped.
func (d *DropFinder) Look(j *traces.Job, r traces.Reason) {
	if j.ID == d.Job && !d.dropped {
		d.dropped, d.line, d.reason = true, j.Line, r
	}
}

// Missing says why there is nothing to explain: the record was dropped, the task is
// not there, or the trace has no such number. resampled jobs have new numbers.
func (d *DropFinder) Missing(task int32, l *traces.Ledger, o *Others, resampled bool) error {
	switch {
	case o.Rows > 0:
		return fmt.Errorf("job %s has no task %d: %s replayed, tasks %d to %d", d.Name(d.Job), task,
			terminal.Count(int(o.Rows), "of its rows is", "of its rows are"), o.FirstTask, o.LastTask)
	case d.dropped:
		where := ""
		if d.line > 0 {
			where = fmt.Sprintf(" (line %d)", d.line)
		}
		return fmt.Errorf("job %s%s was not replayed: it is among the %d records dropped as %s", d.Name(d.Job), where,
			l.Dropped[d.reason], d.reason)
	case resampled:
		return fmt.Errorf("no job %s in this replica: resampling gives jobs new numbers; %s", d.Name(d.Job), d.neighbours(o))
	}
	text := fmt.Sprintf("no job %s is replayed; %s", d.Name(d.Job), d.neighbours(o))
	if n := l.DroppedText(); n != "" {
		text += ". Records that were left out: " + n
	}
	return fmt.Errorf("%s", text)
}

// neighbours names the numbers next to one that is not there.
func (d *DropFinder) neighbours(o *Others) string {
	switch {
	case o.hasBelow && o.hasAbove:
		near, far := o.below, o.above
		if math.Abs(float64(o.above)-float64(d.Job)) < math.Abs(float64(d.Job)-float64(o.below)) {
			near, far = far, near
		}
		return fmt.Sprintf("did you mean %s or %s?", d.Name(near), d.Name(far))
	case o.hasBelow:
		return fmt.Sprintf("the last number there is %s", d.Name(o.below))
	}
	return fmt.Sprintf("the first number there is %s", d.Name(o.above))
}
