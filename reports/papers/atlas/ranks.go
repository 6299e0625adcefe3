package atlas

import (
	"cmp"
	"math"
	"slices"

	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// standing is where a policy stands over all logs, by one measure.
type standing struct {
	policy
	rank float64 // the mean over logs
	// low and high are the least and the greatest mean rank if one log is left out; full is that of
	// logs of one machine, well recorded and with requested times.
	low, high, full float64
	// best counts the logs on which no other is better beyond chance, of those with replicas.
	best int
	// ratio is the geometric mean over logs of its value by the least of the log.
	ratio  float64
	ranks  []float64 // by log
	toEasy []float64 // by log, its value by EASY's
}

// pair is how a policy does beside another one, log by log: on how many logs the first is
// better beyond chance, and the second; on the others nothing is proven.
type pair struct {
	a, b          string
	better, worse int
	lower         int // logs on which its mean is lower
	logs          int
	turns         []string // one log that is for it, and one that is against
}

// comparison is the verdicts of all pairs on all logs.
type comparison struct {
	// logs are those that decide anything; on the silent ones all policies do the same, as
	// nobody waits.
	logs, silent []log
	samples      [][][]float64 // by log and policy, of replicas
	itself       [][]float64   // by log and policy, of the log itself
	offset       float64       // that values begin at 0: what is added for their ratios
	ranked       []standing    // in order of mean rank
	all          []pair
	// beyond[log][i][j] is -1 if policy i is better than j beyond chance, 1 if worse, else 0.
	beyond [][][]int8
}

// compare compares all policies on all logs.
func (a *atlas) compare(measure int) *comparison {
	c := &comparison{}
	if measures[measure].Unit == terminal.Seconds {
		c.offset = 1 // s
	}
	for _, l := range a.logs {
		samples, itself := make([][]float64, len(policies)), make([]float64, len(policies))
		for i, p := range policies {
			itself[i], samples[i] = a.samples(l.name, p.name, measure)
		}
		differs := func(x []float64) bool { return !slices.Equal(x, samples[0]) }
		if len(samples[0]) == 0 || !slices.ContainsFunc(samples, differs) {
			c.silent = append(c.silent, l)
			continue
		}
		c.itself = append(c.itself, itself)
		verdicts := make([][]int8, len(policies))
		for i := range verdicts {
			verdicts[i] = make([]int8, len(policies))
		}
		c.logs, c.samples, c.beyond = append(c.logs, l), append(c.samples, samples), append(c.beyond, verdicts)
	}
	for i := range policies {
		for j := range i {
			c.judge(i, j)
		}
	}
	c.ranked, c.all = c.standings(), c.pairs()
	return c
}

// alpha is the probability with which any verdict on a pair, of all logs, may be wrong.
const alpha = .05

// judge gives the verdicts on a pair.
func (c *comparison) judge(i, j int) {
	means, p := make([]float64, len(c.logs)), make([]float64, len(c.logs))
	for k, samples := range c.samples {
		if means[k], p[k] = difference(samples[i], samples[j], c.offset); !c.like(k, i) || !c.like(k, j) {
			p[k] = math.NaN()
		}
	}
	for k, x := range stats.Holm(p) {
		switch {
		case math.IsNaN(x) || x >= alpha:
		case means[k] < 0:
			c.beyond[k][i][j], c.beyond[k][j][i] = -1, 1
		case means[k] > 0:
			c.beyond[k][i][j], c.beyond[k][j][i] = 1, -1
		}
	}
}

// overLog is the figure of a policy's replicas of a log over that of the log itself.
func (c *comparison) overLog(k, i int) float64 {
	return (stats.EstimateOf(c.samples[k][i]).Mean + c.offset) / (c.itself[k][i] + c.offset)
}

// like reports whether the replicas of a log resemble it under a policy.
func (c *comparison) like(k, i int) bool { return stats.Resembles(c.overLog(k, i)) }

// contradicted counts the verdicts on EASY and another policy of which the log itself says the
// opposite by more than 5 %.
func (c *comparison) contradicted() (n, of int, pairs []string) {
	easy := place("easy")
	for k, l := range c.logs {
		for i := range policies {
			found := c.beyond[k][i][easy]
			if found == 0 {
				continue
			}
			of++
			log := math.Log((c.itself[k][i] + c.offset) / (c.itself[k][easy] + c.offset))
			if log*float64(found) < -math.Log(1.05) {
				n, pairs = n+1, append(pairs, policies[i].name+" on "+nickname(l.name))
			}
		}
	}
	return n, of, pairs
}

// difference is the mean of the logarithms of the ratios of x and y, replica by replica, and
// how probable one so far from 0 is if there is none. Waits are 0 where nobody waits: an offset of a
// second makes no difference to those that matter.
func difference(x, y []float64, offset float64) (mean, p float64) {
	d := make([]float64, len(x))
	for k := range d {
		d[k] = math.Log((x[k] + offset) / (y[k] + offset))
	}
	return stats.EstimateOf(d).Mean, stats.PValue(d)
}

// standings are in order of mean rank.
func (c *comparison) standings() []standing {
	all := make([]standing, len(policies))
	ratios := make([][]float64, len(policies))
	for k, samples := range c.samples {
		means := make([]float64, len(policies))
		sum := make([]float64, len(policies))
		for replica := range samples[0] {
			values := make([]float64, len(policies))
			for i := range values {
				values[i] = samples[i][replica]
			}
			for i, r := range stats.Ranks(values) {
				sum[i] += r
				means[i] += values[i]
			}
		}
		least := slices.Min(means)
		for i := range all {
			n := float64(len(samples[0]))
			all[i].policy = policies[i]
			all[i].ranks = append(all[i].ranks, sum[i]/n)
			if least > 0 { // else no job waits under some policy, and there is no ratio
				ratios[i] = append(ratios[i], math.Log(means[i]/least))
			}
			easy := place("easy")
			all[i].toEasy = append(all[i].toEasy, (means[i]/n+c.offset)/(means[easy]/n+c.offset))
			if !slices.Contains(c.beyond[k][i], 1) && len(samples[0]) > 1 {
				all[i].best++
			}
		}
	}
	for i := range all {
		c.average(&all[i])
		all[i].ratio = math.Exp(stats.EstimateOf(ratios[i]).Mean)
	}
	slices.SortStableFunc(all, func(a, b standing) int { return cmp.Compare(a.rank, b.rank) })
	return all
}

// average works a policy's mean ranks out.
func (c *comparison) average(s *standing) {
	s.rank = stats.EstimateOf(s.ranks).Mean
	s.low, s.high = s.rank, s.rank
	var full []float64
	for k, rank := range s.ranks {
		if n := float64(len(s.ranks)); n > 1 {
			without := (float64(n*s.rank) - rank) / (n - 1)
			s.low, s.high = min(s.low, without), max(s.high, without)
		}
		if c.logs[k].full() {
			full = append(full, rank)
		}
	}
	s.full = stats.EstimateOf(full).Mean
}

// place is a policy's among all.
func place(name string) int {
	return slices.IndexFunc(policies, func(p policy) bool { return p.name == name })
}

// pairs are those of all policies, each once: the one that is better on more logs first.
func (c *comparison) pairs() (all []pair) {
	for i := range policies {
		for j := range i {
			p := c.pair(i, j)
			if p.worse > p.better || p.worse == p.better && p.lower < p.logs-p.lower {
				p = c.pair(j, i)
			}
			all = append(all, p)
		}
	}
	return all
}

func (c *comparison) pair(i, j int) pair {
	p := pair{a: policies[i].name, b: policies[j].name, logs: len(c.logs)}
	var for_, against string
	for k, l := range c.logs {
		switch c.beyond[k][i][j] {
		case -1:
			p.better, for_ = p.better+1, l.name
		case 1:
			p.worse, against = p.worse+1, l.name
		}
		if stats.EstimateOf(c.samples[k][i]).Mean < stats.EstimateOf(c.samples[k][j]).Mean {
			p.lower++
		}
	}
	if for_ != "" && against != "" {
		p.turns = []string{for_, against}
	}
	return p
}

// concordance is Kendall's W of the ranks over logs: 1 if all logs rank alike, 0 if ranks
// are as if drawn.
//
//	W = 12 S / (m^2 (n^3 - n))
//
// where S is the sum of squared deviations of the n policies' rank sums over m logs.
func concordance(all []standing) float64 {
	m, n := float64(len(all[0].ranks)), float64(len(all))
	var s float64
	for _, x := range all {
		d := m * (x.rank - float64((n+1)/2))
		s += float64(d * d)
	}
	return 12 * s / (m * m * (float64(n*n*n) - n))
}
