package swf

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"bourse/events"
	"bourse/traces"
)

// Write writes src to w in the Standard Workload Format v2.2 and returns the
// number of jobs written. Times have decimals only where needed. Reading the
// result gives the same jobs again, except that an estimate of 0 becomes unknown
// (SWF cannot request no time) and labels that are names become numbers, from
// 1 in order of first sight (SWF has no names). Among names a label that is a number
// keeps it unless that has been given before.
//
// src must not be serialised: in SWF the pieces of a job would be duplicates.
func Write(w io.Writer, src traces.Source) (n int64, err error) {
	out := NewWriter(w, src.Header())
	var j traces.Job
	for {
		switch err := src.Next(&j); {
		case err == io.EOF:
			return n, out.Flush()
		case err != nil:
			return n, err
		}
		if err := out.Write(&j); err != nil {
			return n, err
		}
		n++
	}
}

// beyond is what a job may say that SWF has no field for.
var beyond = [...]string{"CPU requested", "GPUs", "disk", "GPU models", "priority", "scheduling class",
	"attempts before"}

// Beyond passes jobs on and counts those that say what SWF has no field for.
type Beyond struct {
	traces.Wrapped
	counts [len(beyond)]int64
}

// Next implements traces.Source.
func (b *Beyond) Next(j *traces.Job) error {
	err := b.Inner.Next(j)
	if err != nil {
		return err
	}
	for i, says := range [len(beyond)]bool{j.CPU >= 0, j.GPU > 0, j.Disk > 0, j.Model != traces.NoLabel, j.Priority >= 0,
		j.Class >= 0, j.Attempt > 1 || j.Wasted > 0} {
		if says {
			b.counts[i]++
		}
	}
	return nil
}

// Notes are the counts.
func (b *Beyond) Notes() []traces.Note { return notesOf(beyond[:], b.counts[:]) }

// Writer writes jobs one by one, under the rules of Write. They should
// are in order of submission.
type Writer struct {
	name string
	out  *bufio.Writer
	line row
}

// NewWriter writes the header, with further notes, and is then ready for jobs.
// A failed write shows at the latest in Flush.
func NewWriter(w io.Writer, h *traces.Header, notes ...string) *Writer {
	s := &Writer{name: h.Name, out: bufio.NewWriterSize(w, 1<<16), line: row{names: h.Names}}
	writeHeader(s.out, h, notes)
	return s
}

// Write writes one job.
func (s *Writer) Write(j *traces.Job) error {
	if j.Pieces > 1 {
		return &traces.Error{File: s.name, Line: j.Line,
			What: fmt.Sprintf("job %d was cut into %d pieces, which SWF cannot express", j.ID, j.Pieces),
			Want: "write the trace first and serialise it when it is replayed"}
	}
	_, err := s.out.Write(s.line.encode(j))
	return err
}

// Flush writes what is left.
func (s *Writer) Flush() error { return s.out.Flush() }

// writeHeader passes the trace's own header on, but for the lines that may
// hold no longer, and states machine and start as they were understood.
func writeHeader(out *bufio.Writer, h *traces.Header, notes []string) {
	fmt.Fprintf(out, "; Version: 2.2\n")
	for _, f := range h.Fields {
		switch strings.ToLower(f.Label) {
		case "version", "maxjobs", "maxrecords", "maxprocs", "unixstarttime":
			continue
		}
		fmt.Fprintf(out, "; %s: %s\n", f.Label, oneLine(f.Text))
	}
	if h.Start != 0 {
		fmt.Fprintf(out, "; UnixStartTime: %d\n", h.Start)
	}
	if h.Procs != 0 {
		fmt.Fprintf(out, "; MaxProcs: %d\n", h.Procs)
	}
	if n := h.Names; n.Users != nil || n.Groups != nil || n.Queues != nil || n.Partitions != nil {
		fmt.Fprintf(out, "; Note: names became numbers, from 1 in order of first appearance\n")
	}
	for _, n := range notes {
		fmt.Fprintf(out, "; Note: %s\n", oneLine(n))
	}
	fmt.Fprintf(out, ";\n")
}

func oneLine(text string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(text) }

type row struct {
	names traces.Names
	given [4]numbers // to users, groups, queues, partitions
	buf   []byte
}

// numbers represent the labels of one kind.
type numbers struct {
	of    map[traces.Label]int64
	taken map[int64]bool
	next  int64 // all below are taken
}

// encode formats one record; what Job does not hold is -1.
func (s *row) encode(j *traces.Job) []byte {
	s.buf = strconv.AppendInt(s.buf[:0], j.ID, 10)
	s.time(j.Submit)
	s.time(j.Wait)
	s.time(j.Run)
	s.whole(int64(j.Procs))
	s.buf = append(s.buf, " -1 -1"...)
	s.whole(int64(j.Procs))
	s.time(j.Estimate)
	s.buf = append(s.buf, ' ')
	s.buf = strconv.AppendFloat(s.buf, max(j.Memory, -1), 'f', -1, 64)
	s.whole(int64(j.Status))
	s.label(0, s.names.Users, j.User)
	s.label(1, s.names.Groups, j.Group)
	s.buf = append(s.buf, " -1"...)
	s.label(2, s.names.Queues, j.Queue)
	s.label(3, s.names.Partitions, j.Partition)
	s.whole(j.Prev)
	s.time(j.Think)
	s.buf = append(s.buf, '\n')
	return s.buf
}

func (s *row) whole(v int64) {
	s.buf = append(s.buf, ' ')
	s.buf = strconv.AppendInt(s.buf, v, 10)
}

func (s *row) label(kind int, w *traces.Words, l traces.Label) {
	if w == nil || l == traces.NoLabel {
		s.whole(int64(l))
		return
	}
	s.whole(s.given[kind].number(l))
}

// number returns the number of a label: a number for itself, the first name for 1,
// the second for 2; where that is taken, the least free number from 1.
func (n *numbers) number(l traces.Label) int64 {
	if v, ok := n.of[l]; ok {
		return v
	}
	if n.of == nil {
		*n = numbers{map[traces.Label]int64{}, map[int64]bool{}, 1}
	}
	v := int64(l)
	if l.Named() {
		v = l.Nth() + 1
	}
	if n.taken[v] {
		for n.taken[n.next] {
			n.next++
		}
		v = n.next
	}
	n.of[l], n.taken[v] = v, true
	return v
}

func (s *row) time(t events.Time) {
	if t < 0 {
		s.buf = append(s.buf, " -1"...)
		return
	}
	s.whole(int64(t / events.Second))
	us := int64(t % events.Second)
	if us == 0 {
		return
	}
	s.buf = append(s.buf, '.')
	for unit := int64(100_000); us > 0; unit /= 10 {
		s.buf = append(s.buf, byte('0'+us/unit))
		us %= unit
	}
}
