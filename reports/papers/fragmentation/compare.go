package fragmentation

import (
	"math"

	"bourse/policies/gpus"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// judged are the percents at which the study's text compares policies.
var judged = []int{100, 130}

// digits counts the values that equal the published ones as printed.
func (s *study) digits() error {
	s.Heading("Percent by percent beside the published tables")
	if s.printed == nil {
		s.Printf("%s and its like are not in the folder: there is nothing to compare with.\n", measures[0].table)
		return nil
	}
	t := table.New(table.Col("", "workload", terminal.Words), table.Col("", "policy", terminal.Words),
		table.Col("", "runs", terminal.Number),
		table.Col("", "equal allocated", terminal.Number), table.Col("", "fragments", terminal.Number),
		table.Col("", "ratio", terminal.Number),
		table.Col("", "of", terminal.Number), table.Col("", "largest difference", terminal.Significant(3)))
	rows := table.New(table.Named("workload", "policy", "measure", "values", "equal", "largest_difference")...)
	all, same, most := 0, 0, 0.0
	for w := range s.results {
		for p := range compared {
			var n [len(measures)]int
			runs, worst := 0, 0.0
			for k, theirs := range s.bySeed(w, p) {
				runs++
				for m := range measures {
					is, d := equal(s.results[w][p][k].measure(m), theirs[m])
					n[m] += is
					worst = max(worst, d)
				}
			}
			if runs == 0 {
				continue
			}
			name := s.data.workloads[w].name
			t.Add(name, compared[p].name, runs, n[0], n[1], n[2], runs*columns, worst)
			for m := range measures {
				rows.Add(name, compared[p].name, measures[m].name, runs*columns, n[m], worst)
				if p != random {
					all, same, most = all+runs*columns, same+n[m], max(most, worst)
				}
			}
		}
	}
	if all == 0 {
		s.Printf("The published tables have none of these lists of pods: there is nothing to compare with.\n")
		return nil
	}
	s.Show(t)
	s.Hold("Published tables", "every percent of allocation, fragments and ratio, five policies without random draws",
		same == all,
		"%d of %d values are equal as printed; the largest difference is %.3g", same, all, most)
	s.random()
	return s.Keep("digits", rows)
}

// bySeed yields the published results of a workload and policy, by seed.
func (s *study) bySeed(w, p int) func(yield func(int, *[len(measures)][]float64) bool) {
	return func(yield func(int, *[len(measures)][]float64) bool) {
		for k := range s.results[w][p] {
			if theirs := s.printed.find(s.data.workloads[w].name, p, FirstSeed+k); theirs != nil && !yield(k, theirs) {
				return
			}
		}
	}
}

// random compares the means of the policy that draws machines, whose draws are not to be
// had again: they depend on the threads of the study's program.
func (s *study) random() {
	var ps []float64
	most := 0.0
	for w := range s.results {
		for m := range measures {
			for _, c := range judged {
				var diffs []float64
				for k, theirs := range s.bySeed(w, random) {
					diffs = append(diffs, s.results[w][random][k].measure(m)[c]-theirs[m][c])
				}
				if len(diffs) > 1 {
					ps = append(ps, stats.PValue(diffs))
					most = max(most, math.Abs(stats.EstimateOf(diffs).Mean))
				}
			}
		}
	}
	if len(ps) == 0 {
		return
	}
	beyond := 0
	for _, p := range stats.Holm(ps) {
		if p < .05 {
			beyond++
		}
	}
	s.Hold("Published tables", "the means of Random at 100 and 130 %", beyond == 0,
		"%d of %d means differ beyond chance, the largest difference is %.2f points", beyond, len(ps), most).
		Read("its draws depend on the threads of the study's program: differences run by run, corrected for the number of " +
			"comparisons (Holm, 5 %%)")
}

// mean returns the mean of a measure over the seeds at a percent.
func (s *study) mean(w, p, measure, percent int) stats.Estimate {
	return stats.EstimateOver(s.Seeds, func(k int) float64 { return s.results[w][p][k].measure(measure)[percent] })
}

// outcomes prints the means.
func (s *study) outcomes() error {
	s.Heading("What the policies reach: means over %d seeds, in percent", s.Seeds)
	t := table.New(table.Headed(terminal.Fixed(2), "workload", "policy", "allocated at 100", "at 130", "fragments at 100",
		"at 130", "of free GPUs at 100", "at 130")...)
	t.Columns[1].Unit = terminal.Words
	rows := table.New(table.Named("workload", "policy", "seed", "percent", "allocated", "fragments", "ratio")...)
	for w := range s.results {
		for p := range compared {
			cells := []any{s.data.workloads[w].name, compared[p].name}
			for m := range measures {
				for _, c := range judged {
					cells = append(cells, s.mean(w, p, m, c))
				}
			}
			t.Add(cells...)
			for k, r := range s.results[w][p] {
				for c := range columns {
					rows.Add(s.data.workloads[w].name, compared[p].name, FirstSeed+k, c, r.Allocated[c], r.Fragments[c], r.Ratio[c])
				}
			}
		}
	}
	s.Show(t)
	return s.Keep("percents", rows)
}

// headline judges what the paper's abstract says.
func (s *study) headline() error {
	cells, first := 0, 0
	for w := range s.results {
		for k := range s.Seeds {
			for _, c := range judged {
				cells++
				best := true
				for p := range compared {
					best = best && (p == fgd || s.results[w][p][k].Allocated[c] < s.results[w][fgd][k].Allocated[c])
				}
				if best {
					first++
				}
			}
		}
	}
	s.Hold("Published tables", "FGD allocates the most GPUs", first == cells, "in %d of %d runs, at 100 and at 130 %%",
		first, cells)
	w := s.workload("default")
	if w < 0 {
		return nil
	}
	// The packing policy that FGD is furthest ahead of, and the percent at which it is.
	fewer, more, against := stats.Estimate{}, stats.Estimate{}, ""
	for p := 1; p < fgd; p++ {
		by := func(of func(ours, theirs float64) float64, c int) stats.Estimate {
			return stats.EstimateOver(s.Seeds, func(k int) float64 {
				return of(s.results[w][fgd][k].Allocated[c], s.results[w][p][k].Allocated[c])
			})
		}
		if f := by(func(ours, theirs float64) float64 { return 100 * (1 - (100-ours)/(100-theirs)) },
			130); f.Mean > fewer.Mean {
			fewer, against = f, compared[p].name
		}
		for c := 100; c < columns; c++ {
			if m := by(func(ours, theirs float64) float64 { return (ours - theirs) / 100 * s.data.gpu / gpus.Whole },
				c); m.Mean > more.Mean {
				more = m
			}
		}
	}
	within := "the paper's number is within the interval over the seeds"
	s.Hold("Abstract", "up to 49 % fewer GPUs unallocated than with packing policies", fewer.Low() <= 49.5 &&
		fewer.High() >= 48.5, "%s %% fewer than %s, default workload at 130 %%", fewer.Text("%.1f"), against).Read("%s",
		within)
	s.Hold("Abstract", "290 more GPUs can be used", more.Low() <= 290 && more.High() >= 290,
		"%s, default workload, from 100 %% on where it is most", more.Text("%.0f")).
		Read("%s; the paper does not say at which load", within)
	return nil
}

// workload returns the place of a workload, -1 if it is not there.
func (s *study) workload(name string) int {
	for w := range s.data.workloads {
		if s.data.workloads[w].name == name {
			return w
		}
	}
	return -1
}
