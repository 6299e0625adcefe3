package tabular

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
)

// Rows turns the rows of a table into jobs.
type Rows struct {
	header *traces.Header
	Cols   [numRoles]int // column of each role, or -1
	Names  []string
	// unit is that of plain numbers, for instants and durations.
	unit [numRoles]events.Time
	// part is how many of a role's units make one CPU or device, 0 where the column's name
	// tells; eachProc: amounts are each processor's and not the job's.
	part      [numRoles]float64
	eachProc  bool
	preset    *Preset
	completed string // the status of jobs that completed, in addition to the usual words
	ended     bool   // jobs recorded as running have ended
	// Slurm: job numbers may be of steps and of elements of arrays.
	Slurm    bool
	numbered bool // jobs are numbered by their rows
	hets     bool // there are heterogeneous jobs
	decided  bool
	row      int64
	hasUnits bool // a unit of times is given
	units
}

func NewRows(h *traces.Header) *Rows {
	t := &Rows{header: h}
	for r := range t.unit {
		t.unit[r] = events.Second
	}
	h.Names = traces.Names{Users: &traces.Words{}, Groups: &traces.Words{}, Queues: &traces.Words{},
		Partitions: &traces.Words{}, Models: &traces.Words{}}
	return t
}

// OddNumbered is a table whose job ids are words.
const OddNumbered = "job ids that are no numbers: jobs are numbered by their rows"

