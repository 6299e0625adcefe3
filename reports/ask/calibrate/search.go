package calibrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/rng"
)

// choice is a model of a site as it is searched for: each field is one part.
type choice struct {
	windows      []scenario.SiteRule
	capacity     *scenario.SiteCapacity
	limit        string
	order        string // "" is first come, first served
	queues       string // a term of the order
	reservations int
}

// scheduler is the policy of a choice.
func (c *choice) scheduler() string {
	order := "fcfs"
	if c.order+c.queues != "" {
		order = "expr(" + cmp.Or(c.order, "submit") + c.queues + ")"
	}
	if order == "fcfs" && c.reservations == 1 {
		return "easy"
	}
	return fmt.Sprintf("easy(order=%s,reservations=%d)", order, c.reservations)
}

// model is the choice as a site's model.
func (c *choice) model() *scenario.SiteModel {
	m := &scenario.SiteModel{Scheduler: scenario.SiteRule{Rule: c.scheduler()}, Windows: c.windows, Capacity: c.capacity}
	if c.limit != "" {
		m.Limits = []scenario.SiteRule{{Rule: c.limit}}
	}
	return m
}

// step is one part of a model, and how it may be.
type step struct {
	part    string
	options []option
}

type option struct {
	text  string
	apply func(*choice)
}

// kept is a part of a model that a fit has kept: what it says, and the scores without and with it.
type kept struct {
	part, text    string
	before, after score
}

// score is how close a replay is to the record: smaller losses are better.
type score struct {
	logError, rank float64
	off            float64    // the absolute logarithm of the ratio of mean waits, each with a minute more
	halves         [2]float64 // the losses of the jobs submitted first, and last
}

func scoreOf(p []pair) score {
	s := scoreOfHalf(p)
	s.halves = [2]float64{scoreOfHalf(p[:len(p)/2]).loss(), scoreOfHalf(p[len(p)/2:]).loss()}
	return s
}

func scoreOfHalf(p []pair) score {
	recorded, modelled := means(p)
	return score{logError: logError(p), rank: rank(p), off: math.Abs(rng.Log((modelled + 60) / (recorded + 60)))}
}

// loss is what a fit makes small: the log error, less half the rank correlation, and a quarter of what the mean is
// off by.
func (s score) loss() float64 { return s.logError - float64(rankWeight*s.rank) + float64(.25*s.off) }

const rankWeight = .5

// gains reports by how much a score is better than another, in the half in which that is less. What helps in one half
// only has hardly been found by more than chance.
func (s score) gains(on score) float64 {
	return min(on.halves[0]-s.halves[0], on.halves[1]-s.halves[1])
}

// better reports whether a part is to be kept: with it the loss is lower by the least gain, and lower in both halves.
func (s score) better(than score) bool { return s.loss() < than.loss()-leastGain && s.gains(than) > 0 }

// leastGain is how much a part has to lower the loss to be kept, tolerated how much the capacity of the record may raise
// it before the other parts are chosen, and mostReplays how many replays a fit may take.
const (
	leastGain   = .01
	tolerated   = .1
	mostReplays = 40
)

// fit is a model fitted to a stretch of a log.
type fit struct {
	choice  choice
	kept    []kept
	easy    score // plain EASY on the header's machine
	last    score
	replays int
	s       *stretch
	jobs    []*job // that it is scored on
}

// fit chooses a model part by part, by what replays of the stretch under it come to. The others are chosen with the
// capacity of the record unless that alone makes the loss worse by far, and at the end both are compared once more.
func (c *calibration) fit(ctx context.Context, from, until events.Time, eras []era) (*fit, error) {
	s, err := c.stretch(from, until)
	if err != nil {
		return nil, err
	}
	f := &fit{choice: choice{reservations: 1}, s: s, jobs: c.judged(s)}
	if f.easy, err = c.try(ctx, f, f.choice, nil); err != nil {
		return nil, err
	}
	f.last = f.easy
	there := f.choice
	there.capacity = c.capacity
	with, err := c.try(ctx, f, there, below(f.easy.loss()+tolerated, f.jobs))
	if err != nil {
		return nil, err
	}
	if with.loss() < f.easy.loss()+tolerated {
		f.choice, f.last = there, with
	}
	for _, st := range c.steps(from, until, eras) {
		if err := c.choose(ctx, f, st); err != nil {
			return nil, err
		}
	}
	return f, c.settle(ctx, f)
}

// settle keeps the capacity of the record if it lowers the loss by the least gain.
func (c *calibration) settle(ctx context.Context, f *fit) error {
	other := f.choice
	var enough *bound
	if other.capacity == nil {
		other.capacity, enough = c.capacity, below(f.last.loss()-leastGain, f.jobs)
	} else {
		other.capacity = nil
	}
	got, err := c.try(ctx, f, other, enough)
	if err != nil {
		return err
	}
	with, without := f.last, got
	if other.capacity != nil {
		with, without = got, f.last
	}
	if keep := with.loss() < without.loss()-leastGain; keep != (f.choice.capacity != nil) {
		f.choice, f.last = other, got
	}
	if f.choice.capacity != nil {
		f.kept = append(f.kept, kept{partCapacity, "", without, with})
	}
	return nil
}

