package truth

import (
	"context"
	"fmt"
	"math"
	"slices"

	"bourse/engine"
	"bourse/policies/bidding"
	"bourse/reports/ask/fork"
	"bourse/reports/stats"
	"bourse/traces"
)

// survey finds what all jobs pay. A few of them pay most of what critical payments take: a simple sample misses
// them, and its interval does not know. So every job is asked if that fits the time for a census, and else the
// sum is sampled in two phases (Neyman 1938). The first follows one copy a job, in which it bids the least. A
// payment is time saved, at bids up to the value w, thus at most w (x(least) - x(w)), the bound. The second draws jobs
// with probabilities by the bound, and asks what they pay.
type survey struct {
	*Config
	result *Result
	jobs   []traces.Job
	place  map[int64]int // of a job by its number
	truth  []fork.Result // of all jobs
	cost   float64       // of all their flow times
	least  []float64     // bid of each critical payment
	first  []int         // jobs of the first phase, in order
	times  []int         // how often each of those was drawn
	weight []float64     // how many jobs each of them would stand for, if it alone were drawn, once
	exact  bool          // the first phase has all jobs, each once and for itself
	fates  [][]fork.Result
	bounds [][]float64 // as fates by critical payment and place in first
	drawn  [][]int     // places in first, by critical payment; nil if every job is asked
	asked  []*Answer   // by place in first
}

const (
	// perSecond is how many instants copies are taken to go through in a second: about what is measured.
	perSecond = 2_000_000
	// leastFirst is how many jobs the first phase asks at least, and ahead how many for each draw of the second: with
	// fewer its own interval does not hold on logs.
	leastFirst, ahead = 1000, 10
)

// most is how many instants the time for a census allows.
func (s *survey) most() int64 { return int64(s.CensusTime.Seconds() * perSecond) }

// Record implements engine.Sink: it notes what becomes of the jobs.
func (s *survey) Record(o *engine.Outcome) error {
	if i, counted := s.place[o.Job.ID]; counted {
		s.truth[i].Add(o, s.Horizon)
	}
	return nil
}

// ask replays the log and follows the copies of both phases.
func (s *survey) ask(ctx context.Context) error {
	s.place, s.truth = make(map[int64]int, len(s.jobs)), make([]fork.Result, len(s.jobs))
	for i, j := range s.jobs {
		s.place[j.ID] = i
	}
	for _, p := range s.paymentsOf(critical) {
		s.least = append(s.least, p.from)
	}
	liars, sizes, err := s.offers()
	if err != nil {
		return err
	}
	if len(s.least) > 0 {
		s.choose(sizes)
	}
	if err := s.bound(ctx, liars); err != nil {
		return err
	}
	for i := range s.truth {
		s.cost += waiting(&s.truth[i])
	}
	return s.price(ctx)
}

// choose picks the jobs of the first phase: all, if a copy of each fits the time for a census, else some in the
// proportion of value x processors, the bound but for the time saved.
func (s *survey) choose(sizes []float64) {
	times := make([]int, len(s.jobs))
	each := s.result.Work() / max(1, s.result.Forks) * int64(len(s.least))
	n := max(leastFirst, int64(ahead*s.Sample), s.most()/max(1, each))
	if s.exact = n >= int64(len(s.jobs)); !s.exact {
		for _, i := range draws(s.Jobs.Scenario.Seed, "truth first phase", sizes, int(n)) {
			times[i]++
		}
	}
	all := stats.Total(sizes)
	for i, m := range times {
		if s.exact {
			s.first, s.times, s.weight = append(s.first, i), append(s.times, 1), append(s.weight, float64(len(times)))
		} else if m > 0 {
			s.first, s.times, s.weight = append(s.first, i), append(s.times, m), append(s.weight, all/sizes[i])
		}
	}
}

// offers returns the jobs that do not bid their values, of which it takes a copy to tell what becomes of them under
// the truth, and value x processors of all.
func (s *survey) offers() (liars []int, sizes []float64, err error) {
	p, err := s.Jobs.Replay(s.Jobs.Scenario.Market)
	if err != nil {
		return nil, nil, err
	}
	table, listed := p.Config.Bidder.(*bidding.Table)
	for i := range s.jobs {
		o, err := p.Config.Bidder.Bid(&s.jobs[i])
		if err != nil {
			return nil, nil, err
		}
		if o.Bid != o.Value || listed && table.Changes() {
			liars = append(liars, i)
		}
		worth := o.Value
		for _, least := range s.least {
			worth = max(worth, least) // what a job worth less may be paid is bounded by it
		}
		sizes = append(sizes, float64(worth*float64(max(1, s.jobs[i].Procs))))
	}
	return liars, sizes, nil
}

