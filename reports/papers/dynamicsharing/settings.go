package dynamicsharing

import (
	"fmt"
	"slices"

	"bourse/events"
	"bourse/reports/experiment"
	"bourse/reports/papers"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/google"
)

// The rounds and horizons that Google's jobs are read with.
const (
	minute = 60 * events.Second
	day    = 24 * 60 * minute
)

var (
	jobRounds   = []events.Time{15 * minute, 60 * minute, 240 * minute}
	jobHorizons = []events.Time{day, 7 * day, 29 * day}
)

// setting is one way to take demands and endowments from a trace, for what the paper
// does not publish, with what came of it.
type setting struct {
	trace, demand  string
	every, horizon events.Time
	rule           rule
	rounds         int
	outcome
}

// sensitivity varies demands, length of a round, horizon and rule of endowments.
func (s *study) sensitivity() error {
	s.Heading("Sensitivity: demands, length of a round, horizon, and rule of endowments")
	if len(s.settings) == 0 {
		s.Printf("There are no traces to vary it on.\n")
		return nil
	}
	t := table.New(
		table.Col("trace", "trace", terminal.Words), table.Col("demand", "demand", terminal.Words),
		table.Col("days", "days", terminal.Significant(3)), table.Col("round_s", "round", terminal.Seconds),
		table.Col("rounds", "rounds", terminal.Number), table.Col("endowments", "endowments", terminal.Words),
		table.Col("agents", "agents", terminal.Number), table.Col("smm_static", "SMM / static", terminal.Fixed(3)),
		table.Col("fl_smm", "FL / SMM", terminal.Fixed(3)), table.Col("half_smm", "R/2 / SMM", terminal.Fixed(3)),
		table.Col("two_smm", "2-Period / SMM", terminal.Fixed(3)),
		table.Col("one_smm", "1-Period / SMM", terminal.Fixed(3)),
		table.Col("least_index", "least index", terminal.Fixed(3)), table.Col("mean_index", "mean", terminal.Fixed(3)),
		table.Col("median_index", "median", terminal.Fixed(3)), table.Col("above_1", "above 1", terminal.Number),
		table.Col("two_or_more", "2 or more", terminal.Number))
	for _, c := range s.settings {
		x, o := c.indices(flexible), c.outcome
		t.Add(c.trace, c.demand, c.horizon.Seconds()/86400, c.every.Seconds(), c.rounds, c.rule.name, len(x.sorted),
			o.welfare(staticMaxMin, 0),
			o.ofSMM(flexible), o.ofSMM(halfPeriod), o.ofSMM(twoPeriod), o.ofSMM(onePeriod), x.least(), x.mean, x.median(),
			x.above, x.twice)
	}
	s.Show(t)
	s.Printf("\nThe index is FL's. Endowments:\n")
	for _, r := range rules {
		s.Printf("  %-9s %s\n", r.name, r.line)
	}
	s.Printf("Demands:\n  by time   CPU, or processors, of tasks or jobs submitted and not ended\n")
	for _, of := range readings {
		s.Printf("  %-9s %s\n", of.name, of.line)
	}
	s.googleClaims()
	return s.Keep("sensitivity", t)
}

// ofTraces runs every trace at every length of a round under every rule.
func (s *study) ofTraces() error {
	for _, all := range s.traces {
		for k, r := range rules {
			outs, err := runAll(s.ctx, s.Workers, all, r)
			if err != nil {
				return err
			}
			for l, o := range outs {
				rounds := len(all[l].rounds)
				s.settings = append(s.settings, setting{all[0].name, "by time", lengths[l], events.Time(rounds) * lengths[l], r,
					rounds, o})
			}
			if k == 0 {
				s.main = append(s.main, outs[0])
			}
		}
	}
	return nil
}

// googleJobs is the trace of settings that are read from job_events.
const googleJobs = "Google, jobs"

// month shares the demands of job_events, by every reading, horizon and round.
func (s *study) month() error {
	g, err := readJobs(s.ctx, s.Jobs)
	if err != nil {
		return err
	}
	s.Printf("%s: %s jobs of %s users over %.1f days.\n\n", google.JobTable, terminal.Thousands(int64(len(g.lives))),
		terminal.Thousands(int64(len(g.users))), g.last.Seconds()/86400)
	from := len(s.settings)
	for _, of := range readings {
		for _, horizon := range jobHorizons {
			for _, every := range jobRounds {
				s.settings = append(s.settings, setting{trace: googleJobs, demand: of.name, every: every,
					horizon: min(horizon, g.last), rule: rules[0]})
			}
			if horizon >= g.last {
				break
			}
		}
	}
	return experiment.Do(s.ctx, s.Workers, len(s.settings)-from, func(k int) error {
		c := &s.settings[from+k]
		x, err := g.instance(readings[slices.IndexFunc(readings, func(r reading) bool { return r.name == c.demand })],
			c.every, c.horizon)
		if err != nil {
			return err
		}
		c.rounds, c.outcome = len(x.rounds), make(outcome, len(mechanisms))
		for _, m := range []int{onePeriod, twoPeriod, halfPeriod, flexible, staticMaxMin} {
			if c.outcome[m], err = x.run(mechanisms[m], c.rule); err != nil {
				return err
			}
		}
		return nil
	})
}

