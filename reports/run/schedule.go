package run

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"bourse/engine"
	"bourse/traces"
	"bourse/traces/swf"
)

// Schedule writes what became of jobs as SWF: the log that the simulated system
// would have left. Waits are the simulated ones (phi - tau, the column wait_s), so
// that submit + wait + run is the end of a job that was preempted, too. Records
// are written in order of submission; those of jobs that ended before an earlier
// one are held back until that one has ended.
type Schedule struct {
	path    string
	part    *part
	buffer  *bufio.Writer
	packer  io.WriteCloser // nil for plain text
	out     *swf.Writer
	next    int64
	pending map[int64]traces.Job
	done    bool
}

// CreateSchedule begins the file, under a temporary name until Commit. Its ending
// says how it is packed: .gz, .zst or not at all. h is the trace's header, procs
// the machine's size, and notes say what made the schedule.
func CreateSchedule(path string, h *traces.Header, procs int, notes ...string) (*Schedule, error) {
	s := &Schedule{path: path, part: &part{dir: filepath.Dir(path), name: filepath.Base(path)}, pending: map[int64]traces.Job{}}
	var err error
	if s.part.file, err = createFile(s.part.temporary()); err != nil {
		return nil, fmt.Errorf("creating %s: %w", path, cause(err))
	}
	s.buffer = bufio.NewWriterSize(s.part.file, 1<<16)
	to := io.Writer(s.buffer)
	switch {
	case strings.HasSuffix(path, ".gz"):
		s.packer = gzip.NewWriter(s.buffer)
		to = s.packer
	case strings.HasSuffix(path, ".zst"):
		if s.packer, err = zstd.NewWriter(s.buffer); err != nil {
			return nil, errors.Join(err, s.part.discard())
		}
		to = s.packer
	}
	simulated := *h
	simulated.Procs = procs
	s.out = swf.NewWriter(to, &simulated, append(notes,
		"a simulated schedule: wait times are simulated, of preempted jobs all the time they did not work; others are the log's")...)
	return s, nil
}

// Record implements engine.Sink.
func (s *Schedule) Record(o *engine.Outcome) error {
	j := o.Job
	j.Wait = o.Wait()
	if j.Status < 0 {
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

// Commit completes the file under its name.
func (s *Schedule) Commit() error {
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
		return fmt.Errorf("writing %s: %w", s.path, cause(err))
	}
	if err := s.part.complete(); err != nil {
		return err
	}
	if err := s.part.rename(); err != nil {
		return err
	}
	s.done = true
	return syncDir(s.part.dir)
}

// Abort removes what is not complete; after Commit it does nothing.
func (s *Schedule) Abort() error {
	if s.done {
		return nil
	}
	return s.part.discard()
}