// bound replays the log and follows the copies of the first phase.
func (s *survey) bound(ctx context.Context, liars []int) error {
	list := slices.Concat(s.first, liars)
	slices.Sort(list)
	list = slices.Compact(list)
	asked := make([]traces.Job, len(list))
	for i, at := range list {
		asked[i] = s.jobs[at]
	}
	told := make([]fork.Result, len(liars)) // apart, as the replay writes into truth meanwhile
	for range s.least {
		s.fates = append(s.fates, make([]fork.Result, len(s.first)))
	}
	cfg := fork.Config{Jobs: s.Jobs, Payments: schemes(s.Payments), At: fork.Submissions(asked), Workers: s.Workers,
		Progress: s.Progress, Sink: s, Horizon: s.Horizon}
	counts, err := fork.Each(ctx, cfg, func(i int, p *fork.Branch) (err error) {
		j := &asked[i]
		if at, lies := slices.BinarySearch(liars, list[i]); lies {
			if told[at], err = p.FateOf(j, fork.Multiple(j.ID, 1)); err != nil {
				return err
			}
		}
		at, in := slices.BinarySearch(s.first, list[i])
		for k := 0; in && k < len(s.least) && err == nil; k++ {
			s.fates[k][at], err = p.FateWithin(j, fork.Bid(j.ID, s.least[k]))
		}
		return err
	})
	s.result.Counts = s.result.Plus(counts)
	for i, at := range liars {
		s.truth[at] = told[i]
	}
	for k, least := range s.least {
		s.bounds = append(s.bounds, make([]float64, len(s.first)))
		for at, i := range s.first {
			f, truth := &s.fates[k][at], &s.truth[i]
			f.Complete(truth.Size, s.Horizon)
			s.bounds[k][at] = float64(max(truth.Value, least) * math.Abs(above(f.Within, truth.Within)))
		}
	}
	return err
}

// chosen are the places of the jobs of the second phase: all with a bound, if their forks fit the time for a census when
// each takes as long as bidding the least did, or those drawn.
func (s *survey) chosen() (list []int) {
	work := int64(0)
	for at := range s.first {
		some := false
		for k := range s.least {
			if s.bounds[k][at] > 0 {
				some = true
				work += int64(1+s.Forks) * fork.Counts{Stepped: s.fates[k][at].Steps, Forks: 1}.Work()
			}
		}
		if some {
			list = append(list, at)
		}
	}
	if s.exact && work <= s.most() {
		return list
	}
	list = nil
	for k := range s.least {
		sizes := make([]float64, len(s.first))
		for at, b := range s.bounds[k] {
			sizes[at] = float64(float64(s.times[at]) * float64(s.weight[at]*b))
		}
		s.drawn = append(s.drawn, draws(s.Jobs.Scenario.Seed, "truth second phase", sizes, s.Sample))
		list = append(list, s.drawn[k]...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// price asks what the jobs of the second phase pay.
func (s *survey) price(ctx context.Context) error {
	list := s.chosen()
	s.asked = make([]*Answer, len(s.first))
	if len(list) == 0 {
		return nil
	}
	jobs := make([]traces.Job, len(list))
	for i, at := range list {
		jobs[i] = s.jobs[s.first[at]]
	}
	c := *s.Config
	c.Factors, c.Payments = []float64{1}, nil
	for _, p := range s.paymentsOf(critical) {
		c.Payments = append(c.Payments, p)
	}
	r, err := c.askPolicy(ctx, s.result.Policy, jobs)
	if err != nil {
		return err
	}
	s.result.Counts = s.result.Plus(r.Counts)
	for i, at := range list {
		s.asked[at] = &r.Answers[i]
	}
	return nil
}

// billed is the total of a scheme that the replay bills.
func (s *survey) billed(scheme int) Total {
	paid := make([]float64, len(s.truth))
	for i := range s.truth {
		paid[i] = s.truth[i].Paid[scheme]
	}
	return Total{Revenue: stats.Exactly(part(stats.Total(paid), s.cost)), From: everyJob}
}

// sum is that of all jobs' bounds, with an interval where the first phase is a sample.
func (s *survey) sum(bounds []float64) (sum stats.Estimate, skewed bool) {
	var terms []float64
	for at, b := range bounds {
		for range s.times[at] {
			terms = append(terms, float64(s.weight[at]*b))
		}
	}
	if sum = stats.EstimateOf(terms); s.exact {
		return stats.Exactly(sum.Mean), false
	}
	return unlessSkewed(sum, terms)
}

// critical is the total of the k-th critical payment.
func (s *survey) critical(k int) Total {
	t := Total{Asked: len(s.first), From: everyJob}
	for at, i := range s.first {
		t.Late += count(s.late(&s.fates[k][at], &s.truth[i]))
	}
	var paid, half, late []float64
	add := func(at int, size float64) {
		a := s.asked[at]
		paid, half = append(paid, a.Paid[k][0]/size), append(half, a.Half[k][0]/size)
		late = append(late, float64(count(a.Late[k]))*a.Paid[k][0]/size)
	}
	var sum stats.Estimate
	if s.drawn == nil {
		for at := range s.first {
			if s.asked[at] != nil {
				add(at, 1)
			}
		}
		sum, t.Enclosed = stats.Exactly(stats.Total(paid)), stats.Total(half)
	} else {
		for _, at := range s.drawn[k] {
			add(at, s.bounds[k][at])
		}
		bounds, skewed := s.sum(s.bounds[k])
		sum, t.Skewed = hansenHurwitz(paid, bounds)
		if skewed {
			sum, t.Skewed = stats.Exactly(sum.Mean), true
		}
		t.Enclosed = float64(bounds.Mean * part(stats.Total(half), float64(len(half))))
		t.From = fmt.Sprintf("%d draws", len(paid))
	}
	t.LatePart = part(stats.Total(late), stats.Total(paid))
	t.Revenue = stats.Estimate{Mean: part(sum.Mean, s.cost), Half: part(sum.Half, s.cost)}
	t.Enclosed = part(t.Enclosed, s.cost)
	return t
}
