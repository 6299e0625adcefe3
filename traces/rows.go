package traces

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"bourse/events"
)

// rows turns the rows of a table into jobs.
type rows struct {
	header *Header
	cols   [numRoles]int // column of each role, or -1
	names  []string
	// unit is that of plain numbers, for instants and durations.
	unit [numRoles]events.Time
	// slurm: job numbers may be of steps and of elements of arrays.
	slurm    bool
	numbered bool // jobs are numbered by their rows
	decided  bool
	row      int64
}

func newRows(h *Header) *rows {
	t := &rows{header: h}
	for r := range t.unit {
		t.unit[r] = events.Second
	}
	h.Names = Names{Users: &Words{}, Groups: &Words{}, Queues: &Words{}, Partitions: &Words{}}
	return t
}

// OddNumbered is a table whose job ids are words.
const OddNumbered = "job ids that are no numbers: jobs are numbered by their rows"

// job fills j from a row that has a cell for every column.
func (t *rows) job(j *Job, cells []string, line int64) (verdict, *Error) {
	t.row++
	*j = emptyJob
	j.Line = line
	v, fault := t.identity(j, cells)
	if fault == nil && v == isJob {
		v, fault = t.status(j, cells)
	}
	if fault == nil && v != isJob {
		return v, nil
	}
	if fault == nil {
		fault = t.times(j, cells)
	}
	if fault == nil {
		fault = t.sizes(j, cells)
	}
	if fault != nil {
		fault.Line = line
		return v, fault
	}
	n := &t.header.Names
	j.User, j.Group = word(n.Users, t.cell(cells, roleUser)), word(n.Groups, t.cell(cells, roleGroup))
	j.Queue, j.Partition = word(n.Queues, t.cell(cells, roleQueue)), word(n.Partitions, t.cell(cells, rolePartition))
	return v, nil
}

func (t *rows) cell(cells []string, r role) string {
	if c := t.cols[r]; c >= 0 {
		return strings.TrimSpace(cells[c])
	}
	return ""
}

func word(w *Words, text string) Label {
	if text == "-1" || noCell(text) {
		return NoLabel
	}
	return w.Label([]byte(text))
}

// fault says what is wrong with the cell of a role.
func (t *rows) fault(r role, cells []string, want string) *Error {
	return &Error{What: fmt.Sprintf("column %s is %q", t.names[t.cols[r]], cutShort(cells[t.cols[r]], 40)), Want: want}
}

// identity reads the job's number.
func (t *rows) identity(j *Job, cells []string) (verdict, *Error) {
	text := t.cell(cells, roleJob)
	if t.slurm {
		id, step, ok := slurmID(text)
		switch {
		case !ok:
			return isJob, t.fault(roleJob, cells, "a job number as in 123, 123_4 or 123.batch was expected")
		case step:
			return droppedFor(Step), nil
		}
		j.ID = id
		return isJob, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if !t.decided {
		t.decided, t.numbered = true, t.cols[roleJob] < 0 || err != nil
		if t.numbered && t.cols[roleJob] >= 0 {
			t.header.Ledger.Odd(OddNumbered)
		}
	}
	switch {
	case t.numbered:
		j.ID = t.row
	case err != nil:
		return isJob, t.fault(roleJob, cells, "a whole number was expected, as in the rows before")
	default:
		j.ID = id
	}
	return isJob, nil
}

// times reads instants and durations.
func (t *rows) times(j *Job, cells []string) *Error {
	instants := [...]role{roleSubmit, roleStart, roleEnd}
	spans := [...]role{roleWait, roleRun, roleEstimate, roleThink}
	var at [numRoles]events.Time
	for _, r := range instants {
		var ok bool
		if at[r], ok = instant(t.cell(cells, r), t.unit[r]); !ok {
			return t.fault(r, cells, "a number of seconds, 2006-01-02 15:04:05 or RFC 3339 was expected")
		}
	}
	for _, r := range spans {
		var ok bool
		if at[r], ok = duration(t.cell(cells, r), t.unit[r]); !ok {
			return t.fault(r, cells, "seconds or [days-]hours:minutes:seconds were expected")
		}
	}
	if !at[roleSubmit].Known() {
		return t.fault(roleSubmit, cells, "a time of submission was expected")
	}
	odd := t.header.Ledger.Odd
	j.Submit = at[roleSubmit]
	j.Wait, j.Run = at[roleWait], at[roleRun]
	start, end := at[roleStart], at[roleEnd]
	switch {
	case j.Wait.Known() || !start.Known():
	case start < j.Submit:
		odd(OddWait)
	default:
		j.Wait = start - j.Submit
	}
	if !j.Run.Known() && start.Known() && end.Known() {
		if end < start {
			return &Error{What: fmt.Sprintf("the job ends %v before it starts", start-end), Want: "an end after the start was expected"}
		}
		j.Run = end - start
	}
	if t.slurm && !start.Known() && t.cols[roleStart] >= 0 {
		j.Run = events.Unknown // never started; Elapsed is 0 then
	}
	j.Think = at[roleThink]
	if j.Estimate = at[roleEstimate]; j.Estimate == 0 {
		odd(OddEstimate)
		j.Estimate = events.Unknown
	}
	return nil
}

// sizes reads processors, memory and the preceding job.
func (t *rows) sizes(j *Job, cells []string) *Error {
	procs := int64(1)
	if t.cols[roleProcs] >= 0 || t.cols[roleReqProcs] >= 0 {
		procs = 0
	} else if t.row == 1 {
		t.header.Ledger.Odd(OddSerial)
	}
	for _, r := range [...]role{roleProcs, roleReqProcs} {
		if procs > 0 || t.cols[r] < 0 {
			continue
		}
		v, ok := t.whole(cells, r)
		if !ok || v > math.MaxInt32 {
			return t.fault(r, cells, "a number of processors was expected")
		}
		procs = v
	}
	// Slurm allocates nothing to jobs cancelled while they waited, and they
	// should not look as if they ran for no time.
	allocated, _ := t.whole(cells, roleProcs)
	if t.slurm && t.cols[roleProcs] >= 0 && allocated <= 0 && j.Run == 0 {
		j.Run = events.Unknown
	}
	j.Procs = int32(max(procs, -1))
	nodes, _ := t.whole(cells, roleNodes)
	mem, ok := memoryKB(t.cell(cells, roleMemory), max(procs, 1), max(nodes, 1))
	if !ok {
		return t.fault(roleMemory, cells, "a number, or one with a unit as in 4G, 4000Mc, 16Gn, was expected")
	}
	j.Memory = mem
	if j.Prev, ok = t.whole(cells, rolePrev); !ok {
		return t.fault(rolePrev, cells, "a job number was expected")
	}
	return nil
}

// whole reads a whole number, -1 for unknown; a fraction is rounded and counted.
func (t *rows) whole(cells []string, r role) (int64, bool) {
	text := t.cell(cells, r)
	if noCell(text) {
		return -1, true
	}
	n, ok := numberOf(text)
	if !ok {
		return 0, false
	}
	v, exact := n.integer()
	if !exact {
		t.header.Ledger.Odd(OddFraction)
	}
	return v, true
}
