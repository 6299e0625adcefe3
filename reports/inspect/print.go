package inspect

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"bourse/events"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/google"
	"bourse/traces/input"
)

// Print writes the inspection for a reader at a terminal, 80 to 100 columns.
func (in *Inspection) Print(w io.Writer) error {
	out := bufio.NewWriter(w)
	in.printHead(out)
	if in.Events != nil {
		printCounts(out, in.Events)
	}
	in.printTable(out)
	in.printGPUs(out)
	in.printBins(out, "run time", len(runEdges), func(i int) (string, bin) { return runLabel(i), in.runBins[i] })
	in.printBins(out, "processors", len(in.sizeBins), func(i int) (string, bin) { return sizeLabel(i), in.sizeBins[i] })
	if list := in.Oddities(); len(list) > 0 {
		fmt.Fprintf(out, "\nanomalies\n")
		for _, s := range list {
			fmt.Fprintf(out, "  - %s\n", s)
		}
	}
	return out.Flush()
}

func (in *Inspection) printHead(out io.Writer) {
	row := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%-13s %s\n", name, fmt.Sprintf(format, args...))
	}
	row("trace", "%s (%s)", in.Header.Name, in.Header.Format)
	for _, label := range []string{"Computer", "Installation", "Acknowledge"} {
		if text := traces.FieldText(in.Header.Fields, label); text != "" {
			row(strings.ToLower(label), "%s", input.Shorten(text, 84))
		}
	}
	if parts := traces.FieldText(in.Header.Fields, google.PartsField); parts != "" {
		row("parts", "%s", parts)
	}
	if c := in.Header.Capacity; c.Machines > 0 {
		in.printMachines(row)
	} else if in.Header.Procs > 0 {
		row("machine", "%s processors", terminal.Thousands(int64(in.Header.Procs)))
	} else {
		row("machine", "size unknown")
	}
	l := in.Header.Ledger
	row("records", "%s read", terminal.Thousands(l.Read))
	for _, d := range []struct {
		n    int64
		what string
	}{{l.Dropped[traces.Malformed], "malformed"}, {l.Dropped[traces.Repeat], "earlier runs of a job"},
		{l.Dropped[traces.Step], "steps of a job"},
		{in.NeverStarted, "never started"}, {l.Dropped[traces.Unfinished], "still running at the end"},
		{in.NoProcessors, "without processors"}} {
		if d.n > 0 {
			row("", "- %s %s", terminal.Thousands(d.n), d.what)
		}
	}
	row("", "= %s can be replayed", terminal.Thousands(in.Jobs))
	in.printSpan(row)
	kinds := []string{}
	for _, k := range []struct {
		n        int64
		one, any string
	}{{in.Users, "user", "users"}, {in.Groups, "group", "groups"}, {in.Queues, "queue", "queues"},
		{in.Partitions, "partition", "partitions"}} {
		if k.n == 0 {
			kinds = append(kinds, "no "+k.any)
		} else {
			kinds = append(kinds, terminal.Count(int(k.n), k.one, k.any))
		}
	}
	row("labels", "%s", strings.Join(kinds, ", "))
	n := float64(in.Jobs)
	row("sizes", "%s serial, %s other powers of two", terminal.PercentOf(float64(in.Serial), n),
		terminal.PercentOf(float64(in.PowersOfTwo), n))
	row("estimates", "%s missing, %s below the run time, %s exact",
		terminal.PercentOf(float64(in.NoEstimate), n), terminal.PercentOf(float64(in.LowEstimate), n),
		terminal.PercentOf(float64(in.ExactEstimate), n))
	var seen []string
	for i, c := range in.Statuses {
		if c > 0 {
			seen = append(seen, terminal.PercentOf(float64(c), float64(total(in.Statuses[:])))+" "+statusNames[i])
		}
	}
	row("status", "%s", strings.Join(seen, ", "))
}

func (in *Inspection) printSpan(row func(string, string, ...any)) {
	span := in.Last - in.First
	row("arrivals", "over %s, from %v to %v", span.Short(), in.First, in.Last)
	if epoch, ok := in.Epoch(); ok {
		date := func(t events.Time) string {
			return time.Unix(epoch+int64(t/events.Second), 0).UTC().Format("2006-01-02 15:04")
		}
		row("", "%s to %s UTC", date(in.First), date(in.Last))
	}
	if in.arrivals.begun && span > 0 {
		row("", "%s each %s", in.arrivals.spark(), (events.Time(in.arrivals.width) * events.Second).Short())
	}
	if span > 0 {
		row("offered", "%s processors busy on average if no job waited",
			terminal.Thousands(int64(math.Round(in.Work/span.Seconds()))))
	}
	if span > 0 {
		in.printLoad(row, span.Seconds())
	}
	if load, ok := in.Load(); ok {
		text := fmt.Sprintf("%.3f offered", load)
		if in.LastEnd > in.First {
			used := in.Work / float64(in.Header.Procs) / (in.LastEnd - in.First).Seconds()
			text += fmt.Sprintf("; %.3f of the machine used until the last recorded end", used)
		}
		row("load", "%s", text)
	}
}

func (in *Inspection) printTable(out io.Writer) {
	fmt.Fprintf(out, "\n%-13s %9s %9s %9s %9s %9s %9s %9s\n", "", "least", "10 %", "median", "90 %", "99 %", "most",
		"mean")
	duration := func(v int64) string { return events.Time(v).Short() }
	for _, r := range []struct {
		name string
		h    *histogram
		text func(int64) string
	}{{"run time", &in.run, duration}, {"requested", &in.estimate, duration}, {"recorded wait", &in.wait, duration},
		{"processors", &in.size, terminal.Thousands}} {
		if r.h.count == 0 {
			continue
		}
		mean := r.text(int64(math.Round(r.h.mean())))
		if r.name == "processors" {
			mean = strconv.FormatFloat(r.h.mean(), 'f', 1, 64)
		}
		fmt.Fprintf(out, "%-13s", r.name)
		for _, q := range []float64{0, 0.1, 0.5, 0.9, 0.99, 1} {
			v := r.h.quantile(q)
			if q == 0 {
				v = r.h.min
			}
			fmt.Fprintf(out, " %9s", r.text(v))
		}
		fmt.Fprintf(out, " %9s\n", mean)
	}
}

// printBins draws the bins from the first to the last that holds a job.
func (in *Inspection) printBins(out io.Writer, name string, n int, get func(int) (string, bin)) {
	const width = 40
	first, last, top, column := -1, 0, int64(0), len("recorded wait")
	for i := range n {
		if label, b := get(i); b.jobs > 0 {
			if first < 0 {
				first = i
			}
			last, top, column = i, max(top, b.jobs), max(column, len(label))
		}
	}
	if first < 0 {
		return
	}
	fmt.Fprintf(out, "\n%-*s %-*s %9s %9s\n", column, name, width, "", "jobs", "work")
	for i := first; i <= last; i++ {
		label, b := get(i)
		bar := bar(float64(b.jobs)/float64(top), width)
		fmt.Fprintf(out, "%*s %s%*s %9s %9s\n", column, label, bar, width-utf8.RuneCountInString(bar), "",
			terminal.PercentOf(float64(b.jobs), float64(in.Jobs)), terminal.PercentOf(b.work, in.Work))
	}
}
