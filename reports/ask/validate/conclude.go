package validate

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"

	"bourse/events"
	"bourse/reports/stats"
	"bourse/traces"
)

// Row is how near a policy's schedule is to the log's. Waits are in seconds, differences
// simulated less recorded.
type Row struct {
	Policy  string `json:"policy" head:"policy" unit:"words" key:""`
	Jobs    int    `json:"jobs"`
	Unknown int    `json:"jobs_without_wait"`
	// Recorded and Simulated are mean waits.
	Recorded  float64 `json:"recorded_mean_wait_s" head:"recorded wait" unit:"seconds"`
	Simulated float64 `json:"simulated_mean_wait_s" head:"mean wait" unit:"seconds"`
	P5        float64 `json:"difference_p5_s" head:"difference: 5 %" unit:"seconds" signed:"" part:"1"`
	P25       float64 `json:"difference_p25_s" head:"25 %" unit:"seconds" signed:"" part:"1"`
	Median    float64 `json:"difference_median_s" head:"median" unit:"seconds" signed:"" part:"1"`
	P75       float64 `json:"difference_p75_s" head:"75 %" unit:"seconds" signed:"" part:"1"`
	P95       float64 `json:"difference_p95_s" head:"95 %" unit:"seconds" signed:"" part:"1"`
	// Error is the mean absolute difference, Guess what it would be if the recorded median
	// were taken for every wait: the best that one number can do.
	Error float64 `json:"mean_error_s" head:"mean error" unit:"seconds"`
	Guess float64 `json:"mean_error_of_median_s" head:"of a guess" unit:"seconds"`
	// Near is the share of jobs within a minute or a tenth of the recorded wait.
	Near float64 `json:"near" head:"near %" unit:"share"`
	// Rank is Spearman's correlation of waits, nil if either are all alike.
	Rank *float64 `json:"rank_correlation" head:"ranks" unit:"ratio"`
	// Use is the mean absolute difference of the use of the machine by week, in shares of it,
	// Worst the greatest, in week WorstWeek.
	Use       float64 `json:"utilisation_error" head:"use off by %" unit:"share"`
	Worst     float64 `json:"worst_utilisation_error" head:"worst week %" unit:"share"`
	WorstWeek int     `json:"worst_week" head:"in week"`
}

// WeekRow is the use of the machine in a week, counted from the trace's time 0, as a share.
type WeekRow struct {
	Policy    string  `json:"policy"`
	Week      int     `json:"week"`
	Start     float64 `json:"start_s"`
	Jobs      int     `json:"jobs"`
	Recorded  float64 `json:"recorded_utilisation"`
	Simulated float64 `json:"simulated_utilisation"`
	Mean      float64 `json:"mean_difference_s"` // of jobs submitted in the week
}

// PartRow is a part of the jobs: a queue, a class of width or a week of submission.
type PartRow struct {
	Policy string  `json:"policy" head:"policy" unit:"words" key:""`
	By     string  `json:"by" head:"by" unit:"words" key:""`
	Part   string  `json:"part" head:"part" unit:"words" key:""`
	Jobs   int     `json:"jobs"`
	Mean   float64 `json:"mean_difference_s" head:"mean difference" unit:"seconds" signed:""`
	// OfJobs is its share of the jobs, OfError that of the sum of absolute differences.
	OfJobs  float64 `json:"share_of_jobs" head:"of the jobs %" unit:"share"`
	OfError float64 `json:"share_of_error" head:"of the error %" unit:"share"`
}

// conclude works everything out.
func (s *Schedule) conclude() {
	n := len(s.jobs)
	recorded, simulated, differences := make([]float64, n), make([]float64, n), make([]float64, n)
	r := Row{Policy: s.Policy, Jobs: n, Unknown: s.unknown}
	for i := range s.jobs {
		j := &s.jobs[i]
		recorded[i], simulated[i], differences[i] = j.recorded, j.simulated, j.difference()
		off := math.Abs(differences[i])
		r.Error += off
		if off <= max(60, j.recorded/10) {
			r.Near++
		}
	}
	r.Recorded, r.Simulated, r.Error, r.Near = stat.Mean(recorded, nil), stat.Mean(simulated, nil), r.Error/float64(n),
		r.Near/float64(n)
	if rho := stat.Correlation(stats.Ranks(recorded), stats.Ranks(simulated), nil); !math.IsNaN(rho) {
		r.Rank = &rho
	}
	slices.Sort(differences)
	for i, to := range []*float64{&r.P5, &r.P25, &r.Median, &r.P75, &r.P95} {
		*to = stat.Quantile([]float64{.05, .25, .5, .75, .95}[i], stat.Empirical, differences, nil)
	}
	slices.Sort(recorded)
	median := stat.Quantile(.5, stat.Empirical, recorded, nil)
	for _, w := range recorded {
		r.Guess += math.Abs(w-median) / float64(n)
	}
	s.Row = r
	s.byWeek()
	s.byPart()
}

