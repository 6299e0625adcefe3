package accounting

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/tabular"
)

// torque reads the accounting files of Torque and PBS, lines of
// "10/23/2017 00:00:09;E;524934.server;key=value ...".
//
// A job is what its E record says: the job has ended. Of the other records D
// (deleted at somebody's request) makes the status of a job that failed
// "cancelled"; all others are passed over and counted by type. A job with more
// than one E record was run again: the run that ended last counts.
//
// Submission is ctime; the run time is end - start, for the processors were
// held that long. Processors are total_execution_slots, else those counted in
// exec_host, else what was asked for.
type torque struct {
	g       *input.Gatherer
	deleted map[int64]bool
}

// torqueKinds says in words what the records are that make no job.
var torqueKinds = map[string]string{
	"Q": "queued", "S": "started", "D": "deleted", "A": "aborted by the server", "R": "run again", "C": "checkpointed",
	"T": "restarted from a checkpoint",
	"B": "reservation begun", "F": "reservation finished", "K": "reservation removed", "k": "reservation removed",
	"U": "reservation unconfirmed", "Y": "reservation confirmed",
	"L": "licences", "M": "moved", "H": "held", "P": "provisioned", "p": "provisioned", "a": "altered", "c": "reservation",
	"z": "suspended", "r": "resumed",
}

// OpenTorque reads a file, a folder or an archive of accounting files.
func OpenTorque(path string, o traces.Options) (traces.Source, error) {
	m, err := input.OpenMembers(path, o)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	t := &torque{g: input.NewGatherer(path, "torque", o, true), deleted: map[int64]bool{}}
	t.g.Header.Names = traces.Names{Users: &traces.Words{}, Groups: &traces.Words{}, Queues: &traces.Words{},
		Partitions: &traces.Words{}}
	if err := tabular.EachLine(m, t.g, t.record); err != nil {
		return nil, err
	}
	t.cancelled()
	return t.g.Source()
}

// OddDeleted is a job that was deleted and has no E record: it never started.
const OddDeleted = "jobs deleted while they waited, without a record of their own"

// cancelled uses the content of D records.
func (t *torque) cancelled() {
	for i := range t.g.Jobs {
		if j := &t.g.Jobs[i]; t.deleted[j.ID] && j.Status == 0 {
			j.Status = 5
		}
	}
	for id := range t.deleted { // a count: the order cannot show
		if !t.g.Ids.Has(id) {
			t.g.Header.Ledger.Odd(OddDeleted)
		}
	}
}

// record reads one line.
func (t *torque) record(line []byte, number int64, j *traces.Job) (input.Verdict, *traces.Error, error) {
	if len(bytes.TrimSpace(line)) == 0 {
		return input.IsNothing, nil, nil
	}
	parts := strings.SplitN(string(line), ";", 4)
	if len(parts) < 3 {
		return input.IsJob, &traces.Error{What: fmt.Sprintf("%q is no accounting record", input.Shorten(string(line), 40)),
			Want: "want MM/DD/YYYY hh:mm:ss;TYPE;JOB;key=value ..."}, nil
	}
	if _, err := time.Parse("01/02/2006 15:04:05", parts[0]); err != nil {
		return input.IsJob, &traces.Error{What: fmt.Sprintf("time stamp %q", input.Shorten(parts[0], 40)),
			Want: "want MM/DD/YYYY hh:mm:ss"}, nil
	}
	kind := parts[1]
	if kind != "E" && kind != "D" {
		what, ok := torqueKinds[kind]
		if !ok {
			return input.IsJob, &traces.Error{What: fmt.Sprintf("record of type %q", input.Shorten(kind, 20)),
				Want: "want one of the letters of Torque and PBS, as E for a job's end"}, nil
		}
		t.g.Header.Ledger.Odd(fmt.Sprintf("records of type %s (%s) ignored", kind, what))
		return input.IsNothing, nil, nil
	}
	id, task, ok := torqueID(parts[2])
	if !ok {
		return input.IsJob, &traces.Error{What: fmt.Sprintf("job %q", input.Shorten(parts[2], 40)),
			Want: "want a number as in 524934.server or 550647[3].server"}, nil
	}
	if kind == "D" {
		t.deleted[id] = true
		t.g.Header.Ledger.Odd("records of type D (deleted) ignored")
		return input.IsNothing, nil, nil
	}
	if task { // the array as a whole, 550647[]: its elements have records of their own
		return input.DroppedFor(traces.Step), nil, nil
	}
	values := keyValues("")
	if len(parts) == 4 {
		values = keyValues(parts[3])
	}
	*j = traces.UnknownJob
	j.ID, j.Line = id, number
	return input.IsJob, t.job(j, values), nil
}

