package tabular

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"bourse/traces"
	"bourse/traces/input"
)

// ArrayStride makes one number of an element of an array: 123_4 is job
// 123 x 10^8 + 4. Slurm's own numbers stay below 10^8.
const ArrayStride = 100_000_000

// JobName is a job's number as the logs of a format show it, elements of arrays too: 123_4
// in Slurm's, 123[4] in Torque's.
func JobName(format string, id int64) string {
	job, element := id/ArrayStride, id%ArrayStride
	switch {
	case job > 0 && format == "sacct":
		return fmt.Sprintf("%d_%d", job, element)
	case job > 0 && format == "torque":
		return fmt.Sprintf("%d[%d]", job, element)
	}
	return strconv.FormatInt(id, 10)
}

// JobNumber reads a job's number as Slurm shows it: 123, 123_4, 123_[5-9] (elements not
// yet apart: the array itself), 123+1 (a component of a heterogeneous job: the job), and
// steps, 123.batch.
func JobNumber(text string) (id int64, step, ok bool) {
	text, _, step = strings.Cut(text, ".")
	text, element, array := strings.Cut(text, "_")
	text, part, het := strings.Cut(text, "+")
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 || id >= ArrayStride {
		return 0, step, false
	}
	if het {
		n, err := strconv.ParseInt(part, 10, 32)
		return id, step, err == nil && n >= 0
	}
	if !array || strings.HasPrefix(element, "[") {
		return id, step, true
	}
	n, err := strconv.ParseInt(element, 10, 64)
	return id*ArrayStride + n, step, err == nil && n >= 0 && n < ArrayStride
}

// status reads a number as of SWF or a word as of Slurm.
func (t *Rows) status(j *traces.Job, cells []string) (input.Verdict, *traces.Error) {
	text := t.cell(cells, RoleStatus)
	if input.IsUnknown(text) {
		return input.IsJob, nil
	}
	if n, ok := input.ParseNumber(text); ok {
		if v, exact := n.Integer(); exact && v >= 0 && v <= traces.MaxStatus {
			j.Status = int32(v)
		} else if v != -1 {
			t.header.Ledger.Odd(traces.OddStatus)
		}
		return input.IsJob, nil
	}
	word, _, _ := strings.Cut(strings.ToUpper(text), " ") // CANCELLED by 1000
	if t.ended && (word == "RUNNING" || word == "PENDING") {
		return input.IsJob, nil
	}
	switch strings.TrimSuffix(word, "+") { // cut short by a narrow column
	case cmp.Or(t.completed, "COMPLETED"):
		j.Status = 1
	case "COMPLETED", "CD", "SUCCESS", "SUCCEEDED", "PASS", "FINISHED", "DONE":
		j.Status = 1
	case "FAILED", "F", "TIMEOUT", "TO", "NODE_FAIL", "NF", "OUT_OF_MEMORY", "OUT_OF_ME", "OOM", "BOOT_FAIL", "BF",
		"DEADLINE", "DL", "PREEMPTED", "PR", "REVOKED", "LAUNCH_FAILED", "ERROR":
		j.Status = 0
	case "CANCELLED", "CANCELED", "CA", "KILLED":
		j.Status = 5
	case "RUNNING", "R", "SUSPENDED", "S", "COMPLETING", "CG", "RESIZING", "STAGE_OUT", "STOPPED", "SIGNALING":
		return input.DroppedFor(traces.Unfinished), nil
	case "REQUEUED", "RQ":
		return input.DroppedFor(traces.Repeat), nil // the job's next run has a record of its own
	case "PENDING", "PD", "CONFIGURING", "REQUEUE_HOLD", "SPECIAL_EXIT":
	default:
		t.header.Ledger.Odd(OddState)
	}
	return input.IsJob, nil
}

// OddState is an unknown state.
const OddState = "state not known, taken as unknown"