// byWeek compares the use of the machine from the first submission to the last: before and
// after it schedules have no choice, or the log has jobs that are not in it.
func (s *Schedule) byWeek() {
	last := s.jobs[len(s.jobs)-1].submit
	k := 0
	for w := int(s.jobs[0].submit / Week); w <= int(last/Week); w++ {
		from, until := max(events.Time(w)*Week, s.first), events.Time(w+1)*Week
		row := WeekRow{Policy: s.Policy, Week: w, Start: from.Seconds()}
		for ; k < len(s.jobs) && s.jobs[k].submit < until; k++ {
			row.Jobs++
			row.Mean += s.jobs[k].difference()
		}
		row.Mean /= max(float64(row.Jobs), 1)
		if available := float64(s.capacity * (until - from).Seconds()); w < len(s.weeks) && available > 0 {
			row.Recorded, row.Simulated = s.weeks[w].recorded/available, s.weeks[w].simulated/available
		}
		s.Weeks = append(s.Weeks, row)
	}
	for _, w := range s.Weeks {
		off := math.Abs(w.Simulated - w.Recorded)
		s.Row.Use += off / float64(len(s.Weeks))
		if off > s.Row.Worst {
			s.Row.Worst, s.Row.WorstWeek = off, w.Week
		}
	}
}

// The parts that differences are looked for in.
const (
	byQueue = "queue"
	byWidth = "width"
	byWeeks = "week"
)

// byPart divides the absolute differences by queue, width and week of submission.
func (s *Schedule) byPart() {
	for _, by := range []struct {
		name string
		of   func(*job) int64
		text func(int64) string
	}{
		{byQueue, func(j *job) int64 { return int64(j.queue) }, s.queue},
		{byWidth, func(j *job) int64 { return int64(bits.Len32(uint32(max(j.procs, 1) - 1))) }, width},
		{byWeeks, func(j *job) int64 { return int64(j.submit / Week) }, func(w int64) string { return fmt.Sprint(w) }},
	} {
		parts := map[int64]*PartRow{}
		var keys []int64
		for i := range s.jobs {
			j := &s.jobs[i]
			key := by.of(j)
			if parts[key] == nil {
				parts[key] = &PartRow{Policy: s.Policy, By: by.name, Part: by.text(key)}
				keys = append(keys, key)
			}
			parts[key].Jobs++
			parts[key].Mean += j.difference()
			parts[key].OfError += math.Abs(j.difference())
		}
		sort.Slice(keys, func(a, b int) bool { return keys[a] < keys[b] })
		for _, key := range keys {
			p := parts[key]
			p.OfJobs = float64(p.Jobs) / float64(len(s.jobs))
			p.Mean /= float64(p.Jobs)
			if s.Row.Error > 0 {
				p.OfError /= float64(s.Row.Error * float64(len(s.jobs)))
			}
			s.Parts = append(s.Parts, *p)
		}
	}
}

// queue is what a queue is called.
func (s *Schedule) queue(label int64) string {
	if traces.Label(label) == traces.NoLabel {
		return "none"
	}
	if text, ok := s.names.Queues.Text(traces.Label(label)); ok {
		return text
	}
	return fmt.Sprint(label)
}

// width is a class of processors: 1, 2, 3-4, 5-8 ...
func width(class int64) string {
	most := int64(1) << class
	if class < 2 {
		return fmt.Sprint(most)
	}
	return fmt.Sprintf("%d-%d", most/2+1, most)
}

// worstPart is the part, by one criterion, whose share of the absolute differences exceeds its
// share of the jobs by most; nil where there is one part only.
func (s *Schedule) worstPart(by string) (found *PartRow) {
	n := 0
	for i := range s.Parts {
		p := &s.Parts[i]
		if p.By != by {
			continue
		}
		if n++; found == nil || p.OfError-p.OfJobs > found.OfError-found.OfJobs {
			found = p
		}
	}
	if n < 2 {
		return nil
	}
	return found
}