// googleClaims judges what the paper says of the Google trace. As it does not say how it
// took demands, a number that lies among those of the job readings is neither confirmed
// nor refuted; one that none of them reaches differs.
func (s *study) googleClaims() {
	var window, jobs, all []setting
	for _, c := range s.settings {
		switch c.trace {
		case googleAll, googleEnded:
			window = append(window, c)
		case googleJobs:
			jobs = append(jobs, c)
		}
	}
	if all = append(window, jobs...); len(all) == 0 {
		return
	}
	const setUp = "the paper says neither what a demand is, nor the rounds, nor the endowments (section 4 refers to its " +
		"full version)"
	for _, c := range []struct {
		where, says string
		of          func(setting) float64
		published   float64
		near        float64
		read        string
	}{
		{"Figure 2, Google", "FL achieves 97 % of SMM's welfare", func(c setting) float64 { return c.ofSMM(flexible) },
			flGoogle, apart, "two printed digits, so within .01"},
		{"Figure 2, Google", "R/2-Period achieves 87 % of SMM's welfare",
			func(c setting) float64 { return c.ofSMM(halfPeriod) }, halfGoogle, apart, "two printed digits, so within .01"},
		{"Figure 3, Google", "the least sharing index is 0.98",
			func(c setting) float64 { return c.indices(flexible).least() }, leastIndex, apart,
			"two printed digits, so within .01"},
		{"Figure 3, Google", "agents receive 15x on average", func(c setting) float64 { return c.indices(flexible).mean },
			meanIndex, .5,
			"no decimals, so within .5; a user of one burst has an index near the number of rounds, so that the mean counts " +
				"rounds: 15 goes with some 70 to 290 of them"},
	} {
		verdict, found := papers.Unpublished, ""
		if len(jobs) > 0 {
			low, high, near := spread(jobs, c.of, c.published, c.near)
			if low > c.published+c.near || high < c.published-c.near {
				verdict = papers.Differs
			}
			found = fmt.Sprintf("jobs: %.3f to %.3f, near it in %d of %d settings; ", low, high, near, len(jobs))
		}
		if len(window) > 0 {
			low, high, near := spread(window, c.of, c.published, c.near)
			found += fmt.Sprintf("window of tasks: %.3f to %.3f, near it in %d of %d; ", low, high, near, len(window))
		}
		s.Claim(c.where, c.says, verdict, "%s", found[:len(found)-2]).Read("%s; %s", setUp, c.read).Tried(len(all))
	}
	few, most, many, rising, lowest := 1.0, 0.0, 0.0, 0, 0
	for _, c := range all {
		x := c.indices(flexible)
		few, most, many = min(few, float64(x.above)/float64(len(x.sorted))),
			max(most, float64(x.above)/float64(len(x.sorted))), max(many, float64(x.twice)/float64(len(x.sorted)))
		one, two := c.ofSMM(onePeriod), c.ofSMM(twoPeriod)
		if two > one {
			rising++
		}
		if one < min(two, c.ofSMM(halfPeriod), c.ofSMM(flexible)) {
			lowest++
		}
	}
	majority := papers.Unpublished
	if most <= .5 {
		majority = papers.Differs
	}
	s.Claim("Figure 3, Google", "the overwhelming majority benefit substantially", majority,
		"an index above 1 for %.0f to %.0f %% of the agents, of 2 or more for up to %.0f %%", 100*few, 100*most, 100*many).
		Read("%s; no number is said for either word: the table has shares above 1 and 2 and the median. It differs if in "+
			"no setting more than half have an index above 1", setUp).Tried(len(all))
	s.Hold("Figure 2, Google", "2-Period is slightly above 1-Period", rising == len(all), "in %d of %d settings", rising,
		len(all)).Read("in every setting, as none is published").Tried(len(all))
	s.Hold("Figure 2, Google", "1-Period has the lowest welfare", lowest == len(all), "in %d of %d settings", lowest,
		len(all)).Read("of the dynamic mechanisms, in every setting, as none is published").Tried(len(all))
}

// spread are the least and largest value over settings, and how many are near one.
func spread(all []setting, of func(setting) float64, published, apart float64) (low, high float64, near int) {
	low, high = of(all[0]), of(all[0])
	for _, c := range all {
		v := of(c)
		low, high = min(low, v), max(high, v)
		if v >= published-apart && v <= published+apart {
			near++
		}
	}
	return low, high, near
}
