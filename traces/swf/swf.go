package swf

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"bourse/traces"
	"bourse/traces/input"
)

// source reads the Standard Workload Format v2.2: one line a job, 18 numbers
// between blanks, -1 for unknown; lines that start with ';' are comments.
//
// It is strict about what a replay rests on (numbers, submit and run time,
// processors, the job's number) and tolerant about the rest, which it counts as
// oddities in the Ledger: real logs hold unknown status codes, more than 18
// fields, negative waits and fractions in every field.
type source struct {
	in     *input.File
	text   *input.Lines
	header traces.Header
	ids    traces.IDSet
	opts   traces.Options
	// request is the place of the requested time.
	request int
	fields  [numFields]input.Number
	submit  input.Number // the last record's submit time, for jobs without one
	good    int64        // records that were no error
	unkept  [len(unkept)]int64
	fault   *traces.Error // the last one skipped
	done    error         // what ended the stream; Next keeps returning it
}

const (
	numFields = 18
)

// Open opens an SWF log from a path or stdin, sorted. "log.swf?request=6" takes the requested time
// from the sixth field, of logs whose columns are shifted.
func Open(path string, o traces.Options) (traces.Source, error) {
	path, request, err := splitRequest(path)
	if err != nil {
		return nil, err
	}
	in, err := input.Open(path, o)
	if err != nil {
		return nil, err
	}
	src, err := read(in, request, o)
	if err != nil {
		in.Close()
		return nil, err
	}
	return input.Reorder(src, o), nil
}

// splitRequest parts "log.swf?request=6" into the path and the place of the requested time.
func splitRequest(spec string) (path string, request int, err error) {
	path, query, asked := strings.Cut(spec, "?")
	if !asked || input.Exists(spec) {
		return spec, fieldReqTime, nil
	}
	name, value, _ := strings.Cut(query, "=")
	n, err := strconv.Atoi(value)
	if name != "request" || err != nil || n < 1 || n > numFields {
		return "", 0, fmt.Errorf("%s: %q; want request=N, the place of the requested time among a record's %d fields", path, query,
			numFields)
	}
	return path, n - 1, nil
}

// read reads the header, the comment lines before the first job.
func read(in *input.File, request int, o traces.Options) (traces.Source, error) {
	s := &source{in: in, text: input.NewLines(in.Text), opts: o, request: request}
	s.header = traces.Header{Name: in.Name, Format: "swf", Ledger: &traces.Ledger{}}
	if err := traces.CheckText(in.Name, "SWF", "a trace in SWF starts with ';' lines or with numbers",
		s.text.Peek(4096)); err != nil {
		return nil, err
	}
	if err := s.readHeader(); err != nil {
		return nil, err
	}
	return s, s.checkFirst()
}

// checkFirst refuses text that is taken for SWF because it is nothing else, and is not:
// before anybody asks such a log how large the machine was.
func (s *source) checkFirst() error {
	line, _, _ := strings.Cut(string(s.text.Peek(4096)), "\n")
	word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	if s.opts.Skip || word == "" || strings.ContainsAny(word[:1], "0123456789+-.;") || word[0] >= 0x80 {
		return nil
	}
	if _, ok := input.ParseNumber(word); ok { // NaN and such: a record, if a faulty one
		return nil
	}
	return &traces.Error{File: s.in.Name, What: fmt.Sprintf("line %d, which begins with %q, is no record of a log",
		s.text.Number+1, input.Shorten(word, 40)),
		Want: "want SWF (comments behind ; and 18 numbers a line), column names of a table of jobs, records of Torque or " +
			"what sacct -P prints"}
}

// Header implements Source.
func (s *source) Header() *traces.Header { return &s.header }

// HasJob implements JobLookup.
func (s *source) HasJob(id int64) bool { return s.ids.Has(id) }

// Unkept implements traces.Unkept.
func (s *source) Unkept() []traces.Note { return notesOf(unkept[:], s.unkept[:]) }

// notesOf are the counts that are not 0.
func notesOf(names []string, counts []int64) (notes []traces.Note) {
	for i, n := range counts {
		if n > 0 {
			notes = append(notes, traces.Note{What: names[i], Count: n})
		}
	}
	return notes
}

// Fraction implements Progress.
func (s *source) Fraction() float64 { return s.in.Fraction() }

// Close implements Closer.
func (s *source) Close() error {
	if s.done == nil {
		s.done = errors.New(s.in.Name + ": read after Close")
	}
	return s.in.Close()
}

// Next implements Source.
func (s *source) Next(j *traces.Job) error {
	for s.done == nil {
		line, err := s.text.Next()
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
func (s *source) malformed(fault *traces.Error) error {
	fault.File, fault.Line = s.in.Name, s.text.Number
	if s.text.Open && fault.Want != "" {
		fault.Want += " (this last line has no end: the file may be cut short)"
	}
	if !s.opts.Skip {
		return fault
	}
	s.header.Ledger.Drop(traces.Malformed, nil)
	if s.opts.OnError != nil {
		s.opts.OnError(fault)
	}
	s.fault = fault
	if s.good == 0 && s.header.Ledger.Read >= input.JunkLimit {
		return s.junk()
	}
	return nil
}

// junk is the error for input in which nothing was a record.
func (s *source) junk() error {
	return &traces.Error{File: s.in.Name, What: fmt.Sprintf("not SWF: none of the first %d lines is a record",
		s.header.Ledger.Read),
		Want: "want 18 numbers per line", Err: s.fault}
}

// ended says why there is no further line.
func (s *source) ended(err error) error {
	switch {
	case errors.Is(err, input.ErrLongLine):
		return &traces.Error{File: s.in.Name, Line: s.text.Number,
			What: fmt.Sprintf("not SWF text: a line of more than %d bytes", input.LongestLine)}
	case err != io.EOF:
		return s.in.Broken(err, s.header.Ledger.Read)
	case s.header.Ledger.Read == 0:
		return &traces.Error{File: s.in.Name, What: "the trace holds no jobs",
			Want: "want 18 numbers per line after the header"}
	case s.good == 0:
		return s.junk()
	}
	return io.EOF
}

func skipBlanks(b []byte, i int) int {
	for i < len(b) && input.Blank(b[i]) {
		i++
	}
	return i
}
