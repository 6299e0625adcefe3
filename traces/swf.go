package traces

import (
	"errors"
	"fmt"
	"io"
)

// swf reads the Standard Workload Format v2.2: one line a job, 18 numbers
// between blanks, -1 for unknown; lines that start with ';' are comments.
//
// It is strict about what a replay rests on (numbers, submit and run time,
// processors, the job's number) and tolerant about the rest, which it counts as
// oddities in the Ledger: real logs hold unknown status codes, more than 18
// fields, negative waits and fractions in every field.
type swf struct {
	in     *input
	text   *lines
	header Header
	ids    idSet
	opts   Options
	fields [swfFields]number
	submit number // the last record's submit time, for jobs that tell none
	good   int64  // records that were no error
	fault  *Error // the last one skipped
	done   error  // what ended the stream; Next keeps returning it
}

const (
	swfFields = 18
)

// openSWFFile opens an SWF log from a path or stdin, sorted.
func openSWFFile(path string, o Options) (Source, error) {
	in, err := openInput(path, o)
	if err != nil {
		return nil, err
	}
	src, err := openSWF(in, o)
	if err != nil {
		in.Close()
		return nil, err
	}
	return reorder(src, o), nil
}

// openSWF reads the header, the comment lines before the first job.
func openSWF(in *input, o Options) (Source, error) {
	s := &swf{in: in, text: newLines(in.text), opts: o}
	s.header = Header{Name: in.name, Format: "swf", Ledger: &Ledger{}}
	if err := notText(in.name, s.text.peek(4096)); err != nil {
		return nil, err
	}
	if err := s.readHeader(); err != nil {
		return nil, err
	}
	return s, nil
}

// Header implements Source.
func (s *swf) Header() *Header { return &s.header }

// Seen implements Seer.
func (s *swf) Seen(id int64) bool { return s.ids.has(id) }

// Fraction implements Progress.
func (s *swf) Fraction() float64 { return s.in.Fraction() }

// Close implements Closer.
func (s *swf) Close() error {
	if s.done == nil {
		s.done = errors.New(s.in.name + ": read after Close")
	}
	return s.in.Close()
}

// Next implements Source.
func (s *swf) Next(j *Job) error {
	for s.done == nil {
		line, err := s.text.next()
		if err != nil {
			s.done = s.ended(err)
			break
		}
		if start := skipBlanks(line, 0); start == len(line) || line[start] == ';' {
			continue
		}
		s.header.Ledger.Read++
		fault := s.record(j, line)
		if fault == nil {
			s.good++
			return nil
		}
		s.done = s.malformed(fault)
	}
	return s.done
}

// malformed drops a faulty record if faults are skipped; otherwise, or if the
// input has shown nothing but faults, it returns what ends the stream.
func (s *swf) malformed(fault *Error) error {
	fault.File, fault.Line = s.in.name, s.text.number
	if s.text.open && fault.Want != "" {
		fault.Want += " (this last line has no end: the file may be cut short)"
	}
	if !s.opts.Skip {
		return fault
	}
	s.header.Ledger.Drop(Malformed)
	if s.opts.OnError != nil {
		s.opts.OnError(fault)
	}
	s.fault = fault
	if s.good == 0 && s.header.Ledger.Read >= junkLimit {
		return s.junk()
	}
	return nil
}

// junk is said of input in which nothing was a record.
func (s *swf) junk() error {
	return &Error{File: s.in.name, What: fmt.Sprintf("not SWF: none of the first %d lines is a record", s.header.Ledger.Read),
		Want: "18 numbers a line were expected", Err: s.fault}
}

// ended says why there is no further line.
func (s *swf) ended(err error) error {
	switch {
	case errors.Is(err, errLongLine):
		return &Error{File: s.in.name, Line: s.text.number, What: fmt.Sprintf("not SWF text: a line of more than %d bytes", bufferSize)}
	case err != io.EOF:
		return s.in.broken(err, s.header.Ledger.Read)
	case s.header.Ledger.Read == 0:
		return &Error{File: s.in.name, What: "the trace holds no jobs", Want: "18 numbers a line were expected after the header"}
	case s.good == 0:
		return s.junk()
	}
	return io.EOF
}

func skipBlanks(b []byte, i int) int {
	for i < len(b) && blank(b[i]) {
		i++
	}
	return i
}
