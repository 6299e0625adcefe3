package dynamicsharing

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bourse/events"
	"bourse/reports/figures"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/rng"
)

// The published sharing indices under flexible lending on the Google trace.
const leastIndex, meanIndex = .98, 15

// indices are sharing indices in increasing order with their measures.
type indices struct {
	sorted       []float64
	mean         float64
	above, twice int // above 1, and 2 or more
}

func (o outcome) indices(k int) indices {
	x := indices{sorted: o[k].Indices()}
	slices.Sort(x.sorted)
	for _, v := range x.sorted {
		x.mean += v / float64(len(x.sorted))
		if v > 1+1e-9 {
			x.above++
		}
		if v >= 2 {
			x.twice++
		}
	}
	return x
}

func (x indices) least() float64  { return x.sorted[0] }
func (x indices) median() float64 { return x.sorted[len(x.sorted)/2] }

// line draws indices, from the least to the largest.
func (x indices) line(name string) figures.Line {
	l := figures.Line{Name: name, Bare: true}
	for r, v := range x.sorted {
		l.X, l.Y = append(l.X, 100*float64(r+1)/float64(len(x.sorted))), append(l.Y, v)
	}
	return l
}

// wholeMonth are the readings of Google's jobs over the longest horizon, by the hour: the jobs that start
// and end within it first, as a window that cuts most jobs off has little to lend.
func (s *study) wholeMonth() (out []setting) {
	longest := events.Time(0)
	for _, c := range s.settings {
		if c.trace == googleJobs {
			longest = max(longest, c.horizon)
		}
	}
	for _, c := range s.settings {
		if c.trace == googleJobs && c.horizon == longest && c.every == jobRounds[1] {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b setting) int {
		return cmp.Compare(slices.Index(drawn, a.demand), slices.Index(drawn, b.demand))
	})
	return out
}

// drawn are the readings in the order in which they are drawn.
var drawn = []string{"inside", "alive", "submitted", "active"}

// figure3 compares sharing indices.
func (s *study) figure3() error {
	s.Heading("Figure 3: sharing index, what an agent got of its demand over what its endowment would have met")
	if s.Jobs != "" {
		if err := s.month(); err != nil {
			return err
		}
	}
	t := table.New(
		table.Col("", "trace", terminal.Words), table.Col("", "mechanism", terminal.Words),
		table.Col("", "agents", terminal.Number), table.Col("", "least", terminal.Fixed(3)),
		table.Col("", "median", terminal.Fixed(2)), table.Col("", "mean", terminal.Fixed(2)),
		table.Col("", "largest", terminal.Fixed(1)), table.Col("", "above 1", terminal.Number),
		table.Col("", "2 or more", terminal.Number))
	rows := table.New(table.Named("trace", "mechanism", "rank", "sharing_index")...)
	panel := &figures.Panel{X: "agents in order of their index (%)", Y: "sharing index under FL", LogY: true, Legend: "tl"}
	add := func(name string, k int, x indices) {
		t.Add(name, mechanisms[k].label, len(x.sorted), x.least(), x.median(), x.mean, x.sorted[len(x.sorted)-1], x.above,
			x.twice)
		for r, v := range x.sorted {
			rows.Add(name, mechanisms[k].name, r+1, v)
		}
	}
	for _, c := range s.wholeMonth() {
		name, x := fmt.Sprintf("Google's jobs, %s, %.0f days", c.demand, c.horizon.Seconds()/86400), c.indices(flexible)
		add(name, flexible, x)
		panel.Lines = append(panel.Lines, x.line(name))
	}
	for i, o := range s.main {
		name := s.traces[i][0].name
		for k := range mechanisms {
			add(name, k, o.indices(k))
		}
		panel.Lines = append(panel.Lines, o.indices(flexible).line(shortened(name)))
	}
	for _, k := range []int{flexible, karma, staticMaxMin, dynamicMaxMin} {
		least, mean := s.randomMean(func(o outcome) float64 { return o.indices(k).least() }),
			s.randomMean(func(o outcome) float64 { return o.indices(k).mean })
		t.Add(fmt.Sprintf("random (%d)", s.Instances), mechanisms[k].label, "", table.Estimate(least).As(least.String()), "",
			table.Estimate(mean).As(mean.String()), "", "", "")
	}
	if s.Google != "" || s.Jobs != "" {
		t.Add("Google, published", mechanisms[flexible].label, "", fmt.Sprint(leastIndex), "", fmt.Sprint(meanIndex), "", "",
			"")
	}
	s.Show(t)
	if err := s.indexClaims(); err != nil {
		return err
	}
	if err := s.Keep("figure3", rows); err != nil || len(panel.Lines) == 0 {
		return err
	}
	return s.Draw("figure3", []figures.Drawing{panel})
}

// indexClaims judges what the paper says of sharing indices.
func (s *study) indexClaims() error {
	outs := append(slices.Clone(s.random), s.main...)
	worst, least, willing := math.Inf(1), math.Inf(1), math.Inf(1)
	for k, o := range outs {
		v := o.indices(flexible).least()
		worst = min(worst, v)
		if k < len(s.random) {
			least = min(least, v)
		}
		willing = min(willing, o.indices(onePeriod).least(), o.indices(twoPeriod).least())
	}
	found, x, err := s.worst(mechanisms[flexible])
	if err != nil {
		return err
	}
	s.Hold("Section 3", "FL guarantees every agent half of the static utility", min(worst, found) >= .5-1e-9,
		"the worst of a search: %.4f, with endowments %v and demands by round %v; on all other instances %.3f or more", found,
		x.endow, x.demands, worst).
		Read("a guarantee, so judged on the worst instance of a search: %d starts, %d changes of one number each", climbs,
			steps)
	s.Hold("Abstract", "on synthetic data no agent has less than .98 of its static utility", least >= leastIndex-apart,
		"at least %.4f", least).
		Read("\"simulations with real and synthetic data show ... at least 0.98x\"; .98 has two digits, so within .01; the " +
			"real data are judged with Figure 3")
	for k := range max(2, s.Lies) {
		y := drawSmall(rng.Stream(s.Seed, "dynamic-sharing incentives", uint64(k)), 8, 3)
		willing = min(willing, y.least(mechanisms[onePeriod]), y.least(mechanisms[twoPeriod]))
	}
	s.Hold("Section 3", "T-Period has sharing incentives for T <= 2", willing >= 1-1e-9,
		"the least index is %.6f, on all instances and %d small ones", willing, max(2, s.Lies)).
		Read("judged at L = 0: each period hands every agent what it owns, so that nothing else changes with L; 1e-9 for " +
			"rounding")
	return nil
}
