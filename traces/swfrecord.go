package traces

import (
	"fmt"
	"math"

	"bourse/events"
)

// The fields of a record, by their place. Those not named here (CPU time, used
// memory, executable) are checked to be numbers and otherwise left alone.
const (
	swfID         = 0
	swfSubmit     = 1
	swfWait       = 2
	swfRun        = 3
	swfAllocated  = 4
	swfRequested  = 7
	swfReqTime    = 8
	swfReqMemory  = 9
	swfStatus     = 10
	swfUser       = 11
	swfGroup      = 12
	swfQueue      = 14
	swfPartition  = 15
	swfPrev       = 16
	swfThink      = 17
	absurdSeconds = "a time below 73,000 years was expected"
)

var swfNames = [swfFields]string{
	"job number", "submit time", "wait time", "run time", "allocated processors", "CPU time", "used memory",
	"requested processors", "requested time", "requested memory", "status", "user", "group", "executable",
	"queue", "partition", "preceding job", "think time",
}

// The oddities a record may show.
const (
	OddExtra  = "fields beyond the 18th ignored"
	OddSubmit = "submit time unknown on a job that never ran, placed after its forerunner"
	OddThink  = "negative think time taken as unknown"
)

// record fills j from one line, or says what is wrong with it.
func (s *swf) record(j *Job, line []byte) *Error {
	if fault := s.split(line); fault != nil {
		return fault
	}
	*j = Job{Line: s.text.number, Pieces: 1}
	if fault := s.times(j); fault != nil {
		return fault
	}
	if fault := s.numbers(j); fault != nil {
		return fault
	}
	if !s.ids.add(j.ID) {
		return &Error{What: fmt.Sprintf("job %d is there a second time", j.ID), Want: "every job number once was expected"}
	}
	return nil
}

// split parses the line's first 18 fields and counts what follows them.
func (s *swf) split(line []byte) *Error {
	i := 0
	for f := range s.fields {
		i = skipBlanks(line, i)
		if i == len(line) {
			return &Error{What: fmt.Sprintf("%d fields", f), Want: "expected 18"}
		}
		n, next, ok := scanNumber(line, i)
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

func notNumber(f int, text []byte) *Error {
	const show = 24
	shown := string(text)
	if len(shown) > show {
		shown = shown[:show] + "..."
	}
	return &Error{What: fmt.Sprintf("field %d (%s) is %q", f+1, swfNames[f], shown), Want: "a finite number was expected"}
}

// times fills in the durations and the submit time.
func (s *swf) times(j *Job) *Error {
	odd := s.header.Ledger.Odd
	var ok [4]bool
	j.Submit, ok[0] = s.fields[swfSubmit].time()
	j.Wait, ok[1] = s.fields[swfWait].time()
	j.Run, ok[2] = s.fields[swfRun].time()
	j.Estimate, ok[3] = s.fields[swfReqTime].time()
	for i, f := range [...]int{swfSubmit, swfWait, swfRun, swfReqTime} {
		if !ok[i] {
			return &Error{What: fmt.Sprintf("%s of %.3g s", swfNames[f], s.fields[f].float()), Want: absurdSeconds}
		}
	}
	if j.Run < 0 {
		if j.Run != -events.Second {
			return &Error{What: fmt.Sprintf("run time of %v", j.Run), Want: "0 or more, or -1 for unknown, was expected"}
		}
		j.Run = events.Unknown
	}
	if j.Submit < 0 {
		// A job that never ran is dropped whatever its submit time, so it need
		// not stop the trace (1,190 such in LLNL-Thunder).
		if j.Submit != -events.Second || j.Run >= 0 {
			return &Error{What: fmt.Sprintf("submit time of %v", j.Submit), Want: "0 or more was expected"}
		}
		odd(OddSubmit)
		j.Submit, _ = s.submit.time()
	} else {
		s.submit = s.fields[swfSubmit]
	}
	j.Wait = known(j.Wait, OddWait, odd)
	if j.Estimate == 0 {
		j.Estimate = -2 // a request for no time is no request
	}
	j.Estimate = known(j.Estimate, OddEstimate, odd)
	think, fits := s.fields[swfThink].time()
	if !fits {
		think = -2
	}
	j.Think = known(think, OddThink, odd)
	return nil
}

// known maps every negative duration to Unknown, and counts those that are not
// the format's own way of saying so, -1.
func known(t events.Time, oddity string, odd func(string)) events.Time {
	if t >= 0 {
		return t
	}
	if t != -events.Second {
		odd(oddity)
	}
	return events.Unknown
}

// numbers fills in everything that is not a time.
func (s *swf) numbers(j *Job) *Error {
	id, exact := s.fields[swfID].integer()
	if !exact {
		return &Error{What: fmt.Sprintf("job number %v", s.fields[swfID].float()), Want: "a whole number was expected"}
	}
	j.ID = id
	procs := s.whole(swfAllocated)
	if procs <= 0 {
		procs = s.whole(swfRequested)
	}
	if procs > math.MaxInt32 {
		return &Error{What: fmt.Sprintf("%d processors", procs), Want: fmt.Sprintf("at most %d were expected", math.MaxInt32)}
	}
	j.Procs = int32(max(procs, -1))
	j.Memory = max(s.fields[swfReqMemory].float(), -1)
	j.CPU, j.Priority, j.Class, j.Attempt, j.Wasted = -1, -1, -1, 0, 0
	j.Status = -1
	if st := s.whole(swfStatus); st >= 0 && st <= maxSWFStatus {
		j.Status = int32(st)
	} else if st != -1 {
		s.header.Ledger.Odd(OddStatus)
	}
	j.User, j.Group = s.label(swfUser), s.label(swfGroup)
	j.Queue, j.Partition = s.label(swfQueue), s.label(swfPartition)
	j.Prev = s.whole(swfPrev)
	return nil
}

func (s *swf) label(f int) Label { return Label(max(s.whole(f), int64(NoLabel))) }

// whole returns a field that ought to be a whole number.
func (s *swf) whole(f int) int64 {
	v, exact := s.fields[f].integer()
	if !exact {
		s.header.Ledger.Odd(OddFraction)
	}
	return v
}
