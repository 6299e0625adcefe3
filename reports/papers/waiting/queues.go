package waiting

import (
	"fmt"
	"path/filepath"

	"bourse/engine/scenario"
	"bourse/reports/ask/sweep"
	"bourse/reports/experiment"
	"bourse/reports/figures"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces/transform"
)

// rules are what jobs of a log with a queue do; the first is none.
var rules = []string{"", "slot", "window", "saving", "pieces", "threshold"}

// outcome is what a rule comes to on a replica.
type outcome struct{ carbon, wait, slowdown float64 }

// queues asks on logs of parallel machines, where jobs wait for each other as well, what waiting for carbon saves and
// costs. Requested times are all that is known of lengths.
func (s *study) queues() error {
	if len(s.Logs) == 0 {
		return nil
	}
	type key struct{ log, rule string }
	var keys []key
	s.logs = map[string][]*scenario.Loaded{}
	for _, log := range s.Logs {
		c := scenario.Default()
		c.Trace, c.Seed, c.Policy = log, s.Seed, "easy"
		c.SeriesIn = fmt.Sprintf("carbon=%s(time=hour_of_2022,value=carbon_intensity_avg,unit=h,as=g/proc-h,extend=repeat)",
			filepath.Join(s.Data, carbonFile))
		replicas, err := c.ReadReplicas(s.Replicas, transform.Blocks)
		if err != nil {
			return fmt.Errorf("%s: %w", log, err)
		}
		s.logs[log] = replicas[1:] // the log itself is no replica
		for _, rule := range rules {
			keys = append(keys, key{log, rule})
		}
	}
	results, err := experiment.Run(s.ctx, s.Workers, keys, s.Replicas, func(k key, replica int) (outcome, error) {
		return s.queue(s.logs[k.log][replica], k.rule)
	}, s.Progress)
	if err != nil {
		return err
	}
	s.Heading("Ours: waiting for carbon on machines with a queue (EASY)")
	t := table.New(table.KeyCol("log", "log"), table.KeyCol("rule", "rule"), table.Col("saved", "carbon saved %",
		terminal.Fixed(2)), table.Col("wait", "mean wait",
		terminal.Seconds), table.Col("slowdown", "slowdown", terminal.Ratio), table.Col("times", "slowdown / at once",
		terminal.Ratio))
	bars := []*figures.Bars{{Y: "carbon saved (%)", Groups: rules[1:]}, {Y: "slowdown / at once", Groups: rules[1:],
		From:   1,
		Legend: "tr"}}
	for _, k := range keys {
		var saved, wait, slowdown, times []float64
		for i, x := range results[k] {
			base := results[key{k.log, ""}][i]
			saved, wait = append(saved, 100*(1-x.carbon/base.carbon)), append(wait, x.wait)
			slowdown, times = append(slowdown, x.slowdown), append(times, x.slowdown/base.slowdown)
		}
		name := k.rule
		if name == "" {
			name = "at once"
		}
		t.Add(sweep.Label(k.log), name, stats.EstimateOf(saved), stats.EstimateOf(wait), stats.EstimateOf(slowdown),
			stats.EstimateOf(times))
		if k.rule == rules[1] {
			for _, b := range bars {
				b.Series = append(b.Series, figures.Series{Name: sweep.Label(k.log)})
			}
		}
		for i, samples := range [][]float64{saved, times} {
			if k.rule != "" {
				e, last := stats.EstimateOf(samples), &bars[i].Series[len(bars[i].Series)-1]
				last.Y, last.Half = append(last.Y, e.Mean), append(last.Half, e.Half)
			}
		}
	}
	s.Show(t)
	s.Printf("\ncarbon saved: against the same jobs at once, by a series of power without regard to what idle "+
		"processors draw. slowdown: bounded slowdown. Short jobs (under 2 h requested) wait at most 6 h, long ones 24 h, "+
		"and then for each other. Means over %d replicas of each log, blocks of four of its weeks, with 95 %% intervals "+
		"over them; the year of carbon repeats.\n", s.Replicas)
	if err := s.Draw("queues", []figures.Drawing{bars[0], bars[1]}); err != nil {
		return err
	}
	return s.Keep("queues", t)
}

// queue replays a replica under a rule.
func (s *study) queue(l *scenario.Loaded, rule string) (x outcome, err error) {
	market := l.Scenario.Market
	if market.Policy = "easy"; rule != "" {
		market.Policy = "defer(easy,rule=" + rule + ")"
	}
	p, err := l.Replay(market.Settled())
	if err != nil {
		return x, err
	}
	var c stats.Collector
	if _, err = p.RunAll(s.ctx, &c); err != nil {
		return x, err
	}
	total := c.Result().Total
	if total.SumCarbon != nil {
		x.carbon = *total.SumCarbon
	}
	x.wait, x.slowdown = total.MeanWait, total.MeanBoundedSlowdown
	return x, nil
}