// job fills j from a row that has a cell for every column.
func (t *Rows) job(j *traces.Job, cells []string, line int64) (input.Verdict, *traces.Error) {
	t.row++
	*j = traces.UnknownJob
	j.Line = line
	v, fault := t.identity(j, cells)
	if fault == nil && v == input.IsJob {
		v, fault = t.status(j, cells)
	}
	if c := t.Cols[RoleSubmit]; v == input.IsJob && c == t.Cols[roleStart] && input.IsUnknown(t.cell(cells, RoleSubmit)) {
		v = input.DroppedFor(traces.NeverStarted) // the time of submission is the start
	}
	if fault == nil && v != input.IsJob {
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
	j.User, j.Group = Word(n.Users, t.cell(cells, RoleUser)), Word(n.Groups, t.cell(cells, RoleGroup))
	j.Queue, j.Partition = Word(n.Queues, t.cell(cells, RoleQueue)), Word(n.Partitions, t.cell(cells, RolePartition))
	return v, nil
}

func (t *Rows) cell(cells []string, r Role) string {
	if c := t.Cols[r]; c >= 0 {
		return strings.TrimSpace(cells[c])
	}
	return ""
}

func Word(w *traces.Words, text string) traces.Label {
	if text == "-1" || input.IsUnknown(text) {
		return traces.NoLabel
	}
	return w.Label([]byte(text))
}

// fault says what is wrong with the cell of a role.
func (t *Rows) fault(r Role, cells []string, want string) *traces.Error {
	return &traces.Error{What: fmt.Sprintf("column %s is %q", t.Names[t.Cols[r]], input.Shorten(cells[t.Cols[r]], 40)),
		Want: want}
}

// identity reads the job's number.
func (t *Rows) identity(j *traces.Job, cells []string) (input.Verdict, *traces.Error) {
	text := t.cell(cells, RoleJob)
	if t.Slurm {
		id, step, ok := JobNumber(text)
		switch {
		case !ok:
			return input.IsJob, t.fault(RoleJob, cells, "want a job number as in 123, 123_4 or 123.batch")
		case step:
			return input.DroppedFor(traces.Step), nil
		}
		j.ID = t.component(id, text)
		return input.IsJob, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if n, step, ok := JobNumber(text); err != nil && ok && !step {
		id, err = n, nil // an element of an array of Slurm
	}
	if !t.decided {
		t.decided, t.numbered = true, t.Cols[RoleJob] < 0 || err != nil
		if t.numbered && t.Cols[RoleJob] >= 0 {
			t.header.Ledger.Odd(OddNumbered)
		}
	}
	switch {
	case t.numbered:
		j.ID = t.row
	case err != nil:
		return input.IsJob, t.fault(RoleJob, cells, "want a whole number, as in the rows before")
	default:
		j.ID = id
	}
	return input.IsJob, nil
}

// instants and spans are the roles of times.
var (
	instants = [...]Role{RoleSubmit, roleStart, roleEnd}
	spans    = [...]Role{RoleWait, RoleRun, RoleEstimate, roleThink}
)

// OddStart is a job of which only the end is known.
const OddStart = "jobs without a time of start, taken to have started when submitted"

// OddSeconds is a table whose plain times, as milliseconds, would be of January 1970.
const OddSeconds = "table whose times are taken for seconds: as milliseconds the first would be of January 1970"

// guessUnit takes plain numbers for seconds if the first submission is a date of 2001 to 2100
// as that. Those that count from 0 are milliseconds.
func (t *Rows) guessUnit(cells []string) {
	n, plain := input.ParseNumber(t.cell(cells, RoleSubmit))
	if x := n.Float(); !plain || x < 1e9 || x > 4.1e9 {
		return
	}
	for _, r := range slices.Concat(instants[:], spans[:]) {
		t.unit[r] = events.Second
	}
	t.header.Ledger.Odd(OddSeconds)
}

// times reads instants and durations.
func (t *Rows) times(j *traces.Job, cells []string) *traces.Error {
	if t.row == 1 && t.preset != nil && t.preset.orSeconds {
		t.guessUnit(cells)
	}
	var at [numRoles]events.Time
	for _, r := range instants {
		var ok bool
		if at[r], ok = input.ParseInstant(t.cell(cells, r), t.unit[r]); !ok {
			return t.fault(r, cells, "want a number of seconds, 2006-01-02 15:04:05 or RFC 3339")
		}
	}
	for _, r := range spans {
		var ok bool
		if at[r], ok = input.ParseSpan(t.cell(cells, r), t.unit[r]); !ok {
			return t.fault(r, cells, "want seconds or [days-]hours:minutes:seconds")
		}
	}
	if !at[RoleSubmit].Known() {
		return t.fault(RoleSubmit, cells, "want a time of submission")
	}
	odd := t.header.Ledger.Odd
	j.Submit = at[RoleSubmit]
	j.Wait, j.Run = at[RoleWait], at[RoleRun]
	start, end := at[roleStart], at[roleEnd]
	if t.ended && !start.Known() && end.Known() {
		odd(OddStart)
		start = j.Submit
	}
	switch {
	case j.Wait.Known() || !start.Known():
	case start < j.Submit:
		odd(traces.OddWait)
	default:
		j.Wait = start - j.Submit
	}
	if !j.Run.Known() && start.Known() && end.Known() {
		if end < start {
			return &traces.Error{What: fmt.Sprintf("the job ends %v before it starts", start-end),
				Want: "want an end after the start"}
		}
		j.Run = end - start
	}
	if t.Slurm && !start.Known() && t.Cols[roleStart] >= 0 {
		j.Run = events.Unknown // never started; Elapsed is 0 then
	}
	if !t.hasUnits && t.preset == nil {
		t.units.add(j)
	}
	j.Think = at[roleThink]
	if j.Estimate = at[RoleEstimate]; j.Estimate == 0 {
		odd(traces.OddEstimate)
		j.Estimate = events.Unknown
	}
	return nil
}

// sizes reads processors, memory and the preceding job.
func (t *Rows) sizes(j *traces.Job, cells []string) *traces.Error {
	procs, ofGPUs := int64(1), t.Cols[RoleGPU] >= 0 && t.Cols[RoleProcs] == t.Cols[RoleGPU]
	switch {
	case t.Cols[RoleProcs] >= 0 || t.Cols[RoleReqProcs] >= 0:
		procs = 0
		if ofGPUs && t.row == 1 {
			t.header.Ledger.Odd(OddGPUProcs)
		}
	case t.row == 1 && t.Cols[RoleCPU] < 0:
		t.header.Ledger.Odd(OddSerial)
	}
	for _, r := range [...]Role{RoleProcs, RoleReqProcs} {
		if procs > 0 || t.Cols[r] < 0 {
			continue
		}
		v, ok := t.whole(cells, r)
		if !ok || v > math.MaxInt32 {
			return t.fault(r, cells, "want a number of processors")
		}
		procs = v
		if v == 0 && ofGPUs {
			procs = 1 // it asks for no GPU, and runs
		}
	}
	// Slurm allocates nothing to jobs cancelled while they waited, and they
	// should not look as if they ran for no time.
	allocated, _ := t.whole(cells, RoleProcs)
	if t.Slurm && t.Cols[RoleProcs] >= 0 && allocated <= 0 && j.Run == 0 {
		j.Run = events.Unknown
	}
	j.Procs = int32(max(procs, -1))
	nodes, _ := t.whole(cells, roleNodes)
	mem, ok := input.MemoryKB(t.cell(cells, RoleMemory), max(procs, 1), max(nodes, 1))
	if !ok {
		return t.fault(RoleMemory, cells, "want a number, or one with a unit as in 4G, 4000Mc, 16Gn")
	}
	j.Memory = mem
	if fault := t.amounts(j, cells, float64(max(procs, 1))); fault != nil {
		return fault
	}
	if j.Prev, ok = t.whole(cells, rolePrev); !ok {
		return t.fault(rolePrev, cells, "want a job number")
	}
	return nil
}

// whole reads a whole number, -1 for unknown; a fraction is rounded and counted.
func (t *Rows) whole(cells []string, r Role) (int64, bool) {
	text := t.cell(cells, r)
	if input.IsUnknown(text) {
		return -1, true
	}
	n, ok := input.ParseNumber(text)
	if !ok {
		return 0, false
	}
	v, exact := n.Integer()
	if !exact {
		t.header.Ledger.Odd(traces.OddFraction)
	}
	return v, true
}
