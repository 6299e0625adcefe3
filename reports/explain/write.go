package explain

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"bourse/engine"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/suggest"
)

// Setting is what an explanation refers to beside the job.
type Setting struct {
	// Trace names the trace, Replay says in words how it was replayed.
	Trace, Replay string
	Names         traces.Names
	// Name is what the trace's log calls the job of a number.
	Name    func(id int64) string
	Machine engine.Summary
	// Bidding says that bids make prices, so that they are printed, Ranked that they
	// also decide which job is next.
	Bidding, Ranked bool
	// Paying says that jobs pay at all.
	Paying bool
	// Payment is the price scheme charged, Also the further ones of the outcome.
	Payment string
	Also    []string
	// All sums up all jobs of the replay, Others the rows with the job's number.
	All    stats.Aggregate
	Others Others
	// Every lists everything, instead of the first and last interruptions and a
	// receipt of few lines.
	Every bool
	Hints Hints
}

// Hints say how to print what is left out, "" for no hint.
type Hints struct {
	All  string // of all stops, starts and prices
	Task string // of another task or piece of the job
}

// hint appends a hint to a sentence.
func hint(text string) string {
	if text == "" {
		return ""
	}
	return "; " + text
}

// receiptLines is how long a receipt is unless all of it is wanted.
const receiptLines = 24

// shown is how many interruptions are printed at the begin and at the end.
const shown = 4

// printer writes one history.
type printer struct {
	*History
	set  Setting
	text strings.Builder
}

// Write explains the job on a terminal, in at most 90 columns; the answer comes last.
func (s *History) Write(w io.Writer, set Setting) error {
	t := &printer{History: s, set: set}
	t.line("%s of %s", t.title(), set.Trace)
	t.wrap(2, "%s; %s", set.Replay, t.machine())
	t.asked()
	if t.WhyLeft != "" {
		t.line("")
		long := "twice"
		if t.Flow() != 2*t.Job.Run {
			long = fmt.Sprintf("%.3g times", float64(t.Flow())/float64(t.Job.Run))
		}
		t.wrap(2, "It left, as %s: it ran elsewhere, for nothing, and was there for %s its run time, until %v.", t.WhyLeft,
			long, t.End)
		_, err := io.WriteString(w, t.text.String())
		return err
	}
	t.timeline()
	t.waits()
	t.ending()
	if t.set.Paying {
		t.receipt()
	}
	if t.set.Paying || t.set.Bidding {
		t.schemes()
	}
	t.answer()
	_, err := io.WriteString(w, t.text.String())
	return err
}

func (t *printer) line(format string, args ...any) {
	fmt.Fprintf(&t.text, format, args...)
	t.text.WriteByte('\n')
}

// width is the number of columns.
const width = 88

// wrap writes a sentence, indented, over as many lines as it takes.
func (t *printer) wrap(indent int, format string, args ...any) {
	t.indent(strings.Repeat(" ", indent), fmt.Sprintf(format, args...))
}

// indent writes text after a heading; further lines are indented by its width.
func (t *printer) indent(head, text string) {
	blank := strings.Repeat(" ", len([]rune(head)))
	line, used := head, 0
	for word := range strings.FieldsSeq(text) {
		if used > 0 && len([]rune(line))+1+len([]rune(word)) > width {
			t.line("%s", line)
			line, used = blank, 0
		}
		if used > 0 {
			line += " "
		}
		line += word
		used++
	}
	t.line("%s", line)
}

// rows writes a table, indented.
func (t *printer) rows(rows *table.Table) {
	var text strings.Builder
	_ = table.Print(&text, &table.Report{Tables: []*table.Table{rows}}) // a Builder takes everything
	for _, line := range strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n") {
		t.line("  %s", line)
	}
}

func (t *printer) title() string {
	title := "Job " + t.set.Name(t.Job.ID)
	switch o := &t.set.Others; {
	case t.Job.Pieces > 1:
		title += fmt.Sprintf(", piece %d of %d", t.Job.Task, t.Job.Pieces)
	case o.Rows > 1 || t.Job.Task != 0:
		title += fmt.Sprintf(", task %d", t.Job.Task)
	}
	return title
}

func (t *printer) machine() string {
	m := &t.set.Machine
	if m.Pool {
		return "a pool of " + count(int64(m.Machines), "machine")
	}
	return count(int64(m.Machines), "processor")
}

// unit is what prices are for.
func (t *printer) unit() string {
	if t.set.Machine.Pool {
		return "machine-second"
	}
	return "processor-second"
}

