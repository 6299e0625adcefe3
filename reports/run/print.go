package run

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Report is the summary for readers: what the log says of its jobs, what the replay does, by
// value band and class of owner in a market; then a line on the machine, one on the records
// that were not replayed, and the warnings. The replay goes by its policy's name. eventsPerSecond is its speed; 0 leaves
// it out. JSON is that of summary.json.
func (s *Summary) Report(policy string, eventsPerSecond float64) *table.Report {
	measures, name, all := Shown(s.Market, false), "schedule", policy
	parts := s.Jobs.Bands
	if !s.Market || len(parts) == 1 && parts[0].Band == stats.NoValue.String() {
		parts = nil // the total is enough
	} else {
		name, all = "value band", "all"
	}
	if s.Market && len(s.Jobs.Classes) > 1 {
		name, all = "owners", "all"
		parts = append(slices.Clip(parts), s.Jobs.Classes...)
	}
	t := &table.Table{Columns: []table.Column{{Name: "jobs_of", Heading: name, Unit: terminal.Words, Key: true}}}
	for _, m := range measures {
		t.Columns = append(t.Columns, m.Head())
	}
	add := func(name string, figures Figures, measures []Measure) {
		row := []any{name}
		for _, m := range measures {
			row = append(row, m.Cell(figures))
		}
		t.Add(row...)
	}
	if s.Recorded != nil {
		known := slices.DeleteFunc(slices.Clone(measures), func(m Measure) bool { return !m.Recorded })
		add("recorded", Figures{Aggregate: &stats.Aggregate{Times: *s.Recorded}}, known)
	}
	for _, p := range parts {
		add(p.Band+p.Class, Figures{Aggregate: &p.Aggregate}, measures)
	}
	add(all, s.Total(), measures)
	text := efficiencyLine(s.Jobs.Total.Efficiency) + worthLine(&s.Jobs.Total) + waitLine(s.Waits) +
		machineLine(&s.Machine, eventsPerSecond) + droppedLines(&s.Counts)
	for _, note := range s.Warnings {
		text += "note: " + note.Text + "\n"
	}
	return &table.Report{Tables: []*table.Table{t}, Document: s,
		Answers: strings.Split("\n"+strings.TrimSuffix(text, "\n"), "\n")}
}

// worthLine says what became of jobs that are worth less the later they end.
func worthLine(a *stats.Aggregate) string {
	if a.InTime == nil || a.Realised == nil {
		return ""
	}
	return fmt.Sprintf("%.1f %% of the jobs ended before they lost worth; %.1f %% of the worth of all was realised\n",
		100**a.InTime, 100**a.Realised)
}

// efficiencyLine says how good any schedule of these jobs could be.
func efficiencyLine(x *float64) string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf("efficiency %.2f: the total weighted flow time (sum of value x processors x flow time) is at "+
		"most %s times the least possible, for which one would have to know the future\n",
		*x, terminal.Figure(1 / *x))
}