// choose keeps the best option of a part, if one is to be kept.
func (c *calibration) choose(ctx context.Context, f *fit, st step) error {
	best, found := kept{part: st.part, before: f.last, after: f.last}, false
	var next choice
	for _, o := range st.options {
		if f.replays >= mostReplays-1 {
			break
		}
		x := f.choice
		o.apply(&x)
		got, err := c.try(ctx, f, x, f.last.toBeat(f.jobs))
		if err != nil {
			return err
		}
		if got.better(f.last) && got.gains(f.last) > best.after.gains(f.last) {
			best.text, best.after, next, found = o.text, got, x, true
		}
	}
	if found {
		f.choice, f.kept, f.last = next, append(f.kept, best), best.after
	}
	return nil
}

// try scores a choice; where that exceeds a bound, it is infinitely bad.
func (c *calibration) try(ctx context.Context, f *fit, x choice, enough *bound) (score, error) {
	f.replays++
	w, err := c.replay(ctx, f.s, x.model(), enough)
	if errors.Is(err, errHopeless) {
		return score{logError: math.Inf(1), halves: [2]float64{math.Inf(1), math.Inf(1)}}, nil
	}
	return scoreOf(pairs(f.jobs, w)), err
}

// The names of the parts.
const (
	partWindows  = "windows"
	partCapacity = "capacity"
	partUsers    = "limits of users"
	partOrder    = "order"
	partQueues   = "priorities of queues"
)

// steps lists the parts in the order in which they are tried, and their options.
func (c *calibration) steps(from, until events.Time, eras []era) []step {
	var windows, queues []option
	if w := windowRules(eras); len(w) > 0 {
		windows = []option{{"", func(x *choice) { x.windows = w }}}
	}
	for _, h := range []int{6, 48, 400} {
		if text, names := c.record.priorities(from, until, h); text != "" {
			queues = append(queues, option{fmt.Sprintf("%s, each place worth %d hours of waiting", names, h),
				func(x *choice) { x.queues = text }})
		}
	}
	return []step{{partWindows, windows}, {partOrder, c.orders()}, {partUsers, c.userLimits(from, until)}, {partQueues, queues}}
}

// orders are orders of the queue together with numbers of reservations: which is best depends on the other.
func (c *calibration) orders() (list []option) {
	const hours = 3600
	all := []struct {
		text, order  string
		reservations []int
	}{
		{"first come, first served", "", []int{3, 10}},
		{"twice the requested time counts as 6 hours less of " +
			"waiting", fmt.Sprintf("submit+%d*log2(estimate+36)", 6*hours), []int{1, 3, 10}},
		{"twice the requested time counts as a day less of " +
			"waiting", fmt.Sprintf("submit+%d*log2(estimate+36)", 24*hours), []int{1, 3, 10}},
		{"twice the requested time counts as a day less of waiting, twice the processors as 6 hours",
			fmt.Sprintf("submit+%d*log2(estimate+36)+%d*log2(procs)", 24*hours, 6*hours), []int{1, 3, 10}},
		{"by expansion: waiting counts the more the shorter the requested time", "submit-1080*wait/(estimate+180)", []int{1}},
	}
	if !c.record.asks {
		all = all[:1]
	}
	for _, o := range all {
		for _, n := range o.reservations {
			list = append(list, option{fmt.Sprintf("%s; reservations for %s", o.text, terminal.Count(n, "job", "jobs")),
				func(x *choice) { x.order, x.reservations = o.order, n }})
		}
	}
	return list
}

// userLimits are limits of the waiting jobs of a user that are considered, and of those that run; of the latter, those
// that no more than a fifth of the starts of the record break.
func (c *calibration) userLimits(from, until events.Time) (list []option) {
	if c.record.users == 0 {
		return nil
	}
	add := func(rule string, n int) {
		rule = fmt.Sprintf("user: %s <= %d", rule, n)
		list = append(list, option{rule, func(x *choice) { x.limit = rule }})
	}
	for _, n := range []int{1, 2, 4} {
		add("considered", n)
	}
	jobs := c.record.between(from, until)
	for _, n := range []int{2, 4, 8} {
		broken := 0
		for _, i := range jobs {
			if c.record.jobs[i].others >= int32(n) {
				broken++
			}
		}
		if 5*broken <= len(jobs) {
			add("jobs", n)
		}
	}
	return list
}

// priorities is a term of an order by which queues whose jobs waited less are preferred, by so many hours for each
// place, and their names in that order; "" where there are fewer than two queues of some size.
func (r *record) priorities(from, until events.Time, hours int) (term, names string) {
	waits := map[traces.Label][]float64{}
	n := 0
	for _, i := range r.between(from, until) {
		if j := &r.jobs[i]; j.queue >= 0 && !j.queue.Named() && j.start < until {
			waits[j.queue] = append(waits[j.queue], j.wait())
			n++
		}
	}
	var list []traces.Label
	medians := map[traces.Label]float64{}
	for label, w := range waits {
		if len(w) >= n/50 {
			medians[label], list = median(w), append(list, label)
		}
	}
	slices.SortFunc(list, func(a, b traces.Label) int { return cmp.Or(cmp.Compare(medians[a], medians[b]), cmp.Compare(a, b)) })
	for i, label := range list {
		if names += fmt.Sprintf("%d, ", label); i+1 < len(list) {
			term += fmt.Sprintf("-(queue==%d?%d:0)", label, (len(list)-1-i)*hours*3600)
		}
	}
	return term, "queues " + strings.TrimSuffix(names, ", ")
}
