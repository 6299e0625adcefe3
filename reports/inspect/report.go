package inspect

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"bourse/events"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/google"
	"bourse/traces/input"
)

// Report is the inspection as sentences and tables, 80 to 100 columns wide; programs that read
// rows receive the quantiles.
func (in *Inspection) Report() *table.Report {
	r := &table.Report{Data: in.quantiles()}
	log := table.Structs([]Figures{in.Figures})
	log.Name = "log"
	r.Tables = append(r.Tables, log, in.head())
	if in.Events != nil {
		r.Tables = append(r.Tables, eventCounts(in.Events))
	}
	r.Tables = append(r.Tables, r.Data, in.gpuTable(),
		in.histogram("run time", "run_times", in.runBins[:],
			func(i int) (string, int64) { return runBins[i].label, runBins[i].from }),
		in.histogram("processors", "sizes", in.sizeBins[:], sizeLabel))
	r.Tables = append(r.Tables, in.hourTable())
	anomalies, odd := table.Data("what"), table.New(table.Col("", "anomalies", terminal.Words))
	anomalies.Name = "anomalies"
	for _, s := range in.Oddities() {
		anomalies.Add(s)
		odd.Add("  - " + s)
	}
	r.Tables = append(r.Tables, anomalies, odd)
	r.Tables = slices.DeleteFunc(r.Tables, func(t *table.Table) bool { return len(t.Rows) == 0 })
	return r
}

// facts makes a table of names and sentences of which the first is the head.
func facts(name, format string, args ...any) (t *table.Table, row func(name, format string, args ...any)) {
	t = table.New(table.Headed(terminal.Words, fmt.Sprintf("%-12s", name), fmt.Sprintf(format, args...))...)
	t.Columns[0].Sentence, t.Columns[1].Sentence, t.Columns[1].Key = true, true, true
	return t, func(name, format string, args ...any) { t.Add(name, fmt.Sprintf(format, args...)) }
}

