package calibrate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"bourse/engine/scenario"
	"bourse/reports/stats"
	"bourse/traces/rng"
)

// Config says what to calibrate.
type Config struct {
	Jobs     *scenario.Loaded
	Workers  int
	Progress func(done, of int, err error)
}

// Result is a model of a site, and what it is worth.
type Result struct {
	Model  *scenario.SiteModel
	Judged []Judged
	Gains  []Gain
	Why    *Waiting

	fit      *fit
	folds    []*fold
	eras     []era
	record   *record
	bare     Judged
	jobs     int
	recorded float64 // mean wait of the judged jobs
}

// ErrShort says that nothing would be left to judge a model on.
var ErrShort = errors.New("the jobs are submitted in fewer than 16 weeks; a model is fitted to 12 weeks and judged " +
	"on the 4 that follow")

// Run fits a model to a log, and judges how well models that are fitted in the same way foretell weeks that follow.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	r, err := newRecord(cfg.Jobs)
	if err != nil {
		return nil, err
	}
	if len(r.origins()) == 0 {
		return nil, ErrShort
	}
	there := r.capacity()
	c := &calibration{jobs: cfg.Jobs, record: r, capacity: there.rule(r), last: r.lastStarts()}
	out := &Result{record: r, eras: r.eras()}
	if out.Why = r.why(out.eras, there); len(out.Why.Rows) == 0 {
		return nil, ErrNever
	}
	if out.folds, err = c.folds(ctx, cfg.Workers, cfg.Progress); err != nil {
		return nil, err
	}
	if out.fit, err = c.fit(ctx, r.first, r.last+1, out.eras); err != nil {
		return nil, err
	}
	out.judge()
	out.Model = c.site(out)
	return out, nil
}

// Judged is how close a model is to the recorded waits of weeks that it was not fitted to. Times are in seconds.
type Judged struct {
	Model    string  `json:"model" head:"model" unit:"words" key:""`
	Rank     float64 `json:"rank" head:"ranks" unit:"ratio"`
	LogError float64 `json:"log_error" head:"log error" unit:"ratio"`
	Error    float64 `json:"mean_error_s" head:"mean error" unit:"seconds"`
	Off      float64 `json:"mean_off_percent" head:"mean off by %" unit:"percent" signed:""`
	Near     float64 `json:"near" head:"near %" unit:"share"`
	WeekOff  float64 `json:"week_off_percent" head:"weeks off by %" unit:"percent"`
	WeekRank float64 `json:"week_rank" head:"ranks of weeks" unit:"ratio"`
}

// leastOfWeek is how many jobs a week's mean is taken of.
const leastOfWeek = 30

// judge scores all models on the same jobs.
func (r *Result) judge() {
	var pairs [models][]pair
	var weeks []int // of the jobs
	for _, f := range r.folds {
		for k, i := range f.jobs {
			j := &r.record.jobs[i]
			weeks = append(weeks, int((j.submit-r.record.first)/week))
			for m := range pairs {
				pairs[m] = append(pairs[m], pair{j.wait(), f.waits[m][k]})
			}
		}
	}
	r.jobs = len(weeks)
	var all [models]Judged
	for m := range pairs {
		j := &all[m]
		recorded, modelled := means(pairs[m])
		*j = Judged{Model: modelNames[m], Rank: rank(pairs[m]), LogError: logError(pairs[m]), Error: meanError(pairs[m]),
			Off: 100 * (modelled/recorded - 1), Near: near(pairs[m])}
		r.recorded = recorded
		byWeek := weekly(pairs[m], weeks)
		j.WeekRank = rank(byWeek)
		whole, _ := means(byWeek)
		j.WeekOff = 100 * meanError(byWeek) / whole
	}
	r.Judged, r.bare = all[:bareSite], all[bareSite]
	r.gains(&pairs, weeks)
}

// groups are the places of the jobs of each week, in order.
func groups(weeks []int) (list [][]int) {
	for i, w := range weeks {
		if i == 0 || w != weeks[i-1] {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], i)
	}
	return list
}

// weekly is the mean waits of weeks with enough jobs.
func weekly(pairs []pair, weeks []int) (list []pair) {
	for _, g := range groups(weeks) {
		if len(g) >= leastOfWeek {
			a, b := means(pick(pairs, g))
			list = append(list, pair{a, b})
		}
	}
	return list
}

func pick(pairs []pair, places []int) []pair {
	out := make([]pair, len(places))
	for i, k := range places {
		out[i] = pairs[k]
	}
	return out
}

// Gain is how much better the site's model is than another, with a 95 % interval: weeks are drawn with replacement.
type Gain struct {
	Over     string         `json:"over" head:"better than" unit:"words" key:""`
	LogError stats.Estimate `json:"log_error" head:"log error by" unit:"ratio" signed:""`
	Rank     stats.Estimate `json:"rank" head:"ranks by" unit:"ratio" signed:""`
	Off      stats.Estimate `json:"mean_off_percent" head:"its mean off by %" unit:"percent" signed:""`
}

