package predict

import (
	"fmt"
	"slices"
	"strings"

	"bourse/events"
	"bourse/reports/ask/sweep"
	"bourse/reports/figures"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/rng"
)

// Row is the waits of one kind of job, in seconds.
type Row struct {
	Job     string  `json:"job" head:"job" unit:"words" key:""`
	Procs   int     `json:"procs"`
	Request float64 `json:"request_s"`
	N       int     `json:"waits" head:"waits"`
	AtOnce  float64 `json:"at_once" head:"at once %" unit:"share"`
	Median  float64 `json:"median_s" head:"half within" unit:"seconds"`
	// Low and High are a 95 % interval of the median, nil where there are too few weeks.
	Low     *float64 `json:"median_low_s,omitempty" head:"from" unit:"seconds"`
	High    *float64 `json:"median_high_s,omitempty" head:"to" unit:"seconds"`
	Nine    float64  `json:"p90_s" head:"9 in 10 within" unit:"seconds"`
	Longest float64  `json:"longest_s" head:"longest" unit:"seconds"`
}

// String says what a variant asks for.
func (v *Variant) String() string {
	return terminal.Count(int(v.Procs), "processor", "processors") + " for " + events.FormatDuration(v.Request)
}

// Rows are the variants, the job in question first, and the log's jobs like it.
func (r *Result) Rows() (rows []Row) {
	for _, v := range r.Variants {
		row := rowOf(v.String(), v.Waits)
		row.Procs, row.Request = int(v.Procs), v.Request.Seconds()
		if low, high, ok := medianInterval(r.Times, v.Waits, r.Jobs.Scenario.Seed); ok {
			row.Low, row.High = &low, &high
		}
		rows = append(rows, row)
	}
	if n := len(r.Alike.Replayed); n > 0 {
		rows = append(rows, rowOf("the log's jobs like it, replayed", r.Alike.Replayed))
	}
	if n := len(r.Alike.Recorded); n > 0 {
		rows = append(rows, rowOf("the log's jobs like it, as recorded", r.Alike.Recorded))
	}
	return rows
}

func rowOf(job string, waits []events.Time) Row {
	x := sorted(waits)
	row := Row{Job: job, N: len(x), Median: stats.Quantile(x, .5), Nine: stats.Quantile(x, .9), Longest: x[len(x)-1]}
	for _, w := range x {
		if w == 0 {
			row.AtOnce += 1 / float64(len(x))
		}
	}
	return row
}

// sorted are times in seconds, in order.
func sorted(waits []events.Time) []float64 {
	x := make([]float64, len(waits))
	for i, w := range waits {
		x[i] = w.Seconds()
	}
	slices.Sort(x)
	return x
}

// An interval takes at least so many weeks, and so many samples of them.
const leastWeeks, resamples = 20, 1000

// medianInterval is a 95 % interval of the median wait: from the .025 to the .975 quantile of the medians of samples of
// whole weeks, drawn with replacement (percentile bootstrap of clusters). It takes weeks to be independent.
func medianInterval(at, waits []events.Time, seed uint64) (low, high float64, ok bool) {
	const week = 7 * 24 * 3600 * events.Second
	var weeks [][]float64
	for i := range at {
		if i == 0 || at[i]/week != at[i-1]/week {
			weeks = append(weeks, nil)
		}
		last := len(weeks) - 1
		weeks[last] = append(weeks[last], waits[i].Seconds())
	}
	if len(weeks) < leastWeeks {
		return 0, 0, false
	}
	draw := rng.New(seed, "median interval")
	medians, drawn := make([]float64, resamples), []float64(nil)
	for k := range medians {
		drawn = drawn[:0]
		for range weeks {
			drawn = append(drawn, weeks[draw.IntN(len(weeks))]...)
		}
		slices.Sort(drawn)
		medians[k] = stats.Quantile(drawn, .5)
	}
	slices.Sort(medians)
	return stats.Quantile(medians, .025), stats.Quantile(medians, .975), true
}

// Report is the rows as a table with the answer in words.
func (r *Result) Report() *table.Report {
	t := table.Structs(r.Rows())
	t.Title = fmt.Sprintf("When would a job start that comes in addition to those of %s, at %s?",
		sweep.Label(r.Jobs.Scenario.Trace), r.where())
	t.Notes = r.notes()
	return &table.Report{Tables: []*table.Table{t}, Answers: r.answers()}
}

// where says at which instants.
func (r *Result) where() string {
	if r.At.text == "" {
		return terminal.Count(len(r.Times), "instant", "instants") + " at which jobs came"
	}
	return fmt.Sprintf("%s (%s)", terminal.Count(len(r.Times), "instant", "instants"), r.At.text)
}