// asked prints the request, the value and the bid.
func (t *printer) asked() {
	j := &t.Job
	t.line("\nRequest")
	who := "submitted"
	if user, ok := t.set.Names.Users.Text(j.User); ok {
		who = "user " + user + " submitted it"
	}
	t.indent("  when      ", fmt.Sprintf("%s at second %s of the trace's clock (%s after its zero)", who,
		seconds(j.Submit), clock(j.Submit)))
	size := t.need()
	size += " for " + clock(j.Run)
	if j.Estimate.Known() {
		size += ", estimated at most " + clock(j.Estimate)
	}
	t.indent("  what      ", size)
	if j.Pieces > 1 {
		t.indent("            ", fmt.Sprintf("one of the %d pieces, of one processor each, of its record", j.Pieces))
	}
	t.worth()
	if o := &t.set.Others; o.Rows > 1 {
		paid := ""
		if t.set.Paying {
			paid = "; together they paid " + money(cents(o.Paid))
		}
		t.indent("  with it   ", fmt.Sprintf("%s rows of the replay are job %s, tasks %d to %d%s%s",
			terminal.Thousands(int64(o.Rows)), t.set.Name(j.ID), o.FirstTask, o.LastTask, paid, hint(t.set.Hints.Task)))
	}
}

// worth prints the value and the bid, where they matter.
func (t *printer) worth() {
	if !t.set.Paying && !t.set.Bidding {
		return
	}
	worth := fmt.Sprintf("%s a %s to its owner", price(t.Value), t.unit())
	switch {
	case t.First != t.Value:
		worth += ", who bid " + price(t.First)
	case t.set.Bidding:
		worth += ", who bid the same"
	}
	t.indent("  worth     ", worth)
}

// need is its request.
func (t *printer) need() string {
	j := &t.Job
	if !t.set.Machine.Pool {
		return count(int64(j.Procs), "processor")
	}
	cpu, memory, gpu, disk := j.Ask(float64(j.Procs))
	text := fmt.Sprintf("%.6g of CPU", cpu)
	if j.Memory >= 0 {
		text += fmt.Sprintf(" and %.6g of memory", memory)
	}
	if gpu > 0 {
		text += ", " + gpus(gpu)
	}
	if disk > 0 {
		text += fmt.Sprintf(", %.6g of disk", disk)
	}
	return text + fmt.Sprintf(" (it counts as %.4g machines)", t.Size)
}

// gpus spells out a share of a device, or devices.
func gpus(n float64) string {
	switch {
	case n < 1:
		return fmt.Sprintf("%.3g of a GPU", n)
	case n == 1:
		return "1 GPU"
	}
	return fmt.Sprintf("%.6g GPUs", n)
}

// ending prints the totals of time.
func (t *printer) ending() {
	o := &t.Outcome
	t.line("\nResult")
	parts := clock(o.Job.Run) + " of run time"
	if wait := o.Wait(); wait > 0 {
		parts += " and " + clock(wait) + " of waiting"
	}
	t.indent("  time      ", clock(o.Flow())+" from submission to end: "+parts)
	t.indent("  slowdown  ", fmt.Sprintf("bounded slowdown %s (time over run time of at least %s, 1 or more); of all %s "+
		"jobs the mean is %s and 95 %% have at most %s",
		terminal.Figure(o.BoundedSlowdown()), o.Bound.Short(), terminal.Thousands(t.set.All.Jobs),
		terminal.Figure(t.set.All.MeanBoundedSlowdown), terminal.Figure(t.set.All.P95BoundedSlowdown)))
}

// shared reports whether it ever held a part of its request.
func (t *printer) shared() bool {
	return slices.ContainsFunc(t.Pieces, func(p Piece) bool { return p.Share != 1 })
}

// percent is a share of one of the machine's resources.
func percent(held, total float64) float64 {
	if total == 0 {
		return 0
	}
	return 100 * held / total
}

// holds says how much of the machine the running jobs have.
func (t *printer) holds(c *QueueState) string {
	if t.set.Machine.Pool {
		parts := []string{fmt.Sprintf("%.0f %% of CPU", percent(c.Held.CPU, c.Total.CPU))}
		for r, name := range [...]string{1: "memory", 2: "GPUs", 3: "disk"} {
			if r > 0 && c.Total.At(r) > 0 {
				parts = append(parts, fmt.Sprintf("%.0f %% of %s", percent(c.Held.At(r), c.Total.At(r)), name))
			}
		}
		return suggest.And(parts)
	}
	return fmt.Sprintf("%s of %s processors", amount(c.Held.CPU), amount(c.Total.CPU))
}