func machineLine(m *Machine, speed float64) string {
	what, use := "processors", fmt.Sprintf("utilisation %.1f%%", 100*m.Utilisation)
	if m.Pool != nil {
		what, use = "machines", m.Pool.Used(m.Utilisation)
	}
	if m.Procs == 1 {
		what = strings.TrimSuffix(what, "s")
	}
	line := fmt.Sprintf("%s %s, %s, makespan %s, %s events", terminal.Thousands(int64(m.Procs)), what, use,
		terminal.Duration(m.MakespanS).Short(), terminal.Thousands(m.Events))
	if speed > 0 {
		line += fmt.Sprintf(" (%s/s)", terminal.Thousands(int64(math.Round(speed))))
	}
	line += "\n"
	if m.AwayPercent > 0 {
		line += fmt.Sprintf("outages took %.1f%% of the machine's time, which does not count, and stopped %s\n", m.AwayPercent,
			terminal.Count(int(m.Stopped), "job", "jobs"))
	}
	if m.HeldBack > 0 {
		line += fmt.Sprintf("%s a rule of the site held a job back\n",
			terminal.Count(int(m.HeldBack), "time", "times"))
	}
	if e := m.Energy; e != nil {
		line += fmt.Sprintf("energy %s kWh, of which %s kWh by what no job used; power %s kW on average, at most %s kW",
			terminal.Figure(e.KWh), terminal.Figure(e.UnusedKWh), terminal.Figure(e.MeanPower), terminal.Figure(e.PeakPower))
		if e.CappedS > 0 {
			line += fmt.Sprintf("; jobs waited for %.1f%% of the makespan while the cap kept processors idle", 100*e.CappedS/m.MakespanS)
		}
		if e.OverCapS > 0 {
			line += fmt.Sprintf(", and for %.2f%% jobs ran on above it that took longer than they had asked for", 100*e.OverCapS/m.MakespanS)
		}
		line += "\n"
	}
	for _, x := range []struct {
		what, unit string
		*Charged
	}{{"carbon", " g", m.Carbon}, {"tariff", "", m.Tariff}} {
		if x.Charged == nil {
			continue
		}
		line += fmt.Sprintf("%s of the jobs %s%s", x.what, terminal.Figure(x.Jobs), x.unit)
		if x.Unused != 0 {
			line += fmt.Sprintf(", and %s%s of what no job used", terminal.Figure(x.Unused), x.unit)
		}
		line += "\n"
	}
	if c := m.Cluster; c != nil {
		line += fmt.Sprintf("machine events: %s, jobs they evicted: %s, others preempted: %s; for %.1f%% of the makespan "+
			"fragmentation kept a job waiting that all machines together had room for\n",
			terminal.Thousands(c.MachineEvents), terminal.Thousands(c.Evictions), terminal.Thousands(c.Preemptions),
			c.FragmentedPercent)
		if c.GPUFragmentsFreePercent > 0 {
			line += fmt.Sprintf("GPUs free but of no use to typical jobs (fragments): %.1f%% of all, %.1f%% of the free ones\n",
				c.GPUFragmentsPercent, c.GPUFragmentsFreePercent)
		}
	}
	if m.Left > 0 {
		line += fmt.Sprintf("%s left, as %s; what leaves runs elsewhere, for nothing, and counts with a wait as long as "+
			"its run\n", terminal.Count(int(m.Left), "job", "jobs"), m.LeftBecause)
	}
	if m.Resubmissions > 0 {
		line += fmt.Sprintf("%s times a job was killed at its estimate and submitted again; %.1f%% of the work was lost\n",
			terminal.Thousands(m.Resubmissions), m.LostPercent)
	}
	return line
}

// droppedLines accounts for the records read; it never leaves one out.
func droppedLines(c *Counts) string {
	line := fmt.Sprintf("%s records read, %s replayed", terminal.Thousands(c.Read), terminal.Thousands(c.Replayed))
	if c.Added > 0 {
		line = fmt.Sprintf("%s records read, %s jobs added by resampling, %s replayed", terminal.Thousands(c.Read),
			terminal.Thousands(c.Added), terminal.Thousands(c.Replayed))
	}
	if n := c.Read + c.Added - c.Replayed; n > 0 {
		var parts []string
		for _, d := range c.Dropped {
			if d.Records > 0 {
				parts = append(parts, terminal.Thousands(d.Records)+" "+d.What)
			}
		}
		line += fmt.Sprintf(", %s dropped: %s", terminal.Thousands(n), strings.Join(parts, ", "))
	}
	line += "\n"
	if c.Uncounted > 0 {
		line += fmt.Sprintf("%s of them in the warm-up or cool-down, replayed and not counted above; the machine's figures "+
			"are of the whole replay\n", terminal.Thousands(c.Uncounted))
	}
	for _, o := range c.Oddities {
		if line += "note: " + o.What; o.Records > 0 {
			line += fmt.Sprintf(" (%s)", terminal.Thousands(o.Records))
		}
		line += "\n"
	}
	return line
}