func (r *Result) notes() []string {
	s := &r.Jobs.Scenario
	line := fmt.Sprintf("waits until the first start under %s on %s; ", s.Policy, r.Jobs.Hardware)
	if rows := r.Rows(); rows[0].Low != nil {
		line += "from, to: 95 % interval of the half-within, by resampling whole weeks, taken to be independent; "
	}
	notes := []string{line + "like it: half to twice the processors and the requested time"}
	if r.Late > 0 {
		notes = append(notes, fmt.Sprintf("%s after the last submission of the log, when no more jobs came: "+
			"there the wait may be too short", terminal.Count(r.Late, "wait ended", "waits ended")))
	}
	return notes
}

func (r *Result) answers() (lines []string) {
	rows := r.Rows()
	v := r.Variants[0]
	if len(r.Times) == 1 {
		lines = append(lines, fmt.Sprintf("%s would start after %s, at %s", v, terminal.Seconds.Text(rows[0].Median),
			r.Jobs.Memory.Header().Calendar().Text(r.Times[0]+v.Waits[0])))
	} else {
		lines = append(lines, fmt.Sprintf("%s: half start within %s, nine in ten within %s", v,
			terminal.Seconds.Text(rows[0].Median), terminal.Seconds.Text(rows[0].Nine)))
	}
	if other := r.less(rows); other != "" {
		lines = append(lines, other)
	}
	if r.Asked != nil {
		longer := 0
		for _, w := range v.Waits {
			if w < r.Own {
				longer++
			}
		}
		lines = append(lines, fmt.Sprintf("job %d itself waits %s in the replay, longer than %s %% of these", r.Asked.ID,
			terminal.Seconds.Text(r.Own.Seconds()), terminal.Share.Text(float64(longer)/float64(len(v.Waits)))))
	}
	return append(lines, r.fit()...)
}

// less says what asking for less would bring.
func (r *Result) less(rows []Row) string {
	var parts []string
	same := true
	for i, v := range r.Variants[1:] {
		parts = append(parts, fmt.Sprintf("%s: %s", v, terminal.Seconds.Text(rows[i+1].Median)))
		same = same && rows[i+1].Median == rows[0].Median && rows[i+1].Nine == rows[0].Nine
	}
	switch {
	case len(parts) == 0:
		return ""
	case same:
		return "asking for fewer processors or a shorter time makes no difference here"
	case len(r.Times) == 1:
		return "asking for less, it would start after: " + strings.Join(parts, "; ")
	}
	return "asking for less, half start within: " + strings.Join(parts, "; ")
}

// fit says how much the answer may be believed.
func (r *Result) fit() []string {
	f := r.Fit
	policy := r.Jobs.Scenario.Policy
	if f == nil {
		return []string{"how near " + policy + " is to the site cannot be said: the log records no waits"}
	}
	seconds := terminal.Seconds.Text
	line := fmt.Sprintf("this rests on %s; its replay has a mean wait of %s where the log has %s, and single waits are "+
		"off by %s on average", policy, seconds(f.Simulated), seconds(f.Recorded), seconds(f.Error))
	if f.Error >= f.Guess {
		line += ", no nearer than the recorded median would be: take it as what this policy would do, " +
			"not as what the site did"
	}
	return []string{line}
}

// Waits is a table of the waits by instant.
func (r *Result) Waits() *table.Table {
	type row struct {
		At      float64 `json:"at_s"`
		Procs   int     `json:"procs"`
		Request float64 `json:"request_s"`
		Wait    float64 `json:"wait_s"`
	}
	var rows []row
	for i, at := range r.Times {
		for _, v := range r.Variants {
			rows = append(rows, row{at.Seconds(), int(v.Procs), v.Request.Seconds(), v.Waits[i].Seconds()})
		}
	}
	return table.Structs(rows)
}

// Figure is the share of jobs that have started by wait.
func (r *Result) Figure() [][]figures.Drawing {
	const hour = 3600
	p := &figures.Panel{X: "wait (hours)", Y: "share started", Legend: "br", YMin: 0, YMax: 1}
	add := func(name string, waits []events.Time) {
		line := figures.Line{Name: name, Bare: true}
		x := sorted(waits)
		for i, w := range x {
			line.X = append(line.X, w/hour, w/hour)
			line.Y = append(line.Y, float64(i)/float64(len(x)), float64(i+1)/float64(len(x)))
		}
		p.Lines = append(p.Lines, line)
	}
	for _, v := range r.Variants {
		add(v.String(), v.Waits)
	}
	if len(r.Alike.Recorded) > 0 {
		add("jobs like it, as recorded", r.Alike.Recorded)
	}
	p.XMax = rowOf("", r.Variants[0].Waits).Nine / hour * 1.5
	return [][]figures.Drawing{{p}}
}
