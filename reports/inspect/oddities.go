package inspect

import (
	"fmt"
	"strings"

	"bourse/events"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/google"
)

// Oddities lists anomalies to look at before the trace is trusted, in
// a fixed order: what the reader tolerated, then what does not fit together.
func (in *Inspection) Oddities() []string {
	var list []string
	for _, n := range in.Header.Ledger.Notes() {
		list = append(list, fmt.Sprintf("%s: %s times", n.What, terminal.Thousands(n.Count)))
	}
	add := func(n int64, format string) {
		if n > 0 {
			list = append(list, fmt.Sprintf(format, terminal.Thousands(n), terminal.PercentOf(float64(n), float64(in.Jobs))))
		}
	}
	add(in.LowEstimate, "run times above the requested time: %s jobs (%s)")
	add(in.LongEstimate, "requests for more than a year, which mean no limit: %s jobs (%s)")
	add(in.ZeroRun, "run times of 0: %s jobs (%s)")
	add(in.TooLarge, "jobs larger than the machine: %s (%s)")
	if in.Header.Procs == 0 && in.Header.Capacity.Machines == 0 {
		list = append(list, fmt.Sprintf("the header gives no machine size; the largest job has %s processors: set its size",
			terminal.Thousands(in.Largest)))
	}
	if _, ok := in.Epoch(); ok && in.Header.Start == 0 {
		list = append(list, "submit times count from 1970, not from the trace's start")
	}
	if in.NoWait == in.Jobs && in.Jobs > 0 && in.Header.Format != "synth" {
		list = append(list, "no waits are recorded: submit times may be start times")
	}
	list = append(list, in.claims()...)
	for _, f := range in.flurries() {
		list = append(list, f.text(in.Header.Names.Users))
	}
	return list
}

// claims compares the header's numbers with what was read.
func (in *Inspection) claims() []string {
	var list []string
	read := in.Header.Ledger.Read
	for _, c := range []struct {
		label string
		have  int64
		off   func(claim, have int64) bool
		note  string
	}{
		{"MaxJobs", read, func(c, h int64) bool { return c != h }, in.missing()},
		{"MaxQueues", in.Queues, func(c, h int64) bool { return h > c }, ""},
		{"MaxPartitions", in.Partitions, func(c, h int64) bool { return h > c }, ""},
		{"MaxRuntime", in.run.max / int64(events.Second), func(c, h int64) bool { return h > c }, ""},
	} {
		claim, ok := traces.LeadingNumber(traces.FieldText(in.Header.Fields, c.label))
		if ok && claim > 0 && c.off(claim, c.have) {
			list = append(list, fmt.Sprintf("the header claims %s %s, the records show %s%s", c.label, terminal.Thousands(claim),
				terminal.Thousands(c.have), c.note))
		}
	}
	return list
}

// missing tells a cleaned log from one that was cut short, as far as one can.
func (in *Inspection) missing() string {
	if strings.Contains(in.Header.Name, "-cln") {
		return " (cleaned logs state the count before cleaning)"
	}
	return " (the file may be cut short, or was cleaned)"
}

// eventCounts accounts for every row of a Google trace's tables.
func eventCounts(c *google.Counts) *table.Table {
	t, row := facts("events", "%s: %s", terminal.Thousands(total(c.Rows[:])), byKind(c.Rows[:]))
	if c.Left > 0 {
		row("", "%s of alloc sets left out", terminal.Thousands(c.Left))
	}
	row("tasks", "%s of %s jobs and %s users, %s still running at the end", terminal.Thousands(c.Tasks),
		terminal.Thousands(c.Jobs), terminal.Thousands(c.Users), terminal.Thousands(c.Censored))
	row("attempts", "%s ended: %s", terminal.Thousands(c.Attempts), byKind(c.Ended[:]))
	return t
}

// byKind lists the numbers of events that there are.
func byKind(counts []int64) string {
	var list []string
	for k, n := range counts {
		if n > 0 {
			list = append(list, fmt.Sprintf("%s %s", terminal.Thousands(n), google.EventKinds[k]))
		}
	}
	return strings.Join(list, ", ")
}
