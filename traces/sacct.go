package traces

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// arrayStride makes one number of an element of an array: 123_4 is job
// 123 x 10^8 + 4. Slurm's own numbers stay below 10^8.
const arrayStride = 100_000_000

// slurmID reads 123, 123_4, 123_[5-9] (elements not yet apart: the array
// itself), 123+1 (a part of a heterogeneous job), and steps, 123.batch.
func slurmID(text string) (id int64, step, ok bool) {
	text, _, step = strings.Cut(text, ".")
	text, element, array := strings.Cut(text, "_")
	text, part, het := strings.Cut(text, "+")
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 || id >= arrayStride {
		return 0, step, false
	}
	if het {
		// The parts of a heterogeneous job have numbers of their own that follow
		// the first's.
		n, err := strconv.ParseInt(part, 10, 32)
		return id + n, step, err == nil && n >= 0
	}
	if !array || strings.HasPrefix(element, "[") {
		return id, step, true
	}
	n, err := strconv.ParseInt(element, 10, 64)
	return id*arrayStride + n, step, err == nil && n >= 0 && n < arrayStride
}

// OddState is a state nobody knows.
const OddState = "state not known, taken as unknown"

// status reads a number as of SWF or a word as of Slurm.
func (t *rows) status(j *Job, cells []string) (verdict, *Error) {
	text := t.cell(cells, roleStatus)
	if noCell(text) {
		return isJob, nil
	}
	if n, ok := numberOf(text); ok {
		if v, exact := n.integer(); exact && v >= 0 && v <= maxSWFStatus {
			j.Status = int32(v)
		} else if v != -1 {
			t.header.Ledger.Odd(OddStatus)
		}
		return isJob, nil
	}
	word, _, _ := strings.Cut(strings.ToUpper(text), " ") // CANCELLED by 1000
	switch strings.TrimSuffix(word, "+") {                // cut short by a narrow column
	case "COMPLETED", "CD", "SUCCESS", "SUCCEEDED", "PASS", "FINISHED", "DONE":
		j.Status = 1
	case "FAILED", "F", "TIMEOUT", "TO", "NODE_FAIL", "NF", "OUT_OF_MEMORY", "OUT_OF_ME", "OOM", "BOOT_FAIL", "BF", "DEADLINE", "DL", "PREEMPTED", "PR", "REVOKED", "LAUNCH_FAILED", "ERROR":
		j.Status = 0
	case "CANCELLED", "CANCELED", "CA", "KILLED":
		j.Status = 5
	case "RUNNING", "R", "SUSPENDED", "S", "COMPLETING", "CG", "RESIZING", "STAGE_OUT", "STOPPED", "SIGNALING":
		return droppedFor(Unfinished), nil
	case "REQUEUED", "RQ":
		return droppedFor(Repeat), nil // the job's next run has a record of its own
	case "PENDING", "PD", "CONFIGURING", "REQUEUE_HOLD", "SPECIAL_EXIT":
	default:
		t.header.Ledger.Odd(OddState)
	}
	return isJob, nil
}

// openSacct reads what `sacct -P` prints: a line of column names, then one
// record a line with | between.
func openSacct(path string, o Options) (Source, error) {
	g := newGatherer(path, "sacct", o, true)
	t := newRows(&g.header)
	t.slurm = true
	split := func(line string) ([]string, *Error) {
		cells := strings.Split(line, "|")
		if n := len(t.names); n > 0 && len(cells) == n+1 && cells[n] == "" {
			cells = cells[:n] // sacct -p ends its lines with one more
		}
		if n := len(t.names); n > 0 && len(cells) != n {
			return nil, &Error{What: fmt.Sprintf("%d fields", len(cells)), Want: fmt.Sprintf("expected %d, as in the first line (a job name that holds a |? leave JobName out of sacct -o)", n)}
		}
		return cells, nil
	}
	return readTable(path, g, t, split, func(first string) error {
		names, _ := split(strings.TrimSuffix(first, "|"))
		if len(names) < 2 {
			return &Error{File: path, Line: 1, What: "not a dump of sacct", Want: "column names with | between were expected in the first line, as sacct -P prints them"}
		}
		if err := findColumns(&g.header, names, nil, t); err != nil {
			return sacctAdvice(err)
		}
		if t.cols[roleJob] < 0 {
			return &Error{File: path, Line: 1, What: "no column JobID", Want: sacctColumns}
		}
		return nil
	})
}

const sacctColumns = "dump with sacct -P -o JobID,User,Account,Partition,Submit,Start,End,State,Elapsed,AllocCPUS,ReqCPUS,ReqMem,Timelimit"

func sacctAdvice(err error) error {
	if bad := (*Error)(nil); errors.As(err, &bad) {
		bad.Want = sacctColumns
	}
	return err
}

// readTable reads a table of text, one record a line.
func readTable(path string, g *gatherer, t *rows, split func(string) ([]string, *Error), header func(string) error) (Source, error) {
	m, err := openMembers(path, g.opts)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	err = eachLine(m, g, func(line []byte, number int64, j *Job) (verdict, *Error, error) {
		if number == 1 {
			line = trimMark(line)
		}
		text := string(line)
		if header != nil && number == 1 {
			return isNothing, nil, header(text)
		}
		if strings.TrimSpace(text) == "" || text[0] == '#' {
			return isNothing, nil, nil
		}
		cells, fault := split(text)
		if fault != nil {
			return isJob, fault, nil
		}
		v, fault := t.job(j, cells, number)
		return v, fault, nil
	})
	if err != nil {
		return nil, err
	}
	return g.source()
}

// eachLine walks over the lines of all texts of a log.
func eachLine(m *members, g *gatherer, record func(line []byte, number int64, j *Job) (verdict, *Error, error)) error {
	var text *lines
	var j Job
	for {
		name, in, err := m.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if text == nil {
			text = newLines(in)
		} else {
			*text = lines{in: in, buf: text.buf}
		}
		if err := notText(name, text.peek(4096)); err != nil {
			return err
		}
		for {
			line, err := text.next()
			if errors.Is(err, io.EOF) {
				break
			}
			if errors.Is(err, errLongLine) {
				return &Error{File: name, Line: text.number, What: fmt.Sprintf("a line of more than %d bytes", bufferSize), Want: "is this the right file?"}
			}
			if err != nil {
				return m.broken(err)
			}
			v, fault, err := record(line, text.number, &j)
			if err != nil {
				return err
			}
			if fault != nil {
				fault.File, fault.Line = name, text.number
			}
			if err := g.take(&j, v, fault); err != nil {
				return err
			}
			m.records = g.header.Ledger.Read
		}
	}
}

// trimMark drops the byte order mark some editors leave.
func trimMark(line []byte) []byte {
	if len(line) >= 3 && string(line[:3]) == "\xef\xbb\xbf" {
		return line[3:]
	}
	return line
}