// torqueID reads 524934.server, an element of an array 550647[3].server, and an
// array as a whole 550647[].server.
func torqueID(text string) (id int64, whole, ok bool) {
	text, _, _ = strings.Cut(text, ".")
	text, element, array := strings.Cut(text, "[")
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 || array && id >= 9e10 {
		return 0, false, false
	}
	if !array {
		return id, false, true
	}
	if element == "]" {
		return id, true, true
	}
	n, err := strconv.ParseInt(strings.TrimSuffix(element, "]"), 10, 64)
	return id*tabular.ArrayStride + n, false, err == nil && n >= 0 && n < tabular.ArrayStride &&
		strings.HasSuffix(element, "]")
}

// keyValues finds values in "key=value key=value". A value holds no blanks.
type keyValues string

func (kv keyValues) get(key string) string {
	for text := string(kv); ; {
		i := strings.Index(text, key)
		if i < 0 {
			return ""
		}
		rest := text[i+len(key):]
		if (i == 0 || text[i-1] == ' ') && strings.HasPrefix(rest, "=") {
			value, _, _ := strings.Cut(rest[1:], " ")
			return value
		}
		text = rest
	}
}

// job fills j from an E record.
func (t *torque) job(j *traces.Job, kv keyValues) *traces.Error {
	var at [3]events.Time
	for i, key := range [...]string{"ctime", "start", "end"} {
		text := kv.get(key)
		if key == "ctime" && text == "" {
			text = kv.get("qtime")
		}
		var ok bool
		if at[i], ok = input.ParseInstant(text, events.Second); !ok {
			return &traces.Error{What: fmt.Sprintf("%s=%s", key, input.Shorten(text, 40)), Want: "want a Unix time"}
		}
	}
	created, start, end := at[0], at[1], at[2]
	if created <= 0 {
		return &traces.Error{What: "no ctime in an E record", Want: "want the time of submission"}
	}
	j.Submit = created
	if start > 0 { // 0 or missing: ended before it began
		if end < start {
			return &traces.Error{What: fmt.Sprintf("start=%v and end=%v", start, end), Want: "want an end after the start"}
		}
		j.Run = end - start
		if j.Wait = start - created; j.Wait < 0 {
			t.g.Header.Ledger.Odd(traces.OddWait)
			j.Wait = events.Unknown
		}
	}
	if text := kv.get("Resource_List.walltime"); text != "" {
		limit, ok := input.ParseSpan(text, events.Second)
		if !ok {
			return &traces.Error{What: "Resource_List.walltime=" + input.Shorten(text, 40), Want: "want hours:minutes:seconds"}
		}
		if j.Estimate = limit; limit == 0 {
			t.g.Header.Ledger.Odd(traces.OddEstimate)
			j.Estimate = events.Unknown
		}
	}
	switch text := kv.get("Exit_status"); text {
	case "":
	case "0":
		j.Status = 1
	default:
		j.Status = 0
	}
	n := &t.g.Header.Names
	j.User, j.Group, j.Queue = tabular.Word(n.Users, kv.get("user")), tabular.Word(n.Groups, kv.get("group")),
		tabular.Word(n.Queues, kv.get("queue"))
	return t.sizes(j, kv)
}