// head says what the trace is and holds.
func (in *Inspection) head() *table.Table {
	t, row := facts("trace", "%s (%s)", in.Header.Name, in.Header.Format)
	for _, label := range []string{"Computer", "Installation", "Acknowledge"} {
		if text := traces.FieldText(in.Header.Fields, label); text != "" {
			row(strings.ToLower(label), "%s", input.Shorten(text, 84))
		}
	}
	if parts := traces.FieldText(in.Header.Fields, google.PartsField); parts != "" {
		row("parts", "%s", parts)
	}
	if c := in.Header.Capacity; c.Machines > 0 {
		in.machineRows(row)
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
	in.spanRows(row)
	in.hourRows(row)
	kinds := []string{}
	for _, k := range []struct {
		n   int64
		one string
	}{{in.Users, "user"}, {in.Groups, "group"}, {in.Queues, "queue"}, {in.Partitions, "partition"}} {
		if k.n == 0 {
			kinds = append(kinds, "no "+k.one+"s")
		} else {
			kinds = append(kinds, terminal.Count(int(k.n), k.one, k.one+"s"))
		}
	}
	row("labels", "%s", strings.Join(kinds, ", "))
	row("sizes", "%s serial, %s other powers of two", in.ofJobs(in.Serial), in.ofJobs(in.PowersOfTwo))
	row("estimates", "%s missing, %s below the run time, %s exact", in.ofJobs(in.NoEstimate), in.ofJobs(in.LowEstimate),
		in.ofJobs(in.ExactEstimate))
	var seen, work []string
	for i, c := range in.Statuses {
		if c > 0 {
			seen = append(seen, terminal.PercentOf(float64(c), float64(total(in.Statuses[:])))+" "+statusNames[i])
		}
		if in.spent[i] > 0 {
			work = append(work, terminal.PercentOf(in.spent[i], in.Work)+" "+statusNames[i])
		}
	}
	row("status", "%s", strings.Join(seen, ", "))
	if len(work) > 1 {
		row("", "of the work: %s", strings.Join(work, ", "))
	}
	return t
}

// ofJobs is a number of jobs as a share of all.
func (in *Inspection) ofJobs(n int64) string { return terminal.PercentOf(float64(n), float64(in.Jobs)) }

// spanRows says when jobs arrive and what they ask for.
func (in *Inspection) spanRows(row func(string, string, ...any)) {
	span := in.Last - in.First
	row("arrivals", "over %s, from %v to %v", span.Short(), in.First, in.Last)
	if epoch, ok := in.Epoch(); ok {
		date := func(t events.Time) string {
			return time.Unix(epoch+int64(t/events.Second), 0).UTC().Format("2006-01-02 15:04")
		}
		row("", "%s to %s UTC", date(in.First), date(in.Last))
	}
	if span > 0 {
		if in.arrivals.begun {
			row("", "%s each %s", in.arrivals.spark(), (events.Time(in.arrivals.width) * events.Second).Short())
		}
		row("offered", "%s processors busy on average if no job waited",
			terminal.Thousands(int64(math.Round(in.Work/span.Seconds()))))
		in.loadRows(row, span.Seconds())
	}
	if load, ok := in.Load(); ok {
		text := fmt.Sprintf("%.3f offered", load)
		if in.LastEnd > in.First {
			used := in.Work / float64(in.Header.Procs) / (in.LastEnd - in.First).Seconds()
			text += fmt.Sprintf("; %.3f of the machine used until the last recorded end", used)
			if idle := (1 - used) * float64(in.Header.Procs) * (in.LastEnd - in.First).Seconds(); idle > 0 {
				text += ", " + terminal.Thousands(int64(idle/3600)) + " processor-hours idle"
			}
		}
		row("load", "%s", text)
	}
}

// quantiles is how run times, requests, waits and sizes are distributed.
func (in *Inspection) quantiles() *table.Table {
	t := table.New(table.Col("quantity", " ", terminal.Words))
	t.Name = "quantiles"
	for _, c := range [][2]string{{"least", "least"}, {"p10", "10 %"}, {"median", "median"}, {"p90", "90 %"},
		{"p99", "99 %"}, {"most", "most"}, {"mean", "mean"}} {
		t.Columns = append(t.Columns, table.Col(c[0], c[1], terminal.Number))
	}
	for _, r := range []struct {
		name       string
		h          *histogram
		scale      float64
		unit, mean terminal.Unit
	}{{"run time", &in.run, 1e6, terminal.Seconds, terminal.Seconds},
		{"requested", &in.estimate, 1e6, terminal.Seconds, terminal.Seconds},
		{"recorded wait", &in.wait, 1e6, terminal.Seconds, terminal.Seconds},
		{"processors", &in.size, 1, terminal.Number, terminal.Fixed(1)}} {
		if r.h.count == 0 {
			continue
		}
		row := []any{r.name}
		for _, q := range []float64{0, 0.1, 0.5, 0.9, 0.99, 1} {
			row = append(row, figure(r.unit, float64(r.h.quantile(q))/r.scale))
		}
		t.Add(append(row, figure(r.mean, r.h.mean()/r.scale))...)
	}
	return t
}

// histogram draws the bins from the first to the last that holds a job.
func (in *Inspection) histogram(heading, name string, bins []bin, label func(int) (string, int64)) *table.Table {
	const width = 40
	t := table.New(table.Col("least", heading, terminal.Number), table.Col("", " ", terminal.Words),
		table.Col("jobs", "jobs", terminal.Number), table.Col("work", "work", terminal.Number))
	t.Name = name
	first, last, top, column := len(bins), -1, int64(0), len("recorded wait")
	for i, b := range bins {
		if b.jobs > 0 {
			text, _ := label(i)
			first, last, top, column = min(first, i), i, max(top, b.jobs), max(column, len(text))
		}
	}
	for i := first; i <= last; i++ {
		b := bins[i]
		text, least := label(i)
		t.Add(table.Count(least).As(fmt.Sprintf("%*s", column, text)), bar(float64(b.jobs)/float64(top), width),
			part(float64(b.jobs), float64(in.Jobs)), part(b.work, in.Work))
	}
	return t
}

// figure is the cell of a figure in a unit of its own.
func figure(u terminal.Unit, x float64) table.Cell { return table.Number(x).As(u.Text(x)) }

// part is the cell of a part of a whole.
func part(x, of float64) table.Cell { return table.Number(x / of).As(terminal.PercentOf(x, of)) }
