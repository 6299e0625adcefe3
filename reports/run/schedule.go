package run

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"

	"bourse/engine"
	"bourse/events"
	"bourse/traces"
	"bourse/traces/files"
	"bourse/traces/swf"
	"bourse/traces/zst"
)

// Schedule writes what became of jobs as SWF: the log that the simulated system
// would have left. Waits are the simulated ones (phi - tau, the column wait_s), so
// that submit + wait + run is the end of a job that was preempted, too. Records
// are written in order of submission; those of jobs that ended before an earlier
// one are held back until that one has ended.
type Schedule struct {
	path    string
	file    *files.File
	buffer  *bufio.Writer
	packer  io.WriteCloser // nil for plain text
	out     *swf.Writer
	next    int64
	pending map[int64]traces.Job
}

// CreateSchedule begins the file, one of a set. Its ending says how it is packed: .gz,
// .zst or not at all. h is the trace's header, procs the machine's size, and notes say
// what made the schedule.
func CreateSchedule(set *files.Set, path string, h *traces.Header, procs int, notes ...string) (*Schedule, error) {
	s := &Schedule{path: path, pending: map[int64]traces.Job{}}
	var err error
	if s.file, err = set.Create(path); err != nil {
		return nil, err
	}
	s.buffer = bufio.NewWriterSize(s.file, 1<<16)
	to := io.Writer(s.buffer)
	switch {
	case strings.HasSuffix(path, ".gz"):
		s.packer = gzip.NewWriter(s.buffer)
		to = s.packer
	case strings.HasSuffix(path, ".zst"):
		if s.packer, err = zst.NewWriter(s.buffer); err != nil {
			return nil, err
		}
		to = s.packer
	}
	simulated := *h
	simulated.Procs = procs
	s.out = swf.NewWriter(to, &simulated, append(notes,
		"a simulated schedule: wait times are simulated, of preempted jobs all the time they did not work; jobs that left "+
			"have status 5 and no processors; other times are the log's")...)
	return s, nil
}

// Record implements engine.Sink.
func (s *Schedule) Record(o *engine.Outcome) error {
	j := o.Job
	switch j.Wait = o.Wait(); {
	case o.WhyLeft != "":
		j.Wait, j.Run, j.Procs, j.Status = events.Unknown, events.Unknown, -1, traces.MaxStatus // cancelled
	case j.Status < 0:
		j.Status = 1 // it ended
	}
	if o.Seq != s.next {
		s.pending[o.Seq] = j
		return nil
	}
	for ok := true; ok; {
		if err := s.out.Write(&j); err != nil {
			return err
		}
		s.next++
		if j, ok = s.pending[s.next]; ok {
			delete(s.pending, s.next)
		}
	}
	return nil
}

// Finish completes the file, which appears with its set.
func (s *Schedule) Finish() error {
	if n := len(s.pending); n > 0 {
		return fmt.Errorf("%s: %d jobs have ended and one before them has not", s.path, n)
	}
	err := s.out.Flush()
	if s.packer != nil && err == nil {
		err = s.packer.Close()
	}
	if err == nil {
		err = s.buffer.Flush()
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", s.path, files.Cause(err))
	}
	return nil
}

// Pin refers to the file, once it is complete.
func (s *Schedule) Pin() (*FileRef, error) { return Pin(s.path, s.file.Path()) }
