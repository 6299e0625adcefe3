package explain

import (
	"fmt"
	"io"
	"strings"

	"bourse/engine"
	"bourse/policies"
	"bourse/reports/stats"
	"bourse/reports/terminal"
	"bourse/traces"
)

// Setting is what a story is told with.
type Setting struct {
	// Trace names the trace, Replay says in words how it was replayed.
	Trace, Replay string
	Names         traces.Names
	Machine       engine.Summary
	// Bidding tells that bids make prices, so that they are worth a mention, Ranked
	// that they also decide who is next.
	Bidding, Ranked bool
	// Payment is the price scheme charged, Also the further ones of the outcome.
	Payment string
	Also    []string
	// All sums up all jobs of the replay, Others the rows with the job's number.
	All    stats.Aggregate
	Others Others
	// Every lists everything, instead of the first and last interruptions and a
	// receipt of few lines.
	Every bool
}

// receiptLines is how long a receipt is unless all of it is wanted.
const receiptLines = 24

// shown is how many interruptions are told at the begin and at the end.
const shown = 4

// printer writes one story.
type printer struct {
	*Story
	set  Setting
	text strings.Builder
}

// Write tells the story on a terminal, in at most 90 columns.
func (s *Story) Write(w io.Writer, set Setting) error {
	t := &printer{Story: s, set: set}
	t.line("%s of %s", t.title(), set.Trace)
	t.wrap(2, "%s; %s", set.Replay, t.machine())
	t.asked()
	t.happened()
	t.ending()
	t.receipt()
	t.schemes()
	_, err := io.WriteString(w, t.text.String())
	return err
}

func (t *printer) line(format string, args ...any) {
	fmt.Fprintf(&t.text, format, args...)
	t.text.WriteByte('\n')
}

// width is how far text goes.
const width = 88

// wrap writes a sentence, indented, over as many lines as it takes.
func (t *printer) wrap(indent int, format string, args ...any) {
	t.hang(strings.Repeat(" ", indent), fmt.Sprintf(format, args...))
}

// hang writes text behind a heading that the further lines leave blank.
func (t *printer) hang(head, text string) {
	blank := strings.Repeat(" ", len([]rune(head)))
	line, used := head, 0
	for _, word := range strings.Fields(text) {
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
func (t *printer) rows(table *terminal.Table) {
	var text strings.Builder
	table.Write(&text) // a Builder takes everything
	for _, line := range strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n") {
		t.line("  %s", line)
	}
}

func (t *printer) title() string {
	title := fmt.Sprintf("Job %d", t.Job.ID)
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

// asked tells what the job wanted and said.
func (t *printer) asked() {
	j := &t.Job
	t.line("\nWhat it asked for")
	who := "submitted"
	if user, ok := t.set.Names.Users.Text(j.User); ok {
		who = "user " + user + " submitted it"
	}
	t.hang("  when      ", fmt.Sprintf("%s at second %s of the trace's clock (%s after its zero)", who, seconds(j.Submit), clock(j.Submit)))
	size := t.need()
	size += " for " + clock(j.Run)
	if j.Estimate.Known() {
		size += ", said to be at most " + clock(j.Estimate)
	}
	t.hang("  what      ", size)
	if j.Pieces > 1 {
		t.hang("            ", fmt.Sprintf("one of the %d pieces of one processor that its record was cut into", j.Pieces))
	}
	worth := fmt.Sprintf("%s a %s to its owner", price(t.Value), t.unit())
	switch {
	case t.First != t.Value:
		worth += ", who bid " + price(t.First)
	case t.set.Bidding:
		worth += ", who bid just that"
	}
	t.hang("  worth     ", worth)
	if o := &t.set.Others; o.Rows > 1 {
		t.hang("  with it   ", fmt.Sprintf("%s rows of the replay are job %d, tasks %d to %d; together they paid %s. --task N tells another's story",
			terminal.Thousands(int64(o.Rows)), j.ID, o.FirstTask, o.LastTask, money(cents(o.Paid))))
	}
}

// need is what it asked for of the machine.
func (t *printer) need() string {
	j := &t.Job
	if !t.set.Machine.Pool {
		return count(int64(j.Procs), "processor")
	}
	cpu := float64(j.Procs)
	if j.CPU >= 0 {
		cpu *= j.CPU
	}
	text := fmt.Sprintf("%.6g of CPU", cpu)
	if j.Memory >= 0 {
		text += fmt.Sprintf(" and %.6g of memory", j.Memory*float64(j.Procs))
	}
	return text + fmt.Sprintf(" (it counts as %.4g machines)", t.Size)
}

// ending sums the times up.
func (t *printer) ending() {
	o := &t.Outcome
	t.line("\nHow it went")
	parts := []string{clock(o.Job.Run) + " of run time"}
	waited, rest := t.Waited(), o.Wait()
	if waited > 0 {
		parts = append(parts, clock(waited)+" of waiting")
	}
	if rest -= waited; rest > 0 {
		if o.Lost > 0 {
			parts = append(parts, clock(o.Lost)+" of work that interruptions cost")
			rest -= o.Lost
		}
		if rest > 0 {
			parts = append(parts, clock(rest)+" because it held less than it asked for")
		}
	}
	t.hang("  time      ", clock(o.Flow())+" from submission to end: "+strings.Join(parts, ", "))
	stops := int64(len(t.Pauses) - 1)
	if first := t.Pauses[0].Length(); stops > 0 && first > 0 {
		t.hang("            ", fmt.Sprintf("it waited %s before its first start and %s in %s", clock(first), clock(waited-first), count(stops, "interruption")))
	} else if stops > 0 && waited > 0 {
		t.hang("            ", fmt.Sprintf("all of the waiting was in %s", count(stops, "interruption")))
	}
	t.hang("  slowdown  ", fmt.Sprintf("bounded slowdown %s (time over run time of at least 60 s); of all %s jobs the mean is %s and 95 %% have at most %s",
		terminal.Figure(o.BoundedSlowdown()), terminal.Thousands(t.set.All.Jobs), terminal.Figure(t.set.All.MeanBSD), terminal.Figure(t.set.All.P95BSD)))
}

// shared reports whether it ever held a part of what it asked for.
func (t *printer) shared() bool {
	for i := range t.Pieces {
		if t.Pieces[i].Share != 1 {
			return true
		}
	}
	return false
}

// percent is a share of the machine's resources.
func (c *QueueState) percent(resource int) float64 {
	if c.Total[resource] == 0 {
		return 0
	}
	return 100 * c.Held[resource] / c.Total[resource]
}

// holds says how much of the machine the running jobs have.
func (t *printer) holds(c *QueueState) string {
	if t.set.Machine.Pool {
		return fmt.Sprintf("%.0f %% of CPU and %.0f %% of memory", c.percent(policies.CPU), c.percent(policies.Memory))
	}
	return fmt.Sprintf("%s of %s processors", amount(c.Held[policies.CPU]), amount(c.Total[policies.CPU]))
}