const resamples = 400

// sums are those of a week from which the figures of any choice of weeks follow: of ranks among all jobs for the
// correlation.
type sums struct{ n, log, wait, recorded, x, xx, xy, yy, y float64 }

func (s *sums) add(o *sums) {
	s.n, s.log, s.wait, s.recorded = s.n+o.n, s.log+o.log, s.wait+o.wait, s.recorded+o.recorded
	s.x, s.xx, s.xy, s.yy, s.y = s.x+o.x, s.xx+o.xx, s.xy+o.xy, s.yy+o.yy, s.y+o.y
}

// rankOf adds a job by its ranks, as shares of the number of jobs.
func (s *sums) rankOf(x, y float64) {
	s.n, s.x, s.y = s.n+1, s.x+x, s.y+y
	s.xx, s.xy, s.yy = s.xx+float64(x*x), s.xy+float64(x*y), s.yy+float64(y*y)
}

// rank is the correlation, 0 where one of both does not vary.
func (s *sums) rank() float64 {
	v := math.Sqrt(max(0, s.xx-float64(s.x*s.x)/s.n) * max(0, s.yy-float64(s.y*s.y)/s.n))
	if v < 1e-9*s.n || math.IsNaN(v) {
		return 0
	}
	return (s.xy - float64(s.x*s.y)/s.n) / v
}

// sumsOf are the sums of each week.
func sumsOf(pairs []pair, weeks [][]int) []sums {
	x, y := make([]float64, len(pairs)), make([]float64, len(pairs))
	for i, p := range pairs {
		x[i], y[i] = p.recorded, p.modelled
	}
	x, y = stats.Ranks(x), stats.Ranks(y)
	list := make([]sums, len(weeks))
	for w, g := range weeks {
		s := &list[w]
		for _, i := range g {
			p := pairs[i]
			s.log, s.wait, s.recorded = s.log+logError([]pair{p}), s.wait+p.modelled, s.recorded+p.recorded
			s.rankOf(x[i]/float64(len(pairs)), y[i]/float64(len(pairs)))
		}
	}
	return list
}

// gains resamples weeks.
func (r *Result) gains(pairs *[models][]pair, weeks []int) {
	byWeek := groups(weeks)
	of := sumsOf(pairs[site], byWeek)
	for _, m := range []int{easy, classMedian, last15} {
		other := sumsOf(pairs[m], byWeek)
		draw := rng.New(uint64(m), "weeks of a judgement")
		var drawn [3][]float64
		figures := func(some []int) [3]float64 {
			var a, b sums
			for _, w := range some {
				a.add(&of[w])
				b.add(&other[w])
			}
			return [3]float64{(b.log - a.log) / a.n, a.rank() - b.rank(), 100 * (a.wait/a.recorded - 1)}
		}
		some := make([]int, len(byWeek))
		for i := range some {
			some[i] = i
		}
		found := figures(some)
		for range resamples {
			for i := range some {
				some[i] = draw.IntN(len(byWeek))
			}
			for k, x := range figures(some) {
				drawn[k] = append(drawn[k], x)
			}
		}
		g := Gain{Over: modelNames[m]}
		for k, to := range []*stats.Estimate{&g.LogError, &g.Rank, &g.Off} {
			slices.Sort(drawn[k])
			*to = stats.Exactly(found[k]).Between(stats.Quantile(drawn[k], .025), stats.Quantile(drawn[k], .975))
		}
		r.Gains = append(r.Gains, g)
	}
}

// site is the model of the whole log with what speaks for each part.
func (c *calibration) site(r *Result) *scenario.SiteModel {
	f, h := r.fit, c.jobs.Memory.Header()
	m := f.choice.model()
	m.Log = &scenario.SiteLog{Name: filepath.Base(h.Name), Start: h.Start, Processors: h.Procs}
	m.Scheduler.Why = "plain EASY; no other order or number of reservations is better by enough"
	for _, k := range f.kept {
		why := fmt.Sprintf("%s: in replays of the log the error goes from %.2f to %.2f, the rank correlation from %.2f to "+
			"%.2f, and the factor by which the mean wait is off from %.2f to %.2f", k.text, k.before.logError, k.after.logError,
			k.before.rank, k.after.rank, math.Exp(k.before.off), math.Exp(k.after.off))
		switch k.part {
		case partOrder, partQueues:
			if m.Scheduler.Why += "; " + why; k.part == partOrder {
				m.Scheduler.Why = why
			}
		case partUsers:
			m.Limits[0].Why = why
		}
	}
	for _, j := range append(slices.Clone(r.Judged), r.bare) {
		rounded := func(x float64) float64 { return math.Round(1000*x) / 1000 }
		m.Judged = append(m.Judged, scenario.SiteJudged{Model: j.Model, Rank: rounded(j.Rank), LogError: rounded(j.LogError),
			Error: math.Round(j.Error), Off: rounded(j.Off), Near: rounded(j.Near)})
	}
	return m
}
