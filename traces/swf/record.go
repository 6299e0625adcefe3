package swf

import (
	"fmt"
	"math"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
)

// The fields of a record, by their place. Those not named here (CPU time, used
// memory, executable) are checked to be numbers and otherwise left alone.
const (
	fieldID        = 0
	fieldSubmit    = 1
	fieldWait      = 2
	fieldRun       = 3
	fieldAllocated = 4
	fieldCPU       = 5
	fieldMemory    = 6
	fieldRequested = 7
	fieldReqTime   = 8
	fieldReqMemory = 9
	fieldStatus    = 10
	fieldUser      = 11
	fieldGroup     = 12
	fieldProgram   = 13
	fieldQueue     = 14
	fieldPartition = 15
	fieldPrev      = 16
	fieldThink     = 17
	tooManySeconds = "want a time below 73,000 years"
)

var fieldNames = [numFields]string{
	"job number", "submit time", "wait time", "run time", "allocated processors", "CPU time", "used memory",
	"requested processors", "requested time", "requested memory", "status", "user", "group", "executable",
	"queue", "partition", "preceding job", "think time",
}

// unkept are what a job does not hold of a record.
var unkept = [...]string{"CPU time", "used memory", "executable", "processors requested, where others were allocated"}

// countUnkept counts what a record says of them.
func (s *source) countUnkept() {
	for i, f := range [...]int{fieldCPU, fieldMemory, fieldProgram} {
		if !s.fields[f].Neg {
			s.unkept[i]++
		}
	}
	if a, r := s.fields[fieldAllocated].Float(), s.fields[fieldRequested].Float(); a > 0 && r > 0 && a != r {
		s.unkept[3]++
	}
}

// The oddities a record may show.
const (
	OddExtra  = "fields beyond the 18th ignored"
	OddSubmit = "submit time unknown on a job that never ran, placed after the record before it"
	OddThink  = "negative think time taken as unknown"
)

// record fills j from one line, or says what is wrong with it.
func (s *source) record(j *traces.Job, line []byte) *traces.Error {
	if fault := s.split(line); fault != nil {
		return fault
	}
	s.countUnkept()
	*j = traces.Job{Line: s.text.Number, Pieces: 1}
	if fault := s.times(j); fault != nil {
		return fault
	}
	if fault := s.numbers(j); fault != nil {
		return fault
	}
	if !s.ids.Add(j.ID) {
		return &traces.Error{What: fmt.Sprintf("duplicate job ID %d", j.ID)}
	}
	return nil
}

// split parses the line's first 18 fields and counts what follows them.
func (s *source) split(line []byte) *traces.Error {
	i := 0
	for f := range s.fields {
		i = skipBlanks(line, i)
		if i == len(line) {
			return &traces.Error{What: fmt.Sprintf("%d fields", f), Want: "expected 18"}
		}
		n, next, ok := input.ScanNumber(line, i)
		if !ok {
			return notNumber(f, line[i:next])
		}
		s.fields[f], i = n, next
	}
	if i = skipBlanks(line, i); i < len(line) {
		s.header.Ledger.Odd(OddExtra)
	}
	return nil
}

func notNumber(f int, text []byte) *traces.Error {
	const show = 24
	shown := string(text)
	if len(shown) > show {
		shown = shown[:show] + "..."
	}
	return &traces.Error{What: fmt.Sprintf("field %d (%s) is %q", f+1, fieldNames[f], shown), Want: "want a finite number"}
}

// times fills in the durations and the submit time.
func (s *source) times(j *traces.Job) *traces.Error {
	odd := s.header.Ledger.Odd
	var ok [4]bool
	j.Submit, ok[0] = s.fields[fieldSubmit].Time()
	j.Wait, ok[1] = s.fields[fieldWait].Time()
	j.Run, ok[2] = s.fields[fieldRun].Time()
	j.Estimate, ok[3] = s.fields[s.request].Time()
	for i, f := range [...]int{fieldSubmit, fieldWait, fieldRun, s.request} {
		if !ok[i] {
			return &traces.Error{What: fmt.Sprintf("%s of %.3g s", fieldNames[f], s.fields[f].Float()), Want: tooManySeconds}
		}
	}
	if j.Run < 0 {
		if j.Run != -events.Second {
			return &traces.Error{What: fmt.Sprintf("run time of %v", j.Run), Want: "want 0 or more, or -1 for unknown"}
		}
		j.Run = events.Unknown
	}
	if j.Submit < 0 {
		// A job that never ran is dropped whatever its submit time, so it need
		// not stop the trace (1,190 such in LLNL-Thunder).
		if j.Submit != -events.Second || j.Run >= 0 {
			return &traces.Error{What: fmt.Sprintf("submit time of %v", j.Submit), Want: "want 0 or more"}
		}
		odd(OddSubmit)
		j.Submit, _ = s.submit.Time()
	} else {
		s.submit = s.fields[fieldSubmit]
	}
	j.Wait = knownOrUnknown(j.Wait, traces.OddWait, odd)
	if j.Estimate == 0 {
		j.Estimate = -2 // a request for no time is no request
	}
	j.Estimate = knownOrUnknown(j.Estimate, traces.OddEstimate, odd)
	think, fits := s.fields[fieldThink].Time()
	if !fits {
		think = -2
	}
	j.Think = knownOrUnknown(think, OddThink, odd)
	return nil
}

// knownOrUnknown maps every negative duration to Unknown, and counts those that are not
// the format's own way of saying so, -1.
func knownOrUnknown(t events.Time, oddity string, odd func(string)) events.Time {
	if t >= 0 {
		return t
	}
	if t != -events.Second {
		odd(oddity)
	}
	return events.Unknown
}

// numbers fills in everything that is not a time.
func (s *source) numbers(j *traces.Job) *traces.Error {
	id, exact := s.fields[fieldID].Integer()
	if !exact {
		return &traces.Error{What: fmt.Sprintf("job number %v", s.fields[fieldID].Float()), Want: "want a whole number"}
	}
	j.ID = id
	procs := s.whole(fieldAllocated)
	if procs <= 0 {
		procs = s.whole(fieldRequested)
	}
	if procs > math.MaxInt32 {
		return &traces.Error{What: fmt.Sprintf("%d processors", procs), Want: fmt.Sprintf("want at most %d", math.MaxInt32)}
	}
	j.Procs = int32(max(procs, -1))
	j.Memory = max(s.fields[fieldReqMemory].Float(), -1)
	j.CPU, j.GPU, j.Disk, j.Model, j.Priority, j.Class, j.Attempt, j.Wasted = -1, -1, -1, traces.NoLabel, -1, -1, 0, 0
	j.Status = -1
	if st := s.whole(fieldStatus); st >= 0 && st <= traces.MaxStatus {
		j.Status = int32(st)
	} else if st != -1 {
		s.header.Ledger.Odd(traces.OddStatus)
	}
	j.User, j.Group = s.label(fieldUser), s.label(fieldGroup)
	j.Queue, j.Partition = s.label(fieldQueue), s.label(fieldPartition)
	j.Prev = s.whole(fieldPrev)
	return nil
}

func (s *source) label(f int) traces.Label {
	return traces.Label(max(s.whole(f), int64(traces.NoLabel)))
}

// whole returns a field that should be a whole number.
func (s *source) whole(f int) int64 {
	v, exact := s.fields[f].Integer()
	if !exact {
		s.header.Ledger.Odd(traces.OddFraction)
	}
	return v
}
