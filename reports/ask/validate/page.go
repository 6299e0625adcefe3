package validate

import (
	"io"
	"slices"
	"strings"

	"bourse/reports/ask/calibrate"
	"bourse/reports/figures"
	"bourse/reports/papers"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/files"
)

// WritePage makes a page of a log in a new folder: the answers, figures and tables. What also
// adds is published with it.
func WritePage(dir, trace, command, version string, all []*Schedule, why *calibrate.Waiting, also func(*files.Set) error) error {
	s, err := papers.NewStudy(table.Output{W: io.Discard}, dir)
	if err != nil {
		return err
	}
	defer func() { _ = s.Abort() }()
	if err := also(s.Files()); err != nil {
		return err
	}
	s.Heading("Waits simulated and recorded")
	s.Show(Report(all, why).Tables...)
	s.Printf("%s\n", strings.Join(caveats, "\n"))
	for _, x := range all {
		if !x.log {
			s.Found(x.Policy, "mean error", "%s is off by %s on average; guessing the median: %s", x.Policy,
				terminal.Seconds.Text(x.Row.Error), terminal.Seconds.Text(x.Row.Guess))
		}
	}
	for _, x := range all {
		s.Found(x.Policy, "distance from the log", "%s", x.sentence())
	}
	use, late := weeks(all)
	if err := s.Draw("waits-and-weeks", []figures.Drawing{waits(all), use, late}); err != nil {
		return err
	}
	if err := s.Draw("where-the-error-is", all[0].errorBars()); err != nil {
		return err
	}
	if why != nil {
		s.Found("the record", "why jobs waited", "%s", why.Answer())
		if err := s.Draw("why-jobs-waited", whyBars(why)); err != nil {
			return err
		}
	}
	if err := s.Verdicts(); err != nil {
		return err
	}
	return s.Publish(papers.Page{Title: "How near is the simulation? " + trace, Command: command, Version: version,
		Paper: "Schedules of the log's jobs under each policy next to the schedule that the log records."}, nil)
}

// errorBars are the shares of jobs and of absolute differences by queue and width, of parts with a hundredth of either.
func (s *Schedule) errorBars() (row []figures.Drawing) {
	for _, by := range []string{byWidth, byQueue} {
		bars := &figures.Bars{Title: s.Policy + ", by " + by, Y: "share", Legend: "tr"}
		for _, p := range s.Parts {
			if p.By == by && max(p.OfJobs, p.OfError) >= .01 {
				addBars(bars, p.Part, []string{"jobs", "differences"}, p.OfJobs, p.OfError)
			}
		}
		if len(bars.Groups) > 1 || by == byWidth {
			row = append(row, bars)
		}
	}
	return row
}

// whyBars are the reasons for which jobs waited, by width and queue, of parts with a hundredth of the waiting.
func whyBars(why *calibrate.Waiting) (row []figures.Drawing) {
	for _, by := range []string{byWidth, byQueue} {
		bars := &figures.Bars{Title: "why jobs waited, by " + by, Y: "share of the waiting time", Legend: "tl"}
		for _, s := range why.Rows {
			if s.By == by && 100*s.Waited >= why.Rows[0].Waited {
				addBars(bars, s.Part, []string{"no room", "window", "capacity", "delay", "own older", "own runs", "none"}, s.NoRoom, s.Window,
					s.Capacity, s.WouldDelay, s.Older, s.Runs, s.None)
			}
		}
		if len(bars.Groups) > 1 || by == byWidth {
			row = append(row, bars)
		}
	}
	return row
}

// addBars adds a group of bars, one of each series.
func addBars(to *figures.Bars, group string, series []string, y ...float64) {
	to.Groups = append(to.Groups, group)
	for i, name := range series {
		if len(to.Series) <= i {
			to.Series = append(to.Series, figures.Series{Name: name})
		}
		to.Series[i].Y, to.Series[i].Half = append(to.Series[i].Y, y[i]), append(to.Series[i].Half, 0)
	}
}

// sentence is the answer without the name of the policy in front.
func (s *Schedule) sentence() string {
	lines := s.answer()
	text := strings.TrimPrefix(lines[0], s.Policy+": ")
	for i, line := range lines[1:] {
		text += []string{" ", "; "}[min(i, 1)] + strings.TrimSpace(line)
	}
	return text
}

// points is how many quantiles a line of waits has.
const points = 200

// waits are the distributions of waits, those of a second at least.
func waits(all []*Schedule) *figures.Panel {
	p := &figures.Panel{X: "wait (s), those below 1 as 1", Y: "share of jobs that wait no longer", LogX: true, Unit: true,
		Legend: "br"}
	line := func(name string, of func(*job) float64, s *Schedule) {
		var x []float64
		for i := range s.jobs {
			x = append(x, max(1, of(&s.jobs[i])))
		}
		slices.Sort(x)
		l := figures.Line{Name: name, Bare: true}
		for k := range points + 1 {
			share := float64(k) / points
			l.X, l.Y = append(l.X, x[min(len(x)-1, int(share*float64(len(x))))]), append(l.Y, share)
		}
		p.Lines = append(p.Lines, l)
	}
	line("recorded", func(j *job) float64 { return j.recorded }, all[0])
	for _, s := range all {
		if !s.log {
			line(s.Policy, func(j *job) float64 { return j.simulated }, s)
		}
	}
	return p
}

// weeks are the use of the machine by week, and how much longer the jobs of a week wait than
// recorded.
func weeks(all []*Schedule) (use, late *figures.Panel) {
	use = &figures.Panel{X: "week", Y: "use of the machine"}
	late = &figures.Panel{X: "week", Y: "mean wait less recorded (h)"}
	recorded := figures.Line{Name: "recorded", Bare: true}
	for _, w := range all[0].Weeks {
		recorded.X, recorded.Y = append(recorded.X, float64(w.Week)), append(recorded.Y, w.Recorded)
	}
	use.Lines = append(use.Lines, recorded)
	// Every line has the same colour in both panels.
	late.Lines = append(late.Lines, figures.Line{Name: "recorded", Bare: true, X: recorded.X,
		Y: make([]float64, len(recorded.X))})
	for _, s := range all {
		if s.log {
			continue
		}
		u, l := figures.Line{Name: s.Policy, Bare: true}, figures.Line{Name: s.Policy, Bare: true}
		for _, w := range s.Weeks {
			u.X, u.Y = append(u.X, float64(w.Week)), append(u.Y, w.Simulated)
			l.X, l.Y = append(l.X, float64(w.Week)), append(l.Y, w.Mean/3600)
		}
		use.Lines, late.Lines = append(use.Lines, u), append(late.Lines, l)
	}
	return use, late
}
